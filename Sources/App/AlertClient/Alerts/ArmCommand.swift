internal import Arguments
internal import Control

/// `alertctl arm RULE [SYMBOL]`: lets a rule that has notified its once tell again.
enum ArmCommand: Command {
    static let specification = CommandLineSpecification(
        "arm", summary: "Arm a rule with 'once' that has notified",
        discussion: [
            "What fires suppressed since then is notified with the next price. For root, the user of the "
                + "daemon and the group "
                + "alertd-admin."
        ],
        examples: [
            Example("alertctl arm 'btc target'", "On all symbols on which it has notified."),
            Example("alertctl arm 'btc target' btcinr", "Only on one symbol."),
        ],
        operands: [
            OperandSpecification("RULE", kind: .live("rules"), help: "The name of the rule"),
            OperandSpecification("SYMBOL", kind: .live("symbols"), isOptional: true, help: "One symbol of the rule"),
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let words = context.arguments.operands
        let parameters = ArmParameters(rule: words.first ?? "", symbol: words.dropFirst().first?.lowercased())
        let reply = try context.connect().call(.arm, parameters, returning: ArmReply.self)
        context.show(
            Report(
                parts: reply.alerts.map { .words("Armed: \(alertWords($0, context.formatter))", .none) } + [
                    .table(alertTable(reply.alerts, of: context.formatter).forPrograms)
                ]))
        context.noteUnsaved(reply.saved)
        return .success
    }
}
