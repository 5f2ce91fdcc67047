internal import Arguments
internal import Configuration
internal import Control
internal import Diagnostics
internal import ExchangeRates
internal import Market
internal import Time

/// The arguments of `alertctl convert`: an amount, its currency, and the target currencies.
///
/// Examples: `1000 SEK INR`, `'1000,50 kr' INR EUR`, `12 000 SEK in INR`, `₹75,00,000 SEK`, `-5 EUR SEK`.
struct ConversionRequest {
    let amount: Price
    let source: Currency
    let targets: [Currency]
    /// The past date of `--on`; nil for the latest rates.
    let date: CivilDate?

    /// The parameters of the calls, one for each target currency.
    var parameters: [ConvertParameters] {
        targets.map {
            ConvertParameters(amount: "\(amount)", from: "\(source)", to: "\($0)", date: date?.description)
        }
    }

    /// - Throws: ``ClientError/usage(_:)``, which names the invalid argument and what to write instead.
    init(_ words: [String], _ context: Context) throws(ClientError) {
        guard let first = words.first else {
            throw .usage("convert takes AMOUNT FROM TO, such as 100 SEK INR")
        }
        var rest = words[...]
        let isNegative = first.hasPrefix("-") || first.hasPrefix("−")
        if isNegative { rest[0] = String(first.dropFirst()) }
        let written = Self.amountWords(&rest)
        let text = written.joined(separator: " ")
        let number: Price
        if text.allSatisfy(Self.isOfNumber) {
            source = try Self.source(&rest, after: text, context)
            number = try Self.number(text, source, context)
        } else {
            (number, source) = try Self.amount(text, &rest, context)
        }
        if let word = rest.first, Self.prepositions.contains(word.lowercased()) { rest.removeFirst() }
        guard !rest.isEmpty else {
            let other = source == Currency("USD") ? "EUR" : "USD"
            let named = text.allSatisfy(Self.isOfNumber) ? "\(visible(text)) \(source)" : "'\(visible(text))'"
            throw .usage("the currency to convert to is missing: write it last, as in 'convert \(named) \(other)'")
        }
        var targets: [Currency] = []
        for word in rest { targets.append(try Self.currency(word, context)) }
        self.targets = targets
        guard let amount = isNegative ? Price(mantissa: -number.mantissa, scale: number.scale) : number else {
            throw .usage("'\(visible(first))' has too many digits")
        }
        self.amount = amount
        date = try Self.date(context)
    }

    /// The date of `--on`, in the time zone that times are shown in.
    private static func date(_ context: Context) throws(ClientError) -> CivilDate? {
        guard let text = context.arguments.value("on") else { return nil }
        let formatter = context.formatter
        let local = { (time: WallTime) in LocalTime(time, formatter.zone(time)).date }
        guard let date = CivilDate(text) ?? formatter.reader.time(text).map(local) else {
            throw .usage(
                "--on takes a date such as 2023-05-12 or yesterday, but got '\(visible(text))'; "
                    + (TimeAdvice(text, now: local(formatter.now)).sentence ?? "write year, month and day"))
        }
        do throws(PastRateError) {
            try PastConversion.check(date, today: local(formatter.now), [])
        } catch {
            throw .usage("--on: \(error)")
        }
        return date
    }

    private static let prepositions = ["in", "to", "into"]

    /// Consumes the words of the amount: an optional currency sign and a number, whose groups of digits may be
    /// separate words (`12 000`).
    private static func amountWords(_ rest: inout ArraySlice<String>) -> [String] {
        var words: [String] = []
        if let word = rest.popFirst() { words.append(word) }
        if let sign = words.first, !sign.contains(where: isDigit), rest.first?.first.map(isDigit) ?? false,
            let number = rest.popFirst()
        {
            words.append(number)
        }
        while let word = rest.first, !word.isEmpty, word.allSatisfy(isOfNumber) {
            words.append(word)
            rest.removeFirst()
        }
        return words
    }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

    /// True for a digit, and for a character that may separate digits.
    private static func isOfNumber(_ character: Character) -> Bool {
        isDigit(character) || ".,'’_ \u{A0}\u{202F}\u{2009}".contains(character)
    }

