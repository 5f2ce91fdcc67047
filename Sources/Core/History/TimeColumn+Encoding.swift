extension TimeColumn {
    /// Appends the column of the given times. There must be at least one; `oldest` is the earliest.
    static func append(_ times: ArraySlice<Int64>, oldest: Int64, to bytes: inout [UInt8]) {
        let times = Array(times)
        let first = times[0]
        let step = times.count > 1 ? times[1] &- first : 0
        let isRegular = times.indices.allSatisfy { times[$0] == first &+ Int64($0) &* step }
        let width = isRegular ? 0 : width(of: times, oldest: oldest)
        bytes.append(UInt8(width))
        bytes.appendVariable(UInt64(bitPattern: first &- oldest))
        bytes.appendVariable(step.zigzag)
        guard !isRegular else { return bytes.append(0) }

        let groups = stride(from: 0, to: times.count, by: BlockFormat.groupSize).map {
            differences(times[$0..<min($0 + BlockFormat.groupSize, times.count)], step: step)
        }
        let parameter = parameter(groups)
        bytes.append(UInt8(parameter))
        var bits = BitWriter()
        for (number, group) in groups.enumerated() {
            if number > 0 {
                bytes.appendFixed(UInt64(bitPattern: times[number * BlockFormat.groupSize] &- oldest), count: width)
                bytes.appendFixed(UInt64(bits.bitCount), count: 2)
            }
            write(group, parameter: parameter, to: &bits)
        }
        bits.append(to: &bytes)
    }

    /// Returns the number of bytes that the largest distance from the oldest time needs, at least 1.
    private static func width(of times: [Int64], oldest: Int64) -> Int {
        let all = times.reduce(UInt64(1)) { $0 | UInt64(bitPattern: $1 &- oldest) }
        return (71 - all.leadingZeroBitCount) / 8
    }

    /// Returns the changes of the step from row to row in a group.
    private static func differences(_ times: ArraySlice<Int64>, step: Int64) -> [Int64] {
        var before = step
        return times.indices.dropFirst().map { row in
            let step = times[row] &- times[row - 1]
            defer { before = step }
            return step &- before
        }
    }

    private static func parameter(_ groups: [[Int64]]) -> Int {
        var (count, sum) = (0, 0.0)
        for difference in groups.joined() where difference != 0 {
            count += 1
            sum += Double(difference.zigzag - 1)
        }
        return Rice.parameter(count: count, sum: sum)
    }

    /// Writes the differences of a group. 64 rows take at most 2 + 63 + 63 × 88 bits, so in a block of 8 groups the
    /// offset of a group fits in 16 bits.
    private static func write(_ differences: [Int64], parameter: Int, to bits: inout BitWriter) {
        var mask: UInt64 = 0
        for (row, difference) in differences.enumerated() where difference != 0 { mask |= 1 &<< UInt64(row) }
        bits.writeMask(mask, count: differences.count)
        for difference in differences where difference != 0 {
            bits.writeRice(difference.zigzag - 1, parameter: parameter)
        }
    }
}
