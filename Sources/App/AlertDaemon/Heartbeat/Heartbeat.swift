internal import Configuration
internal import Delivery
internal import EventLoop
internal import Feeds
internal import HTTP
internal import Journal
internal import Notifications
internal import ServiceManager
internal import Time

/// Requests an address after polls, so that a monitoring service notices when they stop: the address itself after a
/// good poll, and with `/fail` after a failed one (healthchecks.io/docs/http_api/, which other services follow).
///
/// A change is reported at once, and otherwise at most every interval. One request at a time; polling never waits for
/// it.
@LoopActor
final class Heartbeat {
    private let settings: HeartbeatSettings
    private let client: any HTTPFetching
    private let credentials: Credentials
    private let clock: any TimeSource
    private let log: Log
    /// What was last reported, and when; nil before the first request, and after one that failed.
    private var last: (isGood: Bool, time: BootTime)?
    /// What happened while a request was in progress.
    private var waiting: Bool?
    private var task: Task<Void, Never>?
    private var hasFailed = false

    /// Timers are not exact: a poll that is due with the interval may come this much earlier.
    private static let tolerance = Milliseconds.seconds(1)

    /// Nil if the settings have no address.
    init?(
        _ settings: HeartbeatSettings, client: any HTTPFetching, credentials: Credentials, clock: any TimeSource,
        log: Log
    ) {
        guard settings.isEnabled else { return nil }
        self.settings = settings
        self.client = client
        self.credentials = credentials
        self.clock = clock
        self.log = log
    }

    /// Takes the result of a poll.
    func report(isGood: Bool) {
        guard task == nil else {
            waiting = isGood
            return
        }
        let now = clock.now().boot
        let shortest = Milliseconds(settings.interval.count - Self.tolerance.count)
        if let last, last.isGood == isGood, now.since(last.time) < shortest { return }
        last = (isGood, now)
        task = Loop.shared.start { [self] in
            finish(await request(isGood))
        }
    }

    /// Waits until the request in progress has ended.
    func untilIdle() async { await task?.value }

    /// Ends the request in progress.
    func stop() { task?.cancel() }

    /// - Returns: Why it failed, without the address, which may be a secret; nil if it did not.
    private func request(_ isGood: Bool) async -> String? {
        let base: String?
        do throws(CredentialError) {
            base = try address()
        } catch {
            return error.description
        }
        guard let base else { return "the service manager passed no credential with its address" }
        let address = isGood ? base : base + (base.hasSuffix("/") ? "fail" : "/fail")
        do throws(HTTPError) {
            let response = try await client.get(address, headers: [:], ifModifiedSince: nil)
            return (200..<300).contains(response.status) ? nil : "the service answers with status \(response.status)"
        } catch {
            return error.sentence
        }
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
        if let isGood = waiting {
            waiting = nil
            report(isGood: isGood)
        }
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
        settings, client: machine.client(configuration), credentials: context.credentials, clock: machine.clock,
        log: log)
}