    /// Consumes the currency after a bare number.
    private static func source(
        _ rest: inout ArraySlice<String>, after text: String, _ context: Context
    ) throws(ClientError) -> Currency {
        guard let word = rest.popFirst(), !prepositions.contains(word.lowercased()) else {
            let target = rest.first.map { visible($0) } ?? "INR"
            let own = target.uppercased() == "USD" ? "EUR" : "USD"
            throw .usage(
                "the currency of '\(visible(text))' is missing: write it after the amount, as in "
                    + "'convert \(visible(text)) \(own) \(target)'")
        }
        return try currency(word, context)
    }

    private static func number(
        _ text: String, _ source: Currency, _ context: Context
    ) throws(ClientError) -> Price {
        if let plain = try? Price(written: text) { return plain }
        do throws(WrittenAmountError) {
            // The currency decides how digits are grouped: 1,000 USD is one thousand.
            let named = source.isNational ? try? WrittenAmount("\(text) \(source)") : nil
            return if let named { named.number } else { try context.amount(text, preferring: source).number }
        } catch { throw wrongAmount(text, error) }
    }

    /// Parses an amount that includes its currency: `₹75,00,000`, `12 000 kr`. If several currencies share the sign,
    /// a code after the amount decides.
    private static func amount(
        _ text: String, _ rest: inout ArraySlice<String>, _ context: Context
    ) throws(ClientError) -> (Price, Currency) {
        let next = rest.count > 1 ? rest.first.flatMap { Currency($0) } : nil
        let amount: WrittenAmount
        do throws(WrittenAmountError) {
            amount = try context.amount(text, preferring: next)
        } catch { throw wrongAmount(text, error) }
        // Letters next to the digits may be a mistyped number instead of a currency.
        guard let currency = amount.currency, currency.isKnown || text.contains(" ") else {
            throw wrongAmount(text, .malformed)
        }
        if currency == next { rest.removeFirst() }
        return (amount.number, currency)
    }

    /// True for a number in scientific notation: `1e3`.
    private static func hasExponent(_ text: String) -> Bool {
        let parts = text.lowercased().split(separator: "e", omittingEmptySubsequences: false)
        guard parts.count == 2, let last = parts[1].last else { return false }
        return parts[0].contains { $0.isASCII && $0.isNumber }
            && parts[0].allSatisfy { ($0.isASCII && $0.isNumber) || [".", ",", "-"].contains($0) }
            && last.isNumber && parts[1].allSatisfy { ($0.isASCII && $0.isNumber) || ["+", "-"].contains($0) }
    }

    private static func wrongAmount(_ text: String, _ error: WrittenAmountError) -> ClientError {
        guard !hasExponent(text) else {
            return .usage("'\(visible(text))' has an exponent; write all digits, as in 1000 for 1e3")
        }
        let what =
            switch error {
            case .malformed: "is not an amount"
            case .doesNotFit: "has too many digits"
            case .ambiguousNumber: "may be two different amounts"
            case .ambiguousSign(let sign, _): "does not say which currency '\(visible(sign))' is"
            }
        return .usage("'\(visible(text))' \(what); \(error.advice)")
    }

    /// Parses a currency: its code, or a sign. Among currencies that share the sign, the display currency is chosen.
    private static func currency(_ text: String, _ context: Context) throws(ClientError) -> Currency {
        let sharing = CurrencyStyle.currencies(written: text)
        if sharing.count == 1 { return sharing[0] }
        if sharing.count > 1, let display = context.displayCurrency, sharing.contains(display) { return display }
        if sharing.count > 1 {
            throw .usage("'\(visible(text))' is the sign of several currencies; \(currencyAdvice(text))")
        }
        if CivilDate(text) != nil {
            throw .usage(
                "'\(visible(text))' is a date, not a currency; for the rates of that day, write --on \(visible(text))")
        }
        guard let currency = Currency(text), text.contains(where: \.isLetter) else {
            throw .usage("'\(visible(text))' is not a currency; \(currencyAdvice(text))")
        }
        return currency
    }
}
