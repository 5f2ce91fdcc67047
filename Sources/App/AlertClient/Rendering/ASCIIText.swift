internal import Arguments

/// Replaces typographic characters and currency signs with ASCII: `“btc” ≥ ₹75,00,000` becomes `"btc" >= INR
/// 75,00,000`. Letters of other alphabets, as in names, stay.
func asciiText(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    var result = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
        guard !scalar.isASCII else {
            result.unicodeScalars.append(scalar)
            continue
        }
        if let code = currencySigns[scalar] {
            result += rest.first.map { ("0"..."9").contains($0) } ?? false ? code + " " : code
        } else {
            result += replacements[scalar] ?? String(scalar)
        }
    }
    return result
}

private let replacements: [Unicode.Scalar: String] = [
    "“": "\"", "”": "\"", "„": "\"", "«": "\"", "»": "\"", "‘": "'", "’": "'", "‚": "'",
    "…": "...", "–": "-", "—": "-", "−": "-", "→": "->", "←": "<-", "↑": "^", "↓": "v",
    "×": "x", "÷": "/", "≥": ">=", "≤": "<=", "≈": "~", "±": "+-", "·": "*", "•": "*", "●": "*",
    "\u{A0}": " ", "\u{202F}": " ", "\u{2009}": " ", "\u{2011}": "-",
]

private let currencySigns: [Unicode.Scalar: String] = [
    "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₩": "KRW",
    "₪": "ILS", "₺": "TRY", "₱": "PHP", "฿": "THB",
]

extension ClientEnvironment {
    /// Returns an environment whose output is ASCII if the terminal or the user requires it. Data for programs is
    /// unchanged, including errors in JSON.
    func limited(by arguments: ParsedArguments) -> ClientEnvironment {
        guard !HumanFormatter(arguments, in: self).hasUnicode, !arguments.has("json") else { return self }
        var environment = self
        let (write, warn) = (write, warn)
        environment.warn = { warn(asciiText($0)) }
        if !["plain", "csv"].contains(where: arguments.has) { environment.write = { write(asciiText($0)) } }
        return environment
    }
}
