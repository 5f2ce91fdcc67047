internal import Arguments
internal import Control
internal import Manual
internal import Metrics

extension DaemonOptions {
    /// Returns the manual page with this file name; nil if there is no such page.
    static func manualPage(_ name: String) -> String? {
        guard name == "alertd.8" else { return ManualPages.page(name) }
        return ManualPages.program(
            commandLine, section: 8, topics: [signals, variables, files, metrics],
            seeAlso: [
                "alertctl(1)", "alertd.toml(5)", "alertd-events(7)", "alertd.journal-fields(7)", "systemd(1)",
                "journalctl(1)",
            ])
    }

    private static let signals = Topic(
        "SIGNALS",
        [
            ("SIGTERM, SIGINT", "Shut down cleanly: save the state and close the sockets."),
            ("SIGHUP", "Reload the settings. If they contain an error, nothing changes, and the error is logged."),
        ])

    private static let variables = Topic(
        "ENVIRONMENT",
        [
            ("CONFIGURATION_DIRECTORY", "The directory of alertd.toml, which systemd creates for the service."),
            ("CREDENTIALS_DIRECTORY", "The directory of the credentials that systemd passes to the service."),
            ("RUNTIME_DIRECTORY", "The directory of the sockets, which systemd creates for the service."),
            ("STATE_DIRECTORY", "The directory of the state file, which systemd creates for the service."),
            (
                "NOTIFY_SOCKET",
                "Where alertd reports readiness, status, reloads and shutdown to systemd, if set."
            ),
            (
                "JOURNAL_STREAM",
                "Set by systemd if standard output or error is the journal; entries are then not repeated there."
            ),
            (
                "HTTPS_PROXY, http_proxy, ALL_PROXY, NO_PROXY",
                "The proxy for requests and the hosts that are reached without it, unless there is the credential "
                    + "`proxy`; see curl(1)."
            ),
        ])

    private static let metrics = Topic(
        "METRICS",
        MetricFamily.all.map { family in
            let labels = family.labels.map { "`\($0)`" }.joined(separator: ", ")
            return ("\(family.name)", "\(family.help)." + (labels.isEmpty ? "" : " Labels: \(labels)."))
        })

    private static let files = Topic(
        "FILES",
        [
            (defaultConfiguration, "The settings; see alertd.toml(5)."),
            ("/etc/alertd/conf.d/*.toml", "Your settings, so that upgrades need not ask about the file above."),
            ("/etc/alertd/rules.d/*.toml", "More rules."),
            ("/etc/alertd/credentials", "The secrets that `alertctl credential set` has stored."),
            ("/run/alertd/\(ControlInterface.name)", "The control socket; see alertd-events(7)."),
            ("/run/alertd/events.sock", "The event stream; see alertd-events(7)."),
            ("/var/lib/alertd/alertd.db", "Events, alerts and prices: an SQLite database."),
        ])
}
