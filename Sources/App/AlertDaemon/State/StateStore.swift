package import Delivery
internal import Engine
package import EventLoop
internal import Events
internal import History
internal import Journal
internal import Market
internal import Rules
package import Storage
package import Time

/// Sees to it that events, alerts and prices outlive the process, and keeps them in memory while the store fails.
///
/// As long as there is trouble, each save tries again with all that the store may lack.
@LoopActor
package final class StateStore {
    /// The most events that wait to be saved; the oldest beyond it are lost. 16,384 × some 700 bytes are 11 MB.
    nonisolated static let unsavedLimit = 16_384

    let store: Store
    /// Why nothing can be saved now; nil while all is well.
    private(set) var trouble: (error: StorageError, since: Instant)?
    /// Events that the store does not have yet, oldest first.
    private(set) var unsaved: [Event] = []
    private(set) var lastSaved: WallTime?

    private let bootID: String
    let log: Log?
    /// Whether the file was read since the process began; if not, numbers may be in it that were given again.
    private(set) var wasRead = false
    /// Whether the file turned out to hold events of somebody else.
    private var isForeign = false
    /// Whether stored blocks of prices are those that are in memory.
    private var knowsBlocks = false
    private var history = StoredHistory()
    /// The exchange rates in force, and whether the file has them.
    private var rates: (stored: [StoredRate], areSaved: Bool) = ([], true)
    /// The silences, and whether the file has them.
    private var silences: (list: SilenceList, areSaved: Bool) = (SilenceList(), true)
    /// The limits that are changed at run time, and whether the file has them.
    private var overrides: (list: [LimitOverride], areSaved: Bool) = ([], true)
    private var savedCursors: [String: Int64] = [:]
    /// The sinks whose cursors the file has.
    private var storedSinks: Set<String> = []
    var announcer = StoreAnnouncer()

    /// - Parameters:
    ///   - store: which is closed.
    ///   - bootID: names the boot that boot times are of.
    ///   - now: the present.
    ///   - log: for what only who runs the daemon wants to know.
    package init(_ store: Store, bootID: String, now: Instant, log: Log? = nil) {
        self.store = store
        self.bootID = bootID
        self.log = log
    }

    var isDegraded: Bool { trouble != nil }

    /// Opens the store and reads it.
    ///
    /// - Returns: what was stored; nil when it cannot be read now.
    /// - Throws: ``StorageError`` `in_use`; everything else is trouble that the daemon lives with.
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
        savedCursors = state.cursors
        storedSinks = Set(state.cursors.keys)
        return state
    }

    /// Notes what of the prices in memory the store has.
    func didRestore(_ history: History, blocks: Set<Int64>) {
        wasRead = true
        self.history = StoredHistory(blocks: blocks, of: history)
    }

    /// Opens a file that had to be closed, or could not be opened before.
    ///
    /// - Parameters:
    ///   - known: the last events, which a new file lacks.
    ///   - now: the present.
    /// - Returns: what it holds, when that is not known yet.
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

    /// Gives the events that wait other numbers, and keeps those that the file lacks after all.
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
        case .created: log?.notice("state: \(store.path) was made", id: .storeOpened)
        case .migrated(let old, let new):
            log?.notice("state: \(store.path) was of version \(old) and is of version \(new) now", id: .storeOpened)
        case .readOnly(let error): fail(error, at: now)
        case .setAside(let path, let reason, let salvaged):
            let words =
                "the state file was damaged (\(reason.message)) and lies at \(path) now; the new one has "
                + "\(salvaged.events) events and \(salvaged.blocks) blocks of prices of it"
            log?.error("state: \(words)", id: .storeFails)
            announcer.setAside.append(words)
        }
    }
}

// MARK: Saving

extension StateStore {
    /// Commits the events, and what has changed of the state, before anything of it is notified.
    ///
    /// Where that fails, it is kept in memory, and ``announcement(at:)`` says so.
    ///
    /// - Parameters:
    ///   - events: with their numbers.
    ///   - engine: its changes are taken.
    ///   - history: as it is now.
    ///   - cursors: how far the sinks are.
    ///   - now: the present.
    func save(
        _ events: [Event], _ engine: inout RuleEngine, _ history: History, cursors: [String: Int64],
        at now: Instant
    ) {
        stage(events)
        let changes = engine.takeChanges()
        do throws(StorageError) {
            if isDegraded {
                // Why it could not be opened is noted already.
                guard store.isOpen else { return }
                try saveEverything(engine.snapshot(), history, cursors, at: now)
            } else {
                try saveChanges(changes, history, cursors, at: now)
            }
        } catch {
            fail(error, at: now)
        }
    }

