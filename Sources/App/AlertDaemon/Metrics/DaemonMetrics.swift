internal import Configuration
internal import Control
internal import Delivery
internal import Engine
internal import EventLoop
internal import Events
internal import Feeds
internal import History
internal import Journal
internal import Market
internal import Metrics
internal import Notifications
internal import PriceSources
internal import Receivers
internal import Rules
internal import Time
internal import Varlink

/// The metrics of the daemon.
@LoopActor
final class DaemonMetrics {
    private unowned let daemon: Daemon
    private var hasFileFailed = false
    private var isWritingFile = false

    init(_ daemon: Daemon) {
        self.daemon = daemon
    }

    /// Returns the metrics of this moment. Metrics of symbols and alerts are written in several turns of the loop.
    func text(_ format: MetricsFormat) async -> [UInt8] {
        let alerts = await AlertMetrics.all(of: pipeline, settings.metrics.symbols)
        var writer = MetricsWriter(format)
        writer.reserve(samples: 256)
        writeProcess(to: &writer)
        writePolling(to: &writer)
        var rest = MetricsWriter(format)
        writeRules(to: &rest)
        writeState(to: &rest)
        writeSinks(to: &rest)
        writeReceivers(pipeline.receivers?.views ?? [], to: &rest)
        await AlertMetrics.write(alerts, to: &writer)
        writer.append(rest)
        return writer.finish()
    }

    /// Writes the file with metrics, if the settings name one. All other work of the daemon comes first. A failure is
    /// logged once.
    func writeFile() {
        // This code runs after each poll, so it must not copy all settings.
        guard daemon.loaded.settings.metrics.textfile != nil, !isWritingFile else { return }
        isWritingFile = true
        // The daemon must outlive the task, which refers to it without owning it.
        Loop.shared.start(.client) { [self, daemon] in
            replaceFile(await text(.text))
            withExtendedLifetime(daemon) {}
        }
    }

    private func replaceFile(_ text: [UInt8]) {
        isWritingFile = false
        // A reload may have named another file, or none.
        guard let path = settings.metrics.textfile else { return }
        let failure = MetricsTextfile(path: path).write(text)
        if let failure, !hasFileFailed {
            daemon.log.warning("metrics: \(path) cannot be written: \(failure)", id: .metricsFailed)
        } else if failure == nil, hasFileFailed {
            daemon.log.info("metrics: \(path) is written again", id: .metricsWritten)
        }
        hasFileFailed = failure != nil
    }

    private var pipeline: Pipeline { daemon.pipeline }
    private var settings: Settings { daemon.loaded.settings }
}

// MARK: The parts of the text

extension DaemonMetrics {
    private func writeProcess(to writer: inout MetricsWriter) {
        let usage = ProcessUsage.current()
        writer.begin(.build)
        writer.sample(Version.current, value: 1)
        writer.begin(.startTime)
        writer.sample(value: daemon.inEffect.started.wall)
        writer.begin(.cpuTime)
        writer.sample(nanoseconds: usage.cpuNanoseconds)
        writer.begin(.memory)
        if let bytes = usage.residentBytes { writer.sample(value: bytes) }
    }

    private func writePolling(to writer: inout MetricsWriter) {
        let sources = daemon.pollers.all.map { (name: "\($0.lane.name)", poller: $0, state: $0.state, lane: $0.lane) }
        writer.begin(.polls)
        for source in sources { writer.sample(source.name, value: source.state.polls) }
        writer.begin(.pollFailures)
        for source in sources { writer.sample(source.name, value: source.state.failures) }
        writer.begin(.lastPoll)
        for source in sources { writer.sample(source.name, value: source.state.lastSuccess?.wall) }
        writer.begin(.lastAttempt)
        for source in sources { writer.sample(source.name, value: source.state.lastAttempt?.wall) }
        writer.begin(.pollInterval)
        for source in sources {
            writer.sample(source.name, nanoseconds: source.poller.settings.interval.times(1_000_000).count)
        }
        writer.begin(.pollPhase)
        for source in sources {
            for (phase, nanoseconds) in source.lane.phases.all {
                writer.sample(source.name, phase.name, nanoseconds: nanoseconds)
            }
        }
        writer.begin(.feedStale)
        for source in sources { writer.sample(source.name, value: source.lane.engine.isFeedStale) }
        writer.begin(.gaps)
        for source in sources { writer.sample(source.name, value: source.lane.engine.gaps.count) }
        writer.begin(.symbols)
        for source in sources { writer.sample(source.name, value: source.lane.batch?.tickers.count ?? 0) }
        writer.begin(.badElements)
        for source in sources { writer.sample(source.name, value: source.lane.responses.badElementCount) }
    }

