internal import Charts
internal import Control
internal import Market
internal import Time

/// The fields of a coin that come from its price service, for `alertctl show`.
struct CoinFields {
    private let coin: CoinStatus
    private let symbol: SymbolStatus
    private let formatter: HumanFormatter
    private let display: PriceDisplay

    init(_ coin: CoinStatus, _ symbol: SymbolStatus, _ formatter: HumanFormatter, _ display: PriceDisplay) {
        (self.coin, self.symbol, self.formatter, self.display) = (coin, symbol, formatter, display)
    }

    var fields: [Field] {
        let changes = coin.changes.map { change in
            let cell = formatter.change(change.percent)
            return "\(change.period) \(formatter.text(cell))%"
        }
        return [
            Field("identity", .text(coin.identity)),
            Field("bitcoin_price", "In bitcoins", .decimal(coin.bitcoinPrice), human: bitcoinText).hiddenIfMissing,
            trend,
            Field("changes", "Changes", .list(changes)).hiddenIfMissing,
            Field("tier", "Tier", .count(coin.tier)).hiddenIfMissing,
            lowVolume,
            Field("listed", "Listed since", .time(coin.listed), human: coin.listed.map(formatter.time)).hiddenIfMissing,
            Field("sparkline", .list(coin.sparkline)),
            Field("link", "Page", .text(coin.link)).hiddenIfMissing,
        ]
    }

    /// The price in bitcoins, rounded, because the service gives more digits than are readable.
    private var bitcoinText: String? {
        guard let price = coin.bitcoinPrice.flatMap({ try? Price($0) }), let bitcoin = Currency("BTC") else {
            return nil
        }
        return moneyText(price, bitcoin, isRounded: true, hasUnicode: formatter.hasUnicode)
    }

    private var lowVolume: Field {
        let isLow = coin.lowVolume ?? false
        let value = coin.lowVolume.map { Value.flag($0) } ?? .missing
        return Field(
            "low_volume", isLow ? "Volume" : nil, value, human: isLow ? "low; the price may be far off" : nil, .alarm)
    }

    /// A sparkline of the last 24 hours, from the price service's own prices.
    private var trend: Field {
        let end = WallTime(rfc3339: symbol.received) ?? formatter.now
        let start = WallTime(milliseconds: end.milliseconds - 86_400_000)
        let step = 86_400_000 / Int64(max(1, coin.sparkline.count))
        let bars = coin.sparkline.enumerated().compactMap { place, text in
            (try? Price(text)).map {
                ChartBar(time: start.milliseconds + Int64(place) * step + step / 2, price: $0.approximate)
            }
        }
        let line =
            bars.count < 2
            ? ""
            : sparkline(
                ChartSeries(name: "", style: .line, bars: bars, gap: Milliseconds(step * 2)), in: start..<end,
                columns: coin.sparkline.count, hasUnicode: formatter.hasUnicode)
        var field = Field("day", line.isEmpty ? nil : "Last 24h", .text(line))
        field.isForPeople = true
        return field
    }
}
