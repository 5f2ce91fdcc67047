internal import Diagnostics
package import Market

/// Says what to write in place of a text that is not a known currency.
///
/// - Parameters:
///   - text: What was written.
///   - word: A word that may be written instead of a currency.
///   - others: Currencies that are known here in addition to those that are known everywhere.
/// - Returns: Advice such as `did you mean EUR?`.
package func currencyAdvice(_ text: String, word: String? = nil, others: [Currency] = []) -> String {
    let sharing = CurrencyStyle.currencies(written: text)
    if sharing.count == 1 { return "write its code, \(sharing[0])" }
    if sharing.count > 1 {
        return "write the code of the one you mean: \(sharing.map(\.description).joined(separator: ", "))"
    }
    // Of the currencies that are written so, only this one has reference rates.
    if ["rs", "rs."].contains(text.lowercased()) { return "write its code, INR" }
    if let code = codes[text.lowercased()] { return "did you mean \(code)?" }
    let names = (Currency.allKnown + others).map(\.description)
    let alternative = word.map { ", or \"\($0)\"" } ?? ""
    guard let meant = nearest(to: text.uppercased(), among: names) else {
        return "write a code such as USD or SEK\(alternative)"
    }
    return "did you mean \(meant)?"
}

/// The currencies that people mean by a name. Kroner are Danish or Norwegian, so they are missing.
private let codes = [
    "dollar": "USD", "dollars": "USD", "euro": "EUR", "euros": "EUR", "rupee": "INR", "rupees": "INR", "krona": "SEK",
    "kronor": "SEK", "pound": "GBP", "pounds": "GBP", "sterling": "GBP", "yen": "JPY", "yuan": "CNY", "franc": "CHF",
    "francs": "CHF", "tether": "USDT",
]
