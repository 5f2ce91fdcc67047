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
internal import Storage
internal import Time
internal import Varlink

/// What `Status` reports.
extension Daemon: StatusProvider {
    func status(_ slices: inout WorkSlices) async throws(VarlinkError) -> DaemonStatus {
        let health = try await query.health(&slices, limit: Self.problemLimit)
        let readers = pipeline.sinks.lazy.compactMap(\.readers).first
        return DaemonStatus(
            version: Version.current, pid: Int(getpid()), started: started.wall.description,
            simulated: feed.isSimulated, feed: feedStatus(), symbols: pipeline.batch?.tickers.count ?? 0,
            rules: pipeline.engine.rules.count, firing: health.firing,
            silences: pipeline.silences.records.count(where: \.isActive),
            problems: health.problems,
            lastEvent: Int(clamping: pipeline.events.lastNumber), eventReaders: readers?.count ?? 0,
            eventReadersLimit: readers?.limit ?? 0, eventReadersRefused: readers?.refused ?? 0,
            clients: server?.places.count ?? 0, clientsLimit: server?.places.limits.total ?? 0,
            clientsRefused: server?.places.refused ?? 0, history: historyStatus(),
            store: pipeline.stateStore.status(),
            sinks: pipeline.sinks.map { SinkStatus($0) }, receiversFailing: pipeline.receivers?.failing ?? [],
            configuration: ConfigurationStatus(
                files: Array(loaded.files.prefix(PageLimits.statusFiles)), loaded: loadedAt.description,
                lastReloadFailed: failedReload?.time.description,
                lastReloadMessage: failedReload?.message))
    }

    /// The most rules with problems in one reply; `ListRules` has them all.
    private static let problemLimit = 20

    private func feedStatus() -> FeedStatus {
        let state = poller.state
        let failure = state.failure.map { ControlInterface.FetchState(rawValue: $0.kind.rawValue) }
        let now = clock.now()
        let next = state.nextDue.map { now.wall(at: $0) }
        let notBefore = state.notBefore.flatMap { $0 > now.boot ? now.wall(at: $0) : nil }
        return FeedStatus(
            source: feed.name, url: feed.url, state: failure ?? (state.lastSuccess == nil ? .starting : .ok),
            message: state.failure?.sentence,
            intervalMilliseconds: Int(clamping: loaded.settings.feed.interval.count), polls: state.polls,
            failures: state.failures, consecutiveFailures: state.consecutiveFailures,
            badElements: pipeline.badElementCount, lastSuccess: state.lastSuccess?.wall.description,
            lastAttempt: state.lastAttempt?.wall.description, nextPoll: next?.description,
            notBefore: notBefore?.description, reach: state.reach,
            stale: pipeline.engine.isFeedStale)
    }

    private func historyStatus() -> HistoryStatus {
        let history = pipeline.history
        return HistoryStatus(
            keepMilliseconds: Int(clamping: loaded.settings.history.keep.count), capacity: history.capacity.polls,
            polls: history.pollCount, bytes: history.byteCount, limitBytes: history.capacity.bytes,
            oldest: history.oldest?.description)
    }
}
