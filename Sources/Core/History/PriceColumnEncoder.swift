internal import Market

/// An encoder of price columns. All columns of a block use the same encoder, so that its memory is reused.
///
/// The input is a mantissa and a scale per row; a scale of ``absent`` means no price.
struct PriceColumnEncoder {
    /// In place of a scale: the row has no price.
    static let absent = UInt8.max

    private var mantissas: [Int64] = []
    private var scales: [UInt8] = []
    private var changes: [Int64] = []
    private var rowOfPrice: [Int] = []
    /// For each group, a mask of the rows with a price.
    private var presence: [UInt64] = []
    private var bits = BitWriter()

    /// Appends the column to the bytes, or nothing if it has no price.
    ///
    /// - Returns: true if the column has a price.
    mutating func append(
        _ name: Symbol, mantissas: ArraySlice<Int64>, scales: ArraySlice<UInt8>, to bytes: inout [UInt8]
    ) -> Bool {
        gather(mantissas, scales)
        guard let least = self.scales.min(), let greatest = self.scales.max() else { return false }
        let text = name.utf8
        bytes.append(UInt8(text.count))
        bytes.append(contentsOf: text)
        let hasOneScale = isShortest(least: least) && rescale(to: greatest)
        let tick = hasOneScale ? setChanges() : setChangesOfDigits()
        let parameter = divideChanges(by: tick)
        let form = UInt64(hasOneScale ? greatest : BlockFormat.ownScales) | UInt64(hasOneScale ? least : 0) << 5
        bytes.appendFixed(form | UInt64(parameter) << 10, count: 2)
        appendSummary(rows: scales.count, tick: tick, oneScale: hasOneScale ? greatest : nil, to: &bytes)
        writeBits(rows: scales.count, parameter: parameter, withScales: !hasOneScale)
        bits.append(to: &bytes)
        return true
    }

    private mutating func gather(_ mantissas: ArraySlice<Int64>, _ scales: ArraySlice<UInt8>) {
        self.mantissas.removeAll(keepingCapacity: true)
        self.scales.removeAll(keepingCapacity: true)
        rowOfPrice.removeAll(keepingCapacity: true)
        presence.removeAll(keepingCapacity: true)
        for (row, (mantissa, scale)) in zip(mantissas, scales).enumerated() {
            if row % BlockFormat.groupSize == 0 { presence.append(0) }
            guard scale != Self.absent else { continue }
            presence[row / BlockFormat.groupSize] |= 1 &<< UInt64(row % BlockFormat.groupSize)
            self.mantissas.append(mantissa)
            self.scales.append(scale)
            rowOfPrice.append(row)
        }
    }

    /// Returns true if no price has a trailing zero that the smallest scale does not require.
    private func isShortest(least: UInt8) -> Bool {
        scales.indices.allSatisfy { scales[$0] == least || mantissas[$0] % 10 != 0 }
    }

    /// Converts all mantissas to one scale. If any of them does not fit, changes none and returns false.
    private mutating func rescale(to scale: UInt8) -> Bool {
        guard scales.contains(where: { $0 != scale }) else { return true }
        var rescaled = mantissas
        for place in scales.indices where scales[place] != scale {
            let factor = Self.powersOfTen[Int(scale - scales[place])]
            let (product, overflow) = mantissas[place].multipliedReportingOverflow(by: factor)
            guard !overflow else { return false }
            rescaled[place] = product
        }
        mantissas = rescaled
        return true
    }

    static let powersOfTen: [Int64] = (0...Int(Price.maximumScale)).map { power in
        (0..<power).reduce(1) { product, _ in product * 10 }
    }

    /// Computes the changes from price to price.
    ///
    /// - Returns: the greatest common divisor of the changes, or 1 if a change does not fit in 64 bits.
    private mutating func setChanges() -> Int64 {
        changes.removeAll(keepingCapacity: true)
        var tick: Int64 = 0
        var before = mantissas[0]
        for mantissa in mantissas {
            let (change, overflow) = mantissa.subtractingReportingOverflow(before)
            changes.append(change)
            before = mantissa
            guard tick != 1, change != 0 else { continue }
            tick = overflow || change == .min ? 1 : Self.greatestCommonDivisor(tick, abs(change))
        }
        return max(1, tick)
    }

