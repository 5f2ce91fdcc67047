import Control
import Testing

@testable import AlertClient

struct ClientPageTests {
    private func run(_ next: @escaping (Int) -> Int?) -> Run {
        let run = Run()
        run.daemon.answers[.listAlerts] = { asked in
            let start = (asked as? ListAlertsParameters)?.next ?? 0
            var alert = Sample.alerts[1]
            alert.symbol = "s\(start)"
            return ListAlertsReply(simulated: false, alerts: Array(repeating: alert, count: 3), next: next(start))
        }
        return run
    }

    @Test func allPagesAreRead() {
        let run = run { $0 < 20_000 ? $0 + 500 : nil }
        #expect(run("alerts --json") == 0)
        #expect(run.output.contains("\"s0\"") && run.output.contains("\"s20000\""))
        #expect(run.output.split(separator: "\"symbol\":").count - 1 == 41 * 3)
        #expect(run.daemon.asked.count { $0 == .listAlerts } == 41)
    }

    @Test(arguments: [0, 500, -1]) func pagesWithoutEndAreRefused(next: Int) {
        let run = run { _ in next }
        #expect(run("alerts --json") == 1)
        #expect(run.errors.contains("the pages of a list do not end"))
    }
}
