internal import Events
package import Market
package import Receivers
package import Time

/// A notice for users about how the state file was opened.
package enum StoreNotice: Equatable, Sendable {
    /// There was no file, and an empty one was created.
    case created
    /// There was a file without tables, because its log had been removed.
    case emptied
    /// The file was damaged. It is at `path` now, and a new one was created with everything that could be read.
    case setAside(path: String, reason: StorageError, salvaged: Salvaged)
    /// The file can be read but not written.
    case readOnly(StorageError)
    /// Other users may change the file or its folder. The text describes the fault, with the command that corrects
    /// it. The file is used anyway, because a daemon that does not start notifies no one.
    case exposed(String)
}

/// The amount of data recovered from a damaged file.
package struct Salvaged: Equatable, Sendable {
    /// The number of recovered events.
    package var events = 0
    /// The greatest event number, or 0 if none could be read, so that numbers begin at 1 again.
    package var lastNumber: Int64 = 0
    /// The number of recovered blocks of history.
    package var blocks = 0
}

/// Limits on the kept data, and options for accessing the file.
package struct StoreOptions: Sendable {
    /// The time for which events are kept.
    package var keepEvents: Milliseconds
    /// The maximum number of kept events. A million of about 400 bytes each take 400 MB.
    package var mostEvents: Int64
    /// The time for which candles are kept.
    var keepCandles = Milliseconds.seconds(30 * 86_400)
    /// The approximate maximum number of kept candles: a day of 138 symbols with a trade in every minute. 200,000 of
    /// about 80 bytes each take 16 MB.
    var mostCandles: Int64 = 200_000
    /// The source of the prices and alerts in a damaged file that lacks the names of its sources.
    package var firstSource: SourceName
    /// The program and version that are recorded as the creator of the file.
    package var creator: String
    /// The size of the log, in pages of 4 KiB, at which it is checkpointed. 1,000 pages are about 4 MiB.
    package var logPages: Int32 = 1_000
    /// The number of free pages above which the file is shrunk. A quarter of the file may always be free.
    var freePages: Int64 = 256
    /// The name of a registered SQLite VFS to use, or nil for the system's own.
    package var vfs: String?

    /// Creates the options. By default, events are kept for 365 days, at most 1,000,000 of them, and damaged files
    /// without names of sources belong to WazirX.
    package init(
        keepEvents: Milliseconds = .seconds(365 * 86_400), mostEvents: Int64 = 1_000_000, creator: String = "alertd",
        firstSource: SourceName = SourceName(unchecked: "wazirx")
    ) {
        self.keepEvents = keepEvents
        self.mostEvents = mostEvents
        self.creator = creator
        self.firstSource = firstSource
    }
}

