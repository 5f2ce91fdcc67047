internal import Arguments
internal import Configuration
internal import Rules

extension ManualPages {
    /// A file that shows what the page says; a test has it read.
    package static let settingsExample = """
        [feed]
        interval = "30s"

        [[rule]]
        name = "bitcoin band"
        symbol = "btcinr"
        min = 4_800_000
        max = 7_500_000
        hysteresis = "0.5%"        # fires at 7,500,000, is over at 7,462,500
        for = "1m"

        [[rule]]
        name = "sudden drop"
        symbol = ["*inr", "btcusdt"]
        fall = "10%"
        window = "15m"
        cooldown = "1h"
        severity = "critical"
        message = "{symbol} fell to {price} {currency}, below {limit}"

        [[rule]]
        symbol = "ethinr"          # called "ethinr cross"
        cross = "300000"
        """

    /// alertd.toml(5)
    static func settingsPage() -> ManualDocument {
        var page = begin("alertd.toml", section: 5, "settings and rules of the price alert daemon alertd")
        page.section("SYNOPSIS")
        page.code(["/etc/alertd/alertd.toml", "/etc/alertd/rules.d/*.toml"])
        page.section("DESCRIPTION")
        for paragraph in introduction { page.paragraph(paragraph) }
        for table in SettingsReference.Table.allCases { page.add(table) }
        page.section("PLACEHOLDERS")
        let names = MessageTemplate.Placeholder.allCases.map { "`{\($0.rawValue)}`" }
        page.paragraph(
            "In `message` these stand for what the event has: \(names.joined(separator: ", ")). What it does not have "
                + "becomes `none`. Two braces, `{{` and `}}`, stand for one.")
        page.section("EXAMPLES")
        page.code(settingsExample.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
        page.paragraph("Whether a file is good, and where it is not:")
        page.code(["alertctl config check /etc/alertd/alertd.toml"])
        page.add(
            Topic(
                "FILES",
                [
                    ("/etc/alertd/alertd.toml", "The settings, with rules; another file with `alertd --config`."),
                    ("/etc/alertd/rules.d/*.toml", "More rules, in the order of the names of the files."),
                    ("/usr/share/doc/alertd/alertd.toml", "A file with all keys and their usual values."),
                ]))
        page.seeAlso(["alertd(8)", "alertctl(1)", "alertd-events(7)", "systemd.time(7)"])
        return page
    }

    private static let introduction = [
        "The settings are written in TOML. Rules may stand in the settings file and in files of the folder `rules.d` "
            + "beside it. An unknown key is an error, and with an error nothing of the files is used: the daemon does "
            + "not start, and a reload changes nothing. All errors are said at once, with file, line and column.",
        "`alertctl reload`, or `systemctl reload alertd`, puts changes into force. Where a key needs a restart of the "
            + "daemon it is said below.",
        "A duration is written with the units `ms`, `s`, `m`, `h` and `d`: \"30s\", \"1h30m\". A size has `KiB`, `MiB` "
            + "or `GiB`. Amounts of money are exact, whether they stand in quotes or not, and may have underscores.",
        "No secret belongs into these files; those are systemd credentials (systemd.exec(5)).",
    ]
}

extension ManualDocument {
    fileprivate mutating func add(_ table: SettingsReference.Table) {
        section(table.header)
        paragraph(table.help)
        for key in SettingsReference.keys where key.table == table { add(key) }
    }

    private mutating func add(_ key: SettingsReference.Key) {
        let absent =
            key.absent.map { "When it is left out: \($0)." }
            ?? (key.table == .rule && key.name == "window" ? "Needed by rise, fall and move." : "It must be there.")
        let restart = key.needsRestart ? " A change needs a restart." : ""
        item(key.name, ["\(key.help).", "Takes \(key.type.rawValue). \(absent)\(restart)"])
    }
}

extension SettingsReference.Table {
    /// What the table is about.
    fileprivate var help: String {
        switch self {
        case .feed: "Where prices come from."
        case .rates: "Exchange rates between currencies, for rules in another currency than their market's."
        case .display: "What people read prices in, and what USDT counts as."
        case .history: "How much is kept of past prices, in memory and in the state file."
        case .events: "How much is kept of past events in the state file."
        case .sinks: "Where events are notified."
        case .rule:
            "What is watched; there may be many such tables. A rule has exactly one kind of condition: `min` and `max` "
                + "(one or both), or `within`, or one of `rise`, `fall` and `move` with a `window`, or one of `cross`, "
                + "`cross_up` and `cross_down`."
        }
    }
}
