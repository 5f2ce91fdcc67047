import Configuration
import Control
import Delivery
import EventLoop
import ExchangeRates
import Feeds
import Foundation
import HTTP
import Market
import Replay
import TestSupport
import Testing
import Time

@testable import AlertDaemon

private let csv = """
    Date,USD,HRK,SEK,INR,
    2023-05-12,1.0885,N/A,11.2635,89.5620,
    2023-05-11,1.0916,N/A,11.2215,89.5190,
    2022-12-30,1.0666,7.5365,11.1218,88.1710,
    1999-01-04,1.1789,N/A,9.4696,N/A,

    """

/// Rates of past dates, from a server with their history.
@Suite(.timeLimit(.minutes(10)))
struct PastRatesTests {
    private let folder = StateFolderForTest()

    /// The history at a server, and what asks for it.
    @LoopActor
    private final class Scene {
        let server: ScriptedServer
        let clock: ReplayClock
        let past: PastRates
        let feed: RateHistoryFeed

        /// At noon of the last day of the history.
        static let noon = Instant(
            boot: BootTime(milliseconds: 9_000_000), wall: WallTime(milliseconds: 1_683_892_800_000))

        init(
            _ folder: StateFolderForTest, _ answers: [ScriptedServer.Answer] = [.status(text: csv)],
            change: (inout HTTPConfiguration) -> Void = { _ in }
        ) throws {
            try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
            server = try ScriptedServer(answers)
            clock = ReplayClock(Self.noon)
            var configuration = HTTPConfiguration(userAgent: "test")
            configuration.bodyLimitBytes = 16 << 20
            change(&configuration)
            feed = RateHistoryFeed("\(server.url)/hist", client: HTTPClient(configuration), time: clock)
            past = PastRates(.feed(feed), folder: folder.path, clock: clock)
        }

        /// The same after a restart of the daemon.
        func restarted(_ folder: StateFolderForTest) -> PastRates {
            PastRates(.feed(feed), folder: folder.path, clock: clock)
        }

        func advance(_ length: Milliseconds) {
            let now = clock.now()
            let wall = WallTime(milliseconds: now.wall.milliseconds + length.count)
            clock.set(Instant(boot: now.boot.advanced(by: length), wall: wall))
        }

        func date(_ text: String, of past: PastRates? = nil) async throws -> String {
            let rates = try await (past ?? self.past).rates(on: try required(CivilDate(text)))
            return rates.table.date.description
        }

        func failure(_ text: String) async throws -> String? {
            do {
                _ = try await date(text)
                return nil
            } catch let error as PastRatesFailure { return error.message }
        }
    }

