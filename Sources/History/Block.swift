internal import Market

/// Prices of up to ``rowLimit`` successive polls: one column of times for all symbols, and one of prices for each.
///
/// A column keeps its first price whole and the others as differences from it, 32 bits each, all at the greatest number
/// of digits after the point that the column has seen. A price that is too far off for that is kept aside, whole.
struct Block: Sendable {
    /// An hour of polls every 30 s: long enough for few blocks, short enough for dropping the oldest in small steps.
    static let rowLimit = 120
    static let bytesPerPrice = 4
    static let bytesPerTime = 16
    /// The first price of a column: 8 bytes of digits, 1 of scale.
    static let bytesPerColumn = 9
    /// A key, a price and their share of a hash table that is at most three quarters full.
    static let bytesPerException = 56

    /// Stands for "no price in this poll".
    private static let absent = Int32.min
    /// Stands for "kept aside".
    private static let exceptional = Int32.min + 1

    let rowCapacity: Int
    let symbolCapacity: Int
    private(set) var times: [Instant] = []
    /// Those of symbol `s` begin at `s * rowCapacity`.
    private var differences: [Int32]
    private var firsts: [Int64]
    /// `unset` where a column has no price yet.
    private var scales: [UInt8]
    private var exceptions: [Int: Price] = [:]

    private static let unset = UInt8.max

    init(rowCapacity: Int, symbolCapacity: Int) {
        self.rowCapacity = rowCapacity
        self.symbolCapacity = symbolCapacity
        differences = Array(repeating: Self.absent, count: rowCapacity * symbolCapacity)
        firsts = Array(repeating: 0, count: symbolCapacity)
        scales = Array(repeating: Self.unset, count: symbolCapacity)
        times.reserveCapacity(rowCapacity)
    }

    static func byteCount(rows: Int, symbols: Int) -> Int {
        rows * (symbols * bytesPerPrice + bytesPerTime) + symbols * bytesPerColumn
    }

    var byteCount: Int {
        Self.byteCount(rows: rowCapacity, symbols: symbolCapacity) + exceptions.count * Self.bytesPerException
    }

    var rowCount: Int { times.count }
    var exceptionCount: Int { exceptions.count }
    var isFull: Bool { times.count == rowCapacity }

    mutating func beginRow(at time: Instant) {
        times.append(time)
    }

    /// Sets the price of a symbol in the last row.
    mutating func set(_ price: Price, symbol: Int) {
        let index = symbol * rowCapacity + times.count - 1
        if scales[symbol] == Self.unset { (firsts[symbol], scales[symbol]) = (price.mantissa, price.scale) }
        if price.scale > scales[symbol] { raiseScale(of: symbol, to: price.scale) }
        guard let difference = difference(of: price, symbol: symbol) else {
            exceptions[index] = price
            differences[index] = Self.exceptional
            return
        }
        differences[index] = difference
    }

    /// The same number that was set, or nil when there was none; zeros at its end may be more or fewer.
    func price(symbol: Int, row: Int) -> Price? {
        guard symbol < symbolCapacity else { return nil }
        let index = symbol * rowCapacity + row
        switch differences[index] {
        case Self.absent: return nil
        case Self.exceptional: return exceptions[index]
        case let difference: return Price(mantissa: firsts[symbol] + Int64(difference), scale: scales[symbol])
        }
    }

    private func difference(of price: Price, symbol: Int) -> Int32? {
        guard let mantissa = Self.rescaled(price.mantissa, by: scales[symbol], from: price.scale) else { return nil }
        let (difference, overflow) = mantissa.subtractingReportingOverflow(firsts[symbol])
        guard !overflow, difference > Int64(Self.exceptional), difference <= Int64(Int32.max) else { return nil }
        return Int32(difference)
    }

    /// Gives a column more digits after the point; where they do not fit it stays as it is.
    private mutating func raiseScale(of symbol: Int, to scale: UInt8) {
        let rows = symbol * rowCapacity..<symbol * rowCapacity + times.count
        guard let first = Self.rescaled(firsts[symbol], by: scale, from: scales[symbol]) else { return }
        let raised = rows.map { row -> Int32? in
            let old = differences[row]
            guard old > Self.exceptional else { return old }
            return Self.rescaled(Int64(old), by: scale, from: scales[symbol]).flatMap { Int32(exactly: $0) }
                .flatMap { $0 > Self.exceptional ? $0 : nil }
        }
        guard !raised.contains(nil) else { return }
        for (row, difference) in zip(rows, raised) {
            differences[row] = difference ?? Self.absent
        }
        (firsts[symbol], scales[symbol]) = (first, scale)
    }

    /// The mantissa of the same number at another scale, or nil when it does not fit.
    private static func rescaled(_ mantissa: Int64, by scale: UInt8, from old: UInt8) -> Int64? {
        guard scale >= old else { return nil }
        var result = mantissa
        for _ in old..<scale {
            let (product, overflow) = result.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            result = product
        }
        return result
    }
}
