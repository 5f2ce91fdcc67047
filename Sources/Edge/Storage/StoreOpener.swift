internal import Market
internal import Time

/// Opens the state file in whatever condition it is.
struct StoreOpener {
    let folder: StateFolder
    let options: StoreOptions
    let now: WallTime
    /// Whether the file gave reason to look at all of it.
    let isSuspect: Bool

    func open() throws(StorageError) -> (Database, [StoreNotice]) {
        switch try folder.look() {
        case .nothing:
            try folder.makeFile()
            return (try openFile().database, [.created])
        case .file(isWritable: true): return try openOrReplace()
        case .file(isWritable: false):
            let error = StorageError(.readOnly, path: folder.file, message: "the state file cannot be written")
            return (try openReadOnly(), [.readOnly(error)])
        }
    }

    private func openOrReplace() throws(StorageError) -> (Database, [StoreNotice]) {
        do throws(StorageError) {
            let (database, found) = try openFile()
            let isOld = found > 0 && found < Schema.version
            return (database, isOld ? [.migrated(from: found, to: Schema.version)] : [])
        } catch {
            guard error.kind == .corrupt else { throw error }
            return try replace(error)
        }
    }

    /// Begins a new file with what can be read of the damaged one, which keeps its bytes under another name.
    private func replace(_ reason: StorageError) throws(StorageError) -> (Database, [StoreNotice]) {
        let old = openDamaged()
        let aside = try folder.setAside(at: now)
        do throws(StorageError) {
            let (database, salvaged) = try begin(with: old)
            return (database, [.setAside(path: aside, reason: reason, salvaged: salvaged)])
        } catch {
            // The next attempt is to find what there is to salvage once more.
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

    /// The damaged file, if it can be opened at all. From its first read on it has its log and shared memory, and can
    /// be read also under another name.
    private func openDamaged() -> Database? {
        guard let database = try? Database(path: folder.file, mode: .readOnly, vfs: options.vfs) else { return nil }
        database.keepLogOnClose()
        database.tolerateDamage()
        guard let version = try? Schema.check(database) else { return nil }
        try? Schema.bridge(database, from: version)
        return database
    }

    /// Opens, checks and migrates the file.
    private func openFile() throws(StorageError) -> (database: Database, version: Int64) {
        let database = try Database(path: folder.file, mode: .readWrite, vfs: options.vfs)
        // Until it is known whose file it is, nothing of it is changed.
        database.keepLogOnClose(true)
        let found = try Schema.check(database)
        guard !database.isReadOnly else {
            throw StorageError(.readOnly, path: folder.file, message: "the state file cannot be written")
        }
        if found == 0 { try database.pragma("PRAGMA auto_vacuum = INCREMENTAL") }
        try Schema.checkIntegrity(database, thoroughly: isSuspect)
        try configure(database)
        _ = try Schema.migrate(database)
        try Schema.checkTables(database)
        if found == 0 { try database.writeOrigin(options.creator, at: now) }
        // SQLite makes the log with the first read, and it is to be there when the files are looked at.
        _ = try database.number("SELECT count(*) FROM sqlite_schema")
        database.keepLogOnClose(false)
        return (database, found)
    }

    private func configure(_ database: Database) throws(StorageError) {
        guard try database.pragma("PRAGMA journal_mode = WAL") == "wal" else {
            throw StorageError(.other, path: folder.file, message: "the file system cannot hold a write-ahead log")
        }
        try database.pragma("PRAGMA synchronous = FULL")
        // Debian's SQLite writes zeros over all that is deleted; none of it is a secret.
        try database.pragma("PRAGMA secure_delete = OFF")
        // A log that a reader made grow is cut to 8 MiB when that reader is gone.
        try database.pragma("PRAGMA journal_size_limit = 8388608")
        database.setLogPages(options.logPages)
    }

    /// Without a log there is nothing but the file, which then is read as it is; with one, SQLite needs to know what of
    /// the log counts, and can only where it may use the -shm file.
    private func openReadOnly() throws(StorageError) -> Database {
        do throws(StorageError) {
            return try checked(Database(path: folder.file, mode: .readOnly, vfs: options.vfs))
        } catch {
            guard !folder.hasLog else { throw error }
            return try checked(Database(path: folder.file, mode: .immutable, vfs: options.vfs))
        }
    }

    private func checked(_ database: Database) throws(StorageError) -> Database {
        guard try Schema.check(database) == Schema.version else {
            throw StorageError(
                .readOnly, path: folder.file, message: "the file is of an older version and cannot be written")
        }
        return database
    }
}
