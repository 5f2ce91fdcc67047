import Control
import Testing

@testable import AlertClient

/// Which of several daemons notifies, in `alertctl status`.
struct LeaseStatusTests {
    private func run(_ lease: LeaseStatus?) -> Run {
        let run = Run(width: 120)
        run.daemon.replies[.status] = Sample.status { $0.lease = lease }
        return run
    }

    @Test(arguments: [
        (LeaseStatus(name: "one", state: .held), "Lease: held as one; this daemon notifies"),
        (LeaseStatus(name: "one", state: .standby, holder: "two"), "Lease: two notifies; standing by as one"),
        (LeaseStatus(name: "one", state: .waiting), "Lease: not known which daemon notifies; waiting as one"),
    ])
    func itSaysWhoNotifies(lease: LeaseStatus, line: String) {
        let output = run(lease).output("status")
        #expect(output.contains(line) && !output.contains("the lease cannot be kept"), "\(output)")
    }

    @Test(arguments: [
        (ControlInterface.LeaseState.held, "it is held until it expires"),
        (.waiting, "nothing is sent to receivers until the NATS server can be reached"),
    ])
    func aServerThatCannotBeAskedNeedsAttention(state: ControlInterface.LeaseState, effect: String) {
        let output = run(LeaseStatus(name: "one", state: state, message: "no answer")).output("status")
        #expect(output.contains("the lease cannot be kept: no answer; \(effect)"), "\(output)")
    }

    /// What is lost stands out, and nothing else.
    @Test func aSinkThatDropsStandsOut() {
        let lines = run(nil).output("status --color always").split(separator: "\n")
        let alarm = "\u{1B}[1;38;5;208m"
        #expect(lines.contains { $0.contains("journal") && $0.contains("12") && !$0.contains(alarm) }, "\(lines)")
        #expect(lines.contains { $0.contains("socket") && $0.contains(alarm + "2") }, "\(lines)")
    }

    @Test func programsGetItAll() {
        let lease = LeaseStatus(name: "one", state: .standby, holder: "two")
        #expect(
            run(lease).output("status --json").contains(
                #""lease":{"name":"one","state":"standby","holder":"two","message":null}"#))
        #expect(!run(nil).output("status --json").contains("lease"))
        #expect(!run(nil).output("status").contains("Lease"))
    }
}
