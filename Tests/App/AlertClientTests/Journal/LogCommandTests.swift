import Events
import Foundation
import Journal
import Market
import TestSupport
import Testing
import Time

@testable import AlertClient
@testable import Arguments

/// A journal in memory; when it is waited on, entries come that were kept back, and then it fails.
private final class FakeJournal: JournalSource {
    var records: [JournalRecord]
    var later: [JournalRecord]
    /// Twice the index of the entry it is on, or the odd number between two of them.
    private var place = -1
    /// At the end, `next` finds nothing, not even a new entry, until the position is that of an entry.
    private var isAtEnd = false

    init(_ records: [JournalRecord], later: [JournalRecord] = []) {
        self.records = records
        self.later = later
    }

    func seek(to time: WallTime) {
        place = 2 * (records.firstIndex { $0.time >= time } ?? records.count) - 1
        isAtEnd = false
    }

    func seekToEnd() {
        place = 2 * records.count - 1
        isAtEnd = true
    }

    func next() -> JournalRecord? {
        isAtEnd ? nil : go(to: place % 2 == 0 ? place + 2 : place + 1)
    }

    func previous() -> JournalRecord? {
        go(to: place % 2 == 0 ? place - 2 : place - 1)
    }

    private func go(to new: Int) -> JournalRecord? {
        guard records.indices.contains(new / 2), new >= 0 else { return nil }
        (place, isAtEnd) = (new, false)
        return records[new / 2]
    }

    func wait() throws(JournalError) {
        guard !later.isEmpty else { throw .failed(4) }
        records.append(later.removeFirst())
    }
}

@Suite(.timeLimit(.minutes(10)))
struct LogCommandTests {
    private static func time(_ minute: Int) -> WallTime {
        WallTime(milliseconds: Sample.now.milliseconds - Int64(60 - minute) * 60_000)
    }

    private static let records = [
        JournalRecord(
            time: time(0), priority: 6, message: "version 1", messageID: MessageID.started.text, process: 7,
            cursor: "c0"),
        JournalRecord(
            time: time(10), priority: 2, message: "btcinr at 7", messageID: MessageID.of(.fired).text, process: 7,
            values: [.symbol: "btcinr", .rule: "btc band", .number: "12", .kind: "fired"]),
        JournalRecord(
            time: time(20), priority: 5, message: "back", messageID: MessageID.of(.resolved).text,
            values: [.symbol: "btcinr", .rule: "btc band", .number: "13"]),
        JournalRecord(
            time: time(30), priority: 4, message: "feed: \u{1B}[31m\nno", messageID: MessageID.feedFailed.text,
            values: [.failure: "timeout", .count: "3"]),
        JournalRecord(time: time(40), priority: 6, message: "Started it.", identifier: "systemd"),
        JournalRecord(
            time: time(50), priority: 4, message: "eth", messageID: MessageID.of(.fired).text,
            values: [.symbol: "ethusdt", .rule: "eth", .number: "14"]),
    ]

    private func run(_ line: String, later: [JournalRecord] = [], isReadable: Bool = true) -> (Run, Int32) {
        let run = Run()
        run.environment.openJournal = { _ throws(JournalError) in FakeJournal(Self.records, later: later) }
        run.environment.canReadSystemJournal = { isReadable }
        let code = run(line)
        return (run, code)
    }

    private func messages(_ line: String, later: [JournalRecord] = []) throws -> [String] {
        try run(line + " --json", later: later).0.output.split(separator: "\n").map { text in
            let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            return try #require(object?["message"] as? String)
        }
    }

    private static let all = ["version 1", "btcinr at 7", "back", "feed: \u{1B}[31m\nno", "Started it.", "eth"]

    @Test func theNewestAreShownOldestFirst() throws {
        #expect(try messages("log") == Self.all)
        #expect(try messages("log -n 2") == Array(Self.all.suffix(2)))
        #expect(try messages("log -n 0") == [])
        #expect(try messages("log -n 99") == Self.all)
    }

    /// A notice is neither an alarm nor unimportant.
    @Test func onlyProblemsStandOut() {
        let lines = run("log --color always").0.output.split(separator: "\n")
        #expect(lines.map { $0.contains("\u{1B}[2m") } == [true, false, false, false, true, false])
        #expect(lines.map { $0.contains("\u{1B}[1;38;5;208m") } == [false, true, false, true, false, true])
    }

