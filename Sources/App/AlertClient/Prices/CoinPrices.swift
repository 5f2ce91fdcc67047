internal import Arguments
internal import Charts
internal import Control
internal import Market
internal import Time

/// The `--period` option of commands that show the past prices of a price service.
let periodOption = OptionSpecification(
    "period", value: "PERIOD", kind: .oneOf(PricePeriod.allCases.map(\.rawValue)),
    help: "CoinRanking's past prices of a coin over this period",
    details: "The daemon requests them once and stores them; each request counts against the quota of the key.")

extension Context {
    /// Returns the value of `--period`; nil without the option.
    ///
    /// - Throws: ``ClientError`` if it is combined with another range.
    func period() throws(ClientError) -> PricePeriod? {
        guard let period = arguments.value("period").flatMap({ PricePeriod(rawValue: $0) }) else { return nil }
        for other in ["since", "until"] where arguments.has(other) {
            throw .usage("--period and --\(other) cannot be combined")
        }
        return period
    }
}

/// The past prices of a coin from its price service.
struct CoinPrices {
    /// The maximum number of calls after the first. The daemon answers each within two seconds, even if the prices
    /// have not arrived.
    private static let attempts = 20

    let reply: GetCoinHistoryReply
    let points: [(time: WallTime, price: Price)]

    /// - Throws: ``ClientError`` if there are no prices.
    init(_ symbol: String, _ period: PricePeriod, _ connection: any ControlConnection) throws(ClientError) {
        let parameters = GetCoinHistoryParameters(symbol: symbol, period: period.rawValue)
        var reply = try connection.call(.getCoinHistory, parameters, returning: GetCoinHistoryReply.self)
        for _ in 0..<Self.attempts where reply.pending {
            reply = try connection.call(.getCoinHistory, parameters, returning: GetCoinHistoryReply.self)
        }
        points = reply.prices.compactMap { point in
            guard let time = WallTime(rfc3339: point.time), let price = try? Price(point.price) else { return nil }
            return (time, price)
        }
        guard !points.isEmpty else {
            throw .refused(
                Refused(message: reply.message ?? "the prices have not arrived yet; try again in a minute"))
        }
        self.reply = reply
    }

    /// The symbol with its source: `coinranking:btcusd`.
    var sourced: String { "\(reply.source):\(reply.symbol)" }

    /// The longest distance between two points without a gap between them: three times the median distance.
    var gap: Milliseconds {
        let distances = zip(points.dropFirst(), points).map { $0.time.since($1.time).count }.sorted()
        return Milliseconds(max(1, distances.isEmpty ? 1 : distances[distances.count / 2]) * 3)
    }

    var series: ChartSeries {
        let bars = points.map { ChartBar(time: $0.time.milliseconds, price: $0.price.approximate) }
        return ChartSeries(name: sourced, style: .line, bars: bars, gap: gap)
    }

    /// Aggregates the prices into bars that begin at multiples of their length, shifted by an offset in milliseconds.
    func bars(_ step: Milliseconds, offset: Int64) -> [PriceBar] {
        var bars: [PriceBar] = []
        var start: Int64?
        var (low, high) = (points[0].price, points[0].price)
        for (time, price) in points {
            let place = time.milliseconds - offset
            let begin = place - (place % step.count + step.count) % step.count + offset
            if begin != start {
                start = begin
                (low, high) = (price, price)
                bars.append(
                    PriceBar(
                        time: WallTime(milliseconds: begin).description, open: "\(price)", high: "\(price)",
                        low: "\(price)", close: "\(price)", samples: 0))
            }
            (low, high) = (min(low, price), max(high, price))
            let last = bars.count - 1
            (bars[last].low, bars[last].high, bars[last].close) = ("\(low)", "\(high)", "\(price)")
            bars[last].samples += 1
        }
        return bars
    }

    /// Returns the metadata for programs.
    func metadata(_ period: PricePeriod) -> [Field] {
        [
            Field("period", .text(period.rawValue)), Field("fetched", .time(reply.fetched)),
            Field("change_percent", .decimal(reply.changePercent)), Field("message", .text(reply.message)),
        ]
    }

    /// Returns lines for people: the origin of the prices, and the reason if there are no newer ones.
    func banner(_ formatter: HumanFormatter) -> [Part] {
        let age = formatter.age(reply.fetched).map { ", received \($0) ago" } ?? ""
        let source = Part.text("Past prices from \(reply.source)\(age)", .muted)
        return [source] + (reply.message.map { [Part.text("Not refreshed: \($0)", .alarm)] } ?? [])
    }
}
