/// The most characters of a server's text that go into a message.
let untrustedTextLimit = 200

/// A text that came over the network, fit to be shown: one line, cut to ``untrustedTextLimit`` characters, with
/// everything that is no printable character written as `\u{1b}`.
func untrusted(_ text: some StringProtocol) -> String {
    var result = ""
    var count = 0
    for scalar in text.unicodeScalars {
        guard count < untrustedTextLimit else { return result + "…" }
        count += 1
        if isPrintable(scalar) {
            result.unicodeScalars.append(scalar)
        } else {
            result += "\\u{\(String(scalar.value, radix: 16))}"
        }
    }
    return result
}

/// Letters, marks, numbers, punctuation, symbols and the space; not controls, line breaks, or what turns the direction
/// of writing.
private func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    default: true
    }
}

/// The text of a JSON string as it stands between its quotes, with the escapes `\"`, `\\` and `\/` undone; the others
/// stay as they are, which is how a message may show them.
func unescapingSimple(_ text: String) -> String {
    var result = ""
    var isEscape = false
    for scalar in text.unicodeScalars {
        if isEscape, scalar != "\"", scalar != "\\", scalar != "/" { result.unicodeScalars.append("\\") }
        if isEscape || scalar != "\\" { result.unicodeScalars.append(scalar) }
        isEscape = !isEscape && scalar == "\\"
    }
    return result
}
