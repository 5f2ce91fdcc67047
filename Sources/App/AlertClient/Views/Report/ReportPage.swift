internal import Charts
internal import Control
internal import Market
internal import Text
internal import Time

/// The HTML page of `alertctl report`.
struct ReportPage {
    struct Section {
        var symbol: String
        var name: String?
        var chart: Chart
        var alerts: [AlertStatus]
    }

    let status: DaemonStatus
    let display: PriceDisplay
    let formatter: HumanFormatter
    let since: WallTime
    let until: WallTime
    let sections: [Section]
    let events: [EventRecord]

    var html: String {
        let range = "\(formatter.stamp(since.description)) to \(formatter.stamp(until.description))"
        let zone = formatter.zone(until).name
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <meta name="viewport" content="width=device-width,initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="generator" content="alertctl \(escaped(status.version))">
            <title>\(escaped("Prices and alerts, \(range)"))</title>
            <style>
            \(Self.css)\(SVGStyle.css)</style>
            </head>
            <body>
            <a class="skip" href="#main">Skip to the charts</a>
            <header>
            <h1>Prices and alerts</h1>
            <p>\(escaped("\(range) \(zone). \(sourceText). \(currencyText)"))</p>
            \(notices)</header>
            <main id="main">
            \(overview)\(sections.enumerated().map(section).joined())\(eventTable)</main>
            </body>
            </html>

            """
    }

    private var sourceText: String {
        (status.hasSeveralSources ? "Sources: " : "Source: ") + status.sourceNames
    }

    private var currencyText: String {
        let banner = display.banner.compactMap { part in if case .text(let text, _) = part { text } else { nil } }
        return banner.isEmpty ? "Prices are in the currency of each market." : banner.joined(separator: ". ") + "."
    }

    private var notices: String {
        var notices: [String] = []
        if status.simulated { notices.append("SIMULATED market: these prices are made up.") }
        for feed in status.sources where feed.stale {
            let name = status.hasSeveralSources ? feed.source : "the source"
            notices.append("STALE: there has been no response from \(name) for too long.")
        }
        return notices.map { "<p class=\"notice\" role=\"note\">\(escaped($0))</p>\n" }.joined()
    }

    /// A table of all symbols with links to their charts.
    private var overview: String {
        let rows = sections.enumerated().map { index, section in
            let firing = section.alerts.count(where: \.isFiring)
            let state = firing > 0 ? "<strong class=\"firing\">● FIRING</strong>" : "ok"
            let bars = section.chart.series.first?.bars ?? []
            let change = bars.first.flatMap { first in
                bars.last.map { last in (last.close / first.open - 1) * 100 }
            }
            return "<tr><th scope=\"row\"><a href=\"#s\(index)\">\(escaped(section.symbol))</a></th>"
                + "<td>\(escaped(section.name ?? ""))</td><td class=\"number\">\(escaped(last(section)))</td>"
                + "<td class=\"number\">\(escaped(change.map(changeText) ?? "-"))</td><td>\(state)</td></tr>\n"
        }
        let head = head(["Symbol", "Name", "!Last", "!Change", "State"])
        return "<section><h2>Symbols</h2><div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Symbols\">"
            + "<table><caption>Prices at the end of the period, and their change since its beginning</caption>\n"
            + head + "<tbody>\n\(rows.joined())</tbody></table></div></section>\n"
    }

    private func last(_ section: Section) -> String {
        section.chart.series.first?.bars.last.map { section.chart.unit.text($0.close, hasUnicode: true) } ?? "-"
    }

    private func changeText(_ percent: Double) -> String {
        (percent > 0 ? "▲ " : percent < 0 ? "▼ " : "") + percentText(percent)
    }

    private func section(_ index: Int, _ section: Section) -> String {
        let title = section.name.map { "\(section.symbol) – \($0)" } ?? section.symbol
        return "<section id=\"s\(index)\"><h2>\(escaped(title))</h2>\n<figure>"
            + "<div class=\"wide-chart\">"
            + section.chart.svg(width: 900, height: 360, id: "c\(index)", hasStyle: false)
            + "</div><div class=\"narrow-chart\">"
            + section.chart.svg(width: 400, height: 300, id: "n\(index)", hasStyle: false)
            + "</div><figcaption>\(escaped(section.chart.caption()))</figcaption></figure>\n" + alertTable(section)
            + "</section>\n"
    }

    private func alertTable(_ section: Section) -> String {
        guard !section.alerts.isEmpty else { return "<p>No rule matches this symbol.</p>\n" }
        let rows = section.alerts.map { alert in
            let state = alert.isFiring ? "<strong class=\"firing\">● FIRING</strong>" : escaped(alert.state.rawValue)
            let limit = display.text(alert.limit, in: alert.currency) ?? "-"
            let away = alert.distancePercent.map { "\($0)%" } ?? "-"
            return "<tr><th scope=\"row\">\(escaped(alert.rule))</th><td>\(state)</td>"
                + "<td>\(escaped(alert.bound.text))</td><td class=\"number\">\(escaped(limit))</td>"
                + "<td class=\"number\">\(escaped(away))</td></tr>\n"
        }
        let label = escaped("Alerts on \(section.symbol)")
        return "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"\(label)\"><table><caption>\(label)"
            + "</caption>\n" + head(["Rule", "State", "Bound", "!Limit", "!Distance"])
            + "<tbody>\n\(rows.joined())</tbody></table></div>\n"
    }

    private var eventTable: String {
        guard !events.isEmpty else { return "<section><h2>Events</h2><p>No events in this period.</p></section>\n" }
        let rows = events.map { event in
            let kind = event.kind.rawValue.replacingAll("_", with: " ") + (event.notified ? "" : " (not notified)")
            return "<tr><td>\(escaped(formatter.stamp(event.time)))</td><th scope=\"row\">\(event.number)</th>"
                + "<td>\(escaped(kind))</td><td>\(escaped(event.text))</td></tr>\n"
        }
        return "<section><h2>Events</h2><div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Events\">"
            + "<table><caption>Newest first</caption>\n" + head(["Time", "Number", "Kind", "Text"])
            + "<tbody>\n\(rows.joined())</tbody></table></div></section>\n"
    }

    /// Returns the table head. A title that begins with `!` marks a column of numbers.
    private func head(_ titles: [String]) -> String {
        let cells = titles.map { title in
            title.hasPrefix("!")
                ? "<th scope=\"col\" class=\"number\">\(title.dropFirst())</th>" : "<th scope=\"col\">\(title)</th>"
        }
        return "<thead><tr>\(cells.joined())</tr></thead>\n"
    }

    private func escaped(_ text: String) -> String { escapedForXML(text) }

    private static let css = """
        :root{color-scheme:light dark;--bg:#fff;--fg:#1f2328;--dim:#59636e;--line:#d1d9e0;--link:#0b5fa4;\
        --alarm:#b93c00}
        @media screen and (prefers-color-scheme:dark){:root{--bg:#0d1117;--fg:#e6edf3;--dim:#9198a1;--line:#3d444d;\
        --link:#6cb6ff;--alarm:#f0883e}}
        *{box-sizing:border-box}
        body{margin:0 auto;max-width:60rem;padding:1rem;background:var(--bg);color:var(--fg);\
        font:16px/1.5 system-ui,"Segoe UI","Liberation Sans","DejaVu Sans",sans-serif}
        h1{font-size:1.6rem;margin:.5rem 0}h2{font-size:1.2rem;margin:2rem 0 .5rem}
        header p,figcaption,caption{color:var(--dim)}a{color:var(--link)}
        .skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:.5rem;background:var(--bg);padding:.3rem}
        .notice,.firing{color:var(--alarm);font-weight:600}
        .wide{overflow-x:auto}table{border-collapse:collapse;width:100%}
        caption{text-align:left;font-size:.9rem;padding:.2rem 0}
        th,td{text-align:left;padding:.25rem .7rem .25rem 0;border-bottom:1px solid var(--line);vertical-align:top;\
        font-weight:400}
        thead th{font-weight:600}.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
        figure{margin:0 0 1rem}figure svg{display:block;width:100%;height:auto}.narrow-chart{display:none}
        @media screen and (max-width:40rem){.wide-chart{display:none}.narrow-chart{display:block}}
        figcaption{font-size:.9rem;margin-top:.3rem}
        @media print{body{max-width:none;padding:0}section{break-inside:avoid}.skip{display:none}}

        """
}
