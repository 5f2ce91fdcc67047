package import Time

/// The settings in `[heartbeat]`, with the limits and documentation of its keys.
package struct HeartbeatSettings: Equatable, Sendable {
    /// The address to request, or nil if the settings have none.
    package var url: String?
    /// The name of the credential with the address, or nil if the settings have none.
    package var urlCredential: String?
    /// The minimum time between two requests to the same address, 10 s to 1 day.
    package var interval = Milliseconds.seconds(60)
    /// A file with certificate authorities that replace the system's, or nil to use the system's.
    package var authorityFile: String?

    /// Creates the defaults: no heartbeat.
    package init() {}

    /// True if there is an address to request.
    package var isEnabled: Bool { url != nil || urlCredential != nil }

    static let reference: [SettingsReference.Row] = [
        (
            "url", .text, "none",
            "Address that is requested after successful polls, and with /fail appended after failed ones"
        ),
        ("url_credential", .text, "none", "Name of the systemd credential with the address, if that is a secret"),
        ("interval", .duration, "\"1m\"", "Minimum time between two requests to the same address, 10s to 1d"),
        (
            "ca_file", .text, "the system's certificate authorities",
            "Absolute path of a file with the certificate authorities to trust"
        ),
    ]

    private static let intervals = Milliseconds.seconds(10)...Milliseconds.seconds(86_400)

    init(reading table: TableReader) {
        authorityFile = table.authorityFile()
        readAddress(table)
        guard let given = table.duration("interval") else { return }
        interval = given.value
        if !Self.intervals.contains(given.value) {
            table.context.error(
                given.position, "`interval` is \(given.value)", advice: "use a time from \"10s\" to \"1d\"")
        }
    }

    private mutating func readAddress(_ table: TableReader) {
        urlCredential = table.text("url_credential", example: "\"heartbeat-url\"")?.value
        if let name = urlCredential, !isPlainName(name), let node = table.node("url_credential") {
            table.context.secretError(
                node.position, "`url_credential` is not the name of a systemd credential",
                advice: "write it like \"heartbeat-url\"")
        }
        guard let text = table.text("url", example: "\"https://hc.example.org/ping/alertd\"") else { return }
        url = text.value
        if urlCredential != nil {
            table.context.secretError(
                text.position, "both `url` and `url_credential` are set", advice: "remove one of them")
        }
        do throws(FeedAddress.Fault) {
            let address = try FeedAddress(text.value)
            guard !address.isEncrypted, !address.isLoopback else { return }
            table.context.secretError(
                text.position, "`url` uses plain http to another machine", advice: "use https")
        } catch {
            table.context.secretError(
                text.position, "`url` \(error.message)",
                advice: "write it like \"https://hc.example.org/ping/alertd\"")
        }
    }
}
