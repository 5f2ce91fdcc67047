import Charts
import Control
import Foundation
import TestSupport
import Testing
import Time

@testable import AlertClient

/// Each cause of ill health by itself, and which of several decides the exit code of `status --check`.
struct HealthTests {
    /// A daemon that is well in every respect.
    private static func wellRun(_ change: (inout DaemonStatus) -> Void = { _ in }) -> Run {
        let run = Run(width: 160)
        run.daemon.replies[.status] = Sample.status { status in
            status.firing = 0
            status.problems = []
            status.sinks = []
            change(&status)
        }
        run.daemon.replies[.listSilences] = ListSilencesReply(silences: [])
        return run
    }

    private static func silence(_ symbol: String?, rule: String? = nil, source: String? = nil) -> SilenceStatus {
        var silence = Sample.silence
        (silence.symbol, silence.rule, silence.source, silence.severity) = (symbol, rule, source, nil)
        return silence
    }

    /// One way to be ill: what the daemon says then, the exit code, a part of its line, and its short form.
    struct Case: CustomTestStringConvertible, Sendable {
        let kind: HealthCause.Kind
        let code: Int32
        let line: String
        let short: String?
        var silences: [SilenceStatus] = []
        var rates: RatesReply?
        var change: @Sendable (inout DaemonStatus) -> Void = { _ in }

        var testDescription: String { "\(kind)" }
    }

    private static let later =
        "state/alertd.db: a newer version of alertd made it; run the version that created it, or move the file away"

    private static func rates(_ change: (inout RatesReply) -> Void) -> RatesReply {
        var rates = Sample.rates
        change(&rates)
        return rates
    }

    static let cases = [
        Case(
            kind: .stalePrices, code: 7, line: "prices are stale: no usable response for 12s; try 'alertctl poll'",
            short: "prices stale", change: { $0.feed.stale = true }),
        Case(
            kind: .stoppedReceiver, code: 10,
            line: "receiver ops has stopped: 401; renew the credential 'ops' and restart alertd",
            short: "receiver ops stopped",
            change: {
                $0.receiversFailing = [
                    FailingReceiver(name: "ops", stopped: true, message: "401", credential: "ops")
                ]
            }),
        Case(
            kind: .failingReceiver, code: 10,
            line: "receiver ops does not accept notifications: 503; see 'alertctl receivers'",
            short: "receiver ops failing",
            change: { $0.receiversFailing = [FailingReceiver(name: "ops", stopped: false, message: "503")] }),
        Case(
            kind: .lostLease, code: 10, line: "the lease cannot be kept: no answer; nothing is sent",
            short: "lease not kept",
            change: { $0.lease = LeaseStatus(name: "one", state: .waiting, message: "no answer") }),
        Case(
            kind: .unsavedState, code: 11, line: "state has not been saved for 12s: disk full; free some space",
            short: "state not saved",
            change: {
                ($0.store.state, $0.store.since) = (.degraded, Sample.received)
                $0.store.message = "disk full; free some space"
            }),
        Case(
            kind: .unsavedState, code: 11, line: "state has not been saved: \(later)", short: "state not saved",
            change: { ($0.store.state, $0.store.message) = (.degraded, later) }),
        Case(
            kind: .failedReload, code: 6,
            line: "the reload at 07:19:48 failed, so the previous settings stay in effect: a.toml:3:1: unknown key; "
                + "fix the file, then run 'alertctl reload'", short: "reload failed",
            change: {
                $0.configuration.lastReloadFailed = Sample.received
                $0.configuration.lastReloadMessage = "a.toml:3:1: unknown key"
            }),
        Case(
            kind: .staleRates, code: 7, line: "exchange rates are stale (9 days old); see 'alertctl rates'",
            short: "exchange rates 9 days old", rates: rates { ($0.stale, $0.ageDays) = (true, 9) }),
        Case(
            kind: .staleRates, code: 7, line: "cannot fetch exchange rates: no route", short: "no exchange rates",
            rates: rates { ($0.stale, $0.ageDays, $0.date, $0.message) = (true, nil, nil, "no route") }),
        Case(
            kind: .divergedCheck, code: 5, line: "check btc: wazirx:btcusdt differs by 3.1% from kraken:btcusd",
            short: "check btc diverged",
            change: {
                $0.checks = [
                    CheckStatus(
                        name: "btc", first: "wazirx:btcusdt", second: "kraken:btcusd", withinPercent: "2",
                        forMilliseconds: 0, state: .diverged, differencePercent: "3.1")
                ]
            }),
        Case(
            kind: .silencedEverything, code: 0,
            line: "silence 3 matches every alert until 09:00:00, so nobody is notified; "
                + "'alertctl silence expire 3' ends it", short: "everything silenced", silences: [silence("*")],
            change: { $0.silences = 1 }),
        Case(
            kind: .silencedEverything, code: 0, line: "silence 3 matches every alert", short: "everything silenced",
            silences: [silence(nil, source: "wazirx")], change: { $0.silences = 1 }),
        Case(kind: .noRules, code: 0, line: "there are no rules", short: nil, change: { $0.rules = 0 }),
        Case(
            kind: .impairedRule, code: 0, line: "rule 'gone': ", short: nil,
            change: { $0.problems = [RuleProblem(rule: "gone", state: .matchesNothing, problems: [])] }),
        Case(
            kind: .failedPolls, code: 0, line: "the last 2 polls failed: timeout", short: nil,
            change: { ($0.feed.consecutiveFailures, $0.feed.message) = (2, "timeout") }),
        Case(
            kind: .lateRates, code: 0, line: "cannot fetch exchange rates: no route", short: nil,
            rates: rates { $0.message = "no route" }),
        Case(
            kind: .lateRates, code: 0, line: "exchange rates: no rate of RUB", short: nil,
            rates: rates { $0.ignored = ["no rate of RUB"] }),
        Case(
            kind: .feedNote, code: 0, line: "2 of 450 elements are ignored", short: nil,
            change: { $0.feed.badElementsMessage = "2 of 450 elements are ignored" }),
        Case(
            kind: .unfilledGaps, code: 0, line: "2 gaps in the prices not caught up yet: no answer", short: nil,
            change: { ($0.feed.gaps, $0.feed.gapsMessage) = (2, "no answer") }),
        Case(
            kind: .feedNote, code: 0, line: "too many alerts", short: nil,
            change: { $0.feed.message = "too many alerts" }),
        Case(
            kind: .lossySink, code: 0, line: "sink socket: 2 dropped: a slow reader", short: nil,
            change: { $0.sinks = Sample.status.sinks }),
        Case(
            kind: .fullEventSocket, code: 0, line: "the limit of 2 event readers is reached", short: nil,
            change: { $0.eventReadersLimit = 2 }),
    ]

