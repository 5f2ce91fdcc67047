/// The maximum length of a text that a service accepts, in the service's own unit.
package enum TextLimit: Equatable, Sendable {
    case bytes(Int)
    case utf16(Int)
    case scalars(Int)

    /// Returns the text. If it exceeds the limit, cuts it at the end of a grapheme cluster and marks it with `…`.
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

/// Returns the text with each of these characters replaced.
func escape(_ text: String, _ replacements: [Character: String]) -> String {
    var escaped = ""
    for character in text {
        if let replacement = replacements[character] { escaped += replacement } else { escaped.append(character) }
    }
    return escaped
}

/// Escapes a text for HTML.
func escapeHTML(_ text: String) -> String {
    escape(text, ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"])
}
