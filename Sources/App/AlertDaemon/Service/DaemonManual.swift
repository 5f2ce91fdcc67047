internal import Arguments
internal import Control
internal import Manual

extension DaemonOptions {
    /// A page of the manual by the name of its file; nil when there is none of that name.
    static func manualPage(_ name: String) -> String? {
        guard name == "alertd.8" else { return ManualPages.page(name) }
        return ManualPages.program(
            commandLine, section: 8, topics: [signals, variables, files],
            seeAlso: [
                "alertctl(1)", "alertd.toml(5)", "alertd-events(7)", "alertd.journal-fields(7)", "systemd(1)",
                "journalctl(1)",
            ])
    }

    private static let signals = Topic(
        "SIGNALS",
        [
            ("SIGTERM, SIGINT", "End in order: what is known is saved, and the sockets are closed."),
            ("SIGHUP", "Read the settings again; with an error in them nothing changes, and the log says so."),
        ])

    private static let variables = Topic(
        "ENVIRONMENT",
        [
            ("RUNTIME_DIRECTORY", "The folder of the sockets, as systemd makes it for the service."),
            ("STATE_DIRECTORY", "The folder of the state file, as systemd makes it for the service."),
            (
                "NOTIFY_SOCKET",
                "Where readiness, status, reloads and the end are notified to systemd; without it nothing is notified."
            ),
            (
                "JOURNAL_STREAM",
                "Whether the standard streams are the journal: then no line goes there that is an entry of its own."
            ),
        ])

    private static let files = Topic(
        "FILES",
        [
            (defaultConfiguration, "The settings; see alertd.toml(5)."),
            ("/etc/alertd/rules.d/*.toml", "More rules."),
            ("/run/alertd/\(ControlInterface.name)", "The control socket; see alertd-events(7)."),
            ("/run/alertd/events.sock", "The event stream; see alertd-events(7)."),
            ("/var/lib/alertd/alertd.db", "Events, alerts and prices, an SQLite file."),
        ])
}
