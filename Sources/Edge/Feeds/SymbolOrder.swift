internal import Market

/// A detector of symbols that occur twice in a response. It only compares symbols, and needs no new memory, while they
/// are in the same order as in the last response.
struct SymbolOrder {
    /// The symbols of the last response, each once. Symbols of an earlier response follow if it was longer and began
    /// in the same way.
    private var known: [Symbol] = []
    /// The number of symbols of this response that agree with ``known``.
    private var agreeing = 0
    private var hasDiverged = false
    /// The symbols of this response, once it has diverged.
    private var current: [Symbol] = []
    private var seen: Set<Symbol> = []

    /// The number of symbols to expect in a response.
    var count: Int { known.count }

    /// Begins a new response.
    mutating func begin() {
        agreeing = 0
        hasDiverged = false
    }

    /// Returns true for the first occurrence of a symbol in this response.
    mutating func isNew(_ symbol: Symbol) -> Bool {
        if !hasDiverged {
            if agreeing < known.count, known[agreeing] == symbol {
                agreeing += 1
                return true
            }
            diverge()
        }
        guard seen.insert(symbol).inserted else { return false }
        current.append(symbol)
        return true
    }

    /// Ends the response. The next one is probably in the same order.
    mutating func end() {
        if hasDiverged { swap(&known, &current) }
    }

    private mutating func diverge() {
        hasDiverged = true
        seen.removeAll(keepingCapacity: true)
        current.removeAll(keepingCapacity: true)
        for symbol in known.prefix(agreeing) {
            seen.insert(symbol)
            current.append(symbol)
        }
    }
}