    private func names() -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    @Test func theFileIsFetchedOnceAndKept() async throws {
        try await onLoop { [folder] in
            let scene = try Scene(folder)
            #expect(try await scene.date("2023-05-11") == "2023-05-11")
            #expect(try await scene.date("2023-01-01") == "2022-12-30" && scene.server.requests.count == 1)
            // The file is younger than 12 hours, so there are no later rates.
            #expect(try await scene.date("2023-05-13") == "2023-05-12" && scene.server.requests.count == 1)
            let kept = try await scene.past.rates(on: try required(CivilDate("2023-05-11")))
            #expect(kept.fetched == Scene.noon.wall && kept.table.source == "European Central Bank")
            let after = scene.restarted(folder)
            #expect(try await scene.date("2022-12-31", of: after) == "2022-12-30" && scene.server.requests.count == 1)
            #expect(try await after.rates(on: try required(CivilDate("2022-12-31"))).fetched == Scene.noon.wall)
            scene.server.stop()
        }
        #expect(names().count == 1 && names()[0].hasPrefix("rates-history-"))
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(names()[0])")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    /// The past does not change: only a date after the last one of the file needs a newer file.
    @Test func anOldFileIsFetchedAgainWhereItMatters() async throws {
        try await onLoop { [folder] in
            let newer = ScriptedServer.Answer.status(
                text: csv.replacing("2023-05-12,", with: "2023-05-15,1.0876,N/A,11.2480,89.5,\n2023-05-12,"))
            let scene = try Scene(folder, [.status(text: csv), newer])
            #expect(try await scene.date("2023-05-12") == "2023-05-12")
            scene.advance(PastRates.age)
            #expect(try await scene.date("2023-05-11") == "2023-05-11" && scene.server.requests.count == 1)
            #expect(try await scene.date("2023-05-16") == "2023-05-15" && scene.server.requests.count == 2)
            #expect(try await scene.date("2023-05-13") == "2023-05-12" && scene.server.requests.count == 2)
            scene.server.stop()
        }
    }

    @Test func aFailureIsSaidAndNotRepeatedAtOnce() async throws {
        try await onLoop { [folder] in
            let scene = try Scene(folder, [.status(503), .status(text: csv)])
            let first = try await scene.failure("2023-05-12")
            #expect(first?.hasPrefix("cannot fetch the history of exchange rates: ") == true)
            #expect(first?.hasSuffix("answered with status 503") == true)
            let second = try #require(try await scene.failure("2023-05-12"))
            #expect(second.hasPrefix("\(try #require(first)); ") && second.hasSuffix("try again in 10s"), "\(second)")
            #expect(scene.server.requests.count == 1)
            scene.advance(PastRates.shortestInterval)
            #expect(try await scene.date("2023-05-12") == "2023-05-12" && scene.server.requests.count == 2)
            scene.server.stop()
        }
    }

    @Test func whatTheServerAsksForIsHeeded() async throws {
        try await onLoop { [folder] in
            let busy = ScriptedServer.Answer.status(429, headers: ["Retry-After": "600"])
            let scene = try Scene(folder, [busy, .status(text: csv)])
            #expect(try await scene.failure("2023-05-12")?.contains("status 429") == true)
            scene.advance(.seconds(599))
            #expect(try await scene.failure("2023-05-12") != nil && scene.server.requests.count == 1)
            scene.advance(.seconds(1))
            #expect(try await scene.date("2023-05-12") == "2023-05-12")
            scene.server.stop()
        }
    }

    /// Nothing of such an answer is kept or used; it is named, with the setting.
    @Test(
        arguments: [
            (ScriptedServer.Answer.status(text: "<html>Sign in</html>"), "not a file of reference rates"),
            (.status(text: "Date,USD\n2023-05-12,1.08"), "is cut off"),
            (.status(text: String(csv.dropLast(10))), "fields, but"),
            (.status(body: Array("PK\u{3}\u{4}zip".utf8)), "sent a ZIP archive; set `history_url`"),
            (.status(text: "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>"), "document type"),
            (.status(text: ""), "the file is empty"), (.status(404), "status 404; check `history_url` in [rates]"),
            (.truncated(Array(csv.utf8), missing: 9), "closed before the response was complete"),
            (.status(301, headers: ["Location": "https://example.org/"]), "refusing the redirect"),
        ] as [(ScriptedServer.Answer, String)])
    func aBadAnswerIsRefused(answer: ScriptedServer.Answer, part: String) async throws {
        try await onLoop { [folder] in
            let scene = try Scene(folder, [answer])
            let message = try #require(try await scene.failure("2023-05-12"))
            #expect(message.contains(part), "\(message)")
            scene.server.stop()
        }
        #expect(names().isEmpty)
    }

    /// A server that sends a byte now and then, or more than anybody wants, is given up.
    @Test func slownessAndSizeHaveLimits() async throws {
        try await onLoop { [folder] in
            let head = Array("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n".utf8)
            let slow = ScriptedServer.Answer.drip(
                head + [UInt8](repeating: 0x20, count: 100_000), every: .milliseconds(1))
            let dripping = try Scene(folder, [slow]) { $0.totalLimit = Milliseconds(300) }
            #expect(try await dripping.failure("2023-05-12")?.contains("request timed out after 300ms") == true)
            let large = try Scene(folder, [.status(text: csv)]) { $0.bodyLimitBytes = 100 }
            #expect(try await large.failure("2023-05-12")?.contains("longer than 100 bytes") == true)
            for scene in [dripping, large] { scene.server.stop() }
        }
        #expect(names().isEmpty)
    }

    @Test func aDamagedFileIsFetchedAgain() async throws {
        try await onLoop { [folder] in
            let scene = try Scene(folder)
            #expect(try await scene.date("2023-05-11") == "2023-05-11")
            let path = "\(folder.path)/\(try #require(names().first))"
            for content in ["", "Date,USD\n2023-05-12,1.", "junk", "<a>"] {
                try content.write(toFile: path, atomically: false, encoding: .utf8)
                scene.advance(PastRates.shortestInterval)
                #expect(try await scene.date("2023-05-11", of: scene.restarted(folder)) == "2023-05-11")
            }
            #expect(scene.server.requests.count == 5)
            // Something else of that name is neither read nor followed.
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
            scene.advance(PastRates.shortestInterval)
            #expect(try await scene.date("2023-05-11", of: scene.restarted(folder)) == "2023-05-11")
            scene.server.stop()
        }
        #expect(names().count == 1)
    }

    /// Rates of one source are never taken for those of another.
    @Test func anotherSourceHasItsOwnFile() async throws {
        try await onLoop { [folder] in
            let (first, second) = (try Scene(folder), try Scene(folder))
            #expect(try await first.date("2023-05-11") == "2023-05-11")
            first.past.replace(.feed(second.feed))
            #expect(try await first.date("2023-05-11") == "2023-05-11" && second.server.requests.count == 1)
            first.past.replace(.none("no source; do something"))
            #expect(try await first.failure("2023-05-11") == "no source; do something")
            for scene in [first, second] { scene.server.stop() }
        }
        #expect(names().count == 1, "the other one was removed")
    }

    @Test func manyCallsWaitForOneRequest() async throws {
        try await onLoop { [folder] in
            let scene = try Scene(folder, [.hang])
            let tasks = (0..<PastRates.queueLimit).map { _ in
                Loop.shared.start { try? await scene.failure("2023-05-12") }
            }
            try await scene.server.waitForRequests(1)
            #expect(try await scene.failure("2023-05-12")?.hasPrefix("16 requests for past rates are waiting") == true)
            await scene.past.stop()
            for task in tasks { #expect(await task.value == "the daemon is shutting down") }
            #expect(scene.server.requests.count == 1)
            scene.server.stop()
        }
    }

    /// A whole file is read without holding anything up: others have their turn between its slices.
    @Test func readingLeavesRoomForOthers() async throws {
        try await onLoop { [folder] in
            var text = "Date,USD,INR\n"
            for day in 0..<6_000 {
                text += "\(CivilDate(daysSinceEpoch: 18_000 - Int64(day))),1.0885,89.5620\n"
            }
            let scene = try Scene(folder, [.status(text: text)])
            let (past, wanted) = (scene.past, try required(CivilDate("2003-01-01")))
            _ = try await past.rates(on: wanted)
            let done = OneShot<CivilDate?, Never>()
            _ = Loop.shared.start {
                done.finish(.success(try? await past.rates(on: CivilDate(daysSinceEpoch: 13_000)).table.date))
            }
            var turns = 0
            while !done.isFinished {
                await Task.yield()
                turns += 1
            }
            #expect(await done.wait() == CivilDate(daysSinceEpoch: 13_000))
            #expect(turns > text.utf8.count / PastRates.slice, "\(turns)")
            #expect(text.utf8.count / PastRates.slice > 3)
            scene.server.stop()
        }
    }

    /// Random dates and pairs, from the server to the reply, against plain arithmetic on the same file.
    @Test(.enabled(if: historyRecordings != nil, "ALERTD_RECORDED_DATA is not set"))
    func conversionsAgreeWithArithmetic() async throws {
        let name = "\(try #require(historyRecordings))/ecb/eurofxref-hist_to-2023-05-12.csv.gz"
        let file = try ChildProcess.run("/bin/gzip", ["-dc", name]).output
        let plain = PlainHistory(String(decoding: file, as: UTF8.self))
        try await onLoop { [folder] in
            let scene = try Scene(folder, [.status(body: file)])
            let daemon = try SmallDaemon(StateFolderForTest(), at: Scene.noon)
            let service = ExchangeRateService(
                nil, log: Log(isJournal: false, least: .error), clock: scene.clock, onRates: { _, _ in })
            let query = RateQuery(service, PipelineQuery(daemon.pipeline)) { nil }
            var random = SplitMix(seed: 20_230_512)
            var (converted, refused) = (0, 0)
            for _ in 0..<200 {
                let day = Int64.random(in: 10_595...19_489, using: &random)
                let date = CivilDate(daysSinceEpoch: day)
                let amount = Int64.random(in: 1...100_000, using: &random)
                let from = plain.codes.randomElement(using: &random) ?? "EUR"
                let to = plain.codes.randomElement(using: &random) ?? "EUR"
                let money = Money(try Price("\(amount)"), try required(Currency(from)))
                let currency = try required(Currency(to))
                let expected = plain.convert(Double(amount), from, to, on: "\(date)")
                do {
                    let reply = try await query.convert(money, to: currency, on: date, scene.past)
                    let result = try #require(Double(reply.result))
                    let wanted = try #require(expected, "\(money) to \(to) on \(date): \(result)")
                    #expect(abs(result / wanted - 1) < 1e-11, "\(money) to \(to) on \(date): \(reply)")
                    #expect(reply.on == "\(date)" && reply.official && !reply.stale && !reply.pegged)
                    converted += 1
                } catch let failure as PastRatesFailure {
                    #expect(expected == nil, "\(money) to \(to) on \(date): \(failure.message)")
                    #expect(failure.message.hasPrefix("there is no reference rate of "), "\(failure.message)")
                    refused += 1
                }
            }
            #expect(converted > 100 && refused > 20, "\(converted), \(refused)")
            #expect(scene.server.requests.count == 1 && service.state.rates == nil)
            daemon.pipeline.stop()
            scene.server.stop()
        }
    }
}

private let historyRecordings = ProcessInfo.processInfo.environment["ALERTD_RECORDED_DATA"]

/// The history as a table of texts, and conversions by binary fractions.
private struct PlainHistory {
    let codes: [String]
    private var rows: [(date: String, rates: [String: Double])] = []

    /// When the euro replaced currencies of the file, and at which rate.
    private static let fixed: [String: (String, Double)] = [
        "HRK": ("2023-01-01", 7.5345), "LTL": ("2015-01-01", 3.4528), "LVL": ("2014-01-01", 0.702804),
        "EEK": ("2011-01-01", 15.6466), "SKK": ("2009-01-01", 30.126), "CYP": ("2008-01-01", 0.585274),
        "MTL": ("2008-01-01", 0.4293), "SIT": ("2007-01-01", 239.64),
    ]

    init(_ csv: String) {
        let lines = csv.split(whereSeparator: \.isNewline).map { $0.split(separator: ",").map(String.init) }
        codes = ["EUR"] + lines[0].dropFirst().filter { $0.count == 3 }
        for line in lines.dropFirst() {
            let rates = zip(lines[0].dropFirst(), line.dropFirst()).compactMap { code, text in
                Double(text).map { (code, $0) }
            }
            rows.append((line[0], Dictionary(rates) { first, _ in first }))
        }
        rows.sort { $0.date < $1.date }
    }

    func convert(_ amount: Double, _ from: String, _ to: String, on date: String) -> Double? {
        if from == to { return amount }
        guard let row = rows.last(where: { $0.date <= date }) else { return nil }
        let rate = { (code: String) -> Double? in
            if code == "EUR" { return 1 }
            if let (since, rate) = Self.fixed[code], date >= since { return rate }
            return row.rates[code]
        }
        guard let from = rate(from), let to = rate(to) else { return nil }
        return amount / from * to
    }
}
