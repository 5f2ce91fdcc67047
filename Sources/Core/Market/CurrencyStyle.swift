/// How amounts of a currency are written in the country that uses it.
package struct CurrencyStyle: Hashable, Sendable {
    /// Whether the symbol comes before or after the number, and whether a space separates them.
    package enum Place: Sendable {
        /// `$1.00`
        case before
        /// `CHF 1.00`
        case beforeWithSpace
        /// `1.00 kr`
        case after
    }

    /// The symbol or code that is written with the number: `₹`, `kr`.
    package var symbol: String
    /// Where ``symbol`` is written.
    package var place: Place
    package var numbers: NumberStyle
    /// The least number of digits after the point.
    package var decimals: Int
    /// The least number of significant digits of a rounded amount.
    package var digits: Int

    init(_ symbol: String, _ place: Place, _ numbers: NumberStyle, decimals: Int = 2, digits: Int? = nil) {
        self.symbol = symbol
        self.place = place
        self.numbers = numbers
        self.decimals = decimals
        self.digits = digits ?? decimals + 3
    }

    /// The style of the currency. A currency that is not in the list, such as a cryptocurrency, is written with its
    /// code and with as many decimals as it needs.
    package static func of(_ currency: Currency) -> CurrencyStyle {
        let code = "\(currency)"
        return known[code] ?? former[code] ?? CurrencyStyle(code, .after, .point, decimals: 0, digits: 8)
    }

    /// How the currencies that the euro has replaced are written: with their codes, as most of their signs have other
    /// meanings today.
    private static let former: [String: CurrencyStyle] = {
        let withPoint: Set = ["CYP", "IEP", "MTL"]
        let withoutDecimals: Set = ["BEF", "ESP", "GRD", "ITL", "LUF", "PTE"]
        let codes = Currency.formerCodes.split { $0 == " " || $0 == "\n" }.map(String.init)
        let styles = codes.map { code in
            let numbers: NumberStyle = withPoint.contains(code) ? .point : .comma
            return CurrencyStyle(code, .after, numbers, decimals: withoutDecimals.contains(code) ? 0 : 2)
        }
        return Dictionary(zip(codes, styles)) { first, _ in first }
    }()

    /// The currencies that are written with the given sign or abbreviation, in either case and with or without its full
    /// stop, sorted: `kr` is used for DKK, ISK, NOK and SEK.
    package static func currencies(written sign: String) -> [Currency] {
        let plain = { (text: String) in text.lowercased().filter { $0 != "." } }
        return known.filter { plain($0.value.symbol) == plain(sign) }.keys.compactMap { Currency($0) }.sorted()
    }

    /// The same with ASCII characters only; the currency's code replaces a symbol that is not ASCII.
    package func ascii(_ currency: Currency) -> CurrencyStyle {
        var style = self
        style.numbers = numbers.ascii
        guard !symbol.utf8.allSatisfy({ $0 < 0x80 }) else { return style }
        style.symbol = "\(currency)"
        style.place = place == .after ? .after : .beforeWithSpace
        return style
    }

    /// The currencies of the European Central Bank's reference rates, and USDT. A currency that several countries use
    /// is written as most of its users do. Symbols that several currencies share are told apart (A$, CN¥), except kr.
    private static let known: [String: CurrencyStyle] = [
        "EUR": CurrencyStyle("€", .after, .comma), "USD": CurrencyStyle("$", .before, .point),
        "JPY": CurrencyStyle("¥", .before, .point, decimals: 0), "CZK": CurrencyStyle("Kč", .after, .space),
        "DKK": CurrencyStyle("kr.", .after, .comma), "GBP": CurrencyStyle("£", .before, .point),
        "HUF": CurrencyStyle("Ft", .after, .space), "PLN": CurrencyStyle("zł", .after, .space),
        "RON": CurrencyStyle("lei", .after, .comma), "SEK": CurrencyStyle("kr", .after, .space),
        "CHF": CurrencyStyle("CHF", .beforeWithSpace, .apostrophe),
        "ISK": CurrencyStyle("kr.", .after, .comma, decimals: 0), "NOK": CurrencyStyle("kr", .after, .space),
        "TRY": CurrencyStyle("₺", .before, .comma), "AUD": CurrencyStyle("A$", .before, .point),
        "BRL": CurrencyStyle("R$", .beforeWithSpace, .comma), "CAD": CurrencyStyle("CA$", .before, .point),
        "CNY": CurrencyStyle("CN¥", .before, .point), "HKD": CurrencyStyle("HK$", .before, .point),
        "IDR": CurrencyStyle("Rp", .beforeWithSpace, .comma), "ILS": CurrencyStyle("₪", .before, .point),
        "INR": CurrencyStyle("₹", .before, .lakh), "KRW": CurrencyStyle("₩", .before, .point, decimals: 0),
        "MXN": CurrencyStyle("MX$", .before, .point), "MYR": CurrencyStyle("RM", .beforeWithSpace, .point),
        "NZD": CurrencyStyle("NZ$", .before, .point), "PHP": CurrencyStyle("₱", .before, .point),
        "SGD": CurrencyStyle("S$", .before, .point), "THB": CurrencyStyle("฿", .before, .point),
        "USDT": CurrencyStyle("USDT", .after, .point), "ZAR": CurrencyStyle("R", .beforeWithSpace, .space),
    ]
}
