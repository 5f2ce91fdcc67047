internal import Market
package import Time

/// What a user is notified about how the state file was opened.
package enum StoreNotice: Equatable, Sendable {
    /// There was none, and an empty one was made.
    case created
    /// It was of an older version, and is of the present one now.
    case migrated(from: Int64, to: Int64)
    /// It was damaged; it lies at the path now, and a new one was begun with what could be read.
    case setAside(path: String, reason: StorageError, salvaged: Salvaged)
    /// It can be read but not written.
    case readOnly(StorageError)
}

/// How much of a damaged file could be read.
package struct Salvaged: Equatable, Sendable {
    /// How many events.
    package var events = 0
    /// The greatest number of an event; 0 when none could be read: numbers begin at 1 again.
    package var lastNumber: Int64 = 0
    /// How many blocks of history.
    package var blocks = 0
}

/// How much is kept, and how the file is reached.
package struct StoreOptions: Sendable {
    /// How long events are kept.
    package var keepEvents: Milliseconds
    /// How many events are kept at most. A million of some 400 bytes: 400 MB.
    package var mostEvents: Int64
    /// What made the file: the program and its version.
    package var creator: String
    /// After how many pages of 4 KiB the log goes into the file itself: 1,000 keep it at some 4 MiB.
    package var logPages: Int32 = 1_000
    /// How many pages may be free before the file is made smaller; a quarter of it may always be.
    var freePages: Int64 = 256
    /// The name of a registered SQLite VFS to go through; the system's own when nil.
    package var vfs: String?

    package init(
        keepEvents: Milliseconds = .seconds(365 * 86_400), mostEvents: Int64 = 1_000_000, creator: String = "alertd"
    ) {
        self.keepEvents = keepEvents
        self.mostEvents = mostEvents
        self.creator = creator
    }
}

/// Everything that must outlive the process, in one SQLite file: `alertd.db` in the state folder.
///
/// A store is made once, and opened as often as it takes: after an error whose ``StorageError/requiresReopening`` is
/// true it is closed, and ``open(at:)`` begins anew. The folder stays locked all the time. It is for one thread.
package final class Store {
    /// The folder as it was given.
    package let folderPath: String
    package var options: StoreOptions

    /// The file, once the folder was found.
    package var path: String { folder?.file ?? "\(folderPath)/\(StateFolder.fileName)" }

    private var folder: StateFolder?
    private(set) var database: Database?
    private var files: FileIdentities?
    /// Whether it was closed because the file turned out to be damaged.
    private var isSuspect = false
    /// The greatest number that an event ever had.
    package private(set) var lastNumber: Int64 = 0

    /// Makes a store that is closed; nothing is touched yet.
    package init(folder: String, options: StoreOptions = .init()) {
        folderPath = folder
        self.options = options
    }

    package var isOpen: Bool { database != nil }
    /// Whether it is open and cannot be written.
    package var isReadOnly: Bool { database?.isReadOnly ?? false }

    /// Opens the file, or makes it; closes it first if it is open.
    ///
    /// A damaged file is set aside under another name, never deleted, and a new one is begun with what can be read of
    /// it. A file that can only be read is opened for that. A file of a newer version, of another program, or one that
    /// cannot be read now is left as it is.
    ///
    /// - Parameter now: the present time, for names and facts.
    /// - Returns: what a user should know about it.
    /// - Throws: ``StorageError``: `in_use` when another daemon keeps its state in the folder, or why it cannot be
    ///   opened.
    package func open(at now: WallTime) throws(StorageError) -> [StoreNotice] {
        close()
        let folder = try lockFolder()
        let opener = StoreOpener(folder: folder, options: options, now: now, isSuspect: isSuspect)
        let (opened, notices) = try opener.open()
        isSuspect = false
        lastNumber = try opened.lastEventNumber()
        files = opened.isReadOnly ? nil : FileIdentities(folder.file)
        database = opened
        return notices
    }

    /// Closes the file in order: what the log holds goes into the file itself. The folder stays locked.
    package func close() {
        database = nil
        files = nil
    }

    /// Closes the file in order and gives the folder up, so that another process may keep its state there.
    package func release() {
        close()
        folder = nil
    }

    /// Commits all of the changes or nothing of them: when it returns, they outlive a loss of power.
    ///
    /// - Parameter changes: what is to be stored. After a commit that failed, and after ``open(at:)``, all that the
    ///   store may lack has to be in them; what it has already does no harm.
    /// - Throws: ``StorageError``. The file then holds none of the changes, or, when the device failed in the last step
    ///   and the machine with it, all of them; the next attempt may succeed.
    package func commit(_ changes: StoreChanges) throws(StorageError) {
        let database = try writable(at: changes.time)
        let last = try guarded(database) { () throws(StorageError) in
            var last: Int64 = 0
            try database.transaction { () throws(StorageError) in
                try database.write(changes)
                try database.retain(options, at: changes.time, added: changes.events.count)
                if !changes.rates.isEmpty { try database.retainRates(options, at: changes.time) }
                try database.shrink(options)
                last = try database.lastEventNumber()
            }
            return last
        }
        lastNumber = last
    }

    /// Stores what sinks were given, without waiting for the disk: it outlives the process, but not a loss of power.
    ///
    /// - Parameter cursors: the number of the last event that each sink was given.
    /// - Throws: ``StorageError``.
    package func saveCursors(_ cursors: [String: Int64]) throws(StorageError) {
        let database = try openDatabase()
        guard !isReadOnly else { throw readOnlyError }
        try guarded(database) { () throws(StorageError) in
            try database.pragma("PRAGMA synchronous = NORMAL")
            defer { _ = try? database.pragma("PRAGMA synchronous = FULL") }
            try database.transaction { () throws(StorageError) in try database.write(cursors: cursors) }
        }
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

    /// The database for writing; a file that could only be read is opened anew as soon as it can be written.
    private func writable(at now: WallTime) throws(StorageError) -> Database {
        guard isReadOnly else { return try openDatabase() }
        guard try folder?.look() == .file(isWritable: true) else { throw readOnlyError }
        _ = try open(at: now)
        guard !isReadOnly else { throw readOnlyError }
        return try openDatabase()
    }

    /// Makes sure that the file is still the one with its name, and closes it after an error that asks for that.
    private func guarded<Result>(
        _ database: Database, _ body: () throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        do throws(StorageError) {
            try checkFiles(database)
            return try body()
        } catch {
            if error.requiresReopening || !database.isIdle { abandon(database, error) }
            throw error
        }
    }

    /// Reads; a file that turns out to be damaged is closed.
    func reading<Result>(_ body: (Database) throws(StorageError) -> Result) throws(StorageError) -> Result {
        let database = try openDatabase()
        do throws(StorageError) {
            return try body(database)
        } catch {
            if error.requiresReopening { abandon(database, error) }
            throw error
        }
    }

    private func checkFiles(_ database: Database) throws(StorageError) {
        if let files, files == FileIdentities(path), !database.hasMoved { return }
        throw StorageError(.replaced, path: path, message: "the file was removed or replaced while it was open")
    }

    /// Lets go of a file that is not what it was.
    private func abandon(_ database: Database, _ error: StorageError) {
        isSuspect = error.kind == .corrupt
        let files = self.files
        // Only the log or the shared memory lost its name: what they hold still goes where it belongs.
        if error.kind == .replaced, files?.isInPlace(path) == true { database.checkpoint() }
        database.keepLogOnClose()
        close()
        files?.removeOrphans(path)
    }
}
