internal import Text

/// An amount as people write it, with or without its currency: `1000,50`, `12 000 kr`, `₹75,00,000`, `160500 SEK`.
///
/// An ambiguous number is rejected, not guessed: `1,000` is a thousand to some readers and one to others. The plain
/// form in files and programs (`1000.5`, `4_800_000`) is never ambiguous.
package struct WrittenAmount: Equatable, Sendable {
    /// The exact number, never rounded.
    package var number: Price
    /// The currency in the text; nil if there is none.
    package var currency: Currency?

    /// Parses an amount.
    ///
    /// - Parameters:
    ///   - text: the amount, with an optional sign or code of a currency before or after the number.
    ///   - preferred: the currency to choose if several share the sign, like `kr` for SEK and NOK.
    /// - Throws: ``WrittenAmountError``.
    package init(_ text: String, preferring preferred: Currency? = nil) throws(WrittenAmountError) {
        let parts = try AmountParts(text)
        currency = try parts.sign.map { name throws(WrittenAmountError) in
            try Self.currency(named: name, preferring: preferred)
        }
        number = try NumberReadings(parts.number).price(in: currency)
    }

    private static func currency(
        named name: String, preferring preferred: Currency?
    ) throws(WrittenAmountError) -> Currency {
        let sharing = CurrencyStyle.currencies(written: name)
        if let preferred, sharing.contains(preferred) { return preferred }
        guard sharing.count <= 1 else { throw .ambiguousSign(name, sharing) }
        if let only = sharing.first { return only }
        let isCode = name.utf8.count >= 2 && (name.utf8.first.map { $0 | 0x20 &- 0x61 < 26 } ?? false)
        guard isCode, let currency = Currency(name) else { throw .malformed }
        return currency
    }
}

/// The reason why a text is not an amount.
package enum WrittenAmountError: Error, Equatable {
    /// The text is not a number, alone or with one currency.
    case malformed
    /// The number has too many digits to be stored exactly.
    case doesNotFit
    /// The number is ambiguous; the values are two possible readings in plain form.
    case ambiguousNumber(String, String)
    /// Several currencies share the sign.
    case ambiguousSign(String, [Currency])

    /// Advice on what to write instead.
    package var advice: String {
        switch self {
        case .malformed: "write it like 1234.5, 160500 SEK or ₹75,00,000"
        case .doesNotFit: "use at most 18 digits, and at most 18 after the point"
        case .ambiguousNumber(let one, let other): "write \(one) or \(other)"
        case .ambiguousSign(_, let currencies):
            "write the code: \(currencies.map(\.description).joined(separator: ", "))"
        }
    }
}

/// The number of an amount, and the sign or code next to it.
private struct AmountParts {
    var number: String
    var sign: String?

    init(_ text: String) throws(WrittenAmountError) {
        // The longest amount has 19 digits and separators; a much longer text is not an amount.
        guard text.utf8.count <= 128 else { throw .malformed }
        let characters = text.map { "\u{A0}\u{202F}\u{2009}".contains($0) ? " " : $0 }
        guard let first = characters.firstIndex(where: Self.isDigit),
            let last = characters.lastIndex(where: Self.isDigit)
        else { throw .malformed }
        number = String(characters[first...last])
        let outside = [characters[..<first], characters[(last + 1)...]].map { String($0.trimmingSpaces) }
        guard outside.contains("") else { throw .malformed }
        sign = outside.first { !$0.isEmpty }
    }

    static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }
}

extension ArraySlice<Character> {
    fileprivate var trimmingSpaces: ArraySlice<Character> {
        let start = drop { $0 == " " }
        return start.prefix(through: start.lastIndex { $0 != " " } ?? start.startIndex - 1)
    }
}

/// The possible readings of a number in different countries.
private struct NumberReadings {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    func price(in currency: Currency?) throws(WrittenAmountError) -> Price {
        let style = currency.map(CurrencyStyle.of)
        let own = style?.numbers
        let plain: Price
        do throws(PriceError) {
            plain = try Price(written: text)
        } catch {
            guard error == .malformed else { throw .doesNotFit }
            return try grouped(own)
        }
        // A point followed by three digits may separate thousands if the currency groups digits with points.
        if own?.separator == ".", let other = try reading(.comma), other != plain {
            // In a currency without decimals, 6.194 cannot be a fraction.
            if style?.decimals == 0 { return other }
            throw .ambiguousNumber("\(plain.reduced)", "\(other)")
        }
        return plain
    }

    private func grouped(_ own: NumberStyle?) throws(WrittenAmountError) -> Price {
        var found: [Price] = []
        for style in [NumberStyle.point, .lakh, .comma, .space, .apostrophe] {
            guard let price = try reading(style), !found.contains(price) else { continue }
            found.append(price)
        }
        guard let first = found.first else { throw .malformed }
        guard let other = found.dropFirst().first else { return first }
        // If the currency has a decimal point, a decimal comma is ruled out.
        if let own, own.decimalMark == ".", let price = try reading(own) { return price }
        throw .ambiguousNumber("\(first.reduced)", "\(other.reduced)")
    }

    /// Returns the amount read in the style of a country, or nil if the number does not have this style.
    private func reading(_ style: NumberStyle) throws(WrittenAmountError) -> Price? {
        let halves = text.replacingAll("'", with: "’")
            .split(omittingEmptySubsequences: false) { String($0) == style.decimalMark }
        guard let whole = halves.first, halves.count <= 2 else { return nil }
        let separator = style.ascii.separator == " " ? " " : style.separator
        let groups = whole.split(omittingEmptySubsequences: false) { String($0) == separator }
        let digits = [groups.joined()] + halves.dropFirst().map(String.init)
        guard isGrouped(groups, style), digits.allSatisfy({ !$0.isEmpty && $0.allSatisfy(AmountParts.isDigit) })
        else { return nil }
        do throws(PriceError) {
            return try Price(digits.joined(separator: "."))
        } catch {
            throw error == .doesNotFit ? .doesNotFit : .malformed
        }
    }

    /// Returns true if the sizes of the groups match the style, or if there is only one group. A number with several
    /// groups cannot begin with 0.
    private func isGrouped(_ groups: [Substring], _ style: NumberStyle) -> Bool {
        guard groups.count > 1 else { return true }
        guard let first = groups.first, let last = groups.last, first.first != "0", last.count == 3
        else { return false }
        let size = style.hasPairs ? 2 : 3
        return (1...size).contains(first.count) && groups.dropFirst().dropLast().allSatisfy { $0.count == size }
    }
}
