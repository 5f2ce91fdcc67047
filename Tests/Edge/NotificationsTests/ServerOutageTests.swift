import EventLoop
import Events
import HTTP
import Receivers
import TestSupport
import Testing
import Time

@testable import Notifications

/// One of several Alertmanagers is down or refuses what the others accept.
@Suite(.timeLimit(.minutes(10)))
struct ServerOutageTests {
    private static let pair = receiver(.alertmanager) {
        $0.name = "pair"
        $0.urls = ["http://127.0.0.1:1", "http://127.0.0.1:2"]
    }

    /// Waiting does not help, so a refusal is reported at once, and only once.
    @Test(arguments: [
        (400, "the notification was refused (status 400)"), (401, "the credential was refused (status 401)"),
    ])
    func aServerOfAPairThatRefusesIsReported(status: Int, reason: String) async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.pair])
            daemon.services["pair"]?.answers = [.status(200), .status(status), .status(200), .status(status)]
            let text = "receiver pair does not reach all servers: 127.0.0.1:2 did not accept it: \(reason)"
            for number in [1, 3] as [Int64] {
                daemon.commit([try alertEvent(number, time: daemon.clock.now().wall)])
                daemon.pass(.seconds(3_600))
                try await until { daemon.rows["pair"]?[number] == .delivered }
            }
            #expect(daemon.reports.map(\.text) == [text])
            #expect(daemon.service.views[0].progress.isReported)
        }
    }

    /// An earlier process has reported one of the servers, and the other one fails now.
    @Test(arguments: [(1, 0), (2, 1)])
    func aServerThatAnEarlierProcessReportedIsNotReportedAgain(refusing: Int, reports: Int) async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.pair])
            let known = "127.0.0.1:1 did not accept it: the credential was refused (status 401)"
            daemon.openFailures = ["pair": "receiver pair does not reach all servers: \(known)"]
            daemon.services["pair"]?.answers = refusing == 1 ? [.status(401)] : [.status(200), .status(401)]
            try daemon.fire()
            try await until { daemon.rows["pair"]?[1] == .delivered }
            #expect(daemon.reports.count == reports)
            #expect(daemon.service.views[0].progress.isReported)
        }
    }

    /// Reminders go to all servers as well, and show the state of a server between notifications.
    @Test func aReminderNamesTheServerThatIsDown() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.pair])
            daemon.services["pair"]?.answers = [.status(200), .status(503)]
            daemon.service.sendReminders()
            try await until { daemon.service.views[0].progress.shortfall != nil }
            let text = "127.0.0.1:2 did not accept it: the service is not available (status 503)"
            #expect(daemon.service.views[0].progress.shortfall == text)
            daemon.service.sendReminders()
            try await until { daemon.service.views[0].progress.shortfall == nil }
        }
    }

    /// Servers of the same host are told apart without their paths, which may be secret.
    @Test func serversOfOneHostAreNumbered() async throws {
        try await onLoop {
            var pair = Self.pair
            pair.urls = ["http://me@127.0.0.1:1/SEKRETone/", "http://127.0.0.1:1/SEKRETtwo"]
            let daemon = FakeDaemon([pair])
            daemon.services["pair"]?.answers = [.failure(.truncated)]
            try daemon.fire()
            try await until { daemon.rows["pair"]?[1] == .delivered }
            let shortfall = daemon.service.views[0].progress.shortfall
            #expect(shortfall?.hasPrefix("127.0.0.1:1 (address 1) did not accept it: ") == true)
        }
    }
}
