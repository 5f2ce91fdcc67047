internal import Charts
internal import Control
internal import Diagnostics
internal import HTTPServer
internal import JSON
internal import Market
internal import Time

/// The chart that the page requests, from the query of its URL.
struct WebChartRequest: Equatable {
    static let ranges: [(name: String, seconds: Int64)] = WatchState.ranges.map { ($0.name, $0.seconds) }
    /// Maximum number of symbols: more lines could not be distinguished.
    static let symbolLimit = 5

    var symbols: [String]
    var range: Int64
    var currency: String
    var width: Int
    var height: Int

    /// - Throws: ``ClientError/usage(_:)`` if a parameter is invalid.
    init(_ request: HTTPServerRequest) throws(ClientError) {
        let names = request.query.filter { $0.name == "symbol" }.map { $0.value.lowercased() }
        guard (1...Self.symbolLimit).contains(names.count), names.allSatisfy({ (1...100).contains($0.utf8.count) })
        else {
            throw .usage("symbol: a chart shows 1 to \(Self.symbolLimit) symbols")
        }
        symbols = names
        let name = try request.only("range") ?? "24h"
        guard let range = Self.ranges.first(where: { $0.name == name }) else {
            throw .usage("range: '\(visible(name))' is none of " + Self.ranges.map(\.name).joined(separator: ", "))
        }
        self.range = range.seconds
        currency = try request.only("currency") ?? ""
        width = try Self.side("width", request) ?? 900
        height = try Self.side("height", request) ?? 360
    }

    /// Parses the width or height in pixels; nil if it is absent. The chart clamps it to its limits.
    private static func side(_ name: String, _ request: HTTPServerRequest) throws(ClientError) -> Int? {
        guard let text = try request.only(name) else { return nil }
        guard let pixels = Int(text), pixels > 0 else {
            throw .usage("\(name): '\(visible(text))' is not a number of pixels")
        }
        return pixels
    }
}

extension HTTPServerRequest {
    /// Returns the value of a query parameter; nil if it is absent.
    ///
    /// - Throws: ``ClientError/usage(_:)`` if it is given more than once: any choice would be a guess.
    func only(_ name: String) throws(ClientError) -> String? {
        guard query.count(where: { $0.name == name }) <= 1 else { throw .usage("\(name): given more than once") }
        return argument(name)
    }

    /// Returns the value of a required query parameter.
    func needed(_ name: String) throws(ClientError) -> String {
        guard let text = try only(name), !text.isEmpty else { throw .usage("\(name) is missing") }
        return text
    }
}

extension WebDaemon {
    func chart(_ request: WebChartRequest) throws(ClientError) -> WebChart {
        try use { connection throws(ClientError) in
            let display = try display(request.currency, connection)
            let formatter = formatter
            var asked = ChartRequest(request.symbols[0], formatter)
            asked.symbols = request.symbols
            asked.isRelative = request.symbols.count > 1
            let oldest = try connection.status().history.oldest.flatMap { WallTime(rfc3339: $0) }
            asked.setLength(.seconds(request.range), until: formatter.now, oldest: oldest)
            var chart = try LiveCharts(connection, display, formatter).chart(asked).chart
            chart.statesChange = false
            let reply = try connection.all(
                .listAlerts, ListAlertsParameters(symbol: request.symbols[0]), returning: ListAlertsReply.self)
            return WebChart(request: request, chart: chart, alerts: reply.alerts, display: display)
        }
    }
}

/// A chart and the limits that the user can move in it.
struct WebChart: JSONWritable {
    let request: WebChartRequest
    let chart: Chart
    let alerts: [AlertStatus]
    let display: PriceDisplay

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("svg", chart.svg(width: request.width, height: request.height, hasStyle: false))
        writer.member("caption", chart.caption())
        if let frame = chart.svgFrame(width: request.width, height: request.height) {
            writer.key("frame")
            writer.beginObject()
            writer.number("left", frame.left)
            writer.number("right", frame.right)
            writer.number("top", frame.top)
            writer.number("bottom", frame.bottom)
            writer.number("low", frame.low)
            writer.number("high", frame.high)
            writer.flag("logarithmic", frame.isLogarithmic)
            writer.endObject()
            writer.list("limits", movable) { limit, writer in
                writer.beginObject()
                writer.member("rule", limit.alert.rule)
                writer.member("bound", limit.alert.bound.rawValue)
                writer.member("value", "\(limit.value)")
                writer.member("step", "\(limit.step)")
                writer.member("currency", limit.alert.currency)
                writer.member("text", display.fullText("\(limit.value)", in: limit.alert.currency))
                writer.number("factor", factor(limit))
                writer.endObject()
            }
        }
        writer.endObject()
    }

    /// The limits that can be moved and that can be converted to the currency of the chart.
    private var movable: [MovedLimit] {
        alerts.compactMap { MovedLimit($0) }.filter { factor($0) != nil }
    }

    /// Returns the factor from amounts in the rule's currency to values in the chart; nil if unknown.
    func factor(_ limit: MovedLimit) -> Double? { chart.factor(of: limit.alert, display) }

    /// Returns the effect of moving a limit to this value.
    ///
    /// - Throws: ``ClientError/usage(_:)`` if there is no such limit, or the value is invalid.
    func trial(rule: String, bound: String, value: String) throws(ClientError) -> WebTrial {
        guard var limit = movable.first(where: { $0.alert.rule == rule && $0.alert.bound.rawValue == bound }),
            let factor = factor(limit)
        else { throw .usage("this limit cannot be moved") }
        let price = try WebChange.limit(value)
        limit.value = price
        return WebTrial(
            value: "\(price)", text: display.fullText("\(price)", in: limit.alert.currency),
            firings: limit.firings(chart.series.first?.bars ?? [], factor: factor))
    }
}

/// The effect of a limit at another value: how often it would have fired.
struct WebTrial: JSONWritable {
    let value: String
    let text: String
    let firings: Int

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("value", value)
        writer.member("text", text)
        writer.member("firings", firings)
        writer.endObject()
    }
}
