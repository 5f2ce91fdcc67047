internal import Arguments
internal import Configuration
internal import PriceSources
internal import Receivers
internal import Rules

extension ManualPages {
    /// An example file for the page; a test parses it.
    package static let settingsExample = """
        [feed]
        interval = "30s"

        [[rule]]
        name = "bitcoin band"
        symbol = "btcinr"
        min = 4_800_000
        max = 7_500_000
        hysteresis = "0.5%"        # fires at 7,500,000, resolves at 7,462,500
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
        page.code(["/etc/alertd/alertd.toml", "/etc/alertd/conf.d/*.toml", "/etc/alertd/rules.d/*.toml"])
        page.section("DESCRIPTION")
        for paragraph in introduction { page.paragraph(paragraph) }
        for table in SettingsReference.Table.allCases { page.add(table) }
        page.addSources()
        page.addReceivers()
        page.addWebhookTemplates()
        page.addWebhookPresets()
        page.section("PLACEHOLDERS")
        let names = MessageTemplate.Placeholder.allCases.map { "`{\($0.rawValue)}`" }
        page.paragraph(
            "In `message`, `message_repeated`, `message_resolved` and `title` these are replaced by values of the "
                + "event: \(names.joined(separator: ", ")). A value that "
                + "the event does not have becomes `none`. Double braces, `{{` and `}}`, become single ones.")
        page.section("EXAMPLES")
        page.code(settingsExample.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
        page.paragraph("Check a file, and show where it has errors:")
        page.code(["alertctl config check /etc/alertd/alertd.toml"])
        page.add(
            Topic(
                "FILES",
                [
                    (
                        "/etc/alertd/alertd.toml",
                        "The main file; `alertd --config` selects another one, with the directories next to it."
                    ),
                    ("/etc/alertd/conf.d/*.toml", "More settings, read after the main file."),
                    ("/etc/alertd/rules.d/*.toml", "More rules, read last."),
                    (
                        "/usr/share/doc/alertd/alertd.toml",
                        "A commented file with the most common keys and their defaults."
                    ),
                ]))
        page.seeAlso(["alertd(8)", "alertctl(1)", "alertd-events(7)", "systemd.time(7)"])
        return page
    }

    private static let introduction = [
        "The settings are written in TOML. The main file is read first, then the files `*.toml` in the directory "
            + "`conf.d` next to it, then those in `rules.d`, which contain rules only; each sorted by "
            + "name, without hidden files. A key in a later file replaces the same key of the same table in an "
            + "earlier one. Tables in double brackets, such as [[source]] and [[rule]], are added to those of earlier "
            + "files; a name that is used twice is an error. `alertctl config show` lists the files and where each "
            + "value comes from. Up to 100 files in `conf.d` and 1,000 in `rules.d` are read, of 1 MiB each; the main "
            + "file and `conf.d` together may have 2 MiB.",
        "The main file can stay as it is installed: an upgrade then never asks about it. Unknown keys are errors, and "
            + "a file with errors is not used: the daemon does not start, and a reload changes nothing. All errors are "
            + "reported at once, with file, line and column.",
        "`alertctl reload` or `systemctl reload alertd` applies changes. Keys that need a restart of the daemon are "
            + "marked below.",
        "Durations use the units `ms`, `s`, `m`, `h` and `d`: \"30s\", \"1h30m\". Sizes use `KiB`, `MiB` or `GiB`. "
            + "Amounts of money are exact, with or without quotes, and may contain underscores.",
        "Do not put secrets into these files; store them with `alertctl credential set`.",
    ]
}

extension ManualDocument {
    fileprivate mutating func addSources() {
        section("SOURCES")
        paragraph(
            "The values of `source`. A host that is not listed here is polled at most once every "
                + "\(SourceProfile.otherHostMinimum), and the local machine once every \(SourceProfile.localMinimum).")
        for source in PriceSource.allCases {
            item(source.rawValue, value: source.profile.summary, [source.description])
        }
    }

    fileprivate mutating func addReceivers() {
        section("RECEIVERS")
        paragraph(
            "The values of `type` in [[receiver]]. `url_credential` and `credential` are the names of systemd "
                + "credentials with this content.")
        for kind in ReceiverKind.allCases { item(kind.rawValue, [kind.profile.description]) }
    }

    fileprivate mutating func add(_ table: SettingsReference.Table) {
        section(table.header)
        paragraph(table.help)
        for key in SettingsReference.keys where key.table == table { add(key) }
    }

    private mutating func add(_ key: SettingsReference.Key) {
        let absent =
            key.absent.map { "Default: \($0)." }
            ?? (key.table == .rule && key.name == "window" ? "Required for rise, fall and move." : "Required.")
        let restart = key.needsRestart ? " A change needs a restart." : ""
        item(key.name, ["\(key.help).", "Takes \(key.type.documented). \(absent)\(restart)"])
    }
}

extension SettingsReference.Table {
    /// The introduction of the table's section.
    fileprivate var help: String {
        switch self {
        case .feed: "The source of prices, if there is one."
        case .source:
            "A source of prices; there may be up to eight of these tables instead of [feed]. Besides the keys below, "
                + "they have those of [feed] except `source`. Each source is polled on its own; `memory` in [history] "
                + "is divided equally among them. Either all are real, or all are simulated."
        case .rates: "Exchange rates, for rules in a currency other than their market's."
        case .display: "The currency in which prices are shown, and how USDT is treated."
        case .history: "How much price history is kept, in memory and in the state file."
        case .events: "How many past events are kept in the state file."
        case .sinks: "Where events are sent on this machine."
        case .metrics: "Numbers about the daemon, prices and alerts for Prometheus; alertd(8) lists them."
        case .heartbeat: "Requests that tell a monitoring service that polling works."
        case .lease:
            "Lets one of several daemons with the same rules notify, while the others stand by: the one that holds the "
                + "lease, a key of a NATS server. See the page on more than one machine in /usr/share/doc/alertd/docs."
        case .receiver:
            "Where notifications are sent over the network. There may be up to 20 of these tables. "
                + "A rule's `notify` names its receivers; all other events go to the receivers whose filters match. "
                + "Tokens, passwords and secret addresses come from systemd credentials."
        case .check:
            "Compares the prices of two markets, usually of two sources. There may be up to 100 of these tables. "
                + "An event reports when the prices differ by more than `within`, and another one when "
                + "they are close again; checks never affect alerts. A silence of either market suppresses "
                + "these events."
        case .rule:
            "What to watch; there may be many of these tables. A rule has exactly one kind of condition: "
                + "\(ConditionKind.text)."
        }
    }
}
