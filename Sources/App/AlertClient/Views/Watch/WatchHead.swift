internal import Charts
internal import Control
internal import Diagnostics

/// The first line of the live view: the currency, firing alerts, problems, and the age of the prices.
struct WatchHead {
    private let data: WatchData
    private let formatter: HumanFormatter
    private let hasUnicode: Bool

    init(_ data: WatchData, _ formatter: HumanFormatter, _ symbols: SymbolSet) {
        self.data = data
        self.formatter = formatter
        hasUnicode = symbols.hasUnicode
    }

    func draw(on grid: inout CellGrid) {
        let (text, ink) = age
        let shown = fitted(text, to: grid.width - 8, hasUnicode: hasUnicode)
        let end = grid.width - columnWidth(of: shown)
        grid.put(shown, row: 0, column: end, ink)
        var place = 0
        for (text, ink) in parts(within: end - 2) where place < end - 2 {
            let cut = fitted(text, to: end - 2 - place, hasUnicode: hasUnicode)
            place = grid.put(cut, row: 0, column: place, ink) + 2
        }
    }

    private func parts(within width: Int) -> [(text: String, ink: Ink)] {
        let currency = data.display.currency.map { "prices in \($0)" } ?? "market prices"
        let firing = data.status?.firing ?? 0
        var parts: [(text: String, ink: Ink)] = [("alertd", .strong)]
        if data.status?.simulated == true { parts.append(("SIMULATED", .alarm)) }
        parts.append((currency, .muted))
        if firing > 0 { parts.append(((hasUnicode ? "● " : "* ") + "\(firing) firing", .alarm)) }
        guard let first = problems.first else { return parts }
        let room = { width - parts.reduce(0) { $0 + columnWidth(of: $1.text) + 2 } }
        if let text = problemText(within: room()) { return parts + [(text, .alarm)] }
        // A problem matters more than the currency, which the prices show as well.
        parts.removeAll { $0.text == currency }
        return parts + [(problemText(within: room()) ?? first, .alarm)]
    }

    /// The problems in a few words each, the most serious first.
    private var problems: [String] {
        guard data.fault == nil, let health = data.health else { return [] }
        // Stale prices are reported by ``age``.
        return health.headlines.filter { $0.kind != .stalePrices }.compactMap(\.short).map {
            (hasUnicode ? "⚠ " : "! ") + $0
        }
    }

    /// Returns the problems that fit, and the number of the remaining problems; nil if not even the first problem
    /// fits.
    private func problemText(within width: Int) -> String? {
        let problems = problems
        return problems.indices.reversed().lazy.map { last in
            let rest = problems.count - 1 - last
            return problems[...last].joined(separator: "  ") + (rest > 0 ? "  +\(rest)" : "")
        }.first { columnWidth(of: $0) <= width }
    }

    /// The age of the prices, or the reason why there are none.
    private var age: (text: String, ink: Ink) {
        if let fault = data.fault { return ((hasUnicode ? "⚠ " : "! ") + fault, .alarm) }
        guard let status = data.status else { return ("connecting", .muted) }
        guard let age = formatter.age(status.newestData) else { return ("no prices yet", .alarm) }
        if let stale = status.sources.first(where: \.stale) {
            let name = status.hasSeveralSources ? " of \(stale.source)" : ""
            return ("STALE: prices\(name) are \(formatter.age(stale.lastSuccess) ?? "some time") old", .alarm)
        }
        return ("\(status.sourceNames), \(age) ago", .muted)
    }
}
