import Control
import Events
import Testing

@testable import AlertClient

@Suite(.timeLimit(.minutes(10)))
struct EventsTests {
    private func query(_ line: String) -> ListEventsParameters? {
        let run = Run()
        run(line)
        return run.daemon.parameters.lazy.compactMap { $0 as? ListEventsParameters }.first
    }

    @Test func theLastOnesNewestLast() {
        #expect(
            Run(width: 100).output("events --limit 2")
                == """
                 #  TIME      KIND      RULE      SEVERITY  TEXT
                13  07:19:48  FIRED     btc band  warning   btcinr at 7513000.5 INR, max 7500000
                14  07:20:18  resolved  eth low   info      ethusdt is back (not notified: silence 3)
                There are older events; use --limit 4 to see more.

                """)
        #expect(query("events") == ListEventsParameters(limit: 50, newestFirst: true))
    }

    @Test func onANarrowTerminal() {
        #expect(
            Run(width: 40).output("events --reverse -n 2")
                == """
                 #  TIME      KIND      TEXT
                14  07:20:18  resolved  ethusdt is back…
                13  07:19:48  FIRED     btcinr at 75130…
                There are older events; use --limit 4 to
                see more.

                """)
    }

    @Test func asCSV() {
        let run = Run()
        run.daemon.replies[.listEvents] = ListEventsReply(
            simulated: true, source: "simulator", events: [Sample.event], more: true)
        #expect(
            run.output("events --csv -n 1")
                == """
                number,time,kind,source,rule,symbol,bound,severity,price,limit,currency,previous_price,previous_time,\
                exchange_time,received,sample_age_ms,notified,reason,conversion,text,silence,sink,details
                13,2026-11-21T06:19:48.250Z,fired,,btc band,btcinr,max,warning,7513000.5,7500000,INR,7499000,\
                2026-11-21T06:19:18.000Z,,2026-11-21T06:19:48.000Z,250,true,,,"btcinr at 7513000.5 INR, max 7500000",,,

                """)
        #expect(
            run.errors == "alertctl: there are older events; use --limit 2 to see more\n# SIMULATED\n")
    }

    @Test func asJSONWithTheKeysOfTheStream() {
        let tail = Run()
        tail.daemon.monitored = [[MonitorEventsReply(event: Sample.event)]]
        tail.daemon.connectionErrors = [nil] + Array(repeating: .notRunning(socket: "/s"), count: 60)
        let line = tail.output("tail --json").dropLast()
        let run = Run()
        run.daemon.replies[.listEvents] = ListEventsReply(
            simulated: false, source: "wazirx", events: [Sample.event], more: false)
        #expect(run.output("events --json") == #"{"simulated":false,"more":false,"events":["# + line + "]}\n")
    }

    @Test func whatIsAsked() {
        #expect(
            query("events --since 24h --until 1h --symbol *INR --rule a --kind fired --severity critical --limit 3")
                == ListEventsParameters(
                    since: "2026-11-20T06:20:00.000Z", until: "2026-11-21T05:20:00.000Z", rule: "a", symbol: "*inr",
                    kind: .fired, severity: .critical, limit: 3, newestFirst: true))
        #expect(query("events --after 12") == ListEventsParameters(after: 12, limit: 50, newestFirst: false))
    }

    @Test(arguments: [("--limit 3", [3, 4, 5]), ("--limit 3 --after 1", [2, 3, 4]), ("--after 3 --reverse", [5, 4])])
    func pagesAreJoined(options: String, numbers: [Int]) {
        let run = Run()
        run.daemon.answers[.listEvents] = { asked in
            guard let asked = asked as? ListEventsParameters else { return ListEventsReply.none }
            // Two at a time, of five.
            let all = (1...5).filter { $0 > asked.after ?? 0 && $0 < asked.before ?? 99 }
            let page = (asked.newestFirst == true ? all.reversed() : all).prefix(min(2, asked.limit ?? 2))
            return ListEventsReply(
                simulated: false, source: "", events: page.map(Self.event), more: page.count < all.count)
        }
        let lines = run.output("events --plain \(options)").split(separator: "\n")
        #expect(lines.map { Int($0.prefix { $0 != "\t" }) } == numbers)
    }

    private static func event(_ number: Int) -> EventRecord {
        var event = Sample.event
        event.number = number
        return event
    }

    /// A rule that was removed still has events, so only a rule without any has to exist.
    @Test func withoutEventsTheRuleMustExist() {
        let run = Run(width: 80)
        run.daemon.errors[.explain] = .noSuchRule(NoSuchRule(rule: "btc bnad", suggestion: "btc band"))
        run.daemon.replies[.listEvents] = ListEventsReply.none
        #expect(run(["events", "--rule", "btc bnad"]) == 4 && run.output.isEmpty, "\(run.output)\(run.errors)")
        #expect(run.errors.contains("there is no rule 'btc bnad'; did you mean 'btc band'?"))
        let removed = Run(width: 80)
        removed.daemon.errors = run.daemon.errors
        #expect(removed(["events", "--rule", "btc band"]) == 0 && removed.errors.isEmpty)
    }

    @Test func whenThereIsNone() {
        let run = Run(width: 80)
        run.daemon.replies[.listEvents] = ListEventsReply.none
        #expect(run.output("events") == "No events yet.\n")
        #expect(Run().output("events --kind").isEmpty)
        let more = Run(width: 80)
        more.daemon.replies[.listEvents] = ListEventsReply(
            simulated: false, source: "wazirx", events: [], more: true)
        #expect(more.output("events -n 0") == "There are older events; use --limit 1 to see more.\n")
        let other = Run(width: 80)
        other.daemon.replies[.listEvents] = ListEventsReply.none
        #expect(other.output("events --kind fired") == "No events match.\n")
    }

    @Test func everyKindMayBeAskedFor() {
        #expect(Set(EventKind.allCases.map(\.rawValue)).isSubset(of: eventKinds))
    }

    @Test func theStoreCannotBeRead() {
        let run = Run()
        run.daemon.errors[.listEvents] = .storeFailed(StoreFailed(message: "alertd.db: disk I/O error; look after it"))
        #expect(run("events") == 1)
        #expect(run.errors == "alertctl: alertd.db: disk I/O error; look after it\n")
    }
}

extension ListEventsReply {
    fileprivate static let none = ListEventsReply(simulated: false, source: "", events: [], more: false)
}
