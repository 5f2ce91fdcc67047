internal import Configuration
internal import Control
internal import Delivery
internal import Engine
internal import EventLoop
internal import Events
internal import Feeds
internal import Glibc
internal import History
internal import Market
internal import Notifications
internal import PriceSources
internal import ServiceManager
internal import Storage
internal import Time
internal import Varlink

/// The reply to `Status`.
extension Daemon: StatusProvider {
    func status(_ slices: inout WorkSlices) async throws(VarlinkError) -> DaemonStatus {
        var problems: [RuleProblem] = []
        var firing: [SourceName: Int] = [:]
        for query in query.lanes.map(query.of) {
            let health = try await query.health(&slices, limit: Self.problemLimit - problems.count)
            problems += health.problems
            firing[query.source] = health.firing
        }
        let lanes = pipeline.lanes
        let readers = pipeline.sinks.lazy.compactMap(\.readers).first
        let feedStatus = { self.feedStatus($0, firing: firing[$0.lane.name] ?? 0) }
        return DaemonStatus(
            version: Version.current, pid: Int(getpid()), started: inEffect.started.wall.description,
            simulated: pipeline.events.isSimulated, feed: feedStatus(pollers.first),
            sources: pollers.all.map(feedStatus),
            symbols: lanes.reduce(0) { $0 + ($1.batch?.tickers.count ?? 0) },
            rules: lanes.reduce(0) { $0 + $1.engine.rules.count }, firing: firing.values.reduce(0, +),
            silences: pipeline.silences.records.count(where: \.isActive),
            problems: problems,
            lastEvent: Int(clamping: pipeline.events.lastNumber), eventReaders: readers?.count ?? 0,
            eventReadersLimit: readers?.limit ?? 0, eventReadersRefused: readers?.refused ?? 0,
            clients: server?.places.count ?? 0, clientsLimit: server?.places.limits.total ?? 0,
            clientsRefused: server?.places.refused ?? 0, history: historyStatus(),
            store: pipeline.stateStore.status(),
            sinks: pipeline.sinks.map { SinkStatus($0) }, checks: query.checkStatuses,
            receiversFailing: query.receivers.compactMap { FailingReceiver($0) }, lease: lease.map { LeaseStatus($0) },
            configuration: ConfigurationStatus(
                files: Array(loaded.files.prefix(PageLimits.statusFiles)), loaded: inEffect.time.description,
                lastReloadFailed: inEffect.failedReload?.time.description,
                lastReloadMessage: inEffect.failedReload?.message, credentials: context.credentials.names))
    }

    /// The maximum number of rules with problems in one reply; `ListRules` returns all of them.
    private static let problemLimit = 20

    private func feedStatus(_ poller: Poller, firing: Int) -> FeedStatus {
        let feed = poller.feed
        let state = poller.state
        let failure = state.failure.map { ControlInterface.FetchState(rawValue: $0.kind.rawValue) }
        let now = clock.now()
        let next = state.nextDue.map { now.wall(at: $0) }
        let notBefore = state.notBefore.flatMap { $0 > now.boot ? now.wall(at: $0) : nil }
        return FeedStatus(
            source: poller.lane.name.description, type: feed.source.rawValue,
            symbols: poller.lane.batch?.tickers.count ?? 0, rules: poller.lane.engine.rules.count,
            firing: firing, url: feed.url,
            state: failure ?? (state.lastSuccess == nil ? .starting : .ok),
            message: state.failure?.sentence ?? poller.lane.limitSentence,
            intervalMilliseconds: Int(clamping: poller.settings.interval.count), polls: state.polls,
            failures: state.failures, consecutiveFailures: state.consecutiveFailures,
            badElements: poller.lane.responses.badElementCount,
            badElementsMessage: poller.lane.batch?.badElementsMessage,
            lastSuccess: state.lastSuccess?.wall.description, lastAttempt: state.lastAttempt?.wall.description,
            nextPoll: next?.description, notBefore: notBefore?.description, reach: state.reach,
            stale: poller.lane.engine.isFeedStale, gaps: poller.lane.engine.gaps.count,
            gapsMessage: poller.catchUp?.failure?.message)
    }

    private func historyStatus() -> HistoryStatus {
        let histories = pipeline.lanes.map(\.history)
        return HistoryStatus(
            keepMilliseconds: Int(clamping: loaded.settings.history.keep.count),
            capacity: histories.reduce(0) { $0 + $1.capacity.polls }, polls: histories.reduce(0) { $0 + $1.pollCount },
            bytes: histories.reduce(0) { $0 + $1.byteCount },
            limitBytes: histories.reduce(0) { $0 + $1.capacity.bytes },
            oldest: histories.compactMap(\.oldest).min()?.description)
    }
}
