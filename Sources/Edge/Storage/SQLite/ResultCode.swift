internal import CSQLite
internal import Glibc

extension StorageError {
    /// Creates an error from a failed call on an open database.
    init(_ code: Int32, of connection: OpaquePointer?, path: String) {
        let extended = unsafe connection.map { unsafe sqlite3_extended_errcode($0) } ?? code
        // The connection remembers only its last error; the returned code takes precedence.
        let exact = extended & 0xFF == code & 0xFF ? extended : code
        let number = unsafe connection.map { unsafe sqlite3_system_errno($0) } ?? 0
        let text = unsafe connection.map { unsafe String(cString: sqlite3_errmsg($0)) } ?? Self.text(of: exact)
        let system = number != 0 && [SQLITE_IOERR, SQLITE_CANTOPEN].contains(exact & 0xFF)
        self.init(
            Self.kind(of: exact, errorNumber: number), path: path,
            message: system ? "\(text) (\(Self.text(ofErrorNumber: number)))" : text, code: exact)
    }

    /// Creates an error from a failed system call.
    init(errorNumber: Int32, path: String, doing what: String) {
        self.init(
            Self.kind(ofErrorNumber: errorNumber) ?? .io, path: path,
            message: "cannot \(what): \(Self.text(ofErrorNumber: errorNumber))")
    }

    static func text(of code: Int32) -> String {
        unsafe sqlite3_errstr(code).map { unsafe String(cString: $0) } ?? "result code \(code)"
    }

    private static func kind(of code: Int32, errorNumber: Int32) -> Kind {
        // SQLITE_CANTOPEN_SYMLINK and SQLITE_READONLY_DBMOVED, whose macros Swift does not import.
        if code == SQLITE_CANTOPEN | 6 << 8 { return .foreign }
        if code == SQLITE_READONLY | 4 << 8 { return .replaced }
        switch code & 0xFF {
        case SQLITE_FULL: return .full
        case SQLITE_READONLY: return .readOnly
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: return .locked
        case SQLITE_CORRUPT, SQLITE_NOTADB: return .corrupt
        case SQLITE_PERM, SQLITE_AUTH: return .denied
        case SQLITE_CANTOPEN: return kind(ofErrorNumber: errorNumber) ?? .denied
        case SQLITE_IOERR: return kind(ofErrorNumber: errorNumber) ?? .io
        default: return .other
        }
    }

    private static func kind(ofErrorNumber number: Int32) -> Kind? {
        switch number {
        case ENOSPC, EDQUOT: .full
        case EROFS: .readOnly
        case EACCES, EPERM, ENOENT, ENOTDIR: .denied
        case ELOOP: .foreign
        case EEXIST: .exists
        case EIO, EMFILE, ENFILE: .io
        default: nil
        }
    }

    private static func text(ofErrorNumber number: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard unsafe strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
