import EventLoop
import Events
import HTTP
import Market
import Receivers
import ServiceManager
import TestSupport
import Testing
import Time

@testable import Notifications

/// Events by number, without a state file.
@LoopActor
private final class EventShelf: NotificationHost {
    private let events: [Event]

    init(_ events: [Event]) { self.events = events }

    var composer: NotificationComposer {
        NotificationComposer(instance: instance, source: SourceName(unchecked: "wazirx"))
    }

    func events(numbered numbers: [Int64]) -> [Event] { numbers.map { events[Int($0) - 1] } }
    func firingEvents() -> [Event] { [] }
    func ends(since time: WallTime) -> [Event] { [] }
    func suppressedEnds() -> [Event] { [] }
    func previousMessage(before event: Event, at receiver: String) -> String? { nil }
    func formerSeverities(of event: Event) -> [Severity] { [] }
}

@Suite("Many receivers", .timeLimit(.minutes(10)))
struct LoadTests {
    /// Of 20 receivers with full queues half never answer. The others get everything, in order and without waiting, and
    /// what is kept for those that hang has a limit.
    @Test func thoseThatHangDoNotHoldUpTheOthers() async throws {
        try await onLoop {
            let count = NotificationQueue.limit + 500
            let receivers = (0..<Receiver.limit).map { index in
                var receiver = Receiver(name: "hook\(index)", kind: .webhook, urls: ["http://127.0.0.1/\(index)"])
                receiver.authorityFile = "/\(index)"
                return receiver
            }
            let services = receivers.map { _ in FakeService() }
            for (index, service) in services.enumerated() where index % 2 == 1 { service.answers = [.hang] }
            let notifications = NotificationService(
                ReceiverRouting(receivers: receivers),
                NotificationEnvironment(
                    clock: HandClock(),
                    client: { configuration in
                        let index = configuration.authorityFile.flatMap { Int($0.dropFirst()) } ?? 0
                        return services[index]
                    }))
            let events = (1...count).map { bareEvent(.feedStale, number: Int64($0)) }
            let host = EventShelf(events)
            notifications.host = host
            for start in stride(from: 0, to: count, by: 100) {
                _ = notifications.append(Array(events[start..<min(count, start + 100)]))
                notifications.wake()
                try await until { notifications.views.filter(\.queued.isEmpty).count == Receiver.limit / 2 }
            }
            for (index, view) in notifications.views.enumerated() {
                let isHanging = index % 2 == 1
                #expect(view.queued.count == (isHanging ? NotificationQueue.limit : 0), "\(view.receiver.name)")
                #expect(services[index].requests.count == (isHanging ? 1 : services[0].requests.count))
                #expect(view.progress.delivered == (isHanging ? 0 : count))
                #expect(view.progress.dropped == (isHanging ? count - NotificationQueue.limit : 0))
            }
            withExtendedLifetime(host) {}
        }
    }
}