    @Test func aLongLogIsShownInAPager() {
        func run(_ line: String, later: [JournalRecord] = [], height: Int = 4) -> (paged: String, output: String) {
            let run = Run(width: 80)
            run.environment.height = height
            run.environment.openJournal = { _ throws(JournalError) in FakeJournal(Self.records, later: later) }
            var paged = ""
            run.environment.page = { text in
                paged += text
                return true
            }
            run(line)
            return (paged, run.output)
        }
        let long = run("log")
        #expect(long.paged.split(separator: "\n").count == Self.records.count && long.output.isEmpty)
        for (line, height) in [("log", 40), ("log --no-pager", 4), ("log -n 2", 4), ("log --json", 4)] {
            let short = run(line, height: height)
            #expect(short.paged.isEmpty && !short.output.isEmpty, "\(line)")
        }
        // What comes later is shown when it comes.
        let followed = run("log --follow", later: [Self.records[5]])
        #expect(followed.paged.isEmpty && followed.output.split(separator: "\n").count == Self.records.count + 1)
    }

    @Test func eachFilterTakesItsOwn() throws {
        #expect(try messages("log --symbol btc*") == ["btcinr at 7", "back"])
        #expect(try messages("log --rule eth") == ["eth"])
        #expect(try messages("log --kind fired") == ["btcinr at 7", "eth"])
        #expect(try messages("log --kind feed_failed") == [Self.all[3]])
        #expect(try messages("log --priority warning") == ["btcinr at 7", Self.all[3], "eth"])
        #expect(try messages("log -p critical") == ["btcinr at 7"])
        #expect(try messages("log --kind fired -n 1") == ["eth"])
        #expect(try messages("log --kind fired --symbol btcinr -n 1") == ["btcinr at 7"])
    }

    @Test func timesAreThoseOfOtherCommands() throws {
        #expect(try messages("log --since 45m") == Array(Self.all.suffix(4)))
        #expect(try messages("log --until 45m") == Array(Self.all.prefix(2)))
        #expect(try messages("log --since 45m --until 25m") == Array(Self.all[2..<4]))
        #expect(try messages("log --since 45m --until 15m -n 1") == ["Started it."])
        #expect(try messages("log --since 45m -n 99") == Array(Self.all.suffix(4)))
    }

    @Test func whatComesLaterFollows() throws {
        let later = ["new", "newer"].map { JournalRecord(time: Sample.now, message: $0) }
        #expect(try messages("log --follow", later: later) == Self.all + ["new", "newer"])
        #expect(try messages("log -f -n 1", later: later) == ["eth", "new", "newer"])
        #expect(try messages("log -f -n 0", later: later) == ["new", "newer"])
        #expect(try messages("log -f --rule eth", later: later) == ["eth"])
    }

    @Test func peopleReadALineEach() {
        let output = run("log --utc").0.output.split(separator: "\n")
        #expect(output.count == 6)
        #expect(output[1].hasSuffix("  critical  btc band  btcinr at 7"))
        #expect(output[3].hasSuffix("  warning   feed: \\u{1b}[31m\\nno"))
        #expect(output[4].hasSuffix("  info      systemd  Started it."))
    }

    @Test func programsGetEveryField() throws {
        let line = try #require(run("log --json --rule eth").0.output.split(separator: "\n").last)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let keys = JournalField.allCases.map { $0.rawValue.dropFirst("ALERTD_".count).lowercased() }
        let others = ["time", "level", "kind", "message", "identifier", "pid", "message_id", "cursor"]
        #expect(Set(object.keys) == Set(keys + others))
        #expect(object["number"] as? Int == 14)
        #expect(object["kind"] as? String == "fired")
        let plain = run("log --plain --header -n 1").0.output.split(separator: "\n")
        #expect(plain.first?.hasPrefix("time\tlevel\tkind\tmessage\tnumber") == true)
        #expect(plain.count == 2)
    }

    @Test func whoMayNotReadIsNotified() {
        let (own, code) = run("log", isReadable: false)
        #expect(code == 0)
        #expect(own.errors.contains("showing only your own entries"))
        let (none, denied) = run("log --rule nothing", isReadable: false)
        #expect(denied == 77)
        #expect(none.errors.contains("systemd-journal"))
        #expect(run("log --user --rule nothing", isReadable: false).1 == 0)
    }

    @Test func withoutAJournalThatIsSaid() {
        let run = Run()
        #expect(run("log") == 1)
        #expect(run.errors.contains("no journal"))
    }

    @Test(arguments: ["log --system --user", "log --follow --until 1h", "log -n x", "log --since then", "log --kind x"])
    func nonsenseIsRefused(line: String) {
        #expect(run(line).1 == 2)
    }
}

/// The commands that the message catalog names are commands.
struct CatalogCommandTests {
    private static let folder = packageFolder.appending(path: "systemd")

    @Test(arguments: ["alertd.catalog", "alertd.sv.catalog"])
    func eachCommandCanBeTyped(file: String) throws {
        let text = try String(contentsOf: Self.folder.appendingPathComponent(file), encoding: .utf8)
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("    alertctl ") }
        #expect(lines.count > 20)
        for line in lines {
            let words = line.split(separator: " ").dropFirst().map { $0.filter { $0 != "'" } }
            #expect(throws: Never.self, "\(line)") { try ClientCommandLine.specification.parse(words) }
        }
    }
}
