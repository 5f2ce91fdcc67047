internal import Configuration
internal import Delivery
internal import EventLoop
internal import Feeds
internal import HTTP
internal import Journal
internal import Market
internal import Notifications
internal import ServiceManager
internal import Time

/// Requests an address after polls, so that a monitoring service notices when they stop: the address itself after a
/// good poll, and with `/fail` while a source fails (healthchecks.io/docs/http_api/, which other services follow). The
/// request with `/fail` names the sources that fail, and why, in its body.
///
/// A change is reported at once, and otherwise at most once per interval. One request at a time; polling never waits
/// for it.
@LoopActor
final class Heartbeat {
    private let settings: HeartbeatSettings
    private let client: any HTTPFetching
    private let sender: any NotificationSending
    private let credentials: Credentials
    private let clock: any TimeSource
    private let log: Log
    /// Which sources were last reported to fail, and when; nil before the first request, and after one that failed.
    private var last: (failing: [SourceName], time: BootTime)?
    /// What happened while a request was in progress.
    private var waiting: [FailingSource]?
    private var task: Task<Void, Never>?
    private var hasFailed = false

    /// Timers are not exact: a poll that is due with the interval may come this much earlier.
    private static let tolerance = Milliseconds.seconds(1)

    /// Nil if the settings have no address.
    init?(
        _ settings: HeartbeatSettings, client: any HTTPFetching, sender: any NotificationSending,
        credentials: Credentials, clock: any TimeSource, log: Log
    ) {
        guard settings.isEnabled else { return nil }
        self.settings = settings
        self.client = client
        self.sender = sender
        self.credentials = credentials
        self.clock = clock
        self.log = log
    }

    /// Takes the sources that fail after a poll; none if all is well.
    func report(failing: [FailingSource]) {
        guard task == nil else {
            waiting = failing
            return
        }
        let names = failing.map(\.name)
        let now = clock.now().boot
        let shortest = Milliseconds(settings.interval.count - Self.tolerance.count)
        if let last, last.failing == names, now.since(last.time) < shortest { return }
        last = (names, now)
        task = Loop.shared.start { [self] in
            finish(await request(failing))
        }
    }

    /// Waits until the request in progress has ended.
    func untilIdle() async { await task?.value }

    /// Ends the request in progress.
    func stop() { task?.cancel() }

    /// - Returns: Why it failed, without the address, which may be a secret; nil if it did not.
    private func request(_ failing: [FailingSource]) async -> String? {
        let base: String?
        do throws(CredentialError) {
            base = try address()
        } catch {
            return error.description
        }
        guard let base else { return "the service manager passed no credential with its address" }
        do throws(HTTPError) {
            let response =
                failing.isEmpty
                ? try await client.get(base, headers: [:], ifModifiedSince: nil)
                : try await sender.send(Self.failure(of: failing, to: base))
            return (200..<300).contains(response.status) ? nil : "the service answers with status \(response.status)"
        } catch {
            return error.sentence
        }
    }

    private static func failure(of failing: [FailingSource], to base: String) -> HTTPRequest {
        let text = failing.map { "\($0.name): \($0.reason)\n" }.joined()
        return HTTPRequest(
            .post, base + (base.hasSuffix("/") ? "fail" : "/fail"),
            headers: ["Content-Type": "text/plain; charset=utf-8"], body: Array(text.utf8))
    }

    private func address() throws(CredentialError) -> String? {
        guard let name = settings.urlCredential else { return settings.url }
        return try credentials.secret(name)?.reveal()
    }

    private func finish(_ failure: String?) {
        task = nil
        guard !Task.isCancelled else { return }
        if let failure {
            // The next poll tries again.
            last = nil
            waiting = nil
            if !hasFailed { log.warning("heartbeat: \(failure); trying again after each poll", id: .heartbeatFailed) }
        } else if hasFailed {
            log.info("heartbeat: the service answers again", id: .heartbeatWorks)
        }
        hasFailed = failure != nil
        if let failing = waiting {
            waiting = nil
            report(failing: failing)
        }
    }
}

/// A source whose last poll failed, and why, for people.
struct FailingSource: Equatable {
    var name: SourceName
    var reason: String
}

extension FailingSource {
    /// Nil if its last poll was good.
    @LoopActor
    init?(_ poller: Poller) {
        guard let failure = poller.state.failure else { return nil }
        self.init(name: poller.lane.name, reason: failure.sentence)
    }
}

/// The heartbeat according to the settings; nil for none.
@LoopActor
func makeHeartbeat(
    _ settings: HeartbeatSettings, _ context: ServiceManagerContext, _ machine: Machine, log: Log
) -> Heartbeat? {
    var configuration = HTTPConfiguration(userAgent: userAgent)
    configuration.authorityFile = settings.authorityFile
    configuration.proxy = context.proxy
    configuration.connectLimit = .seconds(5)
    configuration.totalLimit = .seconds(15)
    configuration.bodyLimitBytes = 64 << 10
    return Heartbeat(
        settings, client: machine.client(configuration), sender: machine.sender(configuration),
        credentials: context.credentials, clock: machine.clock, log: log)
}
