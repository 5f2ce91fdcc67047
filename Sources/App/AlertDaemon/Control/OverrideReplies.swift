internal import Control
internal import Engine
internal import EventLoop
internal import Events
internal import Market
internal import Rules
internal import Time

extension PipelineQuery {
    func overrideState(_ override: LimitOverride) -> OverrideStatus {
        OverrideStatus(
            rule: override.rule, source: override.source.description, symbol: override.symbol.description,
            bound: .init(override.bound),
            limit: override.limit.description, settingsLimit: settingsLimit(of: override)?.description,
            currency: currency(of: override)?.description, by: override.author.description,
            user: Int(override.author.id), since: override.since.description,
            state: .init(rawValue: issue(of: override)?.name ?? "in_effect"))
    }

    func settingsLimit(of override: LimitOverride) -> Price? {
        guard let engine = on(override)?.engine, let rule = engine.rules.first(where: { $0.name == override.rule })
        else { return nil }
        return rule.limit(of: override.bound, from: engine.base(of: rule, on: override.symbol))
    }

    func currency(of override: LimitOverride) -> Currency? {
        override.currency ?? on(override)?.engine.quote(of: override.symbol)?.currency
    }

    /// Returns the reason why the override is not in effect; nil if it is.
    private func issue(of override: LimitOverride) -> OverrideIssue? {
        guard let query = on(override) else { return .noRule }
        return query.engine.issue(of: override)
    }

    /// Returns the notes of a reload about limits that differ from the settings.
    func overrideNotes() -> [String] {
        let notes = overrides.map { override in
            let currency = currency(of: override)
            let money = { (limit: Price) in
                currency.map { moneyText(limit, $0, isRounded: true, hasUnicode: true) } ?? "\(limit)"
            }
            let what =
                "\(override.bound.rawValue) \(money(override.limit)) of '\(override.rule)' on \(override.symbol), "
                + "set by \(override.author)"
            let settings = settingsLimit(of: override).map { "; the configured limit is \(money($0))" } ?? ""
            return issue(of: override).map { "\(what), is not in effect: \($0.text)" }
                ?? "\(what), stays in effect\(settings)"
        }
        let shown = 20
        return notes.prefix(shown) + (notes.count > shown ? ["and \(notes.count - shown) more changed limits"] : [])
    }
}

extension OverrideIssue {
    var text: String {
        switch self {
        case .noRule: "the rule no longer exists"
        case .otherSymbols: "the rule no longer watches this symbol"
        case .noLimit: "the rule no longer has this limit"
        case .otherCurrency: "the currency of the rule has changed"
        case .faulty(let error): "with the current rule, \(error.text)"
        }
    }

    var name: String {
        switch self {
        case .noRule: "no_rule"
        case .otherSymbols: "other_symbols"
        case .noLimit: "no_limit"
        case .otherCurrency: "other_currency"
        case .faulty: "faulty"
        }
    }
}
