internal import Charts
internal import Engine
internal import Events
internal import Market
internal import Rules
internal import Time
internal import Trials

/// Charts of recorded or scripted prices that show where rules fired and resolved.
struct RuleCharts {
    /// Rows of each chart; less than a screen, because charts of several symbols follow each other.
    private static let height = 18
    /// Maximum number of symbols, so that the output stays readable.
    private static let symbolLimit = 8

    private let rules: [Rule]
    private let formatter: HumanFormatter
    private let symbols: SymbolSet

    init(_ context: Context, rules: [Rule]) {
        self.rules = rules
        formatter = context.formatter
        symbols = .usual(formatter, term: context.environment.variables["TERM"])
    }

    /// Returns the charts of a backtest, one for each symbol with alerts.
    func parts(_ study: BacktestStudy, _ data: RecordedData) throws(ClientError) -> [Part] {
        let all = study.tallies.map(\.place.symbol).reduce(into: [Symbol]()) { names, symbol in
            if !names.contains(symbol) { names.append(symbol) }
        }
        let names = Array(all.prefix(Self.symbolLimit))
        let filled = data.files.filter { $0.content.prices > 0 }
        guard let oldest = filled.map(\.content.oldest).min(), let newest = filled.map(\.content.newest).max() else {
            return []
        }
        let span = WallTime(milliseconds: oldest)..<WallTime(milliseconds: max(newest, oldest) + 1)
        var collectors = names.map { _ in BarCollector(span) }
        try data.forEachMoment { prices, time in
            for price in prices {
                guard let place = names.firstIndex(of: price.symbol) else { continue }
                collectors[place].add(price.price.approximate, at: time.milliseconds)
            }
        }
        let clock = ChartClock(span, formatter.zone)
        let range = "\(clock.text(oldest)) to \(clock.text(newest))"
        let charts = zip(names, collectors).flatMap { name, collector -> [Part] in
            let series = collector.series("\(name)", gap: study.times.settings.maximumGap(of: name))
            let happened = study.events.map { (time: $0.time, occurrence: $0) }
            return parts(name, range, series, span, clock, happened)
        }
        let rest = all.count - names.count
        return charts + (rest > 0 ? [.text(formatter.more(counted(rest, "more symbol")), .muted)] : [])
    }

    /// Returns the charts of a test, one for each scripted symbol.
    func parts(_ trial: RuleTrial, _ settings: TrialSettings) -> [Part] {
        let events = trial.events(settings)
        let polls = trial.markets.map(\.series.steps.count).max() ?? 0
        let end = settings.interval.times(Int64(max(1, polls - 1)))
        let span = settings.start..<WallTime(milliseconds: settings.start.milliseconds + end.count)
        return trial.markets.prefix(Self.symbolLimit).flatMap { market -> [Part] in
            var last: Price?
            let bars = market.series.steps.enumerated().compactMap { poll, step -> ChartBar? in
                switch step {
                case .price(let price): last = price.last
                case .quiet: break
                case .frozen, .unusable, .missing, .nothing: return nil
                }
                let time = settings.start.milliseconds + settings.interval.times(Int64(poll)).count
                return last.map { ChartBar(time: time, price: $0.approximate) }
            }
            let series = ChartSeries(
                name: "\(market.symbol)", style: .line, bars: bars, gap: Milliseconds(settings.interval.count / 2 * 3))
            let happened = events.map { event in
                (
                    time: WallTime(milliseconds: settings.start.milliseconds + event.time.count),
                    occurrence: event.occurrence
                )
            }
            return parts(market.symbol, trial.name, series, span, .elapsed(since: settings.start), happened)
        }
    }

    private func parts(
        _ symbol: Symbol, _ range: String, _ series: ChartSeries, _ span: Range<WallTime>, _ clock: ChartClock,
        _ events: [(time: WallTime, occurrence: Occurrence)]
    ) -> [Part] {
        let quote = symbol.presumedQuote.flatMap { Currency("\($0)") }
        var chart = Chart(
            title: "\(symbol)", rangeText: range, series: [series], span: span,
            unit: quote.map { .money($0, isConverted: false) } ?? .plain, clock: clock)
        for rule in rules where rule.matches(symbol) { addLimits(of: rule, quote, to: &chart) }
        chart.markers = events.compactMap { time, event in
            guard event.symbol == symbol, let price = event.price, event.currency == nil || event.currency == quote,
                let kind = ChartMarker.Kind(event)
            else { return nil }
            return ChartMarker(kind, at: time, value: price.approximate, text: event.text)
        }
        let width = min(formatter.width ?? 80, 160)
        let grid = chart.cells(width: width, height: Self.height, symbols: symbols)
        let caption = chart.caption(hasUnicode: symbols.hasUnicode)
        return [.verbatim(formatter.text(of: grid)), .text(caption, .muted)]
    }

    /// Adds the limits of a rule, unless its currency differs from that of the chart.
    private func addLimits(of rule: Rule, _ quote: Currency?, to chart: inout Chart) {
        guard rule.currency == nil || rule.currency == quote else { return }
        for test in rule.condition.tests {
            guard let limit = test.limit else { continue }
            let texts = limit.prices.map { price in
                quote.map { moneyText(price, $0, isRounded: false, hasUnicode: symbols.hasUnicode) } ?? "\(price)"
            }
            let kind: LimitLine.Kind =
                switch test.bound {
                case .max: .upper
                case .min: .lower
                default: .crossing
                }
            let label = "\(test.bound.rawValue) \(texts.joined(separator: " to ")) \(rule.name)"
            chart.add(limit, clear: test.clear, kind, label: label)
        }
    }
}

extension ChartMarker.Kind {
    fileprivate init?(_ event: Occurrence) {
        switch event.kind {
        case .fired: self = event.bound?.isMomentary == true ? .notice : .fired
        case .resolved: self = .resolved
        default: return nil
        }
    }
}