    private func run(_ ill: [Case], isFiring: Bool = false) -> Run {
        let run = Self.wellRun { status in
            for cause in ill { cause.change(&status) }
            if isFiring { status.firing = 1 }
        }
        run.daemon.replies[.listSilences] = ListSilencesReply(silences: ill.flatMap(\.silences))
        if let rates = ill.compactMap(\.rates).first { run.daemon.replies[.rates] = rates }
        return run
    }

    @Test func eachKindHasACase() {
        #expect(Set(Self.cases.map(\.kind)).count == HealthCause.Kind.allCases.count)
    }

    @Test(arguments: cases)
    func aCauseIsReportedAndHasItsExitCode(ill: Case) throws {
        let status = run([ill])
        #expect(status("status --check") == ill.code)
        let output = status.output
        #expect(output.contains("Health:\n  \(ill.line)"), "\(output)")
        let first = try #require(output.split(separator: "\n").first)
        if ill.code != 0, let short = ill.short {
            #expect(first.hasPrefix("● alertd 0.1.0 running, \(short)"), "\(first)")
        }
        let quiet = run([ill])
        #expect(quiet("status --check -q") == ill.code && quiet.output.isEmpty && quiet.errors.isEmpty)
        #expect(run([ill])("status") == 0, "only --check has an exit code")
    }

    @Test func withoutACauseAllIsWell() {
        #expect(run([])("status --check") == 0)
        #expect(!run([]).output("status").contains("Health:"))
        #expect(run([], isFiring: true)("status --check -q") == 5)
    }

