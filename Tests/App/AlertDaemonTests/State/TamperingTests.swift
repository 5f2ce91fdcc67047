import Engine
import EventLoop
import Events
import Foundation
import Market
import PriceSources
import Replay
import Rules
import TestSupport
import Testing
import Time

@testable import AlertDaemon
@testable import Storage

/// Each number and each value of bytes in a state file is replaced in turn by what no daemon writes.
@Suite("Tampering with the state file", .timeLimit(.minutes(10)))
struct TamperingTests {
    private static let numbers: [Int64] = [.min, -1, 1 << 53 + 1, .max]

    @Test func noNumberStopsTheDaemon() async throws {
        try await onLoop {
            let original = try Self.original()
            for column in try Self.columns(of: original, "INTEGER") {
                for value in ["NULL"] + Self.numbers.map({ "\($0)" }) {
                    try await Self.check(original, "\(column) = \(value)", Self.replacing(column, by: value))
                }
            }
        }
    }

    @Test func noBytesStopTheDaemon() async throws {
        try await onLoop {
            let original = try Self.original()
            for column in try Self.columns(of: original, "BLOB") {
                let values = [
                    "NULL", "x''", "x'00'", "randomblob(\(4_000))", "substr(\(column.name), 1, 9)", "zeroblob(3000000)",
                ]
                for value in values {
                    try await Self.check(original, "\(column) = \(value)", Self.replacing(column, by: value))
                }
            }
        }
    }

    @Test func noTextStopsTheDaemon() async throws {
        try await onLoop {
            let original = try Self.original()
            for column in try Self.columns(of: original, "TEXT") where column.table != "meta" {
                for value in ["NULL", "''", "'\u{1B}[31m\u{202E}'", "'9223372036854775807'", "hex(zeroblob(5000))"] {
                    try await Self.check(original, "\(column) = \(value)", Self.replacing(column, by: value))
                }
            }
        }
    }

    /// The numbers in the JSON of events.
    @Test func noNumberInAnEventStopsTheDaemon() async throws {
        try await onLoop {
            let original = try Self.original()
            for key in ["silence", "sample_age_ms", "details.pending_ms", "details.window_ms", "number"] {
                for value in ["9223372036854775807", "-9223372036854775808", "1e400", "1.5"] {
                    let json = "json_set(json, '$.\(key)', json('\(value)'))"
                    try await Self.check(original, "\(key) = \(value)", ["UPDATE event SET json = \(json)"])
                }
            }
        }
    }

    /// What the program counts up from is checked when the file is opened, and the events are kept.
    @Test(arguments: [
        "UPDATE event SET number = 9223372036854775807 WHERE number = (SELECT max(number) FROM event)",
        "UPDATE meta SET value = '9223372036854775807' WHERE name = 'last_number'",
        "UPDATE meta SET value = '-1' WHERE name = 'last_number'",
        "UPDATE meta SET value = 'many' WHERE name = 'last_silence'",
        "UPDATE silence SET number = 9223372036854775806",
        "UPDATE poll SET block = 9223372036854775807",
        "UPDATE poll SET id = 9223372036854775807 WHERE id = (SELECT max(id) FROM poll)",
        "UPDATE sink SET delivered = 9223372036854775807",
    ])
    func aCounterOutOfRangeHasTheFileSetAside(_ statement: String) async throws {
        try await onLoop {
            let folder = try Self.copy(Self.original())
            try Self.run(statement, folder.file)
            let sink = RecordingSink()
            let run = try replay(folder, polls: 3, sink: sink, from: 601, stops: false)
            let failure = try #require(sink.events.first { $0.occurrence.kind == .storeFailed })
            #expect(failure.occurrence.text.contains("only 0 to 9007199254740992 are possible"))
            #expect(run.pipeline.events.lastNumber < 2_000)
            #expect(failure.number > 100, "the events were kept")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(names.contains { $0.hasPrefix("alertd.db.corrupt-") })
            run.pipeline.stop()
        }
    }

