internal import JSON
internal import Text

/// A key of a key-value store, which is a stream of JetStream with one message for each key
/// (nats-io/nats-architecture-and-design, adr/ADR-8.md).
package struct NATSKey: Equatable, Sendable {
    /// The name of the bucket: letters, digits, dashes and underscores.
    package var bucket: String
    /// The name of the key, with the same characters.
    package var name: String

    package init(bucket: String, name: String) {
        self.bucket = bucket
        self.name = name
    }

    private var subject: String { "$KV.\(bucket).\(name)" }
    private var stream: String { "KV_\(bucket)" }
}

/// The value of a key.
package struct NATSValue: Equatable, Sendable {
    /// The number of the change that set the value; 0 if the key has never had a value.
    package var revision: UInt64
    /// The content as it was written; empty if it cannot be decoded.
    package var bytes: [UInt8]

    package init(revision: UInt64, bytes: [UInt8]) {
        self.revision = revision
        self.bytes = bytes
    }
}

extension NATSKey {
    /// The result of a change.
    package enum Change: Equatable, Sendable {
        case done(revision: UInt64)
        /// The value no longer has the revision that the change should replace.
        case conflict
    }

    /// JetStream's error code for a conflict: "wrong last sequence".
    private static let wrongSequence = 10_071
    /// JetStream's error codes for "message not found" and "stream not found".
    private static let (noMessage, noStream) = (10_037, 10_059)

    /// The request that creates the store, which keeps one value for each key.
    package var creation: NATSRequest {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("name", stream)
        writer.key("subjects")
        writer.beginArray()
        writer.string("$KV.\(bucket).>")
        writer.endArray()
        for (name, value) in [("retention", "limits"), ("storage", "file"), ("discard", "new")] {
            writer.key(name)
            writer.string(value)
        }
        for name in ["allow_rollup_hdrs", "deny_delete", "allow_direct"] {
            writer.key(name)
            writer.bool(true)
        }
        writer.key("max_msgs_per_subject")
        writer.integer(1)
        writer.key("num_replicas")
        writer.integer(1)
        writer.endObject()
        return NATSRequest("$JS.API.STREAM.CREATE.\(stream)", payload: writer.bytes)
    }

    /// The request for the value; ``value(_:)`` reads the reply.
    package var question: NATSRequest {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("last_by_subj", subject)
        writer.endObject()
        return NATSRequest("$JS.API.STREAM.MSG.GET.\(stream)", payload: writer.bytes)
    }

    /// Returns the request that changes the value if it still has the given revision.
    package func change(to value: [UInt8], from revision: UInt64) -> NATSRequest {
        NATSRequest(
            subject, headers: [("Nats-Expected-Last-Subject-Sequence", "\(revision)")], payload: value)
    }

    /// Reads the value from a reply; nil if there is no value or no store.
    package static func value(_ reply: NATSReply) throws(NATSError) -> NATSValue? {
        let document = try document(reply)
        if let code = number(document, "err_code") {
            guard [noMessage, noStream].contains(code) else { throw fault(document) }
            return nil
        }
        guard var object = try? document.root.object(), var message = try? object.member("message")?.object(),
            let revision = (try? message.member("seq")?.integer()).flatMap(UInt64.init(exactly:))
        else { throw .failed("the server's reply cannot be read") }
        let text = (try? message.member("data")?.string()) ?? ""
        return NATSValue(revision: revision, bytes: Base64.bytes(of: text) ?? [])
    }

    /// Reads the result of a change from a reply.
    ///
    /// - Throws: ``NATSError`` if the change was not made for any reason other than a conflict.
    package static func change(_ reply: NATSReply) throws(NATSError) -> Change {
        if reply.status == 503 { throw .failed("the server has no store of that name") }
        let document = try document(reply)
        if number(document, "err_code") == wrongSequence { return .conflict }
        guard var object = try? document.root.object(),
            let revision = (try? object.member("seq")?.integer()).flatMap(UInt64.init(exactly:))
        else { throw fault(document) }
        return .done(revision: revision)
    }

    private static func document(_ reply: NATSReply) throws(NATSError) -> JSONDocument {
        if reply.status == 503 { throw .failed("the server has no JetStream") }
        guard let document = try? JSONDocument(reply.payload, limit: NATSParser.payloadLimit) else {
            throw .failed("the server's reply cannot be read")
        }
        return document
    }

    private static func number(_ document: JSONDocument, _ key: StaticString) -> Int? {
        guard var object = try? document.root.object(), var error = try? object.member("error")?.object() else {
            return nil
        }
        return try? error.member(key)?.integer()
    }

    private static func fault(_ document: JSONDocument) -> NATSError {
        guard var object = try? document.root.object(), var error = try? object.member("error")?.object(),
            let text = try? error.member("description")?.string()
        else { return .failed("the server's reply cannot be read") }
        return .failed("the server answers: \(printable(text.utf8))")
    }
}
