/// Returns the text with escapes in place of all characters that a terminal or journal might interpret, or that are
/// invisible. The escapes are `\t`, `\n`, `\r`, and for all others a form such as `\u{1b}`. Zero-width joiners and
/// non-joiners, which some scripts need, stay unchanged.
package func visible(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 &- 0x20 < 0x5F }) { return text }
    guard text.unicodeScalars.contains(where: { !isVisible($0) }) else { return text }
    return text.unicodeScalars.map(visible).joined()
}

/// Returns a character, or its escape if it is not visible.
func visible(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\t": "\\t"
    case "\n": "\\n"
    case "\r": "\\r"
    case _ where isVisible(scalar): String(scalar)
    default: "\\u{\(String(scalar.value, radix: 16))}"
    }
}

/// Returns false for control characters, marks that change the direction of text, line separators and unassigned
/// characters.
private func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
    if isJoiner(scalar) { return true }
    if hangulFillers.contains(scalar.value) { return false }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
    default: true
    }
}

/// Blank letters, to which some terminals give two columns and others none.
private let hangulFillers: [UInt32] = [0x115F, 0x1160, 0x3164, 0xFFA0]

/// Returns true for the zero-width joiner and non-joiner.
func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0x200C || scalar.value == 0x200D
}