/// Everything that must outlive the process, in one SQLite file: `alertd.db` in the state folder.
///
/// A store is created once and opened as often as needed. After an error whose ``StorageError/requiresReopening`` is
/// true, it is closed and must be opened again with ``open(at:)``. The folder stays locked all the time. A store is
/// not thread-safe.
package final class Store {
    /// The path of the folder, as given.
    package let folderPath: String
    /// The options. A change takes effect with the next commit or ``tidy(at:)``; `logPages` and `vfs` with the next
    /// opening.
    package var options: StoreOptions {
        didSet { isTidy = false }
    }

    /// The path of the file, without symbolic links once the folder has been found.
    package var path: String { folder?.file ?? "\(folderPath)/\(StateFolder.fileName)" }

    private var folder: StateFolder?
    private(set) var database: Database?
    private var files: FileIdentities?
    /// True if the file was closed because it was found to be damaged.
    private var isSuspect = false
    /// The greatest event number ever assigned.
    package private(set) var lastNumber: Int64 = 0
    /// The time of the last commit that waited for the disk, or nil if there was none since the file was opened.
    private var lastSync: WallTime?
    /// True if ``tidy(at:)`` found nothing to delete, and nothing was added since.
    private var isTidy = false
    private var lastTidying: WallTime?
    /// The number of events that were added since ``lastTidying``.
    private var addedEvents = 0
    /// The time of the last commit that looked for candles to delete, or nil if there was none since the file was
    /// opened.
    private var lastCandleTidying: WallTime?
    /// True after the first opening. Only the first opening reports that other users may change the file.
    private var hasReportedExposures = false

    /// The maximum time between commits that wait for the disk, while polls bring no change.
    private static let syncPeriod = Milliseconds.seconds(60)
    /// The interval at which ``tidy(at:)`` looks for events that are too old, if nothing was added.
    private static let tidyPeriod = Milliseconds.seconds(60)
    /// The interval at which a commit that adds candles looks for candles that are too old or too many.
    private static let candleTidyPeriod = Milliseconds.seconds(600)

    /// Creates a closed store. No file is touched yet.
    package init(folder: String, options: StoreOptions = .init()) {
        folderPath = folder
        self.options = options
    }

    deinit {
        close()
    }

    /// True if the file is open, for writing or only for reading.
    package var isOpen: Bool { database != nil }
    /// True if the file is open but cannot be written.
    package var isReadOnly: Bool { database?.isReadOnly ?? false }

    /// Frees the cached pages.
    package func releaseMemory() { database?.releaseMemory() }

    /// Opens the file, or creates it. Closes it first if it is open.
    ///
    /// A damaged file is renamed, never deleted, and a new one is created with everything that can be read. A file
    /// that is not writable is opened read-only. A file of another version or of another program, or one that cannot
    /// be read at the moment, is left unchanged.
    ///
    /// - Parameter now: The current time, for file names and facts.
    /// - Returns: Notices for users about the file.
    /// - Throws: ``StorageError``: `in_use` if another daemon uses the folder, or the reason why the file cannot be
    ///   opened.
    package func open(at now: WallTime) throws(StorageError) -> [StoreNotice] {
        close()
        let folder = try lockFolder()
        let opener = StoreOpener(folder: folder, options: options, now: now, isSuspect: isSuspect)
        let (opened, notices) = try opener.open()
        isSuspect = false
        (lastSync, lastTidying, lastCandleTidying) = (nil, nil, nil)
        (isTidy, addedEvents) = (false, 0)
        lastNumber = try opened.events.lastNumber()
        let found = opened.isReadOnly ? nil : FileIdentities(folder.file)
        // From here on, no other file can get these identities, because the files are open.
        files = opened.hasMoved ? nil : found
        database = opened
        guard !hasReportedExposures else { return notices }
        hasReportedExposures = true
        return notices + folder.exposures.map(StoreNotice.exposed)
    }

    /// Closes the file after checkpointing the log. The folder stays locked.
    package func close() {
        drop()
    }

    private func drop() {
        database = nil
        files = nil
    }

    /// Closes the file and unlocks the folder, so that another process can use it.
    package func release() {
        close()
        folder = nil
    }

    /// Commits all of the changes or none. Once it returns, they survive a loss of power.
    ///
    /// The exception is a poll in which nothing changed: its commit waits for the disk only once a minute. In
    /// between, it survives the end of the process, but not a loss of power.
    ///
    /// - Parameter changes: The changes to store. After a failed commit, and after ``open(at:)``, they must include
    ///   everything that the store may lack; including what it already has does no harm.
    /// - Throws: ``StorageError``. The file then contains none of the changes, or all of them if both the device and
    ///   the machine failed in the last step. The next attempt may succeed.
    package func commit(_ changes: Transaction) throws(StorageError) {
        assert(
            zip(changes.events, changes.events.dropFirst()).allSatisfy { $0.number < $1.number },
            "events are in the order of their numbers")
        assert(Set(changes.sources.map(\.source)).count == changes.sources.count, "a source has its changes once")
        let database = try writable(at: changes.time)
        let isSynced = changes.mustBeSynced || changes.time.isDue(after: lastSync, Self.syncPeriod)
        let addsCandles = changes.sources.contains { !$0.candles.isEmpty }
        let isTidyingCandles = addsCandles && changes.time.isDue(after: lastCandleTidying, Self.candleTidyPeriod)
        let last = try guarded(database) { () throws(StorageError) in
            try database.setSynced(isSynced)
            var last = lastNumber
            try database.transaction { () throws(StorageError) in
                try database.write(changes)
                if !changes.rates.isEmpty { try database.rates.retain(options, at: changes.time) }
                if isTidyingCandles { try database.retainCandles(options, at: changes.time) }
                if let number = changes.events.last?.number {
                    try database.events.recordLastNumber(number, after: last)
                    if Schema.counters.contains(number) { last = max(last, number) }
                }
            }
            return last
        }
        lastNumber = last
        if isSynced { lastSync = changes.time }
        if changes.addsToKeep { isTidy = false }
        addedEvents += changes.events.count
        if isTidyingCandles { lastCandleTidying = changes.time }
    }

    /// Deletes some of the events that are too old or too many, and shrinks the file. Does not wait for the disk,
    /// because events that come back after a loss of power are deleted again.
    ///
    /// Each call deletes only a few events, but more than were added, so that the limits are reached without one slow
    /// commit. Call it when no notification is waiting.
    ///
    /// - Parameter now: The current time, from which the age of events is computed.
    /// - Throws: ``StorageError``.
    package func tidy(at now: WallTime) throws(StorageError) {
        guard let database, !isReadOnly, !isTidy || now.isDue(after: lastTidying, Self.tidyPeriod) else { return }
        try guarded(database) { () throws(StorageError) in
            let outdated = try database.events.outdated(options, at: now, added: addedEvents)
            let isShrinkable = try database.isShrinkable(options)
            isTidy = outdated == nil && !isShrinkable
            guard !isTidy else { return }
            try unsynced(database) { () throws(StorageError) in
                if let outdated { try database.events.remove(through: outdated) }
                if isShrinkable { try database.shrink() }
            }
        }
        (lastTidying, addedEvents) = (now, 0)
    }

    /// Stores the cursors of sinks without waiting for the disk. They survive the process, but not a loss of power.
    ///
    /// - Parameter cursors: The number of the last event delivered to each sink.
    /// - Throws: ``StorageError``.
    package func saveCursors(_ cursors: [String: Int64]) throws(StorageError) {
        let database = try openDatabase()
        guard !isReadOnly else { throw readOnlyError }
        try guarded(database) { () throws(StorageError) in
            try unsynced(database) { () throws(StorageError) in try database.cursors.write(cursors) }
        }
    }

    /// Stores changes of the queues of receivers without waiting for the disk, like ``saveCursors(_:)``.
    ///
    /// - Throws: ``StorageError``.
    package func saveQueues(_ changes: QueueChanges) throws(StorageError) {
        let database = try openDatabase()
        guard !isReadOnly else { throw readOnlyError }
        try guarded(database) { () throws(StorageError) in
            try unsynced(database) { () throws(StorageError) in try database.notifications.write(changes) }
        }
    }

    /// Commits without waiting for the disk. Commits are synced again afterwards, so that the next event does not
    /// have to wait until SQLite has changed the setting.
    private func unsynced(_ database: Database, _ body: () throws(StorageError) -> Void) throws(StorageError) {
        try database.setSynced(false)
        try database.transaction(body)
        try database.setSynced(true)
    }

    private func lockFolder() throws(StorageError) -> StateFolder {
        let found: StateFolder
        if let folder { found = folder } else { found = try StateFolder(folderPath) }
        try found.acquireLock()
        folder = found
        return found
    }

    func openDatabase() throws(StorageError) -> Database {
        guard let database else { throw StorageError(.closed, path: path, message: "the state file is not open") }
        return database
    }

    private var readOnlyError: StorageError {
        StorageError(.readOnly, path: path, message: "the state file cannot be written")
    }

    /// Returns the database for writing. A file that was opened read-only is opened again once it is writable.
    private func writable(at now: WallTime) throws(StorageError) -> Database {
        guard isReadOnly else { return try openDatabase() }
        guard try folder?.findFile() == .file(isWritable: true) else { throw readOnlyError }
        _ = try open(at: now)
        guard !isReadOnly else { throw readOnlyError }
        return try openDatabase()
    }

    /// Checks that the files still have their names, runs `body`, and closes the file after an error that requires
    /// it.
    private func guarded<Result>(
        _ database: Database, _ body: () throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        do throws(StorageError) {
            try checkFiles()
            return try body()
        } catch {
            if error.requiresReopening || !database.isIdle { abandon(database, error) }
            throw error
        }
    }

    /// Runs `body`, and closes the file if it is found to be damaged.
    func reading<Result>(_ body: (Database) throws(StorageError) -> Result) throws(StorageError) -> Result {
        let database = try openDatabase()
        do throws(StorageError) {
            return try body(database)
        } catch {
            if error.requiresReopening { abandon(database, error) }
            throw error
        }
    }

    private func checkFiles() throws(StorageError) {
        if let files, files.areInPlace { return }
        throw StorageError(.replaced, path: path, message: "the file was removed or replaced while it was open")
    }

    /// Closes a file that was damaged or replaced.
    private func abandon(_ database: Database, _ error: StorageError) {
        isSuspect = error.kind == .corrupt
        let files = self.files
        // If only the log or the shared memory lost its name, its contents can still be written to the file.
        if error.kind == .replaced, files?.isInPlace == true { database.checkpoint() }
        database.keepLogOnClose()
        drop()
        files?.removeOrphans()
    }
}

extension WallTime {
    /// Returns true if the period has passed since `last`, or if the clock was set back.
    fileprivate func isDue(after last: WallTime?, _ period: Milliseconds) -> Bool {
        guard let last else { return true }
        let passed = since(last)
        return passed < .zero || passed >= period
    }
}
