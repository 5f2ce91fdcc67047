import Control
import Testing

@testable import AlertClient

/// Clients and readers that were not let in, in the status for people.
struct RefusedStatusTests {
    @Test(arguments: [
        (584, 152, "584 clients and 152 event readers, because the limit was reached"),
        (1, 0, "1 client, because the limit was reached"), (0, 1, "1 event reader, because the limit was reached"),
    ])
    func theyAreCounted(clients: Int, readers: Int, text: String) {
        let output = { (line: String) in
            let run = Run()
            run.daemon.replies[.status] = Sample.status { status in
                (status.clientsRefused, status.eventReadersRefused) = (clients, readers)
            }
            return run.output(line)
        }
        #expect(output("status").contains("Refused: \(text)"), "\(output("status"))")
        let plain = output("status --plain")
        #expect(plain.contains("clients_refused\t\(clients)\n") && !plain.contains("limit was reached"))
    }

    @Test func withoutAnyNothingIsSaid() {
        #expect(!Run().output("status").contains("Refused"))
    }
}
