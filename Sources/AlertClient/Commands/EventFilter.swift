internal import Arguments
internal import Control
internal import Market
internal import Rules

/// The kinds of events that a user may ask for.
let eventKinds = [
    "fired", "resolved", "repeated", "feed_stale", "feed_recovered", "symbol_frozen", "symbol_missing",
    "symbol_returned", "rules_changed", "test",
]

/// Which events the user wants to see.
struct EventFilter: Sendable {
    private let pattern: SymbolPattern?
    private let rule: String?
    private let kind: String?

    init(_ arguments: ParsedArguments) throws(ClientError) {
        rule = arguments.value("rule")
        kind = arguments.value("kind")
        guard let text = arguments.value("symbol")?.lowercased() else {
            pattern = nil
            return
        }
        guard let pattern = SymbolPattern(text) else {
            throw .usage("--symbol takes a name of small letters and digits, in which * stands for any text: '*inr'")
        }
        self.pattern = pattern
    }

    func accepts(_ event: EventRecord) -> Bool {
        if let rule, event.rule != rule { return false }
        if let kind, event.event != kind { return false }
        guard let pattern else { return true }
        return event.symbol.flatMap { Symbol($0) }.map(pattern.matches) ?? false
    }
}
