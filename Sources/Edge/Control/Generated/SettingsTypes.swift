// Made from org.alertd.Control.varlink by `make generate`; do not edit.

package import JSON

/// Where the current settings come from.
package struct ConfigurationStatus: Equatable, Sendable {
    /// The files, in the order in which they were read; at most 200.
    package var files: [String]
    /// When they were read.
    package var loaded: String
    /// When and why the last reload failed; nil if it succeeded.
    package var lastReloadFailed: String?
    package var lastReloadMessage: String?
    /// The names of the credentials that the service manager passed; at most 200.
    package var credentials: [String]?

    package init(
        files: [String], loaded: String, lastReloadFailed: String? = nil, lastReloadMessage: String? = nil,
        credentials: [String]? = nil
    ) {
        self.files = files
        self.loaded = loaded
        self.lastReloadFailed = lastReloadFailed
        self.lastReloadMessage = lastReloadMessage
        self.credentials = credentials
    }
}

extension ConfigurationStatus: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        files = try object.read("files")
        loaded = try object.read("loaded")
        lastReloadFailed = try object.readIfPresent("last_reload_failed")
        lastReloadMessage = try object.readIfPresent("last_reload_message")
        credentials = try object.readIfPresent("credentials")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("files", files)
        writer.member("loaded", loaded)
        writer.member("last_reload_failed", lastReloadFailed)
        writer.member("last_reload_message", lastReloadMessage)
        writer.member("credentials", credentials)
        writer.endObject()
    }
}

/// What a reload changed, by rule name.
package struct ReloadResult: Equatable, Sendable {
    package var added: [String]
    package var removed: [String]
    package var changed: [String]
    package var kept: [String]
    /// The keys of changed settings that take effect only after a restart.
    package var needsRestart: [String]
    package var warnings: [String]

    package init(
        added: [String], removed: [String], changed: [String], kept: [String], needsRestart: [String],
        warnings: [String]
    ) {
        self.added = added
        self.removed = removed
        self.changed = changed
        self.kept = kept
        self.needsRestart = needsRestart
        self.warnings = warnings
    }
}

extension ReloadResult: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        added = try object.read("added")
        removed = try object.read("removed")
        changed = try object.read("changed")
        kept = try object.read("kept")
        needsRestart = try object.read("needs_restart")
        warnings = try object.read("warnings")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("added", added)
        writer.member("removed", removed)
        writer.member("changed", changed)
        writer.member("kept", kept)
        writer.member("needs_restart", needsRestart)
        writer.member("warnings", warnings)
        writer.endObject()
    }
}
