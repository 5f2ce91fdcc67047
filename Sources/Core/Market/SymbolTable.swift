/// Gives each symbol a small number that it keeps, from 0 upward.
///
/// Exchanges send their symbols in the same order from poll to poll; where they do, a look-up is one comparison.
package struct SymbolTable: Sendable {
    /// The most symbols: some twenty times what the exchange has ever listed. It bounds the memory that a broken or
    /// hostile response can take.
    package static let capacity = 10_000

    /// The symbols in the order of their numbers.
    @usableFromInline package private(set) var symbols: [Symbol] = []

    private var numbers: [Symbol: Int] = [:]
    /// The number at each position of the last response.
    @usableFromInline private(set) var order: [Int] = []

    package init() {}

    /// The number of a symbol; nil when it is not known.
    package func number(of symbol: Symbol) -> Int? {
        numbers[symbol]
    }

    /// The number of the symbol at the given position of a response; a new symbol gets the next number.
    ///
    /// - Returns: nil when the table is full.
    @inlinable
    package mutating func number(of symbol: Symbol, at place: Int) -> Int? {
        if place < order.count, symbols[order[place]] == symbol { return order[place] }
        return newNumber(of: symbol, at: place)
    }

    @usableFromInline
    mutating func newNumber(of symbol: Symbol, at place: Int) -> Int? {
        guard let number = numbers[symbol] ?? append(symbol) else { return nil }
        if place < order.count {
            order[place] = number
        } else if place == order.count {
            order.append(number)
        }
        return number
    }

    private mutating func append(_ symbol: Symbol) -> Int? {
        guard symbols.count < Self.capacity else { return nil }
        symbols.append(symbol)
        numbers[symbol] = symbols.count - 1
        return symbols.count - 1
    }
}
