internal import Market

/// Finds symbols that occur twice in a response, without work or memory as long as they are in the same order as in the
/// last one.
struct SymbolOrder {
    /// The symbols of the last response, each once.
    private var known: [Symbol] = []
    /// How many symbols of this response agree with ``known``.
    private var agreeing = 0
    private var hasDiverged = false
    /// The symbols of this response, once it has diverged.
    private var current: [Symbol] = []
    private var seen: Set<Symbol> = []

    /// How many symbols the last response had.
    var count: Int { known.count }

    /// A new response begins.
    mutating func begin() {
        agreeing = 0
        hasDiverged = false
    }

    /// Whether this is the first occurrence of the symbol in this response.
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

    /// The response has ended; the next one is probably in the same order.
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