    /// A row that makes no sense is left out, and the reason has the column and the value.
    @Test func aRowThatIsLeftOutHasAReason() async throws {
        try await onLoop {
            let folder = try Self.copy(Self.original())
            try Self.run("UPDATE silence SET ends = 9223372036854775807", folder.file)
            try Self.run("UPDATE limit_override SET user_id = -1", folder.file)
            let store = Store(folder: folder.path)
            _ = try store.open(at: ReplaySeries.time(of: 600).wall)
            let state = try store.restore()
            #expect(state.silences.records.isEmpty && state.overrides.isEmpty)
            #expect(
                state.leftOut == [
                    "a row of the table silence: ends is '9223372036854775807'",
                    "a row of the table limit_override: user_id is '-1'",
                ])
        }
    }
}

// MARK: A file with everything

extension TamperingTests {
    private struct Column: CustomStringConvertible {
        var table: String
        var name: String
        var description: String { "\(table).\(name)" }
    }

    /// Made once.
    @LoopActor private static var made: StateFolderForTest?

    /// A folder whose file has rows in all tables.
    @LoopActor
    private static func original() throws -> StateFolderForTest {
        if let made { return made }
        let folder = StateFolderForTest()
        let run = try replay(folder, polls: 600, sink: RecordingSink(), seed: 2, stops: false)
        let symbol = try #require(Symbol("btcinr"))
        _ = try run.pipeline.addSilence(
            SilenceRequest(symbols: SymbolPattern("sol*"), length: .lasting(.seconds(3_600)), comment: "why"),
            by: SmallDaemon.anna)
        run.pipeline.change(
            overrides: [
                LimitOverride(
                    rule: "btc", source: SourceName(unchecked: "wazirx"), symbol: symbol, bound: .max,
                    limit: try Price("1080"), currency: nil,
                    author: SmallDaemon.anna, since: ReplaySeries.time(of: 600).wall)
            ], notes: [])
        var changes = Transaction(time: ReplaySeries.time(of: 600).wall)
        changes.rates = [
            StoredRate(
                source: "ecb", date: try #require(CivilDate("2026-01-02")), currency: try #require(Currency("USD")),
                rate: try Price("1.1"), fetched: ReplaySeries.time(of: 0).wall)
        ]
        let check = StoredCheck(name: "c", meaning: "m", encodedState: "together since=1@1 last=1@1")
        changes.checks = [check]
        run.pipeline.first.coins.names.record([Coin(identity: "uuid", symbol: symbol)]) { _ in true }
        changes.coinHistories = [
            StoredCoinHistory(
                CoinHistory(
                    identity: "uuid", period: .day, fetched: ReplaySeries.time(of: 0).wall,
                    points: [CoinPoint(time: ReplaySeries.time(of: 0).wall, price: try Price("1"))]),
                of: run.pipeline.first.name)
        ]
        run.pipeline.stateStore.commit(changes, at: ReplaySeries.time(of: 600))
        run.step()
        run.pipeline.stop()
        let last = "(SELECT max(number) FROM event)"
        try Self.run("INSERT INTO receiver VALUES ('phone', \(last), 0)", folder.file)
        try Self.run(
            "INSERT INTO notification VALUES ('phone', \(last), 0, 0, 'queued', NULL, NULL), "
                + "('phone', \(last) - 1, 1, 0, 'delivered', 1, '200')", folder.file)
        try Self.run(
            "INSERT INTO price_gap VALUES (1, 'btcinr', 1, 0, 600000, '99', 'btc', 'max', '1080', NULL)", folder.file)
        try Self.run("INSERT INTO candle VALUES (1, 'btcinr', 60000, '1', '3', '1', '2', '0.5')", folder.file)
        for table in Schema.tables {
            #expect(try values(of: "SELECT count(*) FROM \(table)", folder.file) != ["0"], "\(table) is empty")
        }
        // Few events are read faster.
        try Self.run("DELETE FROM event WHERE number < (SELECT max(number) - 4 FROM event)", folder.file)
        made = folder
        return folder
    }

