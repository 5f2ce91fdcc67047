internal import Arguments
internal import Control

/// `alertctl ack NUMBER|RULE [SYMBOL]`: stops repeat notifications until the alert resolves.
enum AckCommand: Command {
    static let specification = CommandLineSpecification(
        "ack", summary: "Stop repeat notifications until the alert resolves",
        discussion: [
            "This applies to the current firing only: the next one is notified and repeated as usual. 'alertctl "
                + "alerts' shows who acknowledged it, even after a restart of the daemon.",
            accessText,
        ],
        examples: [
            Example("alertctl ack 42", "The firing that event 42 belongs to."),
            Example("alertctl ack 'btc band'", "All firing alerts of the rule that were notified."),
            Example("alertctl ack 'btc band' btcinr", "On one symbol only."),
            Example("alertctl ack btcinr", "All firing alerts on a symbol that were notified."),
            Example("alertctl ack --undo 42", "Resume repeat notifications."),
        ],
        options: [
            OptionSpecification("undo", help: "Resume repeat notifications"),
            OptionSpecification(
                "rule", value: "NAME", kind: .live("rules"), help: "The rule, if its name is a number"),
        ],
        operands: [
            OperandSpecification(
                "EVENT", kind: .live("rules"), isOptional: true,
                help: "The number of an event, the name of a rule, or a symbol"),
            OperandSpecification("SYMBOL", kind: .live("symbols"), isOptional: true, help: "One symbol of the rule"),
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let isUndone = context.arguments.has("undo")
        let connection = try context.connect()
        let reply = try acknowledge(try parameters(context.arguments, isUndone), connection)
        let display = try context.display(connection)
        let verb = isUndone ? "Repeats continue" : "Acknowledged"
        context.show(
            Report(
                parts: reply.alerts.map { .text("\(verb): \(text($0, display, context.formatter))", .none) } + [
                    .metadata([Field("changed", .count(reply.changed))]),
                    .table(alertTable(reply.alerts, of: context.formatter).forPrograms),
                ]))
        context.warnUnlessSaved(reply.saved)
        return .success
    }

    /// Acknowledges the firing that an event belongs to, or the firing alerts of a rule. If there is no such rule, the
    /// name is tried as a symbol.
    private static func acknowledge(
        _ parameters: AcknowledgeParameters, _ connection: any ControlConnection
    ) throws(ClientError) -> AcknowledgeReply {
        do throws(ClientError) {
            return try connection.call(.acknowledge, parameters, returning: AcknowledgeReply.self)
        } catch {
            guard case .noSuchRule = error, let name = parameters.rule, parameters.symbol == nil else { throw error }
            let targets = try AlertTargets(named: name, connection, otherwise: error)
            guard !targets.firingRules.isEmpty else {
                throw .refused(Refused(message: "nothing to acknowledge: no alert on \(targets.symbol) is firing"))
            }
            var all = AcknowledgeReply(alerts: [], changed: 0, saved: true)
            for rule in targets.firingRules {
                let own = AcknowledgeParameters(rule: rule, symbol: targets.symbol, undo: parameters.undo)
                let reply = try connection.call(.acknowledge, own, returning: AcknowledgeReply.self)
                all.alerts += reply.alerts
                all.changed += reply.changed
                all.saved = all.saved && reply.saved
            }
            return all
        }
    }

    private static func parameters(
        _ arguments: ParsedArguments, _ isUndone: Bool
    ) throws(ClientError) -> AcknowledgeParameters {
        var operands = arguments.operands[...]
        let undo: Bool? = isUndone ? true : nil
        if arguments.value("rule") == nil, let word = operands.first, let number = Int(word) {
            guard operands.count == 1 else {
                throw .usage("an event already belongs to one symbol; use 'alertctl ack \(number)'")
            }
            return AcknowledgeParameters(event: number, undo: undo)
        }
        guard let rule = arguments.value("rule") ?? operands.popFirst(), operands.count <= 1 else {
            throw .usage("ack takes the number of an event, or the name of a rule and optionally a symbol")
        }
        return AcknowledgeParameters(rule: rule, symbol: operands.first?.lowercased(), undo: undo)
    }

    /// Returns `btcinr at ₹75,13,000.00 ($80,498.93), max ₹75,00,000.00 ($80,359.42) of rule 'btc band', by anna`.
    private static func text(_ alert: AlertStatus, _ display: PriceDisplay, _ formatter: HumanFormatter) -> String {
        let by = alert.acknowledgedBy.map { who in
            ", by \(who)" + (alert.acknowledged.map { " at \(formatter.time($0))" } ?? "")
        }
        return alertText(alert, display) + (by ?? "")
    }
}

/// Describes an alert in one line, with amounts in the rule's currency and the display currency:
/// `btcinr at ₹75,13,000.00 ($80,498.93), max ₹75,00,000.00 ($80,359.42) of rule 'btc band'`. With several
/// sources, it begins with the source: `kraken:btcusd at …`.
func alertText(_ alert: AlertStatus, _ display: PriceDisplay, hasSeveralSources: Bool = false) -> String {
    let price = alert.price.map { " at " + display.fullText($0, in: alert.currency) } ?? ""
    let limit = alert.limit.map { " " + display.fullText($0, in: alert.currency) } ?? ""
    let symbol = hasSeveralSources ? "\(alert.source):\(alert.symbol)" : alert.symbol
    return "\(symbol)\(price), \(alert.bound.text)\(limit) of rule '\(alert.rule)'"
}

/// Returns a table of alerts with all prices in the rule's currency, as in the settings.
func alertTable(_ alerts: [AlertStatus], of formatter: HumanFormatter) -> Table {
    alertTable(alerts, PriceDisplay.own(hasUnicode: formatter.hasUnicode), of: formatter, hasSymbol: true)
}
