/// `[metrics]`: its keys, their defaults, their limits and their documentation.
package struct MetricsSettings: Equatable, Sendable {
    /// Which symbols have prices.
    package enum Symbols: String, CaseIterable, Sendable {
        case rules
        case all
    }

    /// The file for the textfile collector of node_exporter; nil for none.
    package var textfile: String?
    package var symbols = Symbols.rules

    /// The defaults of the section `[metrics]`.
    package init() {}

    static let reference: [SettingsReference.Row] = [
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
}
