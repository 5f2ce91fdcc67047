internal import CSQLite

/// A value that is bound to a parameter of a statement.
enum SQLValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    static func optional(_ number: Int64?) -> Self { number.map(Self.integer) ?? .null }
    static func optional(_ text: String?) -> Self { text.map(Self.text) ?? .null }
    static func optional(_ bytes: [UInt8]?) -> Self { bytes.map(Self.blob) ?? .null }
}

/// A prepared statement. It is finalized when it is released, which must happen before its database is closed.
@safe
final class Statement {
    private let pointer: OpaquePointer
    private let connection: OpaquePointer
    private let path: String

    init(_ pointer: OpaquePointer, of connection: OpaquePointer, path: String) {
        unsafe self.pointer = pointer
        unsafe self.connection = connection
        self.path = path
    }

    deinit {
        unsafe sqlite3_finalize(pointer)
    }

    /// Binds all parameters, runs the statement, and calls `body` with each row until it returns false.
    ///
    /// The statement is always reset afterwards, even after an error, so that it does not keep a transaction open.
    func run(
        _ values: [SQLValue], _ body: (inout Row) throws(StorageError) -> Bool = { _ throws(StorageError) in true }
    ) throws(StorageError) {
        defer {
            unsafe sqlite3_reset(pointer)
            unsafe sqlite3_clear_bindings(pointer)
        }
        let places = unsafe Int(sqlite3_bind_parameter_count(pointer))
        precondition(places == values.count, "a statement with \(places) places got \(values.count) values")
        for (index, value) in values.enumerated() {
            try check(bind(value, at: Int32(truncatingIfNeeded: index + 1)))
        }
        while true {
            let code = unsafe sqlite3_step(pointer)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else { throw unsafe StorageError(code, of: connection, path: path) }
            var row = unsafe Row(pointer, path: path)
            guard try body(&row) else { return }
        }
    }

    private func bind(_ value: SQLValue, at place: Int32) -> Int32 {
        switch value {
        case .null: return unsafe sqlite3_bind_null(pointer, place)
        case .integer(let number): return unsafe sqlite3_bind_int64(pointer, place, number)
        case .text(let text):
            var text = text
            return text.withUTF8 {
                unsafe alertd_sqlite_bind_text(pointer, place, $0.baseAddress, UInt64($0.count))
            }
        case .blob(let bytes):
            return unsafe bytes.withUnsafeBytes {
                unsafe alertd_sqlite_bind_blob(pointer, place, $0.baseAddress, UInt64($0.count))
            }
        }
    }

    private func check(_ code: Int32) throws(StorageError) {
        guard code == SQLITE_OK else { throw unsafe StorageError(code, of: connection, path: path) }
    }
}

/// The current row of a statement. Its columns are read in order.
///
/// Tables are STRICT, so a column of the wrong type means that the file is damaged.
@safe
struct Row: ~Copyable {
    private let pointer: OpaquePointer
    private let path: String
    private var column: Int32 = 0
    /// The first value that could not be interpreted, with the name of its column, or nil if there is none.
    private(set) var problem: String?

    init(_ pointer: OpaquePointer, path: String) {
        unsafe self.pointer = pointer
        self.path = path
    }

    mutating func optionalInteger() throws(StorageError) -> Int64? {
        guard try isPresent(SQLITE_INTEGER) else { return nil }
        return unsafe sqlite3_column_int64(pointer, column - 1)
    }

    mutating func optionalText() throws(StorageError) -> String? {
        try isPresent(SQLITE3_TEXT) ? lastText() : nil
    }

    /// Reads the next column as text, whatever its type. For the results of pragmas.
    mutating func anyText() -> String {
        column += 1
        return lastText()
    }

    private func lastText() -> String {
        let bytes = unsafe sqlite3_column_text(pointer, column - 1)
        let count = unsafe Int(sqlite3_column_bytes(pointer, column - 1))
        return unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    mutating func optionalBlob() throws(StorageError) -> [UInt8]? {
        guard try isPresent(SQLITE_BLOB) else { return nil }
        let bytes = unsafe sqlite3_column_blob(pointer, column - 1)
        let count = unsafe Int(sqlite3_column_bytes(pointer, column - 1))
        return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    }

    mutating func integer() throws(StorageError) -> Int64 { try present(optionalInteger()) }
    mutating func text() throws(StorageError) -> String { try present(optionalText()) }
    mutating func blob() throws(StorageError) -> [UInt8] { try present(optionalBlob()) }

    /// True if every value so far could be interpreted.
    var isUnderstood: Bool { problem == nil }

    /// Records that the value of the last column makes no sense. The row is left out, but the file is not damaged.
    mutating func reject(_ value: String) {
        guard problem == nil else { return }
        let name = unsafe sqlite3_column_name(pointer, column - 1).map { unsafe String(cString: $0) }
        let isLong = value.utf8.count > Self.shownBytes
        let shown = String(decoding: value.utf8.prefix(Self.shownBytes), as: UTF8.self)
        problem = "\(name ?? "a column") is '\(shown)\(isLong ? "…" : "")'"
    }

    private static let shownBytes = 40

    /// Returns the error for an invalid row.
    func damage(_ what: String) -> StorageError {
        StorageError(.corrupt, path: path, message: what)
    }

    /// Moves to the next column. Returns true if it is not NULL, and throws if it has another type.
    private mutating func isPresent(_ type: Int32) throws(StorageError) -> Bool {
        let found = unsafe sqlite3_column_type(pointer, column)
        column += 1
        guard found != SQLITE_NULL else { return false }
        guard found == type else { throw damage("a column has the wrong type") }
        return true
    }

    private func present<Value>(_ value: Value?) throws(StorageError) -> Value {
        guard let value else { throw damage("a required column is NULL") }
        return value
    }
}
