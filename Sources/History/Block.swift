internal import Market

/// Prices of up to ``rowLimit`` successive polls: one column of times for all symbols, and one of prices for each.
struct Block: Sendable {
    /// An hour of polls every 30 s: long enough for few blocks, short enough for dropping the oldest in small steps.
    static let rowLimit = 120
    static let bytesPerPrice = 9
    static let bytesPerTime = 16

    /// Stands in a scale for "no price in this poll".
    private static let absent: UInt8 = 0xFF

    let rowCapacity: Int
    let symbolCapacity: Int
    private(set) var times: [Instant] = []
    /// Those of symbol `s` begin at `s * rowCapacity`.
    private var mantissas: [Int64]
    private var scales: [UInt8]

    init(rowCapacity: Int, symbolCapacity: Int) {
        self.rowCapacity = rowCapacity
        self.symbolCapacity = symbolCapacity
        mantissas = Array(repeating: 0, count: rowCapacity * symbolCapacity)
        scales = Array(repeating: Self.absent, count: rowCapacity * symbolCapacity)
        times.reserveCapacity(rowCapacity)
    }

    static func byteCount(rows: Int, symbols: Int) -> Int {
        rows * (symbols * bytesPerPrice + bytesPerTime)
    }

    var byteCount: Int { Self.byteCount(rows: rowCapacity, symbols: symbolCapacity) }
    var rowCount: Int { times.count }
    var isFull: Bool { times.count == rowCapacity }

    mutating func beginRow(at time: Instant) {
        times.append(time)
    }

    /// Sets the price of a symbol in the last row.
    mutating func set(_ price: Price, symbol: Int) {
        let index = symbol * rowCapacity + times.count - 1
        mantissas[index] = price.mantissa
        scales[index] = price.scale
    }

    /// The price of a symbol in a row, or nil when there was none.
    func price(symbol: Int, row: Int) -> Price? {
        guard symbol < symbolCapacity else { return nil }
        let index = symbol * rowCapacity + row
        return scales[index] == Self.absent ? nil : Price(mantissa: mantissas[index], scale: scales[index])
    }
}
