internal import Diagnostics
package import Market

/// Returns advice on what to write instead of a text that is not a known currency.
///
/// - Parameters:
///   - text: The text that was written.
///   - word: A word that is accepted instead of a currency.
///   - others: Currencies known here, in addition to ``Currency/allKnown``.
/// - Returns: Advice such as `did you mean EUR?`.
package func currencyAdvice(_ text: String, word: String? = nil, others: [Currency] = []) -> String {
    let sharing = CurrencyStyle.currencies(written: text)
    if sharing.count == 1 { return "write its code, \(sharing[0])" }
    if sharing.count > 1 {
        return "write the code of the one you mean: \(sharing.map(\.description).joined(separator: ", "))"
    }
    // Of the currencies written like this, only INR has reference rates.
    if ["rs", "rs."].contains(text.lowercased()) { return "write its code, INR" }
    if let code = codes[text.lowercased()] { return "did you mean \(code)?" }
    let names = (Currency.allKnown + others).map(\.description)
    let alternative = word.map { ", or \"\($0)\"" } ?? ""
    guard let meant = nearest(to: text.uppercased(), among: names) else {
        return "write a code such as USD or SEK\(alternative)"
    }
    return "did you mean \(meant)?"
}

/// Currency codes by the names that people use. "Kroner" is missing because it may be Danish or Norwegian.
private let codes = [
    "dollar": "USD", "dollars": "USD", "euro": "EUR", "euros": "EUR", "rupee": "INR", "rupees": "INR", "krona": "SEK",
    "kronor": "SEK", "pound": "GBP", "pounds": "GBP", "sterling": "GBP", "yen": "JPY", "yuan": "CNY", "franc": "CHF",
    "francs": "CHF", "tether": "USDT",
]
