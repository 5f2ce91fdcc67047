internal import Engine
internal import Events
internal import History
internal import Market
internal import Rules
internal import Time

extension FuzzEntry {
    /// What an engine restores. The first byte chooses what the rest is: a checkpoint, a record after one, or the state
    /// of an alert; the first two get a correct checksum, so that the code after that check is reached.
    package static let engineState = FuzzEntry(name: "engine-state", seeds: engineSeeds, longest: 512) { bytes in
        guard let story, let choice = bytes.first else { return false }
        var snapshot = story.snapshot
        let rest = Array(bytes.dropFirst())
        switch choice % 3 {
        case 0: (snapshot.checkpoint, snapshot.records) = ([checked(rest)], [])
        case 1: snapshot.records = [checked(rest)]
        default:
            guard let text = String(validating: rest, as: UTF8.self) else { return false }
            for index in snapshot.alerts.indices { snapshot.alerts[index].encodedState = text }
        }
        return restores(snapshot, story)
    }
}

/// Rules, and what an engine with them stored on some polls.
private struct Story: Sendable {
    let rules: [Rule]
    let now: Instant
    var snapshot: EngineSnapshot

    static let settings = EngineSettings(
        maximumGap: .seconds(90), frozenAfter: .seconds(60), staleAfter: .seconds(90))

    init() throws {
        rules = try Self.makeRules()
        var now = Instant(boot: BootTime(milliseconds: 100_000), wall: WallTime(milliseconds: 1_767_225_600_000))
        var engine = RuleEngine(rules: rules, settings: Self.settings, start: now)
        guard case .whole(var kept) = engine.takeChanges() else { preconditionFailure("nothing is stored at first") }
        for mantissa in [100, 101, 0, 110, 110, 95, 96] as [Int64] {
            now = now.later(30_000)
            _ = engine.evaluate(TickerBatch(tickers: Self.tickers(mantissa), received: now))
            switch engine.takeChanges() {
            case .whole(let whole): kept = whole
            case .part(_, .checkpoint(let checkpoint)): (kept.checkpoint, kept.records) = (checkpoint, [])
            case .part(_, .record(let record)): kept.records.append(record.bytes)
            case .part(_, nil): break
            }
        }
        kept.alerts = engine.snapshot().alerts
        (self.now, snapshot) = (now, kept)
    }

    private static func makeRules() throws -> [Rule] {
        let all = [SymbolPattern("*")].compactMap(\.self)
        let conditions: [Condition] = [
            .band(try Band(min: Price("96"), max: Price("105"), hysteresis: .percent(Price("1")))),
            .move(try Move(.both, by: .percent(Price("5")), window: .seconds(300))),
            .cross(try Crossing(.both, over: Price("100"))),
        ]
        return conditions.enumerated().map { number, condition in
            var rule = Rule(
                name: "rule \(number)", symbols: all, condition: condition,
                currency: number == 1 ? Currency("USDT") : nil, price: number == 0 ? .mid : .last, hold: .zero,
                notification: NotificationPolicy(
                    repeatAfter: nil, cooldown: .seconds(60), once: number == 0,
                    onlyWhile: number == 0 ? "rule 1" : nil),
                expires: nil, severity: .warning)
            if number == 1 { rule.keepFiring = .seconds(60) }
            return rule
        } + [
            Rule(
                name: "exact names", symbols: ["gone", "btcinr"].compactMap(SymbolPattern.init),
                condition: conditions[0], currency: nil, price: .bid, hold: .seconds(30),
                notification: NotificationPolicy(), expires: nil, severity: .critical)
        ]
    }

    static func tickers(_ mantissa: Int64) -> [Ticker] {
        ["btcinr", "ethusdt"].prefix(mantissa == 0 ? 1 : 2).compactMap { name in
            let price = Price(mantissa: mantissa, scale: 0)
            return Symbol(name).map { symbol in
                Ticker(
                    symbol: symbol, quote: Asset(String(name.dropFirst(3))), last: price,
                    volume: mantissa == 110 ? .zero : price, bid: price, ask: price)
            }
        }
    }
}

private let story = try? Story()

@Sendable
private func engineSeeds() -> [[UInt8]] {
    guard let story else { return [] }
    let snapshot = story.snapshot
    let checkpoints: [[UInt8]] = snapshot.checkpoint.map { [0] + $0.dropLast(4) }
    let records: [[UInt8]] = snapshot.records.map { [1] + $0.dropLast(4) }
    let alerts: [[UInt8]] = snapshot.alerts.map { [2] + Array($0.encodedState.utf8) }
    return checkpoints + records + alerts
}

private func checked(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    bytes.appendChecksum()
    return bytes
}

/// Whether all of it can be read; then it is worked with, stored and read again. What is refused leaves nothing behind.
private func restores(_ snapshot: EngineSnapshot, _ story: Story) -> Bool {
    var engine = RuleEngine(rules: story.rules, settings: Story.settings, start: story.now)
    let restoration = engine.restore(snapshot, at: story.now, isSameBoot: true)
    guard restoration.unreadable.isEmpty else { return false }
    let stored = engine.snapshot()
    var again = RuleEngine(rules: story.rules, settings: Story.settings, start: story.now)
    precondition(again.restore(stored, at: story.now, isSameBoot: true).unreadable.isEmpty, "cannot be read again")
    precondition(again.snapshot().alerts == stored.alerts, "not what was written")
    let reboot = Instant(boot: BootTime(milliseconds: 5_000), wall: story.now.wall.advanced(by: 60_000))
    _ = again.restore(stored, at: reboot, isSameBoot: false)
    for (number, mantissa) in [Int64(94), 111].enumerated() {
        let time = story.now.later(Int64(number + 1) * 30_000)
        _ = engine.evaluate(TickerBatch(tickers: Story.tickers(mantissa), received: time))
    }
    _ = (engine.takeChanges(), engine.alerts(), engine.checkFeed(at: story.now.later(1_000_000)))
    return true
}

extension Instant {
    fileprivate func later(_ milliseconds: Int64) -> Instant {
        Instant(boot: boot.advanced(by: Milliseconds(milliseconds)), wall: wall.advanced(by: milliseconds))
    }
}

extension WallTime {
    fileprivate func advanced(by milliseconds: Int64) -> WallTime {
        WallTime(milliseconds: self.milliseconds + milliseconds)
    }
}
