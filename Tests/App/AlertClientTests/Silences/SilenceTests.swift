import Control
import Events
import Testing

@testable import AlertClient

@Suite("alertctl silence", .timeLimit(.minutes(10)))
struct SilenceTests {
    private func asked<Parameters>(_ words: [String], as: Parameters.Type) -> Parameters? {
        let run = Run()
        run(words)
        return run.daemon.parameters.lazy.compactMap { $0 as? Parameters }.first
    }

    private func added(_ words: String...) -> AddSilenceParameters? {
        asked(["silence", "add"] + words, as: AddSilenceParameters.self)
    }

    // MARK: add

    @Test func whatIsAsked() {
        #expect(
            added("BTC*", "--rule", "btc band", "--severity", "critical", "--for", "1h30m", "--comment", "I know")
                == AddSilenceParameters(
                    symbol: "btc*", rule: "btc band", severity: .critical, durationMilliseconds: 5_400_000,
                    comment: "I know"))
        #expect(
            added("--rule", "r", "--for", "2h", "-c", "")
                == AddSilenceParameters(rule: "r", durationMilliseconds: 7_200_000))
    }

    @Test func hoursOfTheDay() {
        #expect(
            added("*", "--daily", "22:00-07:00", "--days", "Fri,mon-wed")
                == AddSilenceParameters(symbol: "*", daily: "22:00-07:00 mon,tue,wed,fri"))
        #expect(
            added("*", "--daily", "00:00-24:00", "--for", "30d")
                == AddSilenceParameters(symbol: "*", durationMilliseconds: 2_592_000_000, daily: "00:00-24:00"))
        #expect(
            added("*", "--daily", "22:00-07:00", "--days", "mon-fri", "--timezone", "Europe/Stockholm")?.daily
                == "22:00-07:00 mon-fri Europe/Stockholm")
        for hours in ["10pm-7am", "10 PM - 7 AM", "22.00-07.00", "22.00–7.00"] {
            #expect(added("*", "--daily", hours)?.daily == "22:00-07:00", "\(hours)")
        }
        let run = Run(width: 120)
        var daily = Sample.silence
        (daily.daily, daily.state) = ("22:00-07:00 mon-fri", .waiting)
        run.daemon.replies[.listSilences] = ListSilencesReply(silences: [daily, Sample.silence])
        run("silence list")
        #expect(run.output.contains("DAILY") && run.output.contains("STATE"))
        #expect(run.output.contains("waiting") && run.output.contains("22:00-07:00 mon-fri"))
        #expect(!Run(width: 120).output("silence list").contains("DAILY"))
        let narrow = Run(width: 80)
        daily.daily = "22:00-07:00 mon-fri Europe/Stockholm"
        narrow.daemon.replies[.listSilences] = ListSilencesReply(silences: [daily])
        #expect(narrow.output("silence list").contains("warning"), "the severity limits what is silenced")
    }

    /// The user's clock shows 07:20 on 2026-11-21, an hour before UTC.
    @Test(arguments: [
        ("18:00", "2026-11-21T17:00:00.000Z"), ("07:20", "2026-11-22T06:20:00.000Z"),
        ("06:00", "2026-11-22T05:00:00.000Z"), ("07:20:01", "2026-11-21T06:20:01.000Z"),
        ("2026-11-23", "2026-11-22T23:00:00.000Z"), ("2026-11-22 08:00", "2026-11-22T07:00:00.000Z"),
        ("2026-11-22T08:00:00Z", "2026-11-22T08:00:00.000Z"),
    ])
    func untilWhen(text: String, time: String) {
        #expect(added("*", "--until", text)?.until == time)
    }

    @Test(arguments: [
        (["--for", "2h"], "specify what to silence"), (["btc?", "--for", "2h"], "where * stands for any text"),
        (["btcinr"], "with --for 2h or --until 18:00"), (["*", "--days", "mon"], "--days needs --daily"),
        (["*", "--for", "1h", "--timezone", "UTC"], "--timezone needs --daily"),
        (["*", "--daily", "22:00-07:00", "--timezone", "../x"], "--timezone takes the name of a time zone"),
        (["*", "--daily", "22-7"], "--daily takes a part of the day, such as 22:00-07:00"),
        (["*", "--daily", "22:00-07:00", "--days", "weekdays"], "--days takes days of the week, such as mon-fri"),
        (["btcinr", "--for", "2h", "--until", "18:00"], "with --for 2h or --until 18:00"),
        (["btcinr", "--for", "2"], "--for takes a duration"),
        (["btcinr", "--for", "0s"], "--for takes a duration"), (["btcinr", "--for", "367d"], "at most 366d"),
        (["btcinr", "--until", "2h"], "use --for 2h"), (["btcinr", "--until", "now"], "is in the past"),
        (["btcinr", "--until", "2026-11-20"], "is in the past"),
        (["btcinr", "--until", "never"], "--until: 'never' is not a time; write 18:00"),
        (["btcinr", "--until", "2 hours"], "--until takes a time; for a duration, use --for 2 hours"),
        (["btcinr", "--until", "22/11/2026"], "'22/11/2026' is not a time; write the date as 2026-11-22"),
        (["btcinr", "--for", "soon"], "--for takes a duration, such as 30m, 2h or 1d12h, but got 'soon'"),
        (
            ["btcinr", "--for", "2h", "--severity", "bad"],
            "not a valid value for option --severity (info, warning, critical)"
        ),
        (["btcinr", "--for", "2h", "--comment", "a\nb"], "without control characters"),
    ])
    func mistakesAreSaidBeforeTheDaemonIsAsked(words: [String], error: String) {
        let run = Run()
        #expect(run(["silence", "add"] + words) == 2)
        #expect(run.errors.contains(error), "\(run.errors)")
        #expect(run.daemon.asked.isEmpty)
    }

    @Test func whatWasBegunIsSaid() {
        #expect(
            Run(width: 120).output("silence add btc* --for 2h")
                == "Silence 3 until 09:00:00, for 1h40m: btc*, rule 'btc band', severity warning; "
                + "2 alerts, 1 firing.\n"
        )
    }

    @Test func whatWasBegunAsJSON() {
        #expect(
            Run().output("silence add btc* --for 2h --json")
                == """
                {"number":3,"state":"active","symbol":"btc*","rule":"btc band","severity":"warning",\
                "ends":"2026-11-21T08:00:00.000Z","until":false,"alerts":2,"firing":1,\
                "created":"2026-11-21T06:00:00.000Z","created_by":"anna","created_by_uid":1000,"comment":"known",\
                "ended":null,"ended_by":null,"ended_by_uid":null,"source":null,"daily":null}

                """)
    }

    @Test func whatMayNotBeMeantIsSaid() {
        let run = Run()
        run.daemon.replies[.addSilence] = AddSilenceReply(
            silence: Sample.silence,
            note: "there is no rule 'btc bnd' now; did you mean 'btc band'?", saved: false)
        #expect(run("silence add --rule x --for 2h") == 0)
        #expect(
            run.errors
                == "alertctl: there is no rule 'btc bnd' now; did you mean 'btc band'?\n"
                + "alertctl: the state file cannot be written now; if the daemon stops before "
                + "it can, the change is lost\n"
        )
    }

    // MARK: list

    @Test func theListForPeople() {
        #expect(
            Run(width: 120).output("silence list --all")
                == """
                #  STATE                      SYMBOLS  RULE      SEVERITY  UNTIL                ALERTS  FIRING  BY     \
                 COMMENT
                3  active                     btc*     btc band  warning   09:00:00 (1h40m)          2       1  anna   \
                 known
                1  expired                    any      eth low   any       2026-11-19 09:00:00       0       0  uid 77 \
                 -
                2  ended by root at 07:10:00  any      any       info      10:00:00                  0       0  anna   \
                 -

                """)
        #expect(asked(["silence", "list", "--all"], as: ListSilencesParameters.self)?.all == true)
        #expect(asked(["silence", "list"], as: ListSilencesParameters.self) == ListSilencesParameters())
    }

    @Test func theListOnANarrowTerminal() {
        #expect(
            Run(width: 40).output("silence list")
                == """
                #  SYMBOLS  RULE      UNTIL
                3  btc*     btc band  09:00:00 (1h40m)
                1  any      eth low   2026-11-19 09:00:…
                2  any      any       10:00:00

                """)
    }

    @Test func theListForPrograms() {
        let lines = Run().output("silence list --plain").split(separator: "\n")
        #expect(lines.count == 3)
        #expect(
            lines.last.map(String.init)
                == "2\texpired\t\t\tinfo\t2026-11-21T09:00:00.000Z\tfalse\t0\t0\t2026-11-21T05:00:00.000Z\tanna\t1000\t"
                + "\t2026-11-21T06:10:00.000Z\troot\t0\t\t")
        let run = Run()
        run.daemon.replies[.listSilences] = ListSilencesReply(silences: [])
        #expect(run.output("silence list --json") == "{\"silences\":[]}\n")
        let other = Run(width: 80)
        other.daemon.replies[.listSilences] = ListSilencesReply(silences: [])
        #expect(other.output("silence list") == "No active silences.\n")
    }

    // MARK: expire

    @Test func whatEndsBeforeItsTime() {
        #expect(
            asked(["silence", "expire", "2", "3"], as: ExpireSilencesParameters.self)
                == ExpireSilencesParameters(numbers: [2, 3]))
        #expect(
            asked(["silence", "expire", "--all"], as: ExpireSilencesParameters.self) == ExpireSilencesParameters())
        #expect(Run(width: 80).output("silence expire 2") == "Silence 2 ended: severity info.\n")
        #expect(Run().output("silence expire 2 --json").hasPrefix("{\"silences\":[{\"number\":2,\"state\":\"expired\""))
    }

    @Test(arguments: [["expire"], ["expire", "3", "--all"], ["expire", "three"]])
    func whichOnesHasToBeSaid(words: [String]) {
        let run = Run()
        #expect(run(["silence"] + words) == 2)
        #expect(run.daemon.asked.isEmpty)
    }

    @Test func anUnknownOneIsNoSuchThing() {
        let run = Run()
        run.daemon.errors[.expireSilences] = .noSuchThing(NoSuchThing(kind: .silence, name: "9"))
        #expect(run("silence expire 9") == 4)
        #expect(
            run.errors == "alertctl: there is no silence '9'; 'alertctl silence list --all' lists silences\n")
        run.daemon.errors[.expireSilences] = .refused(Refused(message: "silence 9 is over\u{1B}"))
        #expect(run("silence expire 9") == 1)
        #expect(!run.errors.contains("\u{1B}"))
    }

    // MARK: Elsewhere

    @Test func alertsAreMarked() {
        let run = Run(width: 200)
        var alerts = [Sample.acknowledged, Sample.alerts[0]]
        (alerts[1].silence, alerts[1].silenceEnds) = (3, "2026-11-21T08:00:00.000Z")
        var held = Sample.alerts[1]
        (held.silence, held.silenceEnds, held.note, held.disarmed) = (3, nil, "not notified: silence", true)
        alerts.append(held)
        run.daemon.replies[.listAlerts] = ListAlertsReply(simulated: false, alerts: alerts)
        let lines = run.output("alerts --all").split(separator: "\n")
        #expect(lines[1].hasPrefix("FIRING, acknowledged ") && lines[1].hasSuffix("acknowledged by anna"))
        #expect(lines[2].hasPrefix("FIRING, silenced, disarmed ") && lines[2].hasSuffix("  silenced by 3"))
        #expect(lines[3].hasPrefix("inactive ") && lines[3].hasSuffix("  silenced by 3 until 09:00:00"))
    }

    @Test func theStatusCountsThem() {
        let run = Run(width: 80)
        run.daemon.replies[.status] = Sample.status { $0.silences = 2 }
        #expect(run.output("status").contains("Silences: 2\n"))
        #expect(!Run(width: 80).output("status").contains("Silences"))
    }

    @Test func numbersAreCompleted() {
        #expect(
            Run().output("__complete silence expire 2")
                == "3\tbtc*, rule 'btc band', severity warning\n1\trule 'eth low'\n2\tseverity info\n")
    }
}
