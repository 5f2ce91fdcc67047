internal import Market
internal import Time

/// An opener of the state file, whatever the condition of the file.
struct StoreOpener {
    let folder: StateFolder
    let options: StoreOptions
    let now: WallTime
    /// True if indexes must be checked as well, because the file was closed as damaged.
    let isSuspect: Bool

    func open() throws(StorageError) -> (Database, [StoreNotice]) {
        switch try folder.findFile() {
        case .nothing:
            try folder.makeFile()
            return (try openFile().database, [.created])
        case .file(isWritable: true): return try openOrReplace()
        case .file(isWritable: false):
            let fault = logFault
            let message = "the state file cannot be written" + (fault.map { ", and \($0.message)" } ?? "")
            let error = StorageError(.readOnly, path: folder.file, message: message)
            return (try openReadOnly(ignoresLog: fault != nil), [.readOnly(error)])
        }
    }

    /// The reason why the log cannot be used, or nil if it can be used or there is none.
    private var logFault: StorageError? {
        do throws(StorageError) {
            try WriteAheadLog.check(of: folder.file)
            return nil
        } catch {
            return error
        }
    }

    private func openOrReplace() throws(StorageError) -> (Database, [StoreNotice]) {
        do throws(StorageError) {
            try WriteAheadLog.check(of: folder.file)
            let lacksLog = folder.lacksLog
            let (database, isNew) = try openFile()
            return (database, isNew && lacksLog ? [.emptied] : [])
        } catch {
            guard error.kind == .corrupt else { throw error }
            return try replace(error)
        }
    }

    /// Starts a new file with everything that can be read of the damaged one, which is kept unchanged under another
    /// name.
    private func replace(_ reason: StorageError) throws(StorageError) -> (Database, [StoreNotice]) {
        let old = openDamaged()
        let aside = try folder.setAside(at: now)
        do throws(StorageError) {
            let (database, salvaged) = try begin(with: old)
            return (database, [.setAside(path: aside, reason: reason, salvaged: salvaged)])
        } catch {
            // The next attempt must find the file again to salvage it.
            folder.putBack(aside)
            throw error
        }
    }

    private func begin(with old: Database?) throws(StorageError) -> (Database, Salvaged) {
        try folder.makeFile()
        let database = try openFile().database
        guard let old else { return (database, Salvaged()) }
        return (database, try Salvage(old: old, new: database, options: options).run())
    }

    /// Opens the damaged file if possible. The first read also opens its log and shared memory, so the file can be
    /// read even after it is renamed.
    private func openDamaged() -> Database? {
        guard let database = try? Database(path: folder.file, mode: .readOnly, vfs: options.vfs) else { return nil }
        database.keepLogOnClose()
        database.tolerateDamage()
        guard (try? Schema.check(database)) != nil else { return nil }
        return database
    }

    /// Opens and checks the file. Creates the tables in an empty file.
    private func openFile() throws(StorageError) -> (database: Database, isNew: Bool) {
        let database = try Database(path: folder.file, mode: .readWrite, vfs: options.vfs)
        // Nothing is changed until the file is known to be alertd's.
        database.keepLogOnClose(true)
        let isNew = try !Schema.check(database)
        guard !database.isReadOnly else {
            throw StorageError(.readOnly, path: folder.file, message: "the state file cannot be written")
        }
        if isNew { try database.pragma("PRAGMA auto_vacuum = INCREMENTAL") }
        try Schema.checkIntegrity(database, thoroughly: isSuspect)
        try configure(database)
        if isNew { try Schema.create(in: database) }
        try Schema.checkTables(database)
        try Schema.checkCounters(database)
        try database.sources.check()
        if isNew { try database.writeOrigin(options.creator, at: now) }
        // SQLite creates the log at the first read. The log must exist before the files are identified.
        _ = try database.number("SELECT count(*) FROM sqlite_schema")
        database.keepLogOnClose(false)
        return (database, isNew)
    }

    private func configure(_ database: Database) throws(StorageError) {
        guard try database.pragma("PRAGMA journal_mode = WAL") == "wal" else {
            throw StorageError(.other, path: folder.file, message: "the file system does not support a write-ahead log")
        }
        try database.setSynced(true)
        // Debian's SQLite overwrites deleted data with zeros by default; none of it is secret.
        try database.pragma("PRAGMA secure_delete = OFF")
        // A log that grew because of a reader is truncated to 8 MiB when that reader is gone.
        try database.pragma("PRAGMA journal_size_limit = 8388608")
        database.setLogPages(options.logPages)
    }

    /// Opens the file for reading. Without a log, the file can be read on its own. With a log, SQLite needs the -shm
    /// file to find out which part of the log is valid.
    private func openReadOnly(ignoresLog: Bool) throws(StorageError) -> Database {
        do throws(StorageError) {
            return try checked(Database(path: folder.file, mode: .readOnly, vfs: options.vfs))
        } catch {
            guard !folder.hasLog || ignoresLog else { throw error }
            return try checked(Database(path: folder.file, mode: .immutable, vfs: options.vfs))
        }
    }

    private func checked(_ database: Database) throws(StorageError) -> Database {
        guard try Schema.check(database) else {
            throw StorageError(.readOnly, path: folder.file, message: "the state file is empty and cannot be written")
        }
        try Schema.checkLastNumber(database)
        return database
    }
}
