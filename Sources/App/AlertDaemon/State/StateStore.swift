package import Delivery
internal import Engine
package import EventLoop
internal import Events
internal import History
internal import Journal
internal import Market
internal import Notifications
internal import Receivers
internal import Rules
package import Storage
package import Time

/// Saves events, alerts and prices, so that they outlive the process, and keeps them in memory while the store fails.
///
/// After a failure, each save tries again with everything that the store may lack.
@LoopActor
package final class StateStore {
    /// The most events that wait while nothing can be saved; beyond that the oldest are lost. 16,384 × 700 bytes are
    /// 11 MB.
    nonisolated static let unsavedLimit = 16_384

    let store: Store
    /// Why nothing can be saved, and since when; nil while saving works.
    private(set) var trouble: (error: StorageError, since: Instant)?
    /// Events that are not in the store yet, oldest first.
    private(set) var unsaved: [Event] = []
    private(set) var lastSaved: WallTime?

    private let bootID: String
    let log: Log?
    /// Whether the file was read since the process began; if not, it may contain numbers that were assigned again.
    private(set) var wasRead = false
    /// Whether the file turned out to contain events of another daemon.
    private var isForeign = false
    /// Whether the stored blocks of prices are those in memory.
    private var knowsBlocks = false
    /// Sources that are no longer polled, whose alerts are still in the file.
    private var removed: Set<SourceName> = []
    /// The exchange rates in effect, and whether they are in the file.
    private var rates: (stored: [StoredRate], areSaved: Bool) = ([], true)
    /// The silences, and whether they are in the file.
    private var silences: (list: SilenceList, areSaved: Bool) = (SilenceList(), true)
    /// The limits that are changed at run time, and whether they are in the file.
    private var overrides: (list: [LimitOverride], areSaved: Bool) = ([], true)
    /// The states of the checks, and whether they are in the file.
    private var checks: (list: [StoredCheck], areSaved: Bool) = ([], true)
    /// Past prices of coins that are not in the file yet.
    private(set) var coinHistories: [StoredCoinHistory] = []
    /// The cursors that are in the file.
    private var savedCursors: [SinkCursor] = []
    /// The sinks whose cursors the file had when it was read.
    private var storedSinks: [String] = []
    var announcer = StoreAnnouncer()
    /// Their queues are saved with the events.
    weak var receivers: NotificationService?

    /// - Parameters:
    ///   - store: not open yet.
    ///   - bootID: identifies the boot that boot times refer to.
    ///   - now: the current time.
    ///   - log: gets messages for the administrator.
    package init(_ store: Store, bootID: String, now: Instant, log: Log? = nil) {
        self.store = store
        self.bootID = bootID
        self.log = log
    }

    var isDegraded: Bool { trouble != nil }

    /// Opens the store and reads it.
    ///
    /// - Returns: what was stored; nil when it cannot be read now.
    /// - Throws: ``StorageError`` `in_use`; the daemon runs with any other failure.
    func open(at now: Instant) throws(StorageError) -> StoredState? {
        do throws(StorageError) {
            return try read(at: now)
        } catch {
            guard error.kind != .inUse else { throw error }
            fail(error, at: now)
            return nil
        }
    }

    private func read(at now: Instant) throws(StorageError) -> StoredState {
        for notice in try store.open(at: now.wall) { take(notice, at: now) }
        let state = try store.restore(events: EventLog.capacity)
        knowsBlocks = !isForeign
        isForeign = false
        savedCursors = state.cursors.map(SinkCursor.init)
        storedSinks = state.cursors.keys.sorted()
        return state
    }

    /// Notes that the sources know which of their prices are in the store.
    func didRestore() {
        wasRead = true
    }

    /// The stored prices of a source; nil when they cannot be read now.
    func history(of source: SourceName) -> StoredSource? {
        guard store.isOpen, knowsBlocks else { return nil }
        return try? store.history(of: source)
    }

    /// Opens a file that had to be closed, or could not be opened before.
    ///
    /// - Parameters:
    ///   - known: the last events, which a new file lacks.
    ///   - now: the current time.
    /// - Returns: its content, if it has not been read yet.
    func reopen(known: [Event], at now: Instant) -> StoredState? {
        guard isDegraded, !store.isOpen else { return nil }
        do throws(StorageError) {
            if !wasRead || isForeign { return try read(at: now) }
            for notice in try store.open(at: now.wall) { take(notice, at: now) }
            stageLacking(of: known)
        } catch {
            fail(error, at: now)
        }
        return nil
    }

    /// Renumbers the waiting events, and adds those that the file turned out to lack.
    func renumber(_ shift: NumberShift, lacking known: [Event]) {
        unsaved = unsaved.map(shift.applied)
        stageLacking(of: known)
    }

    private func stageLacking(of known: [Event]) {
        let first = unsaved.first?.number ?? .max
        unsaved = known.filter { $0.number > store.lastNumber && $0.number < first } + unsaved
    }

    private func take(_ notice: StoreNotice, at now: Instant) {
        switch notice {
        case .created: log?.notice("state: created \(store.path)", id: .storeOpened)
        case .emptied:
            let text = "the state file was empty and its log \(store.path)-wal missing; what was saved in it is lost"
            log?.error("state: \(text)", id: .storeFails)
            announcer.setAside.append(text)
        case .readOnly(let error): fail(error, at: now)
        case .exposed(let text): log?.warning("state: \(text)", id: .storeFails)
        case .setAside(let path, let reason, let salvaged):
            let text =
                "the state file was damaged (\(reason.message)) and has been moved to \(path); "
                + "\(salvaged.events) events and \(salvaged.blocks) blocks of prices were recovered"
            log?.error("state: \(text)", id: .storeFails)
            announcer.setAside.append(text)
        }
    }
}

