import Events
import Glibc
import Market
import TestSupport
import Testing
import Time

@testable import Storage

/// What a user sees with the program `sqlite3`, read-only, while the store is open and written.
struct UserQueryTests {
    private let folder: TestFolder
    private let store: Store

    init() throws {
        folder = try TestFolder()
        store = Store(folder: folder.path)
        _ = try store.open(at: noon)
    }

    /// What sqlite3 prints, line by line.
    private func ask(_ query: String) throws -> [String] {
        guard let pipe = unsafe popen("sqlite3 -readonly '\(folder.file)' \"\(query)\" 2>&1", "r") else { return [] }
        defer { unsafe pclose(pipe) }
        var bytes: [UInt8] = []
        while true {
            let byte = unsafe fgetc(pipe)
            guard byte != EOF else { break }
            bytes.append(UInt8(truncatingIfNeeded: byte))
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func eventsAreReadable() throws {
        try store.commit(Transaction(time: noon, events: [try Sample.full(1), Sample.bare(2)]))
        let withoutJSON = try ask("SELECT * FROM events").map { row in
            row.split(separator: "|", omittingEmptySubsequences: false).dropLast().joined(separator: "|")
        }
        #expect(
            withoutJSON == [
                "1|2026-11-21T14:40:00.000Z|fired|btc ‘band’|btcinr|max|critical|7500000.10|7500000|INR|7499999.99"
                    + "|2026-11-21T14:39:30.000Z|2026-11-21T14:39:59.000Z|2026-11-21T14:40:00.000Z|1000|1|after_gap"
                    + "|85.25|2026-11-20|ecb|USD>EUR>INR|btcinr at 7500000.10 INR|1795272000000|3|journal"
                    + "|7462500.0|1.50|60000|2026-11-21T14:39:55.000Z|900000|2|2026-11-21T14:40:05.000Z|3|anna"
                    + "|2026-11-21T14:39:51.000Z|wazirx||2026-11-21T14:30:00.000Z|2026-11-21T14:31:00.000Z|phone"
                    + "|dip|30000",
                "2|2026-11-21T14:40:00.000Z|feed_stale||||info|||||||||0|||||||1795272000000|||||||||||||wazirx||||||",
            ])
        let clear = try ask("SELECT json ->> '\\$.details.clear' FROM events WHERE source = 'wazirx' AND number = 1")
        #expect(clear == ["7462500.0"])
    }

    @Test func pricesAreReadable() throws {
        try store.commit(Transaction(time: noon, history: HistoryChanges(sealed: [try Sample.block(1)])))
        #expect(
            try ask("SELECT symbol, since, until, samples, first, lowest, highest, last, since_ms FROM prices") == [
                "btcinr|2026-11-21T14:40:00.000Z|2026-11-21T14:41:00.000Z|3|1.0|0.5|2|1.5|1795272000000"
            ])
    }

    /// The names are guaranteed: new ones are added at the end.
    @Test(arguments: [
        (
            "events",
            "number,time,kind,rule,symbol,bound,severity,price,limit_price,currency,previous_price,previous_time,"
                + "exchange_time,received,sample_age_ms,notified,reason,conversion_rate,conversion_date,"
                + "conversion_source,"
                + "conversion_path,text,time_ms,silence,sink,clear_price,market_price,pending_ms,firing_since,"
                + "window_ms,extreme,cooldown_until,settings_limit,limit_by,limit_since,source,divergence,"
                + "touched_from,touched_until,receiver,only_while,clear_ms,json"
        ), ("candles", "symbol,start,open,high,low,close,volume,start_ms,source"),
        ("prices", "symbol,since,until,samples,first,lowest,highest,last,since_ms,until_ms,source"),
        (
            "silences",
            "number,symbols,rule,severity,created,ends,creator,comment,ended,ended_by,created_ms,ends_ms,ended_ms,"
                + "source,daily"
        ),
    ])
    func viewsKeepTheirColumns(view: String, columns: String) throws {
        #expect(try ask("SELECT group_concat(name) FROM pragma_table_info('\(view)')") == [columns])
    }

    @Test func timesAreThoseOfTheRestOfTheProgram() throws {
        var random = SplitMix(seed: 7)
        let times =
            [0, -1, 999, 1_795_272_000_123, 253_402_300_799_999]
            + (0..<200).map { _ in Int64.random(in: 0...4_102_444_800_000, using: &random) }
        let events = times.enumerated().map {
            Sample.bare(Int64($0.offset + 1), at: WallTime(milliseconds: $0.element))
        }
        store.options.keepEvents = .seconds(1_000_000_000_000)
        try store.commit(Transaction(time: noon, events: events))
        #expect(try ask("SELECT time FROM events ORDER BY number") == events.map { "\($0.occurrence.time)" })
    }

    @Test func aUserMayReadWhileItIsWritten() throws {
        for number in Int64(1)...20 {
            try store.commit(Transaction(time: noon, events: [Sample.bare(number)]))
            #expect(try ask("SELECT max(number), count(*) FROM events") == ["\(number)|\(number)"])
        }
        // A reader that stays keeps its view, and holds nothing up.
        let reader = try Database(path: folder.file, mode: .readOnly)
        try reader.run("BEGIN")
        #expect(try reader.number("SELECT count(*) FROM event") == 20)
        try store.commit(Transaction(time: noon, events: [Sample.bare(21)]))
        #expect(try reader.number("SELECT count(*) FROM event") == 20)
        try reader.run("COMMIT")
        #expect(try reader.number("SELECT count(*) FROM event") == 21)
    }

    @Test func aUserWhoOnlyReadsChangesNothing() throws {
        #expect(try ask("DELETE FROM event").first?.contains("readonly") == true)
    }
}