    private static func columns(of folder: StateFolderForTest, _ type: String) throws -> [Column] {
        try Schema.tables.sorted().flatMap { table in
            try values(of: "SELECT name FROM pragma_table_info('\(table)') WHERE type = '\(type)'", folder.file)
                .map { Column(table: table, name: $0) }
        }
    }

    /// Replaces a value in the last row; in all rows of a table without row numbers, and of a column without a key.
    private static func replacing(_ column: Column, by value: String) -> [String] {
        let whole = "UPDATE OR IGNORE \(column.table) SET \(column.name) = \(value)"
        guard ["number", "id", "position", "part"].contains(column.name),
            !["notification", "price_gap"].contains(column.table)
        else {
            return [whole]
        }
        return ["\(whole) WHERE rowid = (SELECT max(rowid) FROM \(column.table))"]
    }

    /// Starts a daemon on each tampered file: it polls, answers and saves.
    @LoopActor
    private static func check(_ original: StateFolderForTest, _ what: String, _ statements: [String]) async throws {
        for statement in statements {
            let folder = try copy(original)
            // A table may refuse the value.
            guard (try? run(statement, folder.file)) != nil else { continue }
            // The tests share the loop.
            await Task.yield()
            let sink = RecordingSink()
            let daemon = try replay(folder, polls: 2, sink: sink, seed: 2, from: 601, stops: false)
            #expect(daemon.pipeline.stateStore.trouble?.error.message == nil, "\(what)")
            #expect(daemon.pipeline.events.lastNumber <= Schema.counters.upperBound, "\(what)")
            try await askEverything(of: daemon.pipeline)
            daemon.pipeline.stop()
        }
    }

    @LoopActor
    private static func askEverything(of pipeline: Pipeline) async throws {
        let query = PipelineQuery(pipeline)
        let symbol = try #require(Symbol("btcinr"))
        let now = pipeline.clock.now()
        var slices = WorkSlices()
        _ = try await query.symbols(&slices, match: nil, quote: nil)
        _ = try await (query.alerts(&slices), query.rules(&slices, from: 0), query.health(&slices, limit: 20))
        _ = query.window(of: symbol, now: now)
        let always = WallTime(milliseconds: 0)..<WallTime(milliseconds: .max)
        let candles = (try? query.candles(of: symbol, in: always, limit: 9)) ?? []
        for candle in candles { _ = "\(candle.start) \(candle.end)" }
        _ = (query.engine.gaps.map(\.minutes), query.engine.mostUrgentGap)
        _ = query.engine.explain(rule: "btc", at: now)
        _ = (query.silences.inForce(at: now), query.engine.overrides.map(query.overrideState))
        _ = query.stateStore.status()
        for event in query.events(after: 0, limit: 1_000).events {
            _ = "\(event.occurrence)"
        }
        _ = try? pipeline.addSilence(
            SilenceRequest(symbols: SymbolPattern("x*"), length: .lasting(.seconds(60))), by: SmallDaemon.anna)
    }

    private static func copy(_ original: StateFolderForTest) throws -> StateFolderForTest {
        let folder = StateFolderForTest()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: original.file, toPath: folder.file)
        return folder
    }

    static func run(_ statement: String, _ file: String) throws {
        let database = try Database(path: file, mode: .readWrite)
        try withExtendedLifetime(database) {
            try database.prepare("PRAGMA foreign_keys = OFF").run([])
            try database.prepare(statement).run([])
        }
    }

    private static func values(of query: String, _ file: String) throws -> [String] {
        var values: [String] = []
        let database = try Database(path: file, mode: .readOnly)
        try withExtendedLifetime(database) {
            try database.prepare(query).run([]) { row throws(StorageError) in
                values.append(row.anyText())
                return true
            }
        }
        return values
    }
}
