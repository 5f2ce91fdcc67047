import Arguments
import Control
import Market
import Testing
import Time

@testable import AlertClient

/// Now is 2026-11-21 06:20:00 UTC, 07:20 by the clocks.
@Suite(.timeLimit(.minutes(10)))
struct HistoryTests {
    private func bars(_ line: String) -> ListBarsParameters? {
        let run = Run()
        run(line)
        return run.daemon.parameters.lazy.compactMap { $0 as? ListBarsParameters }.first
    }

    /// With a daemon that has prices of more than a day.
    private func dayOld(width: Int? = nil) -> Run {
        let run = Run(width: width)
        run.daemon.replies[.status] = Sample.status { $0.history.oldest = "2026-11-01T00:00:00.000Z" }
        return run
    }

    @Test func theLastDayInSteps() {
        // The daemon of the sample began two hours ago: that is all there is.
        #expect(bars("history btcinr")?.stepMilliseconds == 600_000)
        #expect(bars("history btcinr")?.since == "2026-11-21T04:00:00.000Z")
        #expect(
            dayOld(width: 80).output("history BTCINR")
                == """
                btcinr 2026-11-20 07:00:00 to 2026-11-21 08:00:00 CET
                TIME                          HIGH            LOW          CLOSE  GAP
                2026-11-20 23:00:00  ₹75,20,000.50  ₹73,90,000.00  ₹75,13,000.00    -
                06:00:00             ₹75,13,000.00  ₹75,00,000.00  ₹75,00,000.25   6h
                2 steps of 1h with 1 217 prices; 1 gap, 6h in total; none before 2026-11-20
                23:00:00; --step none shows every price

                """)
        let run = dayOld()
        run("history BTCINR")
        #expect(
            run.daemon.parameters.lazy.compactMap { $0 as? ListBarsParameters }.first
                == ListBarsParameters(
                    symbol: "btcinr", since: "2026-11-20T06:00:00.000Z", until: "2026-11-21T07:00:00.000Z",
                    stepMilliseconds: 3_600_000, offsetMilliseconds: 0))
    }

    @Test func everyPrice() {
        #expect(
            Run(width: 60).output("history btcinr --since 1h30m --step none")
                == """
                btcinr 2026-11-21 05:50:00 to 2026-11-21 07:20:00 CET
                TIME              PRICE  GAP
                06:00:00  ₹75,13,000.50    -
                06:01:00  ₹75,13,001.50    -
                06:02:00  ₹75,13,002.50    -
                07:00:00  ₹75,13,003.50  58m
                07:01:00  ₹75,13,004.50    -
                5 prices; 1 gap, 58m in total; none before 06:00:00; none
                after 07:01:00

                """)
    }

    @Test func programsGetEveryPrice() {
        let csv = Run().output("history btcinr --since 90m --csv")
        #expect(
            csv == """
                time,price,gap_ms,currency
                2026-11-21T05:00:00.000Z,7513000.5,,INR
                2026-11-21T05:01:00.000Z,7513001.5,,INR
                2026-11-21T05:02:00.000Z,7513002.5,,INR
                2026-11-21T06:00:00.000Z,7513003.5,3480000,INR
                2026-11-21T06:01:00.000Z,7513004.5,,INR

                """)
        #expect(
            dayOld().output("history btcinr --step 1h --json")
                == #"{"simulated":false,"symbol":"btcinr","since":"2026-11-20T06:00:00.000Z","#
                + #""until":"2026-11-21T07:00:00.000Z","step_ms":3600000,"bars":[{"time":"2026-11-20T22:00:00.000Z","#
                + #""open":"7400000","high":"7520000.5","low":"7390000","close":"7513000","samples":120,"#
                + #""gap_ms":null,"currency":"INR"},{"time":"2026-11-21T05:00:00.000Z","open":"7513000","#
                + #""high":"7513000","low":"7500000","close":"7500000.25","samples":1097,"gap_ms":21600000,"#
                + #""currency":"INR"}]}"# + "\n")
        #expect(
            Run().output("history btcinr --plain --last 2")
                == "2026-11-21T06:00:00.000Z\t7513003.5\t\tINR\n2026-11-21T06:01:00.000Z\t7513004.5\t\tINR\n")
    }

    @Test(
        arguments: [
            ("--since 2026-11-20", "2026-11-19T23:00:00.000Z"),
            ("--since 2026-11-20T14:30", "2026-11-20T13:30:00.000Z"),
            ("--since 14:30 --until 15:00", "2026-11-21T13:30:00.000Z"), ("--since 1h", "2026-11-21T05:20:00.000Z"),
            ("--since 2026-11-20T14:30:05Z", "2026-11-20T14:30:05.000Z"),
            ("--since 2026-11-20T14:30:05.25+05:30", "2026-11-20T09:00:05.250Z"),
            ("--since 2026-11-20 --utc", "2026-11-20T00:00:00.000Z"),
        ])
    func timesAreReadAsTheyAreWritten(options: String, since: String) {
        let run = Run()
        run("history btcinr --step none \(options)")
        let asked = run.daemon.parameters.lazy.compactMap { $0 as? ListPricesParameters }.first
        #expect(asked?.since == since)
    }

    @Test func localTimesNearAChangeOfTheClocks() {
        // At 01:00 UTC clocks go from 02:00 to 03:00, and 30 days later from 03:00 back to 02:00.
        let change = WallTime(rfc3339: "2026-03-29T01:00:00Z") ?? WallTime(milliseconds: 0)
        let back = WallTime(milliseconds: change.milliseconds + 30 * 86_400_000)
        let reader = TimeReader(now: back) { time in
            let isSummer = time >= change && time < back
            return LocalZone(offsetSeconds: isSummer ? 7_200 : 3_600, name: "")
        }
        #expect(reader.time("2026-03-29 01:59")?.description == "2026-03-29T00:59:00.000Z")
        #expect(reader.time("2026-03-29 02:30")?.description == "2026-03-29T01:30:00.000Z")
        #expect(reader.time("2026-03-29 03:00")?.description == "2026-03-29T01:00:00.000Z")
        // Shown twice: the first time counts.
        #expect(reader.time("2026-04-28 02:30")?.description == "2026-04-28T00:30:00.000Z")
        #expect(reader.time("2026-04-28 03:30")?.description == "2026-04-28T02:30:00.000Z")
        for text in ["", "x", "2026-02-30", "25:00", "2026-11-20 24:00", "1x", "14"] {
            #expect(reader.time(text) == nil)
        }
    }

    @Test func daysBeginAtLocalMidnight() {
        let days = bars("history btcinr --since 7d --step 1d")
        #expect(days?.since == "2026-11-13T23:00:00.000Z")
        #expect(days?.until == "2026-11-21T23:00:00.000Z")
        #expect(days?.offsetMilliseconds == 82_800_000)
        let utc = bars("history btcinr --since 7d --step 1d --utc")
        #expect(utc?.since == "2026-11-14T00:00:00.000Z")
        #expect(utc?.offsetMilliseconds == 0)
    }

    @Test func theLastStepsEndNow() {
        let five = bars("history btcinr --step 10m --last 5")
        #expect(five?.since == "2026-11-21T05:30:00.000Z")
        #expect(five?.until == "2026-11-21T06:20:00.000Z")
        #expect(bars("history btcinr --since 2h")?.stepMilliseconds == 300_000)
        #expect(bars("history btcinr --since 30d")?.stepMilliseconds == 172_800_000)
        // Polls come every 30 s: shorter steps would only show that most of them are empty.
        #expect(bars("history btcinr --since 2m")?.stepMilliseconds == 60_000)
        let quick = Run()
        quick.daemon.replies[.status] = Sample.status { $0.feed.intervalMilliseconds = 100 }
        #expect(quick("history btcinr --since 2m") == 0)
        let asked = quick.daemon.parameters.lazy.compactMap { $0 as? ListBarsParameters }.first
        #expect(asked?.stepMilliseconds == 5_000)
    }

    @Test(.timeLimit(.minutes(10))) func pagesThatDoNotGoOnEnd() {
        for next in ["2026-11-20T00:00:00.000Z", nil] {
            let run = Run()
            run.daemon.answers[.listBars] = { asked in
                let since = (asked as? ListBarsParameters)?.since ?? ""
                return ListBarsReply(simulated: false, bars: [], next: next ?? since)
            }
            #expect(run("history btcinr --step 1h --json") == 0)
            #expect(run.daemon.asked.count { $0 == .listBars } == 1)
        }
    }

    @Test func pagesAreJoined() {
        let run = Run()
        run.daemon.answers[.listPrices] = { asked in
            let since = (asked as? ListPricesParameters)?.since ?? ""
            let isFirst = since < "2026-11-21T05:00:30"
            return ListPricesReply(
                simulated: true, gapMilliseconds: 90_000,
                prices: [PricePoint(time: Sample.minute(isFirst ? 0 : 1), price: isFirst ? "1" : "2")],
                next: isFirst ? Sample.minute(1) : nil)
        }
        #expect(
            run.output("history btcinr --plain")
                == "\(Sample.minute(0))\t1\t\tINR\n\(Sample.minute(1))\t2\t\tINR\n")
        #expect(run.errors == "# SIMULATED\n")
    }

    @Test func withoutAPriceItSaysSo() {
        let run = Run(width: 80)
        run.daemon.replies[.listBars] = ListBarsReply(simulated: false, bars: [])
        #expect(
            run.output("history btcinr --since 1h")
                == """
                btcinr 2026-11-21 06:20:00 to 2026-11-21 07:20:00 CET
                no prices in this range; 'alertctl history btcinr --last 1' shows the newest
                price

                """)
    }

    @Test(
        arguments: [
            (
                "history btcinr --since 11/22/2026",
                "--since: '11/22/2026' is not a time; write the date as 2026-11-22\n"
            ),
            ("history btcinr --since someday", "--since: 'someday' is not a time; write 2026-11-20"),
            ("history btcinr --since 1h --until 2h", "is not before --until"),
            ("history btcinr --since 2027-01-01", "--since must be in the past"),
            ("history btcinr --step 5", "--step takes a duration"),
            ("history btcinr --step 10ms", "--step takes a duration"),
            ("history btcinr --last x", "--last takes a whole number"), ("history", "SYMBOL is missing"),
            ("history btcinr --csv --json", "--json and --csv cannot be combined"),
        ])
    func whatMakesNoSense(line: String, words: String) {
        let run = Run()
        #expect(run(line) == 2)
        #expect(run.errors.contains(words), "\(run.errors)")
    }
}
