/// A table that assigns each symbol a small number, from 0 up. A symbol keeps its number until it is removed.
///
/// Exchanges usually send symbols in the same order in each poll, and then a lookup is a single comparison.
@usableFromInline
package struct SymbolTable: Sendable {
    /// The maximum number of symbols in one response; see ``TickerBatch/symbolLimit``.
    package static let capacity = TickerBatch.symbolLimit

    /// The symbols in the order of their numbers. A freed number keeps its former symbol until it is reused.
    @usableFromInline package private(set) var symbols: [Symbol] = []

    private let limit: Int
    private var numbers: [Symbol: Int] = [:]
    /// The freed numbers.
    private var free: [Int] = []
    /// The number of the symbol at each position of the last response.
    @usableFromInline private(set) var order: [Int] = []

    /// Makes an empty table for at most `limit` symbols.
    package init(limit: Int = Self.capacity) {
        self.limit = limit
    }

    /// The number of symbols in the table.
    package var count: Int { symbols.count - free.count }

    /// Returns the number of a symbol, or nil if it is unknown.
    package func number(of symbol: Symbol) -> Int? {
        numbers[symbol]
    }

    /// Returns the number of the symbol at the given position of a response. A new symbol gets a freed number if there
    /// is one, or the next number.
    ///
    /// - Returns: nil if the table is full.
    @inlinable
    package mutating func number(of symbol: Symbol, at place: Int) -> Int? {
        if place < order.count, symbols[order[place]] == symbol { return order[place] }
        return newNumber(of: symbol, at: place)
    }

    /// Removes a symbol and frees its number. An unknown symbol is ignored. Do not call it between lookups for the
    /// same response.
    package mutating func remove(_ symbol: Symbol) {
        guard let number = numbers.removeValue(forKey: symbol) else { return }
        free.append(number)
        // The order may contain the freed number; the next response fills it again.
        order.removeAll(keepingCapacity: true)
    }

    @usableFromInline
    mutating func newNumber(of symbol: Symbol, at place: Int) -> Int? {
        guard let number = numbers[symbol] ?? insert(symbol) else { return nil }
        if place < order.count {
            order[place] = number
        } else if place == order.count {
            order.append(number)
        }
        return number
    }

    private mutating func insert(_ symbol: Symbol) -> Int? {
        guard count < limit else { return nil }
        let number = free.popLast() ?? symbols.count
        if number == symbols.count { symbols.append(symbol) } else { symbols[number] = symbol }
        numbers[symbol] = number
        return number
    }
}