    private func writeRules(to writer: inout MetricsWriter) {
        writer.begin(.rules)
        writer.sample(value: pipeline.lanes.reduce(0) { $0 + $1.engine.rules.count })
        writer.begin(.silences)
        writer.sample(value: pipeline.silences.records.count(where: \.isActive))
        writer.begin(.events)
        for kind in EventKind.allCases { writer.sample(kind.rawValue, value: pipeline.events.counts[kind] ?? 0) }
        writeChecks(to: &writer)
    }

    private func writeChecks(to writer: inout MetricsWriter) {
        let checks = pipeline.checks.all
        writer.begin(.checkDiverged)
        for entry in checks { writer.sample(entry.check.name, value: entry.state.isDiverged) }
        writer.begin(.checkDifference)
        for entry in checks where entry.obstacle == nil {
            if let last = entry.last { writer.sample(entry.check.name, value: last.comparison.percent) }
        }
        writer.begin(.checkTime)
        for entry in checks { writer.sample(entry.check.name, value: entry.last?.time) }
    }

    private func writeState(to writer: inout MetricsWriter) {
        writer.begin(.ratesTime)
        writer.sample(value: daemon.exchangeRates.state.fetched)
        writer.begin(.saving)
        writer.sample(value: !pipeline.stateStore.isDegraded)
        writer.begin(.unsavedEvents)
        writer.sample(value: pipeline.stateStore.unsaved.count)
        writer.begin(.historyPolls)
        writer.sample(value: pipeline.pollCount)
        writer.begin(.historyBytes)
        writer.sample(value: pipeline.lanes.reduce(0) { $0 + $1.history.byteCount })
        writer.begin(.reloadSuccess)
        writer.sample(value: daemon.inEffect.failedReload == nil)
        writer.begin(.reloadTime)
        writer.sample(value: daemon.inEffect.time)
    }

    private func writeSinks(to writer: inout MetricsWriter) {
        let counters = pipeline.sinks.map { ($0.name, $0.counters) }
        writer.begin(.sinkDeliveries)
        for (name, count) in counters { writer.sample(name, value: count.delivered) }
        writer.begin(.sinkDropped)
        for (name, count) in counters { writer.sample(name, value: count.dropped) }
        writer.begin(.sinkFailures)
        for (name, count) in counters { writer.sample(name, value: count.failed) }
        writer.begin(.sinkQueue)
        for (name, count) in counters { writer.sample(name, value: count.queued) }
        let readers = pipeline.sinks.lazy.compactMap(\.readers).first
        writer.begin(.eventReaders)
        writer.sample(value: readers?.count ?? 0)
        writer.begin(.eventReadersRefused)
        writer.sample(value: readers?.refused ?? 0)
        writer.begin(.controlClients)
        writer.sample(value: daemon.server?.places.count ?? 0)
        writer.begin(.controlClientsRefused)
        writer.sample(value: daemon.server?.places.refused ?? 0)
    }

    private func writeReceivers(_ views: [ReceiverView], to writer: inout MetricsWriter) {
        func write(_ family: MetricFamily, _ value: (ReceiverView) -> Int) {
            writer.begin(family)
            for view in views { writer.sample(view.receiver.name, view.receiver.kind.rawValue, value: value(view)) }
        }
        func write(_ family: MetricFamily, time: (ReceiverView) -> WallTime?) {
            writer.begin(family)
            for view in views {
                writer.sample(view.receiver.name, view.receiver.kind.rawValue, value: time(view))
            }
        }
        writer.begin(.leaseHeld)
        if let lease = daemon.lease { writer.sample(value: lease.isHeld) }
        write(.receiverUp) { $0.progress.failingSince == nil && $0.blocker == nil ? 1 : 0 }
        write(.receiverQueue, \.queued.count)
        write(.receiverOldest, time: \.queued.first?.time)
        write(.receiverDelivered, \.progress.delivered)
        write(.receiverRefused, \.progress.refused)
        write(.receiverExpired, \.progress.expired)
        write(.receiverDropped, \.progress.dropped)
        write(.receiverAttempts, \.progress.attempts)
        write(.receiverFailures, \.progress.failures)
        write(.receiverLastSuccess, time: \.progress.lastSuccess)
    }
}
