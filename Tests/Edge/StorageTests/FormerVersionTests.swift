import Engine
import Events
import Glibc
import Market
import Receivers
import Rules
import Testing
import Time

@testable import Storage

/// A state file of format version 4, which had other names for tables, columns, reasons and parts of encoded states.
/// The state of symbols was text.
struct FormerVersionTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        write([], to: folder.file)
        let database = try Database(path: folder.file, mode: .readWrite)
        try database.transaction { () throws(StorageError) in
            for (index, step) in Schema.migrations[..<4].enumerated() {
                try Schema.apply(step, of: index, to: database)
            }
            for statement in Self.contents { try database.run(statement) }
        }
    }

    @Test func nothingIsLostWhenItIsMigrated() throws {
        let store = Store(folder: folder.path)
        #expect(try store.open(at: noon) == [.migrated(from: 4, to: Schema.version)])
        try Self.check(try store.restore())
        #expect(try store.openDatabase().history(1).block(1)?.blockSymbols == [try Self.blockSymbol()])
        #expect(try store.openDatabase().number("SELECT count(*) FROM events WHERE notified") == 2)
        #expect(try store.openDatabase().number("SELECT sum(samples) FROM prices") == 3)
    }

    /// Version 5 differs from the current one in the state of symbols and the rows of the open block.
    @Test func nothingIsLostOfVersion5() throws {
        try migrateToVersion5()
        let store = Store(folder: folder.path)
        #expect(try store.open(at: noon) == [.migrated(from: 5, to: Schema.version)])
        try Self.check(try store.restore())
    }

    @Test func version5IsReadWhereItCannotBeMigrated() throws {
        try migrateToVersion5()
        let database = try Database(path: folder.file, mode: .readOnly)
        try Schema.bridge(database, from: try Schema.check(database), of: firstSource)
        try Self.check(try database.state(events: 10))
    }

    private func migrateToVersion5() throws {
        let database = try Database(path: folder.file, mode: .readWrite)
        try database.transaction { () throws(StorageError) in
            try Schema.apply(Schema.migrations[4], of: 4, to: database)
        }
    }

    /// Version 6 differs from the current one in that it has one source.
    @Test func nothingIsLostOfVersion6() throws {
        try migrateToVersion6()
        let store = Store(folder: folder.path)
        #expect(try store.open(at: noon) == [.migrated(from: 6, to: Schema.version)])
        try Self.checkVersion6(try store.restore())
        #expect(try store.openDatabase().history(1).block(1)?.blockSymbols == [try Self.blockSymbol()])
        #expect(try store.openDatabase().number("SELECT count(*) FROM prices WHERE source = 'wazirx'") == 1)
    }

    @Test func version6IsReadWhereItCannotBeMigrated() throws {
        try migrateToVersion6()
        let database = try Database(path: folder.file, mode: .readOnly)
        try Schema.bridge(database, from: try Schema.check(database), of: firstSource)
        try Self.checkVersion6(try database.state(events: 10))
    }

    /// Later versions differ from the current one in what they lack.
    @Test(arguments: 7..<Schema.version)
    func laterVersionsAreReadWhereTheyCannotBeMigrated(version: Int64) throws {
        try migrateToVersion6()
        do {
            let database = try Database(path: folder.file, mode: .readWrite)
            try database.transaction { () throws(StorageError) in
                for index in 6..<Int(version) { try Schema.apply(Schema.migrations[index], of: index, to: database) }
                try database.sources.nameFirst(firstSource)
            }
        }
        let database = try Database(path: folder.file, mode: .readOnly)
        try Schema.bridge(database, from: try Schema.check(database), of: firstSource)
        let state = try database.state(events: 10)
        try Self.checkVersion6(state)
        #expect(state.checks.isEmpty && state.sources.allSatisfy { $0.gaps.isEmpty && $0.coins.isEmpty })
    }

    private func migrateToVersion6() throws {
        try migrateToVersion5()
        let database = try Database(path: folder.file, mode: .readWrite)
        try database.transaction { () throws(StorageError) in
            try Schema.apply(Schema.migrations[5], of: 5, to: database)
            // What a program of that version adds when it runs.
            try database.run("INSERT INTO checkpoint (part, poll, bytes) VALUES (0, 3, x'0708'), (1, 3, x'09')")
            try database.run("INSERT INTO poll (id, engine) VALUES (3, x'0A'), (4, x'0B')")
            try database.run("INSERT INTO notification VALUES ('phone', 9, 1, 1795272000000, 'queued', NULL, NULL)")
            try database.run("INSERT INTO receiver VALUES ('phone', 9, 1)")
            try database.facts.set("instance", "0123456789abcdef0123456789abcdef")
        }
    }

    private static func checkVersion6(_ state: StoredState) throws {
        #expect(state.sources.map(\.name) == [firstSource])
        let engine = try engine()
        #expect(state.engine?.rules == engine.rules && state.engine?.alerts == engine.alerts)
        #expect(state.engine?.checkpoint == [[7, 8], [9]] && state.engine?.records == [[0x0B]])
        #expect(state.events == (try events()))
        #expect(state.blocks.map(\.id) == [1] && state.parts.map(\.rowCount) == [2, 1])
        #expect(state.silences.records.map(\.silence.number) == [4] && state.silences.lastNumber == 4)
        #expect(state.overrides == [try Sample.override("over", .max, currency: "INR", name: "anna")])
        #expect(state.queues.queued["phone"]?.map(\.number) == [9] && state.queues.batches["phone"]?.last == 9)
        #expect(state.instance == "0123456789abcdef0123456789abcdef")
    }

    /// The texts are read until the state is saved as a whole.
    @Test func theTextsGoWithTheFirstWholeState() throws {
        let store = Store(folder: folder.path)
        _ = try store.open(at: noon)
        try store.commit(StoreChanges(time: noon, engine: .whole(try Sample.engine())))
        #expect(try store.restore().engine == (try Sample.engine()))
        #expect(try store.openDatabase().hasTable("symbol_state") == false)
        store.close()
        _ = try store.open(at: noon)
        #expect(try store.restore().engine == (try Sample.engine()))
    }

    @Test func itIsReadWhereItCannotBeMigrated() throws {
        let database = try Database(path: folder.file, mode: .readOnly)
        try Schema.bridge(database, from: try Schema.check(database), of: firstSource)
        try Self.check(try database.state(events: 10))
        #expect(try database.history(1).block(1)?.blockSymbols == [try Self.blockSymbol()])
    }

    @Test func theStoreOpensItForReadingOnly() async throws {
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            if geteuid() == 0 {
                for name in ["", "/alertd.db"] { _ = unsafe chown(path + name, 65_534, 65_534) }
                seteuid(65_534)
            }
            _ = unsafe chmod("\(path)/alertd.db", 0o444)
            _ = unsafe chmod(path, 0o555)
            let store = Store(folder: path)
            guard case .readOnly? = try store.open(at: noon).first else {
                Issue.record("it was not opened for reading")
                return
            }
            try Self.check(try store.restore())
            #expect(store.isReadOnly && store.lastNumber == 9)
        }
    }

    @Test func whatCanBeReadOfADamagedOneIsMigrated() throws {
        try Database(path: folder.file, mode: .readWrite).run("DROP TABLE rate")
        let store = Store(folder: folder.path)
        guard case .setAside(_, _, let salvaged)? = try store.open(at: noon).first else {
            Issue.record("it was not set aside")
            return
        }
        #expect(salvaged == Salvaged(events: 4, lastNumber: 9, blocks: 1))
        let state = try store.restore()
        #expect(state.events == (try Self.events()))
        #expect(state.engine == (try Self.engine()))
    }

    /// The states mean the same to the engine: it writes them as the file now has them, and shows each alert as it was.
    @Test func theEngineContinuesWithItsStates() throws {
        let store = Store(folder: folder.path)
        _ = try store.open(at: noon)
        let snapshot = try #require(try store.restore().engine)
        let now = Instant(boot: BootTime(milliseconds: 9_000), wall: noon)
        let settings = EngineSettings(
            maximumGap: .seconds(120), frozenAfter: .seconds(3_600), staleAfter: .seconds(300))
        var engine = RuleEngine(rules: try Self.rules(), settings: settings, start: now)
        let restoration = engine.restore(snapshot, at: now, isSameBoot: true)
        #expect(restoration.change.isEmpty)
        #expect(restoration.occurrences.isEmpty)
        #expect(restoration.unreadable.isEmpty)
        let encoded = engine.snapshot().alerts.map { "\($0.rule): \($0.encodedState)" }
        #expect(encoded == snapshot.alerts.map { "\($0.rule): \($0.encodedState)" })
        #expect(engine.isFeedStale)
        let views = Dictionary(uniqueKeysWithValues: engine.alerts().map { ($0.rule.name, $0) })
        #expect(views["acknowledged"]?.condition == .firing)
        #expect(views["acknowledged"]?.acknowledgement?.user == UserIdentity(id: 1_000, name: "anna"))
        #expect(views["acknowledged"]?.suppressedBy == nil)
        #expect(views["acknowledged"]?.isDisarmed == true)
        #expect(views["silenced"]?.suppressedBy == .silenced)
        #expect(views["cooling"]?.suppressedBy == .cooldown)
        #expect(views["breached"]?.condition == .pending)
    }
}

