internal import Market

extension FuzzEntry {
    /// An amount as people write it, with or without its currency.
    package static let amount = FuzzEntry(name: "amount", seeds: amounts, longest: 96) { bytes in
        guard let text = String(validating: bytes, as: UTF8.self) else { return false }
        return ([nil, Currency("SEK"), Currency("INR")] as [Currency?]).map { readAsAmount(text, $0) }.contains(true)
    }
}

@Sendable
private func amounts() -> [[UInt8]] {
    [
        "1000,50", "12 000 kr", "₹75,00,000.00", "160500 SEK", "US$1,234.5", "4_800_000", "1.234.567,89 €", "-5",
        "¥ 1 000", "0.000000000000000001 BTC", "CHF 1’234.50", "1,000", "1e3", "12\u{202F}345,6 EUR", "Rs. 5",
    ].map { Array($0.utf8) }
}

/// Reads it, and what is written of it.
private func readAsAmount(_ text: String, _ preferred: Currency?) -> Bool {
    let amount: WrittenAmount
    do throws(WrittenAmountError) {
        amount = try WrittenAmount(text, preferring: preferred)
    } catch {
        precondition(!error.advice.isEmpty)
        return false
    }
    guard let currency = amount.currency ?? preferred else { return true }
    for hasUnicode in [true, false] {
        let written = moneyText(amount.number, currency, isRounded: false, hasUnicode: hasUnicode)
        guard let again = try? WrittenAmount(written, preferring: currency) else { continue }
        precondition(again.number == amount.number, "another amount: \(written)")
    }
    return true
}
