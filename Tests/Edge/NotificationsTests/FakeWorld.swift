import EventLoop
import Events
import HTTP
import Market
import Receivers
import ServiceManager
import Synchronization
import TestSupport
import Time

@testable import Notifications

/// A clock that is set by hand.
final class HandClock: TimeSource {
    private let milliseconds = Mutex<Int64>(0)

    func now() -> Instant {
        let count = milliseconds.withLock { $0 }
        return Instant(
            boot: BootTime(milliseconds: count), wall: WallTime(milliseconds: sampleTime.milliseconds + count))
    }

    func advance(_ length: Milliseconds) { milliseconds.withLock { $0 += length.count } }
}

/// A service that answers as scripted; without a script it accepts everything.
@LoopActor
final class FakeService: NotificationSending {
    enum Answer {
        case status(Int, headers: [String: String] = [:])
        case failure(HTTPError)
        case hang
        /// The answer of the test.
        case held(OneShot<HTTPResponse, HTTPError>)
    }

    var answers: [Answer] = []
    private(set) var requests: [HTTPRequest] = []
    private(set) var mails: [OutgoingMail] = []

    /// The ids of the notifications, in the order of the attempts.
    var ids: [String] { requests.compactMap { $0.headers["webhook-id"] } }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        requests.append(request)
        return try await answer()
    }

    /// The recipients that each mail is refused for, in the order of the attempts; none after that.
    var refusals: [[RefusedRecipient]] = []

    func send(_ mail: OutgoingMail) async throws(HTTPError) -> MailReply {
        mails.append(mail)
        let refused = refusals.isEmpty ? [] : refusals.removeFirst()
        let status = try await answer().status
        return MailReply(status: status, text: "\(status) said so", refused: refused)
    }

    private func answer() async throws(HTTPError) -> HTTPResponse {
        guard !answers.isEmpty else { return response(200) }
        switch answers.removeFirst() {
        case .status(let status, let headers): return response(status, headers: headers)
        case .failure(let error): throw error
        case .held(let answer): return try await answer.value(onCancel: .cancelled)
        case .hang: return try await OneShot<HTTPResponse, HTTPError>().value(onCancel: .cancelled)
        }
    }
}

/// A daemon around a service of receivers: numbers and commits events, and keeps what would be stored.
@LoopActor
final class FakeDaemon: NotificationHost, NotificationRecorder {
    let clock = HandClock()
    let services: [String: FakeService]
    let service: NotificationService
    private(set) var events: [Event] = []
    private(set) var reports: [(kind: EventKind, text: String)] = []
    /// The rows of the state file, by receiver and number.
    private(set) var rows: [String: [Int64: DeliveryState]] = [:]
    private(set) var batches: [String: NotificationBatch] = [:]
    private var urgent: Set<Int64> = []
    /// What was stored when each request was made.
    private(set) var saves = 0

    init(
        _ receivers: [Receiver], credentials: String? = nil,
        minuteOfDay: @escaping @Sendable (WallTime) -> Int = { _ in 720 }
    ) {
        let services = Dictionary(uniqueKeysWithValues: receivers.map { ($0.name, FakeService()) })
        self.services = services
        let names = receivers.map(\.name)
        // Clients are made in the order of the first attempts, so each has its own certificates to be told apart.
        let tagged = receivers.map { receiver in
            var receiver = receiver
            receiver.authorityFile = "/\(receiver.name)"
            return receiver
        }
        service = NotificationService(
            ReceiverRouting(receivers: tagged),
            NotificationEnvironment(
                clock: clock, credentials: Credentials(folder: credentials),
                client: { configuration in
                    let name = names.first { configuration.authorityFile == "/\($0)" } ?? ""
                    return services[name] ?? FakeService()
                }, localMinutes: { _ in { Int64(minuteOfDay($0)) } }, reminderPeriod: .seconds(3_600)))
        service.host = self
        service.recorder = self
    }

