/// The text with every character that a terminal or a journal might act on, or that does not show, as an escape:
/// `\t`, `\n`, `\r`, else `\u{1b}`. Joiners of letters, which some scripts need, stay as they are.
package func visible(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 &- 0x20 < 0x5F }) { return text }
    guard text.unicodeScalars.contains(where: { !isVisible($0) }) else { return text }
    return text.unicodeScalars.map(visible).joined()
}

/// One character of such a text.
func visible(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\t": "\\t"
    case "\n": "\\n"
    case "\r": "\\r"
    case _ where isVisible(scalar): String(scalar)
    default: "\\u{\(String(scalar.value, radix: 16))}"
    }
}

/// Control characters, marks that change the direction of text, line separators and unassigned characters are not
/// visible.
private func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
    if isJoiner(scalar) { return true }
    if hangulFillers.contains(scalar.value) { return false }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
    default: true
    }
}

/// Letters that are blank, for which some terminals leave two columns and others none.
private let hangulFillers: [UInt32] = [0x115F, 0x1160, 0x3164, 0xFFA0]

/// Zero width joiner and non-joiner.
func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0x200C || scalar.value == 0x200D
}