extension FormerVersionTests {
    private static let contents: [StaticString] = [
        """
        INSERT INTO event VALUES (6, 1795272000000, 'fired', 'btc ‘band’', 'btcinr', 'max', 'critical',
            '7500000.10', '7500000', 'INR', '7499999.99', 1795271970000, 1795271999000, 1795272000000, 1000, 1,
            'after_gap', '85.25', '2026-11-20', 'ecb', 'USD>EUR>INR', 'btcinr at 7500000.10 INR', 3, 'journal',
            '7462500.0', '1.50', 60000, 1795271995000, 900000, '2', 1795272005000, '3', 1000, 'anna', 1795271991000)
        """,
        """
        INSERT INTO event (number, time, kind, severity, told, reason, text) VALUES
            (7, 1795272000000, 'fired', 'info', 1, 'already_outside', ''),
            (8, 1795272000000, 'fired', 'info', 0, 'silence', ''),
            (9, 1795272000000, 'resolved', 'info', 0, 'fired_untold', '')
        """,
        """
        INSERT INTO rule VALUES (0, 'crossing', 'btcinr: cross_up 100'), (1, 'acknowledged', 'btcinr: max 90'),
            (2, 'silenced', 'btcinr: max 91'), (3, 'cooling', 'btcinr: max 92'), (4, 'breached', 'btcinr: max 93'),
            (5, 'over', 'btcinr: max 120')
        """,
        """
        INSERT INTO alert
            (rule, symbol, bound, state, since, since_boot, severity, limit_price, currency, memory) VALUES
            ('crossing', 'btcinr', 'cross_up', 'inactive', 1795271999000, 8000, 'warning', '100', 'INR',
                'poised since=8000@1795271999000 side=below'),
            ('acknowledged', 'btcinr', 'max', 'firing', 1795271999000, 8000, 'warning', '90', 'INR',
                'firing since=8000@1795271999000 told=8000@1795271999000 acknowledged=1795271999500:1000:anna'
                || ' fired=8000@1795271999000 disarmed'),
            ('silenced', 'btcinr', 'max', 'firing', 1795271999000, 8000, 'warning', '91', 'INR',
                'firing since=8000@1795271999000 held=silence fired=7000@1795271998000'),
            ('cooling', 'btcinr', 'max', 'firing', 1795271999000, 8000, 'warning', '92', 'INR',
                'firing since=8000@1795271999000 held=cooldown'),
            ('breached', 'btcinr', 'max', 'pending', 1795271999000, 8000, 'warning', '93', 'INR',
                'pending since=8000@1795271999000 reason=already_outside owes'),
            ('over', 'btcinr', 'max', 'inactive', 1795271999000, 8000, 'warning', '120', 'INR',
                'inactive since=8000@1795271999000 owes')
        """,
        """
        INSERT INTO mark (symbol, memory) VALUES ('btcinr',
            'quote=inr last=99@8000@1795271999000 seen=99/98/100/- unchanged=8000@1795271999000 watch=normal')
        """,
        """
        INSERT INTO meta VALUES ('last_number', '9'), ('boot_id', 'boot'), ('last_silence', '4'),
            ('feed', 'stale last=8000@1795271999000')
        """,
        "INSERT INTO block VALUES (1, 1795272000000, 1795272060000, 3, x'010203')",
        "INSERT INTO stretch VALUES (1, 'btcinr', 1795272000000, 1795272060000, 3, '1.0', '0.5', '2', '1.5')",
        "INSERT INTO part VALUES (2, 0, 2, x'0405'), (2, 2, 1, x'06')",
        "INSERT INTO sink VALUES ('journal', 9), ('stdout', 8)",
        "INSERT INTO rate VALUES ('ecb', '2026-11-20', 'INR', '89.5', 1795272000000)",
        """
        INSERT INTO silence (number, symbols, created, ends, ends_boot, creator, creator_name, comment)
        VALUES (4, '*inr', 1795272000000, 1795272060000, 60000, 1000, 'anna', 'lunch')
        """,
        """
        INSERT INTO limit_override VALUES (0, 'over', 'btcinr', 'max', '7600000.50', 'INR', 1000, 'anna', 1795272000000)
        """,
    ]