    var composer: NotificationComposer {
        NotificationComposer(instance: instance, source: SourceName(unchecked: "wazirx"))
    }

    func events(numbered numbers: [Int64]) -> [Event] {
        let wanted = Set(numbers)
        return events.filter { wanted.contains($0.number) }
    }

    /// What fires now, for reminders.
    var firing: [Event] = []

    func firingEvents() -> [Event] { firing }

    func ends(since time: WallTime) -> [Event] {
        events.filter { $0.occurrence.kind.isEnd && $0.occurrence.time >= time }
    }

    /// The ends that no event reports.
    var suppressed: [Event] = []

    func suppressedEnds() -> [Event] { suppressed }

    /// What each question for prices returns, in order; nothing after that.
    var prices: [PriceBatch] = []
    /// The positions of the questions.
    private(set) var asked: [[SourceName: WallTime]] = []

    func prices(of symbols: [SymbolPattern]?, after positions: [SourceName: WallTime], limit: Int) -> PriceBatch {
        asked.append(positions)
        return prices.isEmpty ? PriceBatch() : prices.removeFirst()
    }

    /// When each source last answered.
    var polled: [SourceName: WallTime] = [:]

    func polledThrough() -> [SourceName: WallTime] { polled }

    /// The receivers of earlier firings, by the event that ends them.
    var receiversOfFirings: [Int64: Set<String>] = [:]

    func receiversOfFirings(endedBy ends: [Event]) -> [Int64: Set<String>] {
        receiversOfFirings.filter { number, _ in ends.contains { $0.number == number } }
    }

    /// What receivers call the previous message.
    var previousMessage: String?

    func previousMessage(before event: Event, at receiver: String) -> String? { previousMessage }

    /// What receivers call messages that have ended.
    var endedMessages: [String] = []

    func endedMessages(by events: [Event], at receiver: String) -> [String] { endedMessages }

    /// The severities of earlier notifications.
    var formerSeverities: [Severity] = []

    /// Called at each look at them.
    var onLook: () -> Void = {}

    func formerSeverities(of event: Event) -> [Severity] {
        onLook()
        return formerSeverities
    }

    /// The failures that earlier processes have reported.
    var openFailures: [String: String] = [:]

    func openFailure(of receiver: String) -> String? { openFailures[receiver] }

    func report(_ kind: EventKind, of receiver: String, _ text: String) {
        reports.append((kind, text))
        commit([bareEvent(kind, number: Int64(events.count + 1), receiver: receiver, text: text)])
    }

    func save(_ changes: QueueChanges) {
        saves += 1
        store(changes)
    }

    /// Commits an event, and sends it.
    func commit(_ new: [Event]) {
        events += new
        save(service.append(new))
        service.wake()
    }

    /// Keeps events that were committed by an earlier process.
    func remember(_ past: [Event]) { events += past }

    /// Commits events of an alert.
    func fire(_ count: Int = 1, severity: Severity = .warning) throws {
        commit(
            try (0..<count).map { index in
                try alertEvent(Int64(events.count + index + 1), severity: severity, time: clock.now().wall)
            })
    }

    /// Lets a length of time pass.
    func pass(_ length: Milliseconds) {
        clock.advance(length)
        service.wake()
    }

    private func store(_ changes: QueueChanges) {
        for (name, entries) in changes.added {
            for entry in entries {
                rows[name, default: [:]][entry.number] = .queued
                if entry.isUrgent { urgent.insert(entry.number) }
            }
        }
        for settlement in changes.settled {
            for (number, state) in rows[settlement.receiver] ?? [:] where state == .queued {
                let isMeant = !settlement.isUrgentOnly || urgent.contains(number)
                if number <= settlement.through, isMeant { rows[settlement.receiver]?[number] = settlement.state }
            }
        }
        for (name, batch) in changes.batches { batches[name] = batch }
    }
}
