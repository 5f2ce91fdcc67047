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

/// The heartbeat for a monitoring service, which notices when polls stop. After a good poll, it requests the
/// configured address; while a source fails, it requests the address with `/fail` (healthchecks.io/docs/http_api/,
/// which other services follow). The body of a request to `/fail` lists the failing sources and the reasons.
///
/// If the set of failing sources changes, it is reported immediately; otherwise there is at most one report per
/// interval. A failed request is repeated after the next poll. There is one request at a time, and polling never waits
/// for it.
@LoopActor
final class Heartbeat {
    private let settings: HeartbeatSettings
    private let client: any HTTPFetching
    private let sender: any NotificationSending
    private let credentials: Credentials
    private let clock: any TimeSource
    private let log: Log
    /// The failing sources in the last report, and the time of the report; nil before the first request and after a
    /// failed one.
    private var last: (failing: [SourceName], time: BootTime)?
    /// The result of the last poll that ended while a request was in progress.
    private var waiting: [FailingSource]?
    private var task: Task<Void, Never>?
    private var hasFailed = false

    /// A poll that ends up to this much before the interval has passed is still reported, because timers are not
    /// exact.
    private static let tolerance = Milliseconds.seconds(1)

    /// Returns nil if the settings have no address.
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

    /// Reports after a poll which sources are failing; the list is empty if all sources work.
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

    /// Makes a request.
    ///
    /// - Returns: the reason of a failure, without the address, which may be a secret; nil on success.
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
            return (200..<300).contains(response.status) ? nil : "the service responded with status \(response.status)"
        } catch {
            return SecretFragments(secrets: [], addresses: [base]).redacted(error.sentence)
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
            if !hasFailed { log.warning("heartbeat: \(failure); retrying after each poll", id: .heartbeatFailed) }
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

/// A source whose last poll failed, and the reason, for people.
struct FailingSource: Equatable {
    var name: SourceName
    var reason: String
}

extension FailingSource {
    /// Returns nil if the last poll succeeded.
    @LoopActor
    init?(_ poller: Poller) {
        guard let failure = poller.state.failure else { return nil }
        self.init(name: poller.lane.name, reason: failure.sentence)
    }
}

/// Creates the heartbeat of the settings; returns nil if they have none.
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
