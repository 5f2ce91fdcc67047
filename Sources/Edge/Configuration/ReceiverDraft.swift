package import Receivers
internal import Text

/// The `[[receiver]]` table of a file that contains a single receiver.
package struct ReceiverDraft: Equatable, Sendable {
    /// The first line of the file.
    private let comment: String
    /// The value of each key as TOML. A value may have several lines.
    private var values: [String: String] = [:]

    /// Creates a receiver of a type, without the keys that the type requires.
    package init(_ name: String, _ kind: ReceiverKind, comment: String) {
        self.comment = comment
        values["name"] = quoted(name)
        values["type"] = quoted(kind.rawValue)
    }

    /// Creates a webhook for a service, without its address.
    package init(_ name: String, _ preset: ReceiverPreset, comment: String) {
        self.comment = comment
        let lines = preset.settingsLines
        for line in lines.prefix(while: { !$0.hasPrefix("body = ") }) {
            guard let parts = line.split(around: " = ") else { continue }
            values[parts.before] = parts.after
        }
        let body = lines.drop { !$0.hasPrefix("body = ") }.joined(separator: "\n")
        values["body"] = body.split(around: " = ")?.after
        values["name"] = quoted(name)
    }

    /// The keys that are set, in the order in which they are written.
    package var keys: [String] { SettingsReference.names(in: .receiver).filter { values[$0] != nil } }

    package func has(_ key: String) -> Bool { values[key] != nil }

    /// Sets a key to a value that the user wrote, such as `a, b` for a list of strings. A value of the wrong type
    /// becomes a string, which is reported when the settings are loaded.
    ///
    /// - Returns: false if there is no such key, or if its value is a table.
    package mutating func set(_ key: String, _ text: String) -> Bool {
        guard let type = SettingsReference.keys.first(where: { $0.table == .receiver && $0.name == key })?.type else {
            return false
        }
        let parts = text.split(separator: ",").map { Self.trimmed($0) }.filter { !$0.isEmpty }
        switch type {
        case .textTable: return false
        case .integer: values[key] = Int64(text) == nil ? quoted(text) : text
        case .integers:
            let isList = !parts.isEmpty && parts.allSatisfy { Int64($0) != nil }
            values[key] = isList ? "[\(parts.joined(separator: ", "))]" : quoted(text)
        case .boolean: values[key] = ["true", "false"].contains(text) ? text : quoted(text)
        case .texts: values[key] = "[\(parts.map(quoted).joined(separator: ", "))]"
        default: values[key] = quoted(text)
        }
        return true
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    /// The content of the file.
    package var text: String {
        ([comment, "[[receiver]]"] + keys.map { "\($0) = \(values[$0] ?? "")" }).map { $0 + "\n" }.joined()
    }

    /// Returns the line of ``text`` that sets a key, counted from 1; nil if the key is not set.
    package func line(of key: String) -> Int? {
        var line = 3
        for other in keys {
            if other == key { return line }
            line += (values[other] ?? "").utf8.count { $0 == UInt8(ascii: "\n") } + 1
        }
        return nil
    }
}

/// Checks of an address that is stored as a credential instead of a setting.
package enum SecretAddress {
    /// Returns the error in an address as a text to follow "the address"; nil if the address is valid. The text
    /// contains no part of the address.
    package static func fault(_ text: String) -> String? {
        do throws(FeedAddress.Fault) {
            _ = try FeedAddress(text, allowsQuery: true)
            return nil
        } catch {
            return error.message
        }
    }

    /// Returns true if the address is unencrypted and leads to another machine, which requires `allow_http`.
    package static func needsPermission(_ text: String) -> Bool {
        guard let address = try? FeedAddress(text, allowsQuery: true) else { return false }
        return !address.isEncrypted && !address.isLoopback
    }
}
