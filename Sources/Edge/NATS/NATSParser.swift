/// A parser that splits the bytes from a NATS server into operations (docs.nats.io,
/// reference/reference-protocols/nats-protocol): lines that end with CRLF, some of them followed by a payload of the
/// given length.
struct NATSParser {
    /// A fault in the bytes, after which nothing can be read.
    struct Fault: Error, Equatable {
        var text: String
    }

    /// The maximum length of a line in bytes. The first line that a server sends describes the server, with the
    /// addresses of its cluster.
    static let lineLimit = 64 << 10
    /// The maximum length of a payload in bytes. Replies are below a kilobyte, and a value of a key-value store has
    /// at most this length.
    static let payloadLimit = 1 << 20

    private var buffer: [UInt8] = []
    private var start = 0
    /// The message whose payload follows.
    private var pending: Pending?

    private struct Pending {
        var subject: String
        var headerCount: Int
        var count: Int
    }

    mutating func append(_ bytes: [UInt8]) {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer += bytes
    }

    /// Returns the next complete operation; nil if more bytes are needed.
    mutating func next() throws(Fault) -> NATSOperation? {
        if let pending { return try payload(of: pending) }
        guard let end = buffer[start...].firstIndex(of: 0x0A) else {
            guard buffer.count - start <= Self.lineLimit else { throw Fault(text: "a line is too long") }
            return nil
        }
        var line = buffer[start..<end]
        start = end + 1
        if line.last == 0x0D { line.removeLast() }
        guard line.count <= Self.lineLimit else { throw Fault(text: "a line is too long") }
        return try operation(line)
    }

    private mutating func operation(_ line: ArraySlice<UInt8>) throws(Fault) -> NATSOperation? {
        let word = line.prefix { $0 != 0x20 && $0 != 0x09 }
        let rest = line.dropFirst(word.count).drop { $0 == 0x20 || $0 == 0x09 }
        switch String(decoding: word, as: UTF8.self).uppercased() {
        case "INFO": return .info(Array(rest))
        case "PING": return .ping
        case "PONG": return .pong
        case "+OK": return .ok
        case "-ERR": return .error(printable(rest.filter { $0 != 0x27 }))
        case "MSG": return try begin(rest, hasHeader: false)
        case "HMSG": return try begin(rest, hasHeader: true)
        default: throw Fault(text: "an unknown operation: \(printable(word.prefix(20)))")
        }
    }

    /// Parses `SUBJECT ID [REPLY-TO] [HEADER-BYTES] BYTES`.
    private mutating func begin(_ line: ArraySlice<UInt8>, hasHeader: Bool) throws(Fault) -> NATSOperation? {
        let words = line.split(whereSeparator: { $0 == 0x20 || $0 == 0x09 }).map { String(decoding: $0, as: UTF8.self) }
        let counts = words.suffix(hasHeader ? 2 : 1).compactMap { UInt32($0).map(Int.init) }
        let least = hasHeader ? 4 : 3
        guard (least...least + 1).contains(words.count), counts.count == (hasHeader ? 2 : 1),
            let count = counts.last, let headerCount = hasHeader ? counts.first : 0, headerCount <= count
        else { throw Fault(text: "a message without its length") }
        guard count <= Self.payloadLimit else { throw Fault(text: "a message is too long") }
        let message = Pending(subject: words[0], headerCount: headerCount, count: count)
        pending = message
        return try payload(of: message)
    }

    private mutating func payload(of message: Pending) throws(Fault) -> NATSOperation? {
        guard buffer.count - start >= message.count + 2 else { return nil }
        let body = buffer[start..<start + message.count]
        let end = buffer[(start + message.count)...].prefix(2)
        guard end.elementsEqual([0x0D, 0x0A]) else { throw Fault(text: "a message longer than its length") }
        start += message.count + 2
        pending = nil
        let header = body.prefix(message.headerCount)
        return .message(
            subject: message.subject,
            reply: NATSReply(status: Self.status(header), payload: Array(body.dropFirst(message.headerCount))))
    }

    /// Returns the number in `NATS/1.0 503 No Responders`; nil without one.
    private static func status(_ header: ArraySlice<UInt8>) -> Int? {
        let line = header.prefix { $0 != 0x0D && $0 != 0x0A }
        let words = line.split(separator: 0x20)
        guard words.count > 1 else { return nil }
        return Int(String(decoding: words[1], as: UTF8.self))
    }
}

/// Returns the bytes for a message: at most 200 characters, with `?` in place of everything but printable ASCII.
func printable(_ bytes: some Sequence<UInt8>) -> String {
    String(bytes.prefix(200).map { (0x20...0x7E).contains($0) ? Character(Unicode.Scalar($0)) : "?" })
}
