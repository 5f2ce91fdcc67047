internal import Arguments
internal import Control
internal import Events
internal import Market

/// The values of `--kind`.
let eventKinds = EventKind.allCases.map(\.rawValue)

/// The user's selection of events.
struct EventFilter: Sendable {
    static let options = [
        sourceOption,
        OptionSpecification(
            "symbol", value: "PATTERN", kind: .live("symbols"), help: "Only symbols that match this pattern"),
        OptionSpecification("rule", value: "NAME", kind: .live("rules"), help: "Only events of this rule"),
        OptionSpecification("kind", value: "KIND", kind: .oneOf(eventKinds), help: "Only events of this kind"),
        OptionSpecification(
            "severity", value: "SEVERITY", kind: .oneOf(Severity.allCases.map(\.rawValue)),
            help: "Only events of this severity"),
    ]

    static let patternAdvice =
        "--symbol takes a name in lower-case letters and digits, where * stands for any text: '*inr'"

    var pattern: SymbolPattern?
    /// The name of a source; nil for all sources.
    var source: String?
    let rule: String?
    let kind: ControlInterface.EventKind?
    let severity: ControlInterface.Severity?

    init(_ arguments: ParsedArguments) throws(ClientError) {
        rule = arguments.value("rule")
        kind = arguments.value("kind").map(ControlInterface.EventKind.init)
        severity = arguments.value("severity").map(ControlInterface.Severity.init)
        let written = (arguments.value("symbol")?.lowercased()).map(SourcedText.init)
        source = arguments.value("source") ?? written?.source
        guard let written else {
            pattern = nil
            return
        }
        guard let pattern = SymbolPattern(written.symbol) else {
            throw .usage(Self.patternAdvice)
        }
        self.pattern = pattern
    }

    func accepts(_ event: EventRecord) -> Bool {
        if let source, event.source != source { return false }
        if let rule, event.rule != rule { return false }
        if let kind, event.kind != kind { return false }
        if let severity, event.severity != severity { return false }
        guard let pattern else { return true }
        return event.symbol.flatMap { Symbol($0) }.map(pattern.matches) ?? false
    }
}
