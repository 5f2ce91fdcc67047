internal import CTLS

/// The client side of TLS on a connection that begins without it: bytes in, bytes out.
@safe
final class TLSSession {
    enum Step<Value> {
        case done(Value)
        /// The server must send something first.
        case waits
        /// The server has ended the session.
        case ended
    }

    private let session: OpaquePointer
    private static let portion = 16 << 10

    /// Starts a session with a host, which must have a trusted certificate.
    ///
    /// - Throws: `authorityFile` if there are no certificates to trust.
    init(host: String, authorityFile: String?) throws(HTTPError) {
        let (session, reason) = unsafe Self.explained { unsafe alertd_tls_new(host, authorityFile, $0) }
        guard let session = unsafe session else { throw .authorityFile(reason) }
        unsafe self.session = unsafe session
    }

    deinit { unsafe alertd_tls_free(session) }

    /// Passes bytes from the server to the session.
    func ingest(_ bytes: [UInt8]) throws(HTTPError) {
        guard unsafe alertd_tls_take(session, bytes, bytes.count) else { throw .other("out of memory") }
    }

    /// Returns the bytes to send to the server now.
    func output() -> [UInt8] {
        var all: [UInt8] = []
        var portion = [UInt8](repeating: 0, count: Self.portion)
        while true {
            let count = unsafe alertd_tls_give(session, &portion, portion.count)
            guard count > 0 else { return all }
            all += portion.prefix(count)
        }
    }

    /// Starts or continues the handshake.
    func shakeHands() throws(HTTPError) -> Step<Void> {
        let (state, reason) = unsafe Self.explained { unsafe alertd_tls_shake_hands(session, $0) }
        return try Self.step(state, (), reason)
    }

    /// Decrypts received bytes.
    func read() throws(HTTPError) -> Step<[UInt8]> {
        var portion = [UInt8](repeating: 0, count: Self.portion)
        var count = 0
        let (state, reason) = unsafe Self.explained {
            unsafe alertd_tls_read(session, &portion, portion.count, &count, $0)
        }
        return try Self.step(state, Array(portion.prefix(count)), reason)
    }

    /// Encrypts bytes; ``output()`` then returns the encrypted ones.
    func write(_ bytes: [UInt8]) throws(HTTPError) {
        guard !bytes.isEmpty else { return }
        let (state, reason) = unsafe Self.explained { unsafe alertd_tls_write(session, bytes, bytes.count, $0) }
        guard case .done = try Self.step(state, (), reason) else { throw .truncated }
    }

    private static func step<Value>(
        _ state: alertd_tls_state, _ value: Value, _ reason: String
    ) throws(HTTPError) -> Step<Value> {
        switch state {
        case ALERTD_TLS_OK: .done(value)
        case ALERTD_TLS_WAITS: .waits
        case ALERTD_TLS_ENDED: .ended
        default: throw .tls(reason)
        }
    }

    /// Calls a function of CTLS, and returns its result with the reason that it may have written.
    @unsafe
    private static func explained<Result>(
        _ call: (UnsafeMutablePointer<CChar>?) -> Result
    ) -> (result: Result, reason: String) {
        var text = [CChar](repeating: 0, count: Int(ALERTD_TLS_REASON_BYTES))
        let result = unsafe text.withUnsafeMutableBufferPointer { unsafe call($0.baseAddress) }
        let reason = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return (result, printable(String(decoding: reason, as: UTF8.self)))
    }
}
