// Made from org.alertd.Control.varlink by `make generate`; do not edit.

package import JSON

/// The reply of `Status`.
package struct StatusReply: Equatable, Sendable {
    package var status: DaemonStatus

    package init(status: DaemonStatus) {
        self.status = status
    }
}

extension StatusReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        status = try object.read("status")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("status", status)
        writer.endObject()
    }
}

/// The reply of `Reload`.
package struct ReloadReply: Equatable, Sendable {
    package var result: ReloadResult

    package init(result: ReloadResult) {
        self.result = result
    }
}

extension ReloadReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        result = try object.read("result")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("result", result)
        writer.endObject()
    }
}

/// The parameters of `Poll`.
package struct PollParameters: Equatable, Sendable {
    /// The name of the source; required if there are several.
    package var source: String?
    /// Whether to poll although the exchange asked to wait.
    package var force: Bool?

    package init(source: String? = nil, force: Bool? = nil) {
        self.source = source
        self.force = force
    }
}

extension PollParameters: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        source = try object.readIfPresent("source")
        force = try object.readIfPresent("force")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("source", source)
        writer.member("force", force)
        writer.endObject()
    }
}

/// The reply of `Poll`.
package struct PollReply: Equatable, Sendable {
    package var result: PollResult

    package init(result: PollResult) {
        self.result = result
    }
}

extension PollReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        result = try object.read("result")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("result", result)
        writer.endObject()
    }
}

/// The reply of `Backup`.
package struct BackupReply: Equatable, Sendable {
    /// The size of the whole copy in bytes.
    package var size: Int?
    /// The next bytes of the copy, in base64.
    package var data: String?
    /// The CRC-32C of the whole copy, as eight hexadecimal digits.
    package var crc32c: String?

    package init(size: Int? = nil, data: String? = nil, crc32c: String? = nil) {
        self.size = size
        self.data = data
        self.crc32c = crc32c
    }
}

extension BackupReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        size = try object.readIfPresent("size")
        data = try object.readIfPresent("data")
        crc32c = try object.readIfPresent("crc32c")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("size", size)
        writer.member("data", data)
        writer.member("crc32c", crc32c)
        writer.endObject()
    }
}

/// The parameters of the error `ReloadFailed`. The settings contain errors, and nothing was changed.
package struct ReloadFailed: Equatable, Sendable {
    /// The errors, each as `file:line:column`, what is wrong and what to do.
    package var findings: [String]

    package init(findings: [String]) {
        self.findings = findings
    }
}

extension ReloadFailed: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        findings = try object.read("findings")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("findings", findings)
        writer.endObject()
    }
}

/// The parameters of the error `PollTooSoon`. The exchange was polled too recently, or asked to wait.
package struct PollTooSoon: Equatable, Sendable {
    package var retryAfterMilliseconds: Int
    /// Until when the exchange asked not to be polled; nil if it did not.
    package var notBefore: String?

    package init(retryAfterMilliseconds: Int, notBefore: String? = nil) {
        self.retryAfterMilliseconds = retryAfterMilliseconds
        self.notBefore = notBefore
    }
}

extension PollTooSoon: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        retryAfterMilliseconds = try object.read("retry_after_ms")
        notBefore = try object.readIfPresent("not_before")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("retry_after_ms", retryAfterMilliseconds)
        writer.member("not_before", notBefore)
        writer.endObject()
    }
}

/// The parameters of the error `StoreFailed`. The state file cannot be read or copied now.
package struct StoreFailed: Equatable, Sendable {
    /// Why, and what to do.
    package var message: String

    package init(message: String) {
        self.message = message
    }
}

extension StoreFailed: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        message = try object.read("message")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("message", message)
        writer.endObject()
    }
}

/// The parameters of the error `Refused`. The request cannot be carried out in the current state.
package struct Refused: Equatable, Sendable {
    /// Why, and what to do.
    package var message: String

    package init(message: String) {
        self.message = message
    }
}

extension Refused: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        message = try object.read("message")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("message", message)
        writer.endObject()
    }
}

/// The parameters of the error `NoSuchThing`. Nothing of that kind has that name.
package struct NoSuchThing: Equatable, Sendable {
    package var kind: ControlInterface.ThingKind
    package var name: String
    /// The name that was probably meant.
    package var suggestion: String?
    /// The existing names, if they are few.
    package var known: [String]?

    package init(kind: ControlInterface.ThingKind, name: String, suggestion: String? = nil, known: [String]? = nil) {
        self.kind = kind
        self.name = name
        self.suggestion = suggestion
        self.known = known
    }
}

extension NoSuchThing: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        kind = try object.read("kind")
        name = try object.read("name")
        suggestion = try object.readIfPresent("suggestion")
        known = try object.readIfPresent("known")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("kind", kind)
        writer.member("name", name)
        writer.member("suggestion", suggestion)
        writer.member("known", known)
        writer.endObject()
    }
}
