/// The longest text that a service takes, in its own unit.
package enum TextLimit: Equatable, Sendable {
    case bytes(Int)
    case utf16(Int)
    case scalars(Int)

    /// The text, cut at the end of a grapheme cluster and marked with `…` if it is longer than the limit.
    package func cut(_ text: String) -> String {
        guard length(of: text) > most else { return text }
        let mark = "…"
        var kept = ""
        var room = most - length(of: mark)
        for character in text {
            room -= length(of: String(character))
            guard room >= 0 else { break }
            kept.append(character)
        }
        return kept + mark
    }

    private var most: Int {
        switch self {
        case .bytes(let most), .utf16(let most), .scalars(let most): most
        }
    }

    private func length(of text: String) -> Int {
        switch self {
        case .bytes: text.utf8.count
        case .utf16: text.utf16.count
        case .scalars: text.unicodeScalars.count
        }
    }
}

/// The text with each of these characters replaced.
func escape(_ text: String, _ replacements: [Character: String]) -> String {
    var escaped = ""
    for character in text {
        if let replacement = replacements[character] { escaped += replacement } else { escaped.append(character) }
    }
    return escaped
}

/// The text for HTML.
func escapeHTML(_ text: String) -> String {
    escape(text, ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"])
}