// MARK: Saving

extension StateStore {
    /// Commits the events and what has changed of the state, before any event is delivered.
    ///
    /// If that fails, everything is kept in memory, and ``announcement(at:)`` reports it.
    ///
    /// - Parameters:
    ///   - events: with their numbers.
    ///   - lanes: all sources; the changes of their engines are taken.
    ///   - changed: the only source of which something has changed; nil when it may be any.
    ///   - cursors: those of the sinks.
    ///   - now: the current time.
    func save(
        _ events: [Event], _ lanes: [Lane], changed: Lane? = nil, cursors: [SinkCursor], at now: Instant
    ) {
        // However many there are: only those that cannot be saved are limited.
        unsaved += events
        defer { if isDegraded { limitUnsaved() } }
        do throws(StorageError) {
            if isDegraded {
                // The reason why it could not be opened is known already.
                guard store.isOpen else { return }
                try saveEverything(of: lanes, cursors, at: now)
            } else {
                let changed = if let changed { [changed] } else { lanes }
                try saveChanges(of: changed, cursors, at: now)
            }
        } catch {
            fail(error, at: now)
        }
    }

    /// Keeps events until they can be saved.
    func stage(_ events: [Event]) {
        unsaved += events
        limitUnsaved()
    }

    private func limitUnsaved() {
        let excess = unsaved.count - Self.unsavedLimit
        guard excess > 0 else { return }
        unsaved.removeFirst(excess)
        announcer.lostCount += excess
    }

    /// Takes new exchange rates, to be saved with the next change.
    func stage(rates new: [StoredRate]) {
        rates = (new, false)
    }

    /// Takes the current silences, to be saved with the next change.
    func stage(silences new: SilenceList) {
        silences = (new, false)
    }

    /// Takes the limits that are changed at run time, to be saved with the next change unless they are in the file.
    func stage(overrides list: [LimitOverride], areSaved: Bool = false) {
        overrides = (list, areSaved)
    }

    /// Takes the states of all checks, to be saved with the next change unless they are in the file.
    func stage(checks list: [StoredCheck], areSaved: Bool = false) {
        checks = (list, areSaved)
    }

    /// Takes past prices of a coin, to be saved with the next change.
    func stage(coinHistory new: StoredCoinHistory) {
        coinHistories.removeAll { $0.isOfSame(as: new) }
        coinHistories.append(new)
        if coinHistories.count > Self.coinHistoryLimit { coinHistories.removeFirst() }
    }

    /// 50 of about 300 points of 32 bytes: 0.5 MB. More are fetched again.
    private static let coinHistoryLimit = 50

    /// Takes sources that are no longer polled: their alerts are deleted with the next change.
    func stage(removed names: [SourceName]) {
        removed.formUnion(names)
    }

    private func saveChanges(
        of lanes: [Lane], _ cursors: [SinkCursor], at now: Instant
    ) throws(StorageError) {
        var changes = StoreChanges(
            time: now.wall, events: unsaved, sources: removals(except: lanes),
            queues: receivers?.takeChanges() ?? .init())
        for lane in lanes {
            let engine = lane.engine.takeChanges()
            if engine.isWhole { changes.bootID = bootID }
            var all = SourceChanges(
                lane.name, engine: engine.isEmpty ? nil : engine, history: lane.historyChanges(),
                coins: lane.coinNames.unsaved)
            all.forgottenCoins = lane.coinNames.forgotten
            (all.gaps, all.candles) = (lane.engine.takeGapChanges(), lane.unsavedCandles)
            if !all.isEmpty { changes.sources.append(all) }
        }
        if !areSaved(cursors) { changes.cursors = Dictionary(cursors) }
        if !rates.areSaved { changes.rates = rates.stored }
        if !silences.areSaved { changes.silences = silences.list }
        if !overrides.areSaved { changes.overrides = overrides.list }
        changes.coinHistories = coinHistories
        if !checks.areSaved { changes.checks = checks.list }
        guard !changes.isEmpty else { return }
        try store.commit(changes)
        for lane in lanes { lane.didSave() }
        didSave(changes.cursors, at: now)
    }

    /// What deletes the alerts of sources that are no longer polled.
    private func removals(except lanes: [Lane]) -> [SourceChanges] {
        guard !removed.isEmpty else { return [] }
        let names = removed.subtracting(lanes.map(\.name)).sorted()
        return names.map { name in
            var changes = SourceChanges(
                name, engine: .whole(EngineSnapshot(rules: [], alerts: [], checkpoint: [])))
            changes.gaps.isWhole = true
            return changes
        }
    }

