package import Delivery
internal import Engine
package import EventLoop
internal import Events
internal import Journal
internal import Market
internal import Receivers
package import Storage
package import Time

/// Saves events, alerts and prices, so that they outlive the process, and keeps them in memory while the store fails.
///
/// After a failure, each save tries again with everything that the store may lack.
@LoopActor
package final class StateStore {
    let store: Store
    /// Why nothing can be saved, and since when; nil while saving works.
    private(set) var trouble: (error: StorageError, since: Instant)?
    /// What is in the file as soon as saving works again.
    private var waiting = WaitingChanges()
    private(set) var lastSaved: WallTime?

    private let bootID: String
    let log: Log?
    /// Whether the file was read since the process began; if not, it may contain numbers that were assigned again.
    private(set) var wasRead = false
    /// Whether the file turned out to contain events of another daemon.
    private var isForeign = false
    /// Whether the stored blocks of prices are those in memory.
    private var knowsBlocks = false
    /// The cursors that are in the file.
    private var savedCursors: [String: Int64] = [:]
    /// The sinks whose cursors the file had when it was read.
    private var storedSinks: [String] = []
    var announcer = StoreAnnouncer()

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

    /// Events that are not in the store yet, oldest first.
    var unsaved: [Event] { waiting.events }
    /// Past prices of coins that are not in the store yet.
    var coinHistories: [StoredCoinHistory] { waiting.coinHistories }

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
        savedCursors = state.cursors
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
            waiting.add(lacking: known, after: store.lastNumber)
        } catch {
            fail(error, at: now)
        }
        return nil
    }

    /// Renumbers the waiting events, and adds those that the file turned out to lack.
    func renumber(_ shift: NumberShift, lacking known: [Event]) {
        waiting.renumber(shift)
        waiting.add(lacking: known, after: store.lastNumber)
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
    /// What the next transaction has to contain.
    enum Extent {
        /// What has changed since the last one.
        case changes
        /// Everything, as the store may lack any of it, but for the blocks of prices that it has of each source.
        case everything(besides: [SourceName: Set<Int64>])
    }

    /// After a failure everything is saved, unless the file cannot be opened: that is tried again first.
    func extent(at now: Instant) -> Extent {
        guard isDegraded, store.isOpen else { return .changes }
        do throws(StorageError) {
            return .everything(besides: knowsBlocks ? try store.storedBlocks() : [:])
        } catch {
            fail(error, at: now)
            return .changes
        }
    }

    /// Commits a transaction, before any of its events is delivered.
    ///
    /// If that fails, what exists nowhere else is kept in memory, and ``announcement(at:)`` reports it.
    func commit(_ new: Transaction, at now: Instant) {
        guard !isDegraded || new.isWhole else { return keep(new) }
        var all = new
        waiting.complete(&all)
        if !new.isWhole, areSaved(new.cursors) { all.cursors = [:] }
        if all.sources.contains(where: { $0.engine?.isWhole ?? false }) { all.bootID = bootID }
        guard !all.isEmpty else { return }
        do throws(StorageError) {
            try store.commit(all)
        } catch {
            keep(new)
            return fail(error, at: now)
        }
        if !all.cursors.isEmpty { savedCursors = all.cursors }
        (lastSaved, waiting) = (now.wall, WaitingChanges())
        guard new.isWhole else { return }
        (trouble, knowsBlocks) = (nil, true)
        announcer.savedCount = all.events.count
    }

    /// Keeps what exists nowhere else until it can be saved.
    func keep(_ new: Transaction) { announcer.lostCount += waiting.add(new) }

    /// Saves the cursors of the sinks, without waiting for the disk.
    func save(cursors: [String: Int64], at now: Instant) {
        guard !isDegraded, !areSaved(cursors) else { return }
        do throws(StorageError) {
            try store.saveCursors(cursors)
            savedCursors = cursors
        } catch {
            fail(error, at: now)
        }
    }

    /// Saves the queues of the receivers, without waiting for the disk.
    func save(queues: QueueChanges, at now: Instant) {
        guard !queues.isEmpty else { return }
        let changes = Transaction(time: now.wall, queues: queues)
        guard !isDegraded else { return keep(changes) }
        do throws(StorageError) {
            try store.saveQueues(queues)
        } catch {
            keep(changes)
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
    private func areSaved(_ cursors: [String: Int64]) -> Bool {
        cursors.allSatisfy { savedCursors[$0.key] == $0.value }
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

    /// The cursors of all sinks, with those that are not in use: at the last event, so that they do not get old events
    /// later.
    func cursors(_ current: [String: Int64], at last: Int64) -> [String: Int64] {
        current.merging(storedSinks.map { ($0, last) }) { own, _ in own }
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
