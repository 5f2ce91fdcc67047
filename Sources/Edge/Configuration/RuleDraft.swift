package import Time

/// A `[[rule]]` as it is written to a file: keys and values, in the order of the documentation.
package struct RuleDraft: Equatable, Sendable {
    /// Each key with its value as TOML.
    private var values: [String: String] = [:]

    /// A rule without any key.
    package init() {}

    /// The keys that are set, in the order in which they are written.
    package var keys: [String] { SettingsReference.names(in: .rule).filter { values[$0] != nil } }

    /// Sets a key to a string.
    package mutating func set(_ key: String, _ text: String) { values[key] = quoted(text) }

    /// Sets a key to a list of strings, or to the string itself if there is one only.
    package mutating func set(_ key: String, _ texts: [String], isList: Bool = false) {
        let list = "[\(texts.map(quoted).joined(separator: ", "))]"
        values[key] = !isList && texts.count == 1 ? texts.map(quoted).joined() : list
    }

    /// Sets a key to true.
    package mutating func set(_ key: String) { values[key] = "true" }

    /// Sets a key to a time.
    package mutating func set(_ key: String, _ time: WallTime) { values[key] = time.description }

    /// The lines of the rule, each with a line end; the first is its header.
    package var text: String {
        (["[[rule]]"] + keys.map { "\($0) = \(values[$0] ?? "")" }).map { $0 + "\n" }.joined()
    }

    /// The key that a line of ``text`` sets, counted from 0 for the header; nil for the header and other lines.
    package func key(inLine line: Int) -> String? {
        keys.indices.contains(line - 1) ? keys[line - 1] : nil
    }
}

/// A basic string of TOML.
func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\t": "\\t"
        case _ where scalar.value < 0x20 || scalar.value == 0x7F:
            "\\u00" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16, uppercase: true)
        default: String(scalar)
        }
    }
    return "\"\(escaped.joined())\""
}
