import Control
import Testing

@testable import AlertClient

/// The status on a screen with many firing alerts or problems: they are cut before the screen is full.
struct StatusHeightTests {
    private func run(
        _ line: String, height: Int?, firing count: Int = 1_000, problems: Int = 0
    ) throws -> [Substring] {
        let run = Run(width: 80)
        run.environment.height = height
        run.daemon.replies[.status] = Sample.status { status in
            status.firing = count
            status.rules = max(count, problems)
            status.problems += (0..<problems).map { index in
                RuleProblem(rule: "rule \(index)", state: .matchesNothing, problems: [])
            }
        }
        let alert = try #require(Sample.alerts.first { $0.isFiring })
        run.daemon.replies[.listAlerts] = ListAlertsReply(
            simulated: false, alerts: Array(repeating: alert, count: count))
        return run.output(line).split(separator: "\n")
    }

    @Test(arguments: [24, 25, 30, 40]) func aScreenIsEnough(height: Int) throws {
        let lines = try run("status", height: height)
        // The prompt of the shell takes the last line.
        #expect(lines.count < height, "\(lines.joined(separator: "\n"))")
        let rest = try #require(lines.first { $0.contains("more; 'alertctl alerts --firing' shows them") })
        #expect(lines.contains { $0.contains("Firing:") } && rest.contains("… and 9"), "\(rest)")
    }

    @Test(arguments: [24, 25, 30, 40], [0, 30, 1_000])
    func problemsThatDoNotFitAreCounted(height: Int, firing: Int) throws {
        for problems in [8, 20, 1_000] {
            let lines = try run("status", height: height, firing: firing, problems: problems)
            #expect(lines.count < height, "\(lines.joined(separator: "\n"))")
            let shown = lines.count { $0.contains("rule 'rule ") }
            let isCut = lines.contains { $0.contains("more; 'alertctl status --no-pager' shows them") }
            #expect(lines.contains { $0.contains("Health:") } && (isCut || shown >= problems), "\(shown)")
        }
        let all = try run("status", height: nil, problems: 1_000)
        #expect(all.count { $0.contains("see 'alertctl rules'") } >= 1_000)
        #expect(try run("status --no-pager", height: height, problems: 1_000) == all)
    }

    /// The terminal would break such a word without an indent, and the text would be longer than what was counted.
    @Test func aLongWordIsBroken() {
        let word = String(repeating: "\"verbose\":false,", count: 8)
        let run = Run(width: 80)
        run.daemon.replies[.status] = Sample.status { status in
            status.receiversFailing = [
                FailingReceiver(name: "ops", stopped: true, message: "refused \(word)", credential: nil)
            ]
        }
        let lines = run.output("status").split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines.joined(separator: "\n"))")
        #expect(lines.count { $0.hasPrefix("    ") && $0.contains("verbose") } == 2)
    }

    @Test func aRefusedKeyHasNoNextPoll() {
        let row = { (state: ControlInterface.FetchState) -> Substring? in
            let run = Run()
            run.daemon.replies[.status] = Sample.status { status in
                var other = status.feed
                (other.source, other.type, other.state) = ("coins", "coinranking", state)
                other.nextPoll = "2026-11-21T06:22:00.000Z"
                status.sources = [status.feed, other]
            }
            return run.output("status").split(separator: "\n").first { $0.hasPrefix("coins ") }
        }
        #expect(row(.ok)?.contains("in 2m") == true)
        #expect(row(.unauthorized)?.contains("in 2m") == false)
    }

    @Test func withoutAScreenAllIsShown() throws {
        let lines = try run("status", height: nil)
        for title in ["Main PID: ", "Reach: ", "Loaded: ", "Last poll: ", "SINK", "… and 990 more"] {
            #expect(lines.contains { $0.contains(title) }, "\(title)")
        }
        #expect(try run("status", height: 60) == lines)
        #expect(try run("status", height: 40, firing: 1).contains { $0.contains("Main PID: ") })
    }
}