    /// Keeps events until they can be saved.
    func stage(_ events: [Event]) {
        unsaved += events
        let excess = unsaved.count - Self.unsavedLimit
        guard excess > 0 else { return }
        unsaved.removeFirst(excess)
        announcer.lostCount += excess
    }

    /// Takes exchange rates that came into force, to be saved with what comes next.
    func stage(rates new: [StoredRate]) {
        rates = (new, false)
    }

    /// Takes the silences as they are now, to be saved with what comes next.
    func stage(silences new: SilenceList) {
        silences = (new, false)
    }

    /// Takes the limits that are changed at run time, to be saved with what comes next if the file lacks them.
    func stage(overrides list: [LimitOverride], areSaved: Bool = false) {
        overrides = (list, areSaved)
    }

    private func saveChanges(
        _ engine: EngineChanges, _ history: History, _ cursors: [String: Int64], at now: Instant
    ) throws(StorageError) {
        let (prices, after) = self.history.changes(to: history)
        var changes = StoreChanges(time: now.wall, events: unsaved, history: prices)
        if !engine.isEmpty { changes.engine = engine }
        if case .whole = engine { changes.bootID = bootID }
        if cursors != savedCursors { changes.cursors = cursors }
        if !rates.areSaved { changes.rates = rates.stored }
        if !silences.areSaved { changes.silences = silences.list }
        if !overrides.areSaved { changes.overrides = overrides.list }
        guard changes != StoreChanges(time: now.wall) else { return }
        try store.commit(changes)
        self.history = after
        didSave(cursors, at: now)
    }

    /// Saves all that there is, whatever the store has of it.
    private func saveEverything(
        _ engine: EngineSnapshot, _ history: History, _ cursors: [String: Int64], at now: Instant
    ) throws(StorageError) {
        let stored = try store.storedBlocks()
        let (prices, after) = StoredHistory.everything(of: history, stored: knowsBlocks ? stored : [])
        try store.commit(
            StoreChanges(
                time: now.wall, events: unsaved, engine: .whole(engine), history: prices, cursors: cursors,
                rates: rates.stored, silences: silences.list, overrides: overrides.list, bootID: bootID))
        self.history = after
        knowsBlocks = true
        announcer.savedCount = unsaved.count
        didSave(cursors, at: now)
        trouble = nil
    }

    private func didSave(_ cursors: [String: Int64], at now: Instant) {
        unsaved.removeAll(keepingCapacity: true)
        savedCursors = cursors
        rates.areSaved = true
        silences.areSaved = true
        overrides.areSaved = true
        lastSaved = now.wall
    }

    /// Saves how far the sinks are, without waiting for the disk.
    func save(cursors: [String: Int64], at now: Instant) {
        guard !isDegraded, cursors != savedCursors else { return }
        do throws(StorageError) {
            try store.saveCursors(cursors)
            savedCursors = cursors
        } catch {
            fail(error, at: now)
        }
    }

    /// What is to be notified of the store: each trouble once, and its end once.
    func announcement(at now: Instant) -> Occurrence? {
        announcer.next(trouble?.error, since: trouble?.since, at: now)
    }

    /// Whether boot times of what was stored are of the clock that runs now.
    func isSameBoot(as past: StoredState) -> Bool {
        !bootID.isEmpty && past.bootID == bootID
    }

    /// Where sinks that are not in use stand: at the present, so that they do not get the past when they are.
    func restingCursors(at last: Int64) -> [String: Int64] {
        storedSinks.reduce(into: [:]) { $0[$1] = last }
    }

    /// Closes the file in order, and leaves the folder to who comes next.
    func close() {
        store.release()
    }

    private func fail(_ error: StorageError, at now: Instant) {
        if trouble?.error.kind != error.kind { log?.error("state: \(error)", id: .storeFails) }
        trouble = (error, trouble?.since ?? now)
        if [.replaced, .corrupt].contains(error.kind) { knowsBlocks = false }
        // Somebody else's file: it is read as if it were found at the start.
        if error.kind == .numberTaken {
            isForeign = true
            store.close()
        }
    }
}
