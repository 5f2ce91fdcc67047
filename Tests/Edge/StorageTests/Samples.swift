import Engine
import Events
import Market
import Rules
import Testing
import Time

@testable import Storage

/// 2026-11-21T14:40:00Z
let noon = WallTime(milliseconds: 1_795_272_000_000)

extension WallTime {
    func plus(seconds: Int64) -> WallTime { WallTime(milliseconds: milliseconds + seconds * 1_000) }
}

/// The source that tests write unless they name another.
let firstSource = SourceName(unchecked: "wazirx")

extension Transaction {
    /// Changes of the first source.
    init(
        time: WallTime, events: [Event] = [], engine: EngineChanges, history: HistoryChanges = .init(),
        cursors: [String: Int64] = [:], rates: [StoredRate] = [], overrides: [LimitOverride]? = nil,
        bootID: String? = nil
    ) {
        self.init(
            time: time, events: events, sources: [SourceChanges(firstSource, engine: engine, history: history)],
            cursors: cursors, rates: rates, overrides: overrides, bootID: bootID)
    }

    /// Changes of the history of the first source.
    init(time: WallTime, events: [Event] = [], history: HistoryChanges, cursors: [String: Int64] = [:]) {
        self.init(
            time: time, events: events, sources: [SourceChanges(firstSource, history: history)], cursors: cursors)
    }
}

extension Transaction {
    private var first: SourceChanges {
        get { sources.first ?? SourceChanges(firstSource) }
        set { sources = [newValue] }
    }

    var engine: EngineChanges? {
        get { first.engine }
        set { first.engine = newValue }
    }

    var history: HistoryChanges {
        get { first.history }
        set { first.history = newValue }
    }
}

extension StoredState {
    var engine: EngineSnapshot? { sources.first?.engine }
    var blocks: [StoredBlock] { sources.first?.blocks ?? [] }
    var parts: [StoredOpenRows] { sources.first?.parts ?? [] }
}

/// Values for tests, made from plain texts; an invalid text fails the test.
enum Sample {
    static func price(_ text: String) throws -> Price { try Price(text) }
    static func symbol(_ text: String) throws -> Symbol { try #require(Symbol(text)) }
    static func currency(_ text: String) throws -> Currency { try #require(Currency(text)) }

    /// An event with every column filled.
    static func full(_ number: Int64, at time: WallTime = noon) throws -> Event {
        let day = try #require(CivilDate("2026-11-20"))
        return Event(
            number: number,
            occurrence: Occurrence(
                time: time, kind: .fired, source: firstSource, rule: "btc ‘band’", symbol: try symbol("btcinr"),
                bound: .max,
                severity: .critical, price: try price("7500000.10"), limit: .price(try price("7500000")),
                currency: try currency("INR"),
                previous: PreviousPrice(price: try price("7499999.99"), time: time.plus(seconds: -30)),
                exchangeTime: time.plus(seconds: -1), received: time, sampleAge: Milliseconds(1_000),
                conversion: ConversionEvidence(rate: try price("85.25"), date: day, source: "ecb", path: "USD>EUR>INR"),
                notified: true, reason: .afterGap, silence: 3, sink: "journal", details: try details(),
                text: "btcinr at 7500000.10 INR"))
    }

    static func details() throws -> DecisionDetails {
        var details = DecisionDetails()
        details.clear = .price(try price("7462500.0"))
        (details.marketPrice, details.extreme, details.settingsLimit) = try (price("1.50"), price("2"), price("3"))
        (details.pendingFor, details.window) = (Milliseconds(60_000), Milliseconds(900_000))
        details.firingSince = noon.plus(seconds: -5)
        details.cooldownEnd = noon.plus(seconds: 5)
        details.limitSince = noon.plus(seconds: -9)
        (details.touchedFrom, details.touchedUntil) = (noon.plus(seconds: -600), noon.plus(seconds: -540))
        details.limitBy = "anna"
        details.receiver = "phone"
        (details.clearFor, details.onlyWhile) = (Milliseconds(30_000), "dip")
        return details
    }

    /// An event with only the required fields.
    static func bare(_ number: Int64, at time: WallTime = noon, kind: EventKind = .feedStale) -> Event {
        Event(
            number: number,
            occurrence: Occurrence(
                time: time, kind: kind, source: kind == .feedStale ? firstSource : nil, severity: .info,
                notified: false, text: ""))
    }

    static func alert(
        _ rule: String, _ symbol: String, _ bound: Bound, state: String = "inactive", encodedState: String = "m"
    ) throws -> AlertSnapshot {
        AlertSnapshot(
            rule: rule, symbol: try self.symbol(symbol), bound: bound, state: state,
            since: Instant(boot: BootTime(milliseconds: 5), wall: noon), severity: .warning,
            limit: .range(low: try price("1.5"), high: try price("2")), currency: try currency("USDT"),
            encodedState: encodedState)
    }

    static func override(_ rule: String, _ bound: Bound, currency: String?, name: String?) throws -> LimitOverride {
        LimitOverride(
            rule: rule, source: firstSource, symbol: try symbol("btcinr"), bound: bound, limit: try price("7600000.50"),
            currency: try currency.map { try self.currency($0) }, author: UserIdentity(id: 1_000, name: name),
            since: noon)
    }

    static func engine() throws -> EngineSnapshot {
        EngineSnapshot(
            rules: [
                RuleIdentity(name: "b", meaning: "btcinr: max 7500000", place: 4),
                RuleIdentity(name: "a", meaning: "*usdt: min 1", place: 7),
            ],
            alerts: [
                try alert("b", "btcinr", .max, state: "firing"), try alert("a", "ethusdt", .min),
                try alert("a", "btcusdt", .min),
            ],
            checkpoint: [[1, 2, 3], [4]])
    }

    /// A poll in which nothing happened, a number of seconds after noon.
    static func unchanged(at seconds: Int64, _ bytes: [UInt8], block: Int64 = 1) -> Transaction {
        var history = HistoryChanges(
            parts: [StoredOpenRows(block: block, firstRow: Int(seconds), rowCount: 1, bytes: bytes)])
        history.isUnchanged = true
        return Transaction(
            time: noon.plus(seconds: seconds),
            engine: .part(alerts: [], state: .record(EngineRecord(bytes: bytes, isUnchanged: true))), history: history)
    }

    static func block(_ id: Int64, bytes: [UInt8] = [1, 2, 3], at time: WallTime = noon) throws -> StoredBlock {
        StoredBlock(
            id: id, oldest: time, newest: time.plus(seconds: 60), rowCount: 3, bytes: bytes,
            blockSymbols: [
                StoredBlockSymbol(
                    symbol: try symbol("btcinr"), since: time, until: time.plus(seconds: 60), samples: 3,
                    first: try price("1.0"), lowest: try price("0.5"), highest: try price("2"), last: try price("1.5"))
            ])
    }
}
