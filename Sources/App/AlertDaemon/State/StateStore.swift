package import Delivery
internal import Engine
package import EventLoop
internal import Events
internal import Journal
internal import Market
internal import Receivers
package import Storage
package import Time

/// The store of events, alerts and prices. While saving fails, they stay in memory.
///
/// After a failure, each save tries to write everything that the file may lack.
@LoopActor
package final class StateStore {
    let store: Store
    /// The reason why nothing can be saved, and when saving began to fail; nil while saving works.
    private(set) var trouble: (error: StorageError, since: Instant)?
    /// The changes that are saved as soon as saving works again.
    private var waiting = WaitingChanges()
    private(set) var lastSaved: WallTime?

    private let bootID: String
    let log: Log?
    /// True once this process has read the file. Until then, the file may contain events with numbers that this
    /// process has assigned again.
    private(set) var wasRead = false
    /// True if the file turned out to contain events of another daemon.
    private var isForeign = false
    /// True if a stored block of prices is the same as the block with the same id in memory.
    private var knowsBlocks = false
    /// The cursors in the file.
    private var savedCursors: [String: Int64] = [:]
    /// The sinks that had cursors in the file when it was read.
    private var storedSinks: [String] = []
    var announcer = StoreAnnouncer()

    /// - Parameters:
    ///   - store: a store that is not open yet.
    ///   - bootID: the identity of the boot that boot times refer to.
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
    /// - Returns: the stored state; nil if it cannot be read now.
    /// - Throws: ``StorageError`` `in_use`. Other failures do not stop the daemon.
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
        for notice in try store.open(at: now.wall) { handle(notice, at: now) }
        let state = try store.restore(events: EventLog.capacity)
        knowsBlocks = !isForeign
        isForeign = false
        savedCursors = state.cursors
        storedSinks = state.cursors.keys.sorted()
        return state
    }

    /// Records that the sources have adopted the stored state.
    func didRestore() {
        wasRead = true
    }

    /// Returns the stored prices of a source; nil if they cannot be read now.
    func history(of source: SourceName) -> StoredSource? {
        guard store.isOpen, knowsBlocks else { return nil }
        return try? store.history(of: source)
    }

    /// Opens a file that had to be closed, or that could not be opened before.
    ///
    /// - Parameters:
    ///   - known: the last events in memory, which a new file lacks.
    ///   - now: the current time.
    /// - Returns: the content, if it has not been read yet.
    func reopen(known: [Event], at now: Instant) -> StoredState? {
        guard isDegraded, !store.isOpen else { return nil }
        do throws(StorageError) {
            if !wasRead || isForeign { return try read(at: now) }
            for notice in try store.open(at: now.wall) { handle(notice, at: now) }
            waiting.add(lacking: known, after: store.lastNumber)
        } catch {
            fail(error, at: now)
        }
        return nil
    }

    /// Renumbers the waiting events, and adds events that the file turned out to lack.
    func renumber(_ shift: NumberShift, lacking known: [Event]) {
        waiting.renumber(shift)
        waiting.add(lacking: known, after: store.lastNumber)
    }

    private func handle(_ notice: StoreNotice, at now: Instant) {
        switch notice {
        case .created: log?.notice("state: created \(store.path)", id: .storeOpened)
        case .emptied:
            let text = "the state file was empty and its log \(store.path)-wal missing; its contents are lost"
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
    /// The content that the next transaction must have.
    enum Extent {
        /// The changes since the last one.
        case changes
        /// Everything that the store may lack, which is the whole state except the listed blocks of prices of each
        /// source.
        case everything(besides: [SourceName: Set<Int64>])
    }

    /// Returns the extent of the next transaction. After a failure, everything must be saved. While the file is
    /// closed, only the changes are collected, because ``reopen(known:at:)`` must succeed first.
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
    /// If that fails, data that exists nowhere else is kept in memory, and ``announcement(at:)`` reports the failure.
    func commit(_ new: Transaction, at now: Instant) {
        guard !isDegraded || new.isWhole else { return stage(new) }
        var all = new
        waiting.complete(&all)
        if !new.isWhole, areSaved(new.cursors) { all.cursors = [:] }
        if all.sources.contains(where: { $0.engine?.isWhole ?? false }) { all.bootID = bootID }
        guard !all.isEmpty else { return }
        do throws(StorageError) {
            try store.commit(all)
        } catch {
            stage(new)
            return fail(error, at: now)
        }
        if !all.cursors.isEmpty { savedCursors = all.cursors }
        (lastSaved, waiting) = (now.wall, WaitingChanges())
        guard new.isWhole else { return }
        (trouble, knowsBlocks) = (nil, true)
        announcer.savedCount = all.events.count
    }

    /// Keeps data that exists nowhere else until it can be saved.
    func stage(_ new: Transaction) { announcer.lostCount += waiting.add(new) }

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
        guard !isDegraded else { return stage(changes) }
        do throws(StorageError) {
            try store.saveQueues(queues)
        } catch {
            stage(changes)
            fail(error, at: now)
        }
    }

    /// Deletes some of the expired data. Call it when no notification waits.
    func tidy(at now: Instant) {
        guard !isDegraded else { return }
        do throws(StorageError) {
            try store.tidy(at: now.wall)
        } catch {
            fail(error, at: now)
        }
    }

    /// Returns true if the file has these cursors. The file has no cursors of other sinks, because the sinks of a
    /// process do not change and stored cursors are kept.
    private func areSaved(_ cursors: [String: Int64]) -> Bool {
        cursors.allSatisfy { savedCursors[$0.key] == $0.value }
    }

    /// True if an event about the store may be due.
    var mayAnnounce: Bool { isDegraded || announcer.isWaiting }

    /// Returns the next event about the store: the beginning and the end of each failure, once each; nil if no event
    /// is due.
    func announcement(at now: Instant) -> Occurrence? {
        announcer.next(trouble?.error, since: trouble?.since, at: now)
    }

    /// Returns true if stored boot times belong to the clock of the current boot.
    func isSameBoot(as past: StoredState) -> Bool {
        !bootID.isEmpty && past.bootID == bootID
    }

    /// Returns the cursors of all sinks. Cursors of unused sinks point to the last event, so that a sink enabled
    /// later does not get old events.
    func cursors(_ current: [String: Int64], at last: Int64) -> [String: Int64] {
        current.merging(storedSinks.map { ($0, last) }) { own, _ in own }
    }

    /// Closes the file cleanly, and releases the folder for the next process.
    func close() {
        store.release()
    }

    private func fail(_ error: StorageError, at now: Instant) {
        if trouble?.error.kind != error.kind { log?.error("state: \(error)", id: .storeFails) }
        trouble = (error, trouble?.since ?? now)
        if [.replaced, .corrupt].contains(error.kind) { knowsBlocks = false }
        // The file belongs to another daemon, so it is read again as at the start.
        if error.kind == .numberTaken {
            isForeign = true
            store.close()
        }
    }
}
