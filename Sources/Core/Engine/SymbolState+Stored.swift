internal import Market
internal import Time

extension SymbolState {
    /// Returns the input that a stored alert evaluates.
    func input(of alert: AlertSnapshot) -> PriceInput? {
        let key = StoredAlertState(alert.encodedState)?.input ?? "last"
        return inputs.first { $0.key == key }
    }

    /// Restores the routes of inputs that need no conversion.
    mutating func restoreRoutes() {
        for index in inputs.indices where inputs[index].currency == quoteCurrency { inputs[index].route = .none }
    }
}

extension PriceInput {
    /// The key in storage: `last`, `bid:SEK`.
    var key: String {
        kind.rawValue + (currency.map { ":\($0)" } ?? "")
    }

    init?(stateKey: String) {
        let parts = stateKey.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let currency = parts.count == 2 ? parts.last.flatMap(Currency.init) : nil
        guard let kind = parts.first.flatMap(PriceKind.init(rawValue:)), parts.count == 1 || currency != nil else {
            return nil
        }
        self.init(kind, in: currency)
    }
}
