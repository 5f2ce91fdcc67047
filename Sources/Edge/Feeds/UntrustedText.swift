/// The maximum number of characters of a server's text in a message.
let untrustedTextLimit = 200

/// Returns a text from the network that is safe to show: one line, cut to ``untrustedTextLimit`` characters, with
/// everything that is not printable written as `\u{1b}`.
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

/// Returns true for letters, marks, numbers, punctuation, symbols and the space. Returns false for controls, line
/// breaks, and characters that change the direction of writing.
private func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    default: true
    }
}