    private mutating func setChangesOfDigits() -> Int64 {
        changes = mantissas.indices.map { mantissas[$0] &- mantissas[max(0, $0 - 1)] }
        return 1
    }

    private static func greatestCommonDivisor(_ left: Int64, _ right: Int64) -> Int64 {
        var (left, right) = (left, right)
        while left != 0 { (left, right) = (right % left, left) }
        return right
    }

    /// Divides the changes by the tick.
    ///
    /// - Returns: the Rice parameter for the changes in ticks.
    private mutating func divideChanges(by tick: Int64) -> Int {
        var (count, sum) = (0, 0.0)
        for place in changes.indices where changes[place] != 0 {
            if tick != 1 { changes[place] /= tick }
            count += 1
            sum += Double(changes[place].zigzag &- 1)
        }
        return Rice.parameter(count: count, sum: sum)
    }

    private func appendSummary(rows: Int, tick: Int64, oneScale: UInt8?, to bytes: inout [UInt8]) {
        let (lowest, highest) = extremes(haveOneScale: oneScale != nil)
        let last = mantissas.count - 1
        for number in [
            rows - mantissas.count, rowOfPrice[0], rows - 1 - rowOfPrice[last], rowOfPrice[lowest], rowOfPrice[highest],
        ] {
            bytes.appendVariable(UInt64(number))
        }
        bytes.appendVariable(UInt64(tick))
        guard oneScale != nil else {
            for place in [0, last, lowest, highest] {
                bytes.appendVariable(mantissas[place].zigzag)
                bytes.append(scales[place])
            }
            return
        }
        bytes.appendVariable(mantissas[0].zigzag)
        let least = UInt64(bitPattern: mantissas[lowest])
        for place in [0, highest, last] {
            bytes.appendVariable((UInt64(bitPattern: mantissas[place]) &- least) / UInt64(tick))
        }
    }

    /// Returns the indexes of the first lowest and the first highest price.
    private func extremes(haveOneScale: Bool) -> (lowest: Int, highest: Int) {
        var (lowest, highest) = (0, 0)
        if haveOneScale {
            for place in mantissas.indices {
                if mantissas[place] < mantissas[lowest] { lowest = place }
                if mantissas[place] > mantissas[highest] { highest = place }
            }
            return (lowest, highest)
        }
        let prices = mantissas.indices.map { Price(unchecked: mantissas[$0], scale: scales[$0]) }
        for place in prices.indices {
            if prices[place] < prices[lowest] { lowest = place }
            if prices[place] > prices[highest] { highest = place }
        }
        return (lowest, highest)
    }

    private mutating func writeBits(rows: Int, parameter: Int, withScales: Bool) {
        bits.removeAll()
        var start = 0
        for (group, present) in presence.enumerated() {
            if mantissas.count < rows {
                bits.writeMask(present, count: BlockFormat.rows(ofGroup: group, of: rows))
            }
            let places = start..<start + present.nonzeroBitCount
            start = places.upperBound
            bits.writeMask(mask(places) { changes[$0] != 0 }, count: places.count)
            for place in places where changes[place] != 0 {
                bits.writeRice(changes[place].zigzag &- 1, parameter: parameter)
            }
            if withScales { writeScales(places) }
        }
    }

    private mutating func writeScales(_ places: Range<Int>) {
        let changed = mask(places) { scales[$0] != scales[max(0, $0 - 1)] }
        bits.writeMask(changed, count: places.count)
        for place in places where changed &>> UInt64(place - places.lowerBound) & 1 != 0 {
            bits.write(UInt64(scales[place]), count: 5)
        }
    }

    @inline(__always)
    private func mask(_ places: Range<Int>, _ isSet: (Int) -> Bool) -> UInt64 {
        var mask: UInt64 = 0
        for place in places where isSet(place) { mask |= 1 &<< UInt64(place &- places.lowerBound) }
        return mask
    }
}
