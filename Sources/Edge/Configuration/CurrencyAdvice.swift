internal import Diagnostics
internal import ExchangeRates
package import Market

/// Returns advice on what to write instead of a text that is not a known currency.
///
/// - Parameters:
///   - text: The text that was written.
///   - word: A word that is accepted instead of a currency.
///   - others: Currencies known here, in addition to ``Currency/allKnown``.
/// - Returns: Advice such as `did you mean SEK (Swedish krona)?`.
package func currencyAdvice(_ text: String, word: String? = nil, others: [Currency] = []) -> String {
    let sharing = CurrencyStyle.currencies(written: text)
    if sharing.count == 1 { return "write its code, \(sharing[0])" }
    if sharing.count > 1 {
        return "write the code of the one you mean: \(sharing.map(\.description).joined(separator: ", "))"
    }
    // Of the currencies written like this, only INR has reference rates.
    if ["rs", "rs."].contains(text.lowercased()) { return "write its code, INR" }
    if let code = codes[text.lowercased()] { return "did you mean \(named(code))?" }
    // Three letters are more likely a mistyped code than the beginning of a country's name.
    if text.utf8.count > 3, let advice = adviceByName(text) { return advice }
    let names = (Currency.allKnown + others).map(\.description)
    let alternative = word.map { ", or \"\($0)\"" } ?? ""
    guard let meant = nearest(to: text.uppercased(), among: names) else {
        return "write a code such as USD or SEK\(alternative)"
    }
    return "did you mean \(named(meant))?"
}

/// Returns advice that names the currencies with this name, or of this country; nil if there are none, or too many to
/// list.
private func adviceByName(_ text: String) -> String? {
    let found = NationalCurrency.search(text)
    let current = found.filter { $0.successor == nil }
    let meant = (current.isEmpty ? found : current).map { named("\($0.currency)") }
    guard (1...5).contains(meant.count) else { return nil }
    return meant.count == 1
        ? "did you mean \(meant[0])?" : "write the code of the one you mean: \(meant.joined(separator: ", "))"
}

/// `SEK (Swedish krona)`
private func named(_ code: String) -> String {
    let name = Currency(code).flatMap { NationalCurrency.of($0)?.name }
    return code + (name.map { " (\($0))" } ?? "")
}

/// Currency codes by the names that people use. "Kroner" is missing because it may be Danish or Norwegian.
private let codes = [
    "dollar": "USD", "dollars": "USD", "euro": "EUR", "euros": "EUR", "rupee": "INR", "rupees": "INR", "krona": "SEK",
    "kronor": "SEK", "pound": "GBP", "pounds": "GBP", "sterling": "GBP", "yen": "JPY", "yuan": "CNY", "franc": "CHF",
    "francs": "CHF", "tether": "USDT",
]