    private static func check(_ state: StoredState) throws {
        #expect(state.lastNumber == 9)
        #expect(state.events == (try events()))
        #expect(state.engine == (try engine()))
        #expect(state.bootID == "boot")
        var block = try Sample.block(1)
        block.blockSymbols = []
        #expect(state.blocks == [block])
        #expect(
            state.parts == [
                StoredOpenRows(block: 2, firstRow: 0, rowCount: 2, bytes: [4, 5]),
                StoredOpenRows(block: 2, firstRow: 2, rowCount: 1, bytes: [6]),
            ])
        #expect(state.cursors == ["journal": 9, "stdout": 8])
        let date = try #require(CivilDate("2026-11-20"))
        #expect(
            state.rates == [
                StoredRate(
                    source: "ecb", date: date, currency: try Sample.currency("INR"), rate: try Sample.price("89.5"),
                    fetched: noon)
            ])
        #expect(state.silences.lastNumber == 4)
        #expect(state.silences.records.map(\.silence.number) == [4])
        #expect(state.silences.records.first?.comment == "lunch")
        #expect(state.overrides == [try Sample.override("over", .max, currency: "INR", name: "anna")])
    }

    private static func events() throws -> [Event] {
        func bare(_ number: Int64, _ kind: EventKind, _ notified: Bool, _ reason: Reason) -> Event {
            Event(
                number: number,
                occurrence: Occurrence(
                    time: noon, kind: kind, severity: .info, notified: notified, reason: reason, text: ""))
        }
        // Former versions knew nothing of candles, and not which receiver an event is about.
        let full = try Sample.full(6)
        var known = full.occurrence
        (known.details.touchedFrom, known.details.touchedUntil, known.details.receiver) = (nil, nil, nil)
        return [
            Event(number: full.number, occurrence: known), bare(7, .fired, true, .alreadyBreached),
            bare(8, .fired, false, .silenced),
            bare(9, .resolved, false, .firedSuppressed),
        ]
    }

    private static func blockSymbol() throws -> StoredBlockSymbol {
        try #require(try Sample.block(1).blockSymbols.first)
    }

    private static func rules() throws -> [Rule] {
        func rule(_ name: String, _ condition: Condition) throws -> Rule {
            Rule(name: name, symbols: [try #require(SymbolPattern("btcinr"))], condition: condition)
        }
        func above(_ limit: String) throws -> Condition {
            .band(try Band(min: nil, max: try Sample.price(limit)))
        }
        return [
            try rule("crossing", .cross(try Crossing(.up, over: try Sample.price("100")))),
            try rule("acknowledged", try above("90")), try rule("silenced", try above("91")),
            try rule("cooling", try above("92")), try rule("breached", try above("93")),
            try rule("over", try above("120")),
        ]
    }

    private static func engine() throws -> EngineSnapshot {
        let since = Instant(boot: BootTime(milliseconds: 8_000), wall: noon.plus(seconds: -1))
        func alert(
            _ rule: String, _ state: String, _ limit: String, _ encodedState: String, bound: Bound = .max
        ) throws -> AlertSnapshot {
            AlertSnapshot(
                rule: rule, symbol: try Sample.symbol("btcinr"), bound: bound, state: state, since: since,
                severity: .warning, limit: .price(try Sample.price(limit)), currency: try Sample.currency("INR"),
                encodedState: encodedState)
        }
        let time = "8000@1795271999000"
        return EngineSnapshot(
            rules: try rules().enumerated().map { place, rule in
                RuleIdentity(name: rule.name, meaning: rule.meaning, place: place)
            },
            alerts: [
                try alert("crossing", "inactive", "100", "armed since=\(time) side=below", bound: .crossUp),
                try alert(
                    "acknowledged", "firing", "90",
                    "firing since=\(time) notified=\(time) acknowledged=1795271999500:1000:anna fired=\(time)"
                        + " disarmed"),
                try alert(
                    "silenced", "firing", "91", "firing since=\(time) suppressed=silenced fired=7000@1795271998000"),
                try alert("cooling", "firing", "92", "firing since=\(time) suppressed=cooldown"),
                try alert(
                    "breached", "pending", "93", "pending since=\(time) reason=already_breached resolve_pending"),
                try alert("over", "inactive", "120", "inactive since=\(time) resolve_pending"),
            ],
            checkpoint: [],
            symbols: [
                SymbolSnapshot(
                    symbol: try Sample.symbol("btcinr"),
                    encodedState: "quote=inr last=99@\(time) seen=99/98/100/- unchanged=\(time) watch=normal")
            ],
            feed: "stale last=\(time)")
    }
}
