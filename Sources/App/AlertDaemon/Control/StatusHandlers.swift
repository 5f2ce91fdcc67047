internal import Configuration
internal import Control
internal import Diagnostics
internal import EventLoop
internal import Feeds
internal import Time
internal import Varlink

/// The calls `Status`, `Reload` and `Poll`.
@LoopActor
struct StatusHandlers: CallGroup {
    private let status: any StatusProvider
    private let settings: any SettingsController
    private let polls: any PollController
    private let access: ControlAccess
    private let query: PipelineQuery
    private var clock: any TimeSource { query.clock }

    init(
        _ status: any StatusProvider, _ settings: any SettingsController, _ polls: any PollController,
        _ access: ControlAccess, _ query: PipelineQuery
    ) {
        self.query = query
        self.status = status
        self.settings = settings
        self.polls = polls
        self.access = access
    }

    var handlers: [(ControlInterface.Method, VarlinkMethod)] {
        [
            (.status, .query { call throws(VarlinkError) in try await self.status(call) }),
            (.reload, .single { call throws(VarlinkError) in try self.reload(call) }),
            (.poll, .single { call throws(VarlinkError) in try await self.poll(call) }),
        ]
    }

    private func status(_ call: VarlinkCall) async throws(VarlinkError) {
        var slices = WorkSlices(for: call)
        call.reply(StatusReply(status: try await status.status(&slices)))
    }

    private func reload(_ call: VarlinkCall) throws(VarlinkError) {
        try access.changer(call)
        switch settings.reload() {
        case .success(let result): call.reply(ReloadReply(result: result))
        case .failure(let error):
            let findings = FindingRenderer().render(error.findings).split(separator: "\n").map(String.init)
            throw VarlinkError(
                ControlInterface.ErrorName.reloadFailed.qualifiedName, ReloadFailed(findings: findings))
        }
    }

    private func poll(_ call: VarlinkCall) async throws(VarlinkError) {
        let user = try access.changer(call)
        let parameters = try call.decodeParameters(as: PollParameters.self)
        let force = parameters.force ?? false
        let source = try query.oneSource(parameters.source).source
        do {
            if force { access.record("poll forced by \(user)") }
            call.reply(PollReply(result: PollResult(try await polls.pollNow(source, force: force))))
        } catch {
            throw VarlinkError(ControlInterface.ErrorName.pollTooSoon.qualifiedName, refusal(error))
        }
    }

    private func refusal(_ error: PollRequestError) -> PollTooSoon {
        switch error {
        case .stopping: PollTooSoon(retryAfterMilliseconds: 0)
        case .tooSoon(let rest): PollTooSoon(retryAfterMilliseconds: Int(clamping: rest.count))
        case .notBefore(let until):
            PollTooSoon(
                retryAfterMilliseconds: Int(clamping: until.since(clock.now().boot).count),
                notBefore: clock.now().wall(at: until).description)
        }
    }
}

extension PollResult {
    fileprivate init(_ poll: PollSummary) {
        self.init(
            state: poll.failure.map { .init(rawValue: $0.kind.rawValue) } ?? .ok,
            message: poll.failure?.sentence, symbols: poll.symbols,
            badElements: poll.badElements, badElementsMessage: poll.badElementsMessage,
            durationMilliseconds: Int(clamping: poll.duration.count), events: poll.events
        )
    }
}
