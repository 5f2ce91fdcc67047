package import Market
package import Rules
package import Time

/// A simulated exchange whose response to each poll depends only on the seed and the number of the poll, and which
/// covers everything that an exchange can do to a rule: limits are crossed, markets freeze and disappear, responses are
/// missing.
package struct ReplaySeries: Sendable {
    /// 30 seconds.
    package static let interval = Milliseconds.seconds(30)
    private static let start = WallTime(milliseconds: 1_767_225_600_000)
    private static let symbolNames = [
        "btcinr", "ethinr", "solinr", "xrpinr", "dogeinr", "adainr", "btcusdt", "ethusdt", "solusdt", "shibinr",
        "paxginr", "trxinr",
    ]

    package let seed: UInt64
    private let symbols: [Symbol]

    package init(seed: UInt64) {
        self.seed = seed
        symbols = Self.symbolNames.compactMap { Symbol($0) }
    }

    /// The time of the poll with that number; the first is 0.
    package static func time(of poll: Int) -> Instant {
        let passed = interval.times(Int64(poll))
        return Instant(
            boot: BootTime(milliseconds: 1_000_000 + passed.count),
            wall: WallTime(milliseconds: start.milliseconds + passed.count))
    }

    /// The number of the poll at that time.
    package static func poll(at time: WallTime) -> Int {
        Int(time.since(start).count / interval.count)
    }

    /// The response to a poll; nil when there is none.
    package func response(to poll: Int) -> TickerBatch? {
        // Six polls without a response are longer than the three intervals after which a feed is stale.
        guard poll % 97 < 90 else { return nil }
        let tickers = symbols.indices.compactMap { ticker(of: $0, poll) }
        return TickerBatch(tickers: tickers, received: Self.time(of: poll))
    }

    private func ticker(of index: Int, _ poll: Int) -> Ticker? {
        if index % 4 == 1, (poll + index) % 61 < 5 { return nil }
        let isFrozen = index % 5 == 3 && (poll + 7 * index) % 83 < 9
        let price = Price(mantissa: level(of: index, poll), scale: UInt8(index % 4))
        return Ticker(
            symbol: symbols[index], quote: Asset(index < 6 || index > 8 ? "inr" : "usdt"),
            last: (poll + index) % 53 == 0 ? nil : price, volume: Price(mantissa: isFrozen ? 0 : 5, scale: 0),
            bid: isFrozen ? .zero : price, ask: isFrozen ? .zero : price,
            exchangeTime: WallTime(milliseconds: Self.time(of: poll).wall.milliseconds - 1_500))
    }

    /// A triangle wave around 1,000 with noise; its period differs from symbol to symbol.
    private func level(of index: Int, _ poll: Int) -> Int64 {
        let period = 20 + 6 * index
        let phase = (poll + 3 * index) % period
        let height = min(phase, period - phase) * 400 / period
        var noise = seed &+ UInt64(index) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(poll) &* 0xD1B5_4A32_D192_ED03
        noise ^= noise &>> 29
        noise &*= 0xBF58_476D_1CE4_E5B9
        noise ^= noise &>> 32
        return Int64(900 + height) + Int64(noise % 21) - 10
    }

    /// Whether one of the rules has a window, so that prices are saved with every poll: for even seeds.
    package var hasWindow: Bool { seed % 2 == 0 }

    /// Rules that are affected by all of this.
    package func rules() throws -> [Rule] {
        let window = try Self.rule(
            "swing", "btcinr trxinr", .move(Move(.both, by: .percent(Price("3")), window: .seconds(300))))
        return try Self.otherRules() + (hasWindow ? [window] : [])
    }

    private static func otherRules() throws -> [Rule] {
        try [
            rule("btc", "btcinr", band(min: 930, max: 1_070, scale: 0, .amount(Price("15")))),
            rule("eth", "ethinr", band(max: 1_050, scale: 1), hold: .seconds(60)),
            rule("named", "solinr xrpinr dogeinr", band(min: 90, scale: 1)),
            rule(
                "dollars", "*usdt", band(min: 9_300, max: 10_700, scale: 2, .percent(Price("0.5"))),
                notification: NotificationPolicy(repeatAfter: .seconds(120), cooldown: .seconds(600))),
            rule("gold", "paxginr", band(max: 1_040, scale: 2, .percent(Price("1")))),
            rule(
                "since the start", "btcinr ethinr",
                .relative(
                    RelativeBand(
                        min: .percent(Price("-4")), max: .percent(Price("4.5")), hysteresis: .percent(Price("1")),
                        base: .price))),
            rule("zone", "trxinr", .within(Zone(low: Price("0.95"), high: Price("1.02")))),
        ]
    }

    private static func rule(
        _ name: String, _ symbols: String, _ condition: Condition, hold: Milliseconds = .zero,
        notification: NotificationPolicy = NotificationPolicy()
    ) -> Rule {
        Rule(
            name: name, symbols: symbols.split(separator: " ").compactMap { SymbolPattern(String($0)) },
            condition: condition, hold: hold, notification: notification)
    }

    private static func band(
        min: Int64? = nil, max: Int64? = nil, scale: UInt8, _ hysteresis: Distance? = nil
    ) throws -> Condition {
        .band(
            try Band(
                min: min.flatMap { Price(mantissa: $0, scale: scale) },
                max: max.flatMap { Price(mantissa: $0, scale: scale) }, hysteresis: hysteresis))
    }
}
