/// What has changed since it was last asked for. Each symbol state and alert is listed once, so that the log stays
/// small when nobody asks.
struct ChangeLog: Sendable {
    /// Whether everything counts as changed, as after a reload.
    var isWhole = true
    var feed = false
    /// The numbers of symbol states.
    private(set) var symbolStates: [Int] = []
    /// The numbers of symbol states, and the places of their alerts.
    private(set) var alerts: [(symbolState: Int, alert: Int)] = []
    /// Places in the watches, of symbols that have no symbol state.
    private(set) var unseen: [Int] = []

    mutating func note(_ symbolState: inout SymbolState, _ number: Int) {
        guard !isWhole, !symbolState.isChanged, symbolState.isRemembered else { return }
        symbolState.isChanged = true
        symbolStates.append(number)
    }

    mutating func note(_ alert: inout Alert, _ index: Int, of number: Int) {
        guard !isWhole, !alert.isChanged else { return }
        alert.isChanged = true
        alerts.append((number, index))
    }

    mutating func noteUnseen(_ place: Int) {
        guard !isWhole, !unseen.contains(place) else { return }
        unseen.append(place)
    }

    /// Hands over what was noted and starts again with an empty log.
    mutating func take(unmarking states: inout [SymbolState]) -> ChangeLog {
        let taken = self
        self = ChangeLog()
        isWhole = false
        for number in taken.symbolStates { states[number].isChanged = false }
        guard taken.isWhole else {
            for (symbolState, alert) in taken.alerts { states[symbolState].alerts[alert].isChanged = false }
            return taken
        }
        for symbolState in states.indices {
            for alert in states[symbolState].alerts.indices { states[symbolState].alerts[alert].isChanged = false }
        }
        return taken
    }
}
