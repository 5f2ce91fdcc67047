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
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
    default: true
    }
}

/// Zero width joiner and non-joiner.
private func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0x200C || scalar.value == 0x200D
}

/// How many columns of a terminal a visible character takes.
package func columnWidth(of scalar: Unicode.Scalar) -> Int {
    if scalar.isASCII { return 1 }
    if isJoiner(scalar) { return 0 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: return wideCharacters.contains { $0.contains(scalar.value) } ? 2 : 1
    }
}

/// The blocks of Unicode's East Asian Width that are wide as a whole: enough to put a caret in the right place.
private let wideCharacters: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
    0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
]
