/// The times of the rows of a block, in milliseconds since 1970: where they are in its bytes, and how to decode them.
///
/// Any bytes decode to some times: decoding never fails and never reads out of bounds.
struct TimeColumn {
    /// The times of one group. Elements past its number of rows are undefined.
    typealias Group = InlineArray<64, Int64>

    let rowCount: Int
    private let oldest: Int64
    private let first: Int64
    private let step: Int64
    /// The size of a time in the index, in bytes; 0 if all rows are one step apart.
    private let width: Int
    private let parameter: Int
    /// The byte offset of the index.
    private let index: Int
    /// The byte offset of the bits.
    private let bits: Int

    /// Reads everything before the bits. Returns nil if it is invalid or the bytes end too early.
    init?(at position: Int, in bytes: Span<UInt8>, rows: Int, oldest: Int64) {
        var reader = ByteReader(position: position)
        guard let width = reader.fixed(1, bytes), width <= 8, let first = reader.variable(bytes),
            let step = reader.variable(bytes), let parameter = reader.fixed(1, bytes),
            parameter <= Rice.parameterLimit
        else { return nil }
        rowCount = rows
        self.oldest = oldest
        self.first = oldest &+ Int64(bitPattern: first)
        self.step = Int64(zigzag: step)
        self.width = Int(width)
        self.parameter = Int(parameter)
        index = reader.position
        bits = width == 0 ? index : index + (BlockFormat.groupCount(rows: rows) - 1) * (Int(width) + 2)
        guard bits <= bytes.count else { return nil }
    }

    /// Returns the first time of a group.
    func base(ofGroup group: Int, in bytes: Span<UInt8>) -> Int64 {
        guard width > 0 else { return first &+ Int64(group &* BlockFormat.groupSize) &* step }
        guard group > 0 else { return first }
        var reader = BitReader(position: entry(group) &* 8)
        return oldest &+ Int64(bitPattern: reader.readWide(width &* 8, from: bytes))
    }

    private func entry(_ group: Int) -> Int { index &+ (group &- 1) &* (width &+ 2) }

    func read(_ group: Int, from bytes: Span<UInt8>, into times: inout Group) {
        let count = BlockFormat.rows(ofGroup: group, of: rowCount)
        var time = base(ofGroup: group, in: bytes)
        times[0] = time
        var step = step
        guard width > 0 else {
            for row in 1..<max(1, count) {
                time &+= step
                times[row] = time
            }
            return
        }
        var reader = BitReader(position: bits &* 8)
        if group > 0 {
            var offset = BitReader(position: (entry(group) &+ width) &* 8)
            reader.position &+= Int(offset.read(16, from: bytes))
        }
        var changed = reader.readMask(count &- 1, from: bytes)
        for row in 1..<max(1, count) {
            if changed & 1 != 0 {
                step &+= Int64(zigzag: reader.readRice(parameter: parameter, from: bytes) &+ 1)
            }
            changed &>>= 1
            time &+= step
            times[row] = time
        }
    }

    func time(ofRow row: Int, in bytes: Span<UInt8>) -> Int64 {
        guard width > 0 else { return first &+ Int64(row) &* step }
        guard row % BlockFormat.groupSize > 0 else { return base(ofGroup: row / BlockFormat.groupSize, in: bytes) }
        var times = Group(repeating: 0)
        read(row / BlockFormat.groupSize, from: bytes, into: &times)
        return times[row % BlockFormat.groupSize]
    }

    /// Returns the first row at or after the given time, or ``rowCount`` if there is none. The times must be in order.
    func firstRow(notBefore time: Int64, in bytes: Span<UInt8>) -> Int {
        var (low, high) = (0, BlockFormat.groupCount(rows: rowCount))
        while low < high {
            let middle = (low + high) / 2
            if base(ofGroup: middle, in: bytes) < time { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return 0 }
        var times = Group(repeating: 0)
        read(low - 1, from: bytes, into: &times)
        let start = (low - 1) * BlockFormat.groupSize
        let count = BlockFormat.rows(ofGroup: low - 1, of: rowCount)
        for row in 1..<max(1, count) where times[row] >= time { return start + row }
        return start + count
    }
}
