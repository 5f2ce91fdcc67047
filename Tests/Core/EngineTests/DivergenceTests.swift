import Engine
import Events
import ExchangeRates
import Market
import Testing
import Time

/// Prices of two sources that drift apart and come together.
@Suite struct DivergenceTests {
    private static func time(_ seconds: Int64) -> Instant {
        Instant(
            boot: BootTime(milliseconds: seconds * 1_000), wall: WallTime(milliseconds: 1_000_000 + seconds * 1_000))
    }

    /// What happens at comparisons ten seconds apart: `+` for prices apart, `-` for prices together, `.` for none, each
    /// after the number of a silence if one matches.
    private static func story(
        _ script: String, hold: Int64 = 0, gap: Int64 = 30, restarts: Bool = false
    ) -> [String] {
        var state = DivergenceState()
        var story: [String] = []
        var silence: Int64?
        var seconds: Int64 = 0
        for sign in script {
            if let number = sign.wholeNumberValue {
                silence = number == 0 ? nil : Int64(number)
                continue
            }
            defer { seconds += 10 }
            guard sign != "." else { continue }
            if restarts {
                let read = DivergenceState(encoded: state.encoded, now: time(seconds), isSameBoot: true)
                #expect(read == state, "\(state.encoded)")
                state = read ?? state
            }
            let change = state.observe(
                isApart: sign == "+", at: time(seconds), hold: .seconds(hold), maximumGap: .seconds(gap),
                silence: silence)
            guard let change else { continue }
            let word = "\(seconds) \(change.kind.rawValue)" + (change.notified ? "" : " suppressed")
            story.append(word + (change.reason.map { " \($0.rawValue)" } ?? ""))
        }
        return story
    }

    @Test(
        arguments: [
            ("--++--", 0, ["20 diverged", "40 converged"]),
            ("-+-+-", 20, []),
            ("-+++-+---", 20, ["30 diverged", "80 converged"]),
            // A gap: the time starts over.
            ("-+...+++", 20, ["70 diverged"]),
            // No comparison is no gap as long as it is short enough.
            ("-+.+", 20, ["30 diverged"]),
            // Suppressed, and notified after the silence if it lasts.
            ("-1++0+-", 0, ["10 diverged suppressed silenced", "30 diverged silenced", "40 converged"]),
            ("-1+-0--", 0, ["10 diverged suppressed silenced", "20 converged suppressed fired_suppressed"]),
            // Who was notified is also notified of the end.
            ("-+1-0--", 0, ["10 diverged", "20 converged suppressed silenced", "30 converged silenced"]),
            (
                "-+1-+0+", 0,
                [
                    "10 diverged", "20 converged suppressed silenced", "30 diverged suppressed silenced",
                    "40 diverged silenced",
                ]
            ),
        ] as [(String, Int64, [String])])
    func whatIsReported(script: String, hold: Int64, expected: [String]) {
        #expect(Self.story(script, hold: hold) == expected)
        #expect(Self.story(script, hold: hold, restarts: true) == expected)
    }

    @Test(arguments: ["", "apart", "diverged since=1", "together since=x@1 last=2@2", "together since=3@3 last=2@2"])
    func aDamagedStateIsNotRead(text: String) {
        #expect(DivergenceState(encoded: text, now: Self.time(0), isSameBoot: true) == nil)
    }

    /// After a reboot, times keep their distance on the wall clock.
    @Test func aRebootMovesTheTimes() throws {
        var state = DivergenceState()
        _ = state.observe(
            isApart: true, at: Self.time(1_000), hold: .seconds(60), maximumGap: .seconds(90), silence: nil)
        let now = Instant(boot: BootTime(milliseconds: 5_000), wall: Self.time(1_060).wall)
        var read = try #require(DivergenceState(encoded: state.encoded, now: now, isSameBoot: false))
        let change = read.observe(
            isApart: true, at: now, hold: .seconds(60), maximumGap: .seconds(90), silence: nil)
        #expect(change?.kind == .diverged)
    }

    /// A wall clock that was set between two comparisons does not make the time between them longer.
    @Test func aRebootKeepsTheDistanceOfTheTimes() throws {
        var state = DivergenceState()
        for (boot, wall) in [(1_000, 1_000), (1_030, 4_630)] as [(Int64, Int64)] {
            let time = Instant(boot: Self.time(boot).boot, wall: Self.time(wall).wall)
            let change = state.observe(
                isApart: true, at: time, hold: .seconds(60), maximumGap: .seconds(90), silence: nil)
            #expect(change == nil)
        }
        let now = Instant(boot: BootTime(milliseconds: 5_000), wall: Self.time(4_640).wall)
        var read = try #require(DivergenceState(encoded: state.encoded, now: now, isSameBoot: false))
        for (passed, isDue) in [(0, false), (19, false), (20, true)] as [(Int64, Bool)] {
            let time = Instant(boot: now.boot.advanced(by: .seconds(passed)), wall: now.wall)
            let change = read.observe(
                isApart: true, at: time, hold: .seconds(60), maximumGap: .seconds(90), silence: nil)
            #expect((change?.kind == .diverged) == isDue, "\(passed)")
        }
    }

    /// The limit is exact: a difference of exactly the percentage is not reported.
    @Test(
        arguments: [
            ("108", "100", "8", false, "8.00"), ("108.0000000001", "100", "8", true, "8.00"),
            ("92", "100", "8", false, "-8.00"), ("91.99", "100", "8", true, "-8.01"),
            ("0.00000041", "0.00000040", "2.4", true, "2.50"), ("1", "1000", "100", false, "-99.90"),
        ])
    func theDifferenceIsExact(
        first: String, second: String, within: String, isApart: Bool, percent: String
    ) throws {
        let dollar = try #require(Currency("USD"))
        let path = try CurrencyConverter(nil).path(from: dollar, to: dollar)
        let comparison = try #require(
            PriceComparison(try Price(first), try Price(second), by: path, within: try Price(within)))
        #expect(comparison.isApart == isApart && comparison.percent.description == percent)
    }
}
