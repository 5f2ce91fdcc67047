internal import Events
package import Market
package import Receivers
package import Time

/// What a user should know about how the state file was opened.
package enum StoreNotice: Equatable, Sendable {
    /// There was none, and an empty one was created.
    case created
    /// There was one without tables, whose log had been removed.
    case emptied
    /// It was damaged: it is at `path` now, and a new one was created with what could be read.
    case setAside(path: String, reason: StorageError, salvaged: Salvaged)
    /// It can be read but not written.
    case readOnly(StorageError)
    /// Other users may change it or its folder; what is wrong, with the command that corrects it. It is used
    /// anyway, as a daemon that does not start notifies nobody.
    case exposed(String)
}

/// How much of a damaged file could be recovered.
package struct Salvaged: Equatable, Sendable {
    /// The number of events.
    package var events = 0
    /// The greatest number of an event; 0 when none could be read, so that numbers begin at 1 again.
    package var lastNumber: Int64 = 0
    /// The number of blocks of history.
    package var blocks = 0
}

/// How much is kept, and how the file is accessed.
package struct StoreOptions: Sendable {
    /// How long events are kept.
    package var keepEvents: Milliseconds
    /// The maximum number of events kept. A million of about 400 bytes: 400 MB.
    package var mostEvents: Int64
    /// How long candles are kept.
    var keepCandles = Milliseconds.seconds(30 * 86_400)
    /// The maximum number of candles kept, roughly: a day of 138 symbols with a trade in every minute. 200,000 of about
    /// 80 bytes: 16 MB.
    var mostCandles: Int64 = 200_000
    /// The source that the prices and alerts of a damaged file belong to, when it lacks the names of its sources.
    package var firstSource: SourceName
    /// The program and version that is noted as the creator of the file.
    package var creator: String
    /// The size of the log, in pages of 4 KiB, at which it is checkpointed: 1,000 keep it at about 4 MiB.
    package var logPages: Int32 = 1_000
    /// The number of free pages above which the file is shrunk; a quarter of the file may always be free.
    var freePages: Int64 = 256
    /// The name of a registered SQLite VFS to use; nil for the system's own.
    package var vfs: String?

    /// The defaults: 365 days of events, at most 1,000,000 of them; damaged files without names of sources are
    /// WazirX's.
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
/// A store is made once and opened as often as needed: after an error whose ``StorageError/requiresReopening`` is true
/// it is closed and has to be opened again with ``open(at:)``. The folder stays locked all the time. It is not
/// thread-safe.
package final class Store {
    /// The path of the folder as it was given.
    package let folderPath: String
    /// Takes effect with the next commit; `logPages` and `vfs` with the next opening.
    package var options: StoreOptions {
        didSet { isTidy = false }
    }

    /// The path of the file, resolved once the folder was found.
    package var path: String { folder?.file ?? "\(folderPath)/\(StateFolder.fileName)" }

    private var folder: StateFolder?
    private(set) var database: Database?
    private var files: FileIdentities?
    /// Whether it was closed because the file was found to be damaged.
    private var isSuspect = false
    /// The greatest number that an event ever had.
    package private(set) var lastNumber: Int64 = 0
    /// When a commit last waited for the disk; nil since the file was opened.
    private var lastSync: WallTime?
    /// Whether the last look for something to delete found nothing, and when that was.
    private var isTidy = false
    private var lastTidying: WallTime?
    /// The number of events that were added since then.
    private var addedEvents = 0
    /// When a commit last looked for candles to delete; nil since the file was opened.
    private var lastCandleTidying: WallTime?
    /// Whether it was reported what others may change.
    private var hasReportedExposures = false

    /// How long commits of polls in which nothing changed may continue without waiting for the disk.
    private static let syncPeriod = Milliseconds.seconds(60)
    /// How often ``tidy(at:)`` looks for events that are too old, when nothing was added.
    private static let tidyPeriod = Milliseconds.seconds(60)
    /// How often a commit that adds candles looks for those that are too old or too many.
    private static let candleTidyPeriod = Milliseconds.seconds(600)

    /// Makes a closed store; no file is touched yet.
    package init(folder: String, options: StoreOptions = .init()) {
        folderPath = folder
        self.options = options
    }

    deinit {
        close()
    }

    /// Whether the file is open, for writing or only for reading.
    package var isOpen: Bool { database != nil }
    /// Whether it is open and cannot be written.
    package var isReadOnly: Bool { database?.isReadOnly ?? false }

    /// Frees the pages that are cached.
    package func releaseMemory() { database?.releaseMemory() }

    /// Opens the file, or creates it; closes it first if it is open.
    ///
    /// A damaged file is renamed, never deleted, and a new one is created with what can be read of it. A file that is
    /// not writable is opened read-only. A file of another version, of another program, or one that cannot be read at
    /// the moment is left unchanged.
    ///
    /// - Parameter now: the current time, for names and facts.
    /// - Returns: what a user should know about it.
    /// - Throws: ``StorageError``: `in_use` when another daemon uses the folder, or why the file cannot be opened.
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
        // From here on, no other file can get their identities, as they are open.
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

    /// Commits all of the changes or none: once it returns, they survive a loss of power.
    ///
    /// A poll in which no price changed, and that changed nothing else, survives only the process, unless the last
    /// commit that waited for the disk was a minute ago.
    ///
    /// - Parameter changes: what to store. After a failed commit, and after ``open(at:)``, they have to include
    ///   everything that the store may lack; what it already has does no harm.
    /// - Throws: ``StorageError``. The file then contains none of the changes, or all of them if the device failed in
    ///   the last step and the machine with it; the next attempt may succeed.
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
                    try database.events.noteLastNumber(number, after: last)
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

    /// Deletes some of what is no longer kept, if there may be something, without waiting for the disk: what comes back
    /// after a loss of power is deleted again.
    ///
    /// Each call deletes a few, but more events than were added, so that the limits are reached without one slow
    /// commit. To be called when no notification waits.
    ///
    /// - Parameter now: the current time, from which the age of events is computed.
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

    /// Stores the cursors of sinks without waiting for the disk: they survive the process, but not a loss of power.
    ///
    /// - Parameter cursors: the number of the last event that each sink was given.
    /// - Throws: ``StorageError``.
    package func saveCursors(_ cursors: [String: Int64]) throws(StorageError) {
        let database = try openDatabase()
        guard !isReadOnly else { throw readOnlyError }
        try guarded(database) { () throws(StorageError) in
            try unsynced(database) { () throws(StorageError) in try database.cursors.write(cursors) }
        }
    }

    /// Stores changes of the queues of receivers without waiting for the disk, as ``saveCursors(_:)`` does.
    ///
    /// - Throws: ``StorageError``.
    package func saveQueues(_ changes: QueueChanges) throws(StorageError) {
        let database = try openDatabase()
        guard !isReadOnly else { throw readOnlyError }
        try guarded(database) { () throws(StorageError) in
            try unsynced(database) { () throws(StorageError) in try database.notifications.write(changes) }
        }
    }

    /// Commits without waiting for the disk. After that, commits are synced again: the next event does not have to wait
    /// until SQLite has changed that.
    private func unsynced(_ database: Database, _ body: () throws(StorageError) -> Void) throws(StorageError) {
        try database.setSynced(false)
        try database.transaction(body)
        try database.setSynced(true)
    }

    private func lockFolder() throws(StorageError) -> StateFolder {
        let found: StateFolder
        if let folder { found = folder } else { found = try StateFolder(folderPath) }
        try found.takeLock()
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

    /// The database for writing; a file that was opened read-only is opened again once it is writable.
    private func writable(at now: WallTime) throws(StorageError) -> Database {
        guard isReadOnly else { return try openDatabase() }
        guard try folder?.look() == .file(isWritable: true) else { throw readOnlyError }
        _ = try open(at: now)
        guard !isReadOnly else { throw readOnlyError }
        return try openDatabase()
    }

    /// Checks that the file still has its name, and closes it after an error that requires it.
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

    /// Reads, and closes a file that is found to be damaged.
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
    /// Whether the period has passed since then; true also when the clock was set back.
    fileprivate func isDue(after last: WallTime?, _ period: Milliseconds) -> Bool {
        guard let last else { return true }
        let passed = since(last)
        return passed < .zero || passed >= period
    }
}
