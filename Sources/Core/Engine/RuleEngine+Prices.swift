package import Market

extension RuleEngine {
    /// The price of the last response that a rule's alerts on a symbol decided on, in the rule's currency; rounded
    /// where it is converted. Nil when there was none that is usable.
    package func decidingPrice(ofRule number: Int, on symbol: Symbol) -> Price? {
        guard let symbolState = table.number(of: symbol).map({ symbolStates[$0] }),
            let alert = symbolState.alerts.first(where: { $0.rule == number })
        else { return nil }
        return symbolState.inputs[alert.input].now.flatMap { $0.shown($0.price) }
    }
}
