/// A text format of metrics.
package enum MetricsFormat: Equatable, Sendable {
    /// Prometheus' text format 0.0.4.
    case text
    /// OpenMetrics 1.0 (prometheus/docs, docs/specs/om/open_metrics_spec.md).
    case openMetrics

    /// The value of `Content-Type`.
    package var contentType: String {
        switch self {
        case .text: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }

    /// Selects the format that a client prefers: OpenMetrics if it accepts version 1.0.0 at least as much as the text
    /// format. Unknown parameters, such as `escaping`, are ignored.
    ///
    /// - Parameter accept: The value of `Accept`; nil without one.
    package init(accept: String?) {
        var (text, openMetrics) = (0.0, 0.0)
        for range in (accept ?? "").split(separator: ",").prefix(Self.rangeLimit) {
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard let type = parts.first else { continue }
            let version = parts.first { $0.hasPrefix("version=") }?.dropFirst(8).filter { $0 != "\"" }
            let quality = parts.first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            switch type {
            case "application/openmetrics-text" where version == nil || version == "1.0.0":
                openMetrics = max(openMetrics, quality)
            case "text/plain" where version == nil || version == "0.0.4": text = max(text, quality)
            case "text/*", "*/*": text = max(text, quality)
            default: break
            }
        }
        self = openMetrics > 0 && openMetrics >= text ? .openMetrics : .text
    }

    /// The maximum number of media ranges that are read from the header. Clients send four.
    private static let rangeLimit = 32
}
