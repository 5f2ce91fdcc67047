package import HTTPServer

/// The settings in `[metrics]`, with the limits and documentation of its keys.
package struct MetricsSettings: Equatable, Sendable {
    /// The symbols whose prices are exported.
    package enum Symbols: String, CaseIterable, Sendable {
        case rules
        case all
    }

    /// The addresses that serve metrics over HTTP.
    package var listen: [ListenAddress] = []
    /// The path of a file for the textfile collector of node_exporter, or nil for none.
    package var textfile: String?
    package var symbols = Symbols.rules

    package init() {}

    static let reference: [SettingsReference.Row] = [
        (
            "listen", .texts, "none",
            "Where metrics are served over HTTP: 127.0.0.1:PORT, [::1]:PORT, or the path of a Unix socket; or a list"
        ),
        (
            "textfile", .text, "none",
            "Absolute path of a file that is written after each poll, for the textfile collector of node_exporter"
        ),
        (
            "symbols", .text, "\"rules\"",
            "Which symbols have a metric with their price: rules for those with rules, or all"
        ),
    ]

    init(reading table: TableReader) {
        symbols = table.choice("symbols", of: Symbols.self) ?? symbols
        for text in table.texts("listen", example: "\"127.0.0.1:9847\"") ?? [] { readAddress(text, table) }
        guard let path = table.text("textfile", example: "\"/var/lib/prometheus/node-exporter/alertd.prom\"") else {
            return
        }
        guard path.value.hasPrefix("/"), path.value.hasSuffix(".prom"), !path.value.hasSuffix("/.prom") else {
            table.context.error(
                path.position, "`textfile` is not the absolute path of a file that ends with .prom",
                advice: "write it like \"/var/lib/prometheus/node-exporter/alertd.prom\"")
            return
        }
        textfile = path.value
    }
    private mutating func readAddress(_ text: Located<String>, _ table: TableReader) {
        do throws(HTTPServerError) {
            let address = try ListenAddress(text.value)
            guard !listen.contains(address) else { return }
            listen.append(address)
            guard !address.isLocal else { return }
            table.context.warning(
                text.position, "`listen` is open to other machines: anyone who can connect sees prices and rules",
                advice: "use 127.0.0.1, or limit who can connect with a firewall")
        } catch {
            table.context.error(
                text.position, "`listen` is \"\(text.value)\", which is not an address to listen on",
                advice: "write 127.0.0.1:9847, [::1]:9847 or the path of a socket")
        }
    }
}
