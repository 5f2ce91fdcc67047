/// Gives each symbol a small number that it keeps, from 0 upward, until it is removed.
///
/// Exchanges send their symbols in the same order from poll to poll; where they do, a look-up is one comparison.
@usableFromInline
package struct SymbolTable: Sendable {
    /// The most symbols that a single response can have; see ``TickerBatch/symbolLimit``.
    package static let capacity = TickerBatch.symbolLimit

    /// The symbols in the order of their numbers. A number that was given back keeps its former symbol until another
    /// one takes it.
    @usableFromInline package private(set) var symbols: [Symbol] = []

    private let limit: Int
    private var numbers: [Symbol: Int] = [:]
    /// Numbers that were given back.
    private var free: [Int] = []
    /// The number at each position of the last response.
    @usableFromInline private(set) var order: [Int] = []

    /// Makes an empty table for at most `limit` symbols.
    package init(limit: Int = Self.capacity) {
        self.limit = limit
    }

    /// How many symbols have a number.
    package var count: Int { symbols.count - free.count }

    /// The number of a symbol; nil when it is not known.
    package func number(of symbol: Symbol) -> Int? {
        numbers[symbol]
    }

    /// The number of the symbol at the given position of a response; a new symbol gets a number that was given back, or
    /// else the next one.
    ///
    /// - Returns: nil when the table is full.
    @inlinable
    package mutating func number(of symbol: Symbol, at place: Int) -> Int? {
        if place < order.count, symbols[order[place]] == symbol { return order[place] }
        return newNumber(of: symbol, at: place)
    }

    /// Gives the number of a symbol back; an unknown symbol is ignored. Not to be called while a response is looked up.
    package mutating func remove(_ symbol: Symbol) {
        guard let number = numbers.removeValue(forKey: symbol) else { return }
        free.append(number)
        // It may name the number; the next response fills it again.
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
