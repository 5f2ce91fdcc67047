internal import Arguments
internal import Control

/// `alertctl alerts`: lists alerts, one for each symbol and bound of a rule.
enum AlertsCommand: Command {
    static let specification = CommandLineSpecification(
        "alerts", summary: "List alerts that are firing, pending or near their limits",
        discussion: [
            "Lists the alerts that are firing or pending, then those near their limits, nearest first, at most "
                + "\(AlertSelection.nearCount) for each rule. An alert is near while the price is within "
                + "\(AlertSelection.nearPercent)% of the limit, or beyond it without firing. With --all, "
                + "--symbol or --rule it lists all alerts; --json and --plain always do."
        ],
        examples: [
            Example("alertctl alerts", "What is firing, and what may fire soon?"),
            Example("alertctl alerts --firing", "Alerts that are firing now."),
            Example(
                "alertctl alerts --check -q", "For scripts: exit code 5 if an alert is firing, 7 if prices are stale."),
        ],
        options: [
            OptionSpecification("all", short: "a", help: "List all alerts"),
            OptionSpecification("firing", help: "List firing alerts only"),
            OptionSpecification(
                "symbol", value: "SYMBOL", kind: .live("symbols"), help: "List all alerts on one symbol"),
            OptionSpecification(
                "rule", value: "NAME", kind: .live("rules"), help: "List all alerts of one rule"),
            sourceOption,
            OptionSpecification("check", help: "Exit with 5 if an alert is firing, else with 7 if prices are stale"),
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let connection = try context.connect()
        let parameters = ListAlertsParameters(
            source: context.arguments.value("source"), firingOnly: context.arguments.has("firing") ? true : nil,
            symbol: context.arguments.value("symbol")?.lowercased())
        let reply = try connection.all(.listAlerts, parameters, returning: ListAlertsReply.self)
        let status = try connection.status()
        let isComplete = !context.format.isHuman || ["all", "symbol", "rule"].contains(where: context.arguments.has)
        let rule = context.arguments.value("rule")
        let alerts = reply.alerts.filter { rule == nil || $0.rule == rule }
        if let rule, alerts.isEmpty { try connection.requireRule(rule) }
        let selection = isComplete ? .all(of: alerts) : AlertSelection(from: alerts)
        let display = try context.display(connection)
        var table = alertTable(selection.shown, display, of: context.formatter, hasSymbol: true)
        if selection.hiddenCount > 0 { table.whenEmpty = "No alert is firing, pending or near its limit." }
        let head =
            [Part.metadata([Field("stale", .flag(status.isStale))] + display.metadata)]
            + staleText(isStale: status.isStale, received: status.lastDataOfStale, context.formatter) + display.banner
        let rest = Part.text(
            context.formatter.more("\(selection.hiddenCount) more; 'alertctl alerts --all' shows them"), .muted)
        context.show(
            Report(
                simulated: reply.simulated, parts: head + [.table(table)] + (selection.hiddenCount > 0 ? [rest] : [])))
        guard context.arguments.has("check") else { return .success }
        return alerts.contains(where: \.isFiring) ? .firing : status.isStale ? .stale : .success
    }
}