    /// Of two causes the one that comes first in the list decides, and both are listed.
    @Test func theMostSeriousCauseDecidesAndAllAreReported() throws {
        for (index, worse) in Self.cases.enumerated() {
            for other in Self.cases.dropFirst(index + 1) where other.kind != worse.kind {
                guard !Self.isImpossible(worse, other) else { continue }
                for pair in [[worse, other], [other, worse]] {
                    let run = run(pair)
                    #expect(run("status --check") == worse.code, "\(worse.kind) before \(other.kind)")
                    let lines = run.output.split(separator: "\n")
                    let first = lines.firstIndex { $0.hasPrefix("  \(worse.line.prefix(20))") }
                    let second = lines.firstIndex { $0.hasPrefix("  \(other.line.prefix(20))") }
                    let (before, after) = (try #require(first), try #require(second))
                    #expect(before < after, "\(worse.kind) before \(other.kind)\n\(run.output)")
                }
            }
        }
    }

    /// Whether both cannot be the case at once, or are made here by the same part of the status.
    private static func isImpossible(_ one: Case, _ other: Case) -> Bool {
        let groups: [Set<HealthCause.Kind>] = [
            [.stalePrices, .failedPolls, .unfilledGaps, .feedNote], [.staleRates, .lateRates],
            [.stoppedReceiver, .failingReceiver], [.noRules, .impairedRule],
        ]
        return groups.contains { $0.contains(one.kind) && $0.contains(other.kind) }
    }

    /// People are notified of what fires; of the next alert they may not be.
    @Test func illHealthIsMoreSeriousThanAFiringAlert() {
        for ill in Self.cases {
            #expect(run([ill], isFiring: true)("status --check -q") == (ill.code == 0 ? 5 : ill.code), "\(ill.kind)")
        }
    }

    @Test(arguments: [silence("btc*"), silence("*", rule: "band"), silence(nil, source: "kraken")])
    func aSilenceThatLetsSomethingThroughIsNoCause(silence: SilenceStatus) {
        let run = Self.wellRun { status in
            var other = status.feed
            other.source = "kraken"
            status.sources = [status.feed, other]
            status.silences = 1
        }
        run.daemon.replies[.listSilences] = ListSilencesReply(silences: [silence])
        #expect(!run.output("status").contains("Health:"))
    }

    /// An answer about silences or rates that does not come must not hide the rest.
    @Test func withoutRatesAndSilencesTheRestIsShown() {
        let run = run([Self.cases[1]])
        run.daemon.errors[.rates] = .remote(name: "org.varlink.service.MethodNotFound")
        run.daemon.errors[.listSilences] = .timedOut(.seconds(1))
        #expect(run("status --check") == 10 && run.output.contains("receiver ops has stopped"))
    }

    @Test(arguments: [(0, "0"), (999, "999"), (1_000, "1 000"), (148_107, "148 107"), (-1_234_567, "-1 234 567")])
    func numbersInTextsAreGrouped(number: Int, text: String) {
        #expect(grouped(number) == text && counted(number, "event") == "\(text) events")
    }

    @Test func countsOfSinksAreGrouped() {
        let run = Self.wellRun { status in
            status.sinks = [SinkStatus(name: "socket", delivered: 148_107, dropped: 16_666, failed: 0)]
            status.lastEvent = 148_107
        }
        let output = run.output("status")
        #expect(output.contains("148 107 so far") && output.contains("sink socket: 16 666 dropped"), "\(output)")
        #expect(!output.contains("148107") && !output.contains("16666"), "\(output)")
        #expect(run.output("status --json").contains("\"delivered\":148107"))
    }

    // MARK: The live view

    private func head(_ ill: [Case], width: Int = 120, isFiring: Bool = false) throws -> String {
        let run = run(ill, isFiring: isFiring)
        let loader = WatchLoader(try Context(ParsedArgumentsFixture.empty, in: run.environment))
        var state = WatchState()
        loader.refresh(&state.data)
        return try #require(
            WatchScreen.draw(state, run.formatter, .braille, width: width, height: 24).plainLines.first)
    }

    @Test(arguments: cases)
    func theLiveViewNamesWhatBelongsInAHeadline(ill: Case) throws {
        let head = try head([ill])
        switch ill.kind {
        case .stalePrices: #expect(head.hasSuffix("STALE: prices are 12s old"))
        default:
            #expect(head.contains("⚠") == (ill.short != nil))
            if let short = ill.short { #expect(head.contains("⚠ \(short)")) }
        }
    }

    @Test func theLiveViewNamesAsManyAsFit() throws {
        let ill = Self.cases.filter { [.stoppedReceiver, .failedReload, .silencedEverything].contains($0.kind) }
            .prefix(3)
        #expect(
            try head(Array(ill), width: 120, isFiring: true).contains(
                "  ● 1 firing  ⚠ receiver ops stopped  ⚠ reload failed  ⚠ everything silenced  "))
        #expect(
            try head(Array(ill), width: 80, isFiring: true).hasPrefix(
                "alertd  market prices  ● 1 firing  ⚠ receiver ops stopped  +2  "))
        #expect(try head(Array(ill), width: 60, isFiring: true).hasPrefix("alertd  ● 1 firing  ⚠ receiver ops st"))
    }

    /// A reload that fails and a silence cause no event.
    @Test func theLiveViewNoticesAChangeWithoutAnEvent() throws {
        let run = Self.wellRun()
        let loader = WatchLoader(try Context(ParsedArgumentsFixture.empty, in: run.environment))
        var data = WatchData()
        loader.refresh(&data)
        #expect(data.health?.headlines.isEmpty == true)
        run.daemon.replies[.status] = Sample.status {
            $0.silences = 1
            $0.configuration.lastReloadFailed = Sample.received
        }
        run.daemon.replies[.listSilences] = ListSilencesReply(silences: [Self.silence("*")])
        loader.refresh(&data)
        #expect(data.health?.headlines.map(\.kind) == [.failedReload, .silencedEverything])
    }

    // MARK: Documents

    /// The table has a row for each cause with an exit code, the most serious first.
    @Test func thePageOnOperationListsTheCausesInTheirOrder() throws {
        let page = try String(contentsOf: packageFolder.appending(path: "docs/operation.md"), encoding: .utf8)
        var rest = Substring(page)
        for kind in HealthCause.Kind.allCases {
            guard let code = kind.exitCode, let meaning = kind.meaning else { continue }
            let row = try #require(rest.range(of: "| \(meaning) | `\(code.rawValue)` |"), "\(meaning)")
            rest = rest[row.upperBound...]
        }
    }
}