    /// Saves everything, whatever the store has already.
    private func saveEverything(
        of lanes: [Lane], _ cursors: [SinkCursor], at now: Instant
    ) throws(StorageError) {
        let known = knowsBlocks ? try store.storedBlocks() : [:]
        var sources = removals(except: lanes)
        for lane in lanes {
            var all = SourceChanges(
                lane.name, engine: .whole(lane.engine.takeEverything()),
                history: lane.wholeHistory(stored: known[lane.name] ?? []),
                coins: lane.coinNames.all.values.sorted { $0.identity < $1.identity })
            all.forgottenCoins = lane.coinNames.forgotten
            (all.gaps, all.candles) = (lane.engine.takeGapChanges(isWhole: true), lane.unsavedCandles)
            sources.append(all)
        }
        var changes = StoreChanges(
            time: now.wall, events: unsaved, sources: sources, cursors: Dictionary(cursors), rates: rates.stored,
            silences: silences.list, overrides: overrides.list, queues: receivers?.takeEverything() ?? .init(),
            bootID: bootID)
        changes.coinHistories = coinHistories
        changes.checks = checks.list
        try store.commit(changes)
        for lane in lanes { lane.didSave() }
        knowsBlocks = true
        announcer.savedCount = unsaved.count
        didSave(changes.cursors, at: now)
        trouble = nil
    }

    private func didSave(_ cursors: [String: Int64], at now: Instant) {
        unsaved.removeAll(keepingCapacity: true)
        removed = []
        coinHistories = []
        if !cursors.isEmpty { savedCursors = cursors.map(SinkCursor.init) }
        rates.areSaved = true
        silences.areSaved = true
        overrides.areSaved = true
        checks.areSaved = true
        lastSaved = now.wall
    }

    /// Saves the cursors of the sinks, without waiting for the disk.
    func save(cursors: [SinkCursor], at now: Instant) {
        guard !isDegraded, !areSaved(cursors) else { return }
        do throws(StorageError) {
            try store.saveCursors(Dictionary(cursors))
            savedCursors = cursors
        } catch {
            fail(error, at: now)
        }
    }

    /// Saves the queues of the receivers, without waiting for the disk.
    func saveQueues(at now: Instant) {
        guard !isDegraded, let changes = receivers?.takeChanges(), !changes.isEmpty else { return }
        do throws(StorageError) {
            try store.saveQueues(changes)
        } catch {
            fail(error, at: now)
        }
    }

    /// Deletes some of what is no longer kept; to be called when no notification waits.
    func tidy(at now: Instant) {
        guard !isDegraded else { return }
        do throws(StorageError) {
            try store.tidy(at: now.wall)
        } catch {
            fail(error, at: now)
        }
    }

    /// Sinks neither come nor go, and what was stored stays, so there is none that only the file has.
    private func areSaved(_ cursors: [SinkCursor]) -> Bool {
        cursors.allSatisfy { cursor in
            savedCursors.contains { $0.sink == cursor.sink && $0.delivered == cursor.delivered }
        }
    }

    /// Whether an event about the store may be due.
    var mayAnnounce: Bool { isDegraded || announcer.isWaiting }

    /// The event about the store that is due: each failure once, and its end once; nil when there is none.
    func announcement(at now: Instant) -> Occurrence? {
        announcer.next(trouble?.error, since: trouble?.since, at: now)
    }

    /// Whether stored boot times belong to the clock of the current boot.
    func isSameBoot(as past: StoredState) -> Bool {
        !bootID.isEmpty && past.bootID == bootID
    }

    /// The cursors of sinks that are not in use: at the last event, so that they do not get old events later.
    func restingCursors(besides cursors: [SinkCursor], at last: Int64) -> [SinkCursor] {
        var resting: [SinkCursor] = []
        for name in storedSinks where !cursors.contains(where: { $0.sink == name }) {
            resting.append(SinkCursor(sink: name, delivered: last))
        }
        return resting
    }

    /// Closes the file cleanly, and leaves the folder to the next process.
    func close() {
        store.release()
    }

    private func fail(_ error: StorageError, at now: Instant) {
        if trouble?.error.kind != error.kind { log?.error("state: \(error)", id: .storeFails) }
        trouble = (error, trouble?.since ?? now)
        if [.replaced, .corrupt].contains(error.kind) { knowsBlocks = false }
        // The file of another daemon: it is read as if it were found at the start.
        if error.kind == .numberTaken {
            isForeign = true
            store.close()
        }
    }
}

/// Up to which event a sink has everything.
struct SinkCursor: Equatable {
    /// The name of the sink.
    var sink: String
    /// The number of the event.
    var delivered: Int64
}

extension [String: Int64] {
    fileprivate init(_ cursors: [SinkCursor]) {
        self.init(cursors.map { ($0.sink, $0.delivered) }) { $1 }
    }
}

extension StoredCoinHistory {
    fileprivate func isOfSame(as other: StoredCoinHistory) -> Bool {
        source == other.source && history.identity == other.history.identity && history.period == other.history.period
    }
}
