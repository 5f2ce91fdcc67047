internal import Arguments
internal import Control

/// `alertctl arm RULE [SYMBOL]`: re-arms a one-shot rule that has notified.
enum ArmCommand: Command {
    static let specification = CommandLineSpecification(
        "arm", summary: "Re-arm a one-shot rule",
        discussion: [
            "A rule with 'once = true' notifies once and is then disarmed. Re-armed, it notifies again; an alert that "
                + "is still firing, but was suppressed, is notified with the next price.",
            accessText,
        ],
        examples: [
            Example("alertctl arm 'btc target'", "On all symbols that it has notified for."),
            Example("alertctl arm 'btc target' btcinr", "On one symbol only."),
        ],
        operands: [
            OperandSpecification("RULE", kind: .live("rules"), help: "The name of the rule"),
            OperandSpecification("SYMBOL", kind: .live("symbols"), isOptional: true, help: "One symbol of the rule"),
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let operands = context.arguments.operands
        let parameters = ArmParameters(rule: operands.first ?? "", symbol: operands.dropFirst().first?.lowercased())
        let connection = try context.connect()
        let reply = try connection.call(.arm, parameters, returning: ArmReply.self)
        let display = try context.display(connection)
        context.show(
            Report(
                parts: reply.alerts.map { .text("Re-armed: \(alertText($0, display))", .none) } + [
                    .table(alertTable(reply.alerts, of: context.formatter).forPrograms)
                ]))
        context.warnUnlessSaved(reply.saved)
        return .success
    }
}
