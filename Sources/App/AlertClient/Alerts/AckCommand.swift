internal import Arguments
internal import Control

/// `alertctl ack NUMBER|RULE [SYMBOL]`: stops the repeats of a firing until it is over.
enum AckCommand: Command {
    static let specification = CommandLineSpecification(
        "ack", summary: "Stop the repeats of a firing until it is over",
        discussion: [
            "It is for this firing alone: the next one is notified and repeated as ever. Who did it is shown by "
                + "'alertctl alerts', also after a restart of the daemon.",
            "For root, the user of the daemon and the group alertd-admin.",
        ],
        examples: [
            Example("alertctl ack 42", "The firing that event 42 tells of."),
            Example("alertctl ack 'btc band'", "All that the rule has notified and that still fires."),
            Example("alertctl ack 'btc band' btcinr", "Only on one symbol."),
            Example("alertctl ack --undo 42", "Repeat it after all."),
        ],
        options: [
            OptionSpecification("undo", help: "Let the repeats go on"),
            OptionSpecification(
                "rule", value: "NAME", kind: .live("rules"), help: "The rule, where its name is a number"),
        ],
        operands: [
            OperandSpecification(
                "EVENT", kind: .live("rules"), isOptional: true, help: "The number of an event, or the name of a rule"),
            OperandSpecification("SYMBOL", kind: .live("symbols"), isOptional: true, help: "One symbol of the rule"),
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let isUndone = context.arguments.has("undo")
        let reply = try context.connect().call(
            .acknowledge, try parameters(context.arguments, isUndone), returning: AcknowledgeReply.self)
        let verb = isUndone ? "Repeats go on" : "Acknowledged"
        context.show(
            Report(
                parts: reply.alerts.map { .words("\(verb): \(words($0, context.formatter))", .none) } + [
                    .metadata([Field("changed", .count(reply.changed))]),
                    .table(alertTable(reply.alerts, of: context.formatter).forPrograms),
                ]))
        context.noteUnsaved(reply.saved)
        return .success
    }

    private static func parameters(
        _ arguments: ParsedArguments, _ isUndone: Bool
    ) throws(ClientError) -> AcknowledgeParameters {
        var words = arguments.operands[...]
        let undo: Bool? = isUndone ? true : nil
        if arguments.value("rule") == nil, let word = words.first, let number = Int(word) {
            guard words.count == 1 else { throw .usage("an event is of one symbol already: 'alertctl ack \(number)'") }
            return AcknowledgeParameters(event: number, undo: undo)
        }
        guard let rule = arguments.value("rule") ?? words.popFirst(), words.count <= 1 else {
            throw .usage("ack takes the number of an event, or the name of a rule and perhaps a symbol")
        }
        return AcknowledgeParameters(rule: rule, symbol: words.first?.lowercased(), undo: undo)
    }

    /// `btcinr at ₹75,13,000.00, max ₹75,00,000.00 of 'btc band', by anna`
    private static func words(_ alert: AlertStatus, _ formatter: HumanFormatter) -> String {
        let by = alert.acknowledgedBy.map { who in
            ", by \(who)" + (alert.acknowledged.map { " at \(formatter.time($0))" } ?? "")
        }
        return alertWords(alert, formatter) + (by ?? "")
    }
}

/// One alert in a line: `btcinr at 7513000 INR, max 7500000 of rule 'btc band'`.
func alertWords(_ alert: AlertStatus, _ formatter: HumanFormatter) -> String {
    let display = PriceDisplay.own(hasUnicode: formatter.hasUnicode)
    let price = display.text(alert.price, in: alert.currency).map { " at \($0)" } ?? ""
    let limit = display.text(alert.limit, in: alert.currency).map { " \($0)" } ?? ""
    return "\(alert.symbol)\(price), \(alert.bound)\(limit) of rule '\(alert.rule)'"
}

/// Alerts with each price in the rule's own currency: what somebody changes is what the settings say.
func alertTable(_ alerts: [AlertStatus], of formatter: HumanFormatter) -> Table {
    alertTable(alerts, PriceDisplay.own(hasUnicode: formatter.hasUnicode), of: formatter, hasSymbol: true)
}
