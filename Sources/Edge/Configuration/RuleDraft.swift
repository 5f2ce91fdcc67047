package import Time

/// A `[[rule]]` table to be written to a file, with its keys in the order of the documentation.
package struct RuleDraft: Equatable, Sendable {
    /// Values as TOML, by key.
    private var values: [String: String] = [:]

    package init() {}

    /// The keys that are set, in the order in which they are written.
    package var keys: [String] { SettingsReference.names(in: .rule).filter { values[$0] != nil } }

    package mutating func set(_ key: String, _ text: String) { values[key] = quoted(text) }

    /// Sets a key to a list of strings, or to a single string if there is only one and `isList` is false.
    package mutating func set(_ key: String, _ texts: [String], isList: Bool = false) {
        let list = "[\(texts.map(quoted).joined(separator: ", "))]"
        values[key] = !isList && texts.count == 1 ? texts.map(quoted).joined() : list
    }

    /// Sets a key to true.
    package mutating func set(_ key: String) { values[key] = "true" }

    package mutating func set(_ key: String, _ time: WallTime) { values[key] = time.description }

    /// The lines of the rule, each with a line end; the first is its header.
    package var text: String {
        (["[[rule]]"] + keys.map { "\($0) = \(values[$0] ?? "")" }).map { $0 + "\n" }.joined()
    }

    /// Returns the key that a line of ``text`` sets, counted from 0 for the header. Returns nil for the header and
    /// for lines that do not exist.
    package func key(inLine line: Int) -> String? {
        keys.indices.contains(line - 1) ? keys[line - 1] : nil
    }
}

/// Returns the text as a basic string of TOML, quoted and escaped.
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
