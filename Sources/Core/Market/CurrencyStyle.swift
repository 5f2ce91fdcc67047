/// The format of amounts of a currency in the country that uses it.
package struct CurrencyStyle: Hashable, Sendable {
    /// The position of the symbol relative to the number, with or without a space.
    package enum Place: Sendable {
        /// `$1.00`
        case before
        /// `CHF 1.00`
        case beforeWithSpace
        /// `1.00 kr`
        case after
    }

    /// The symbol or code, such as `₹` or `kr`.
    package var symbol: String
    /// The position of ``symbol``.
    package var place: Place
    package var numbers: NumberStyle
    /// The minimum number of decimal places.
    package var decimals: Int
    /// The minimum number of significant digits of a rounded amount.
    package var digits: Int

    init(_ symbol: String, _ place: Place, _ numbers: NumberStyle, decimals: Int = 2, digits: Int? = nil) {
        self.symbol = symbol
        self.place = place
        self.numbers = numbers
        self.decimals = decimals
        self.digits = digits ?? decimals + 3
    }

    /// Returns the style of a currency. A currency that is not in the list, such as a cryptocurrency, has its code as
    /// the symbol and as many decimals as it needs.
    package static func of(_ currency: Currency) -> CurrencyStyle {
        let code = "\(currency)"
        return known[code] ?? former[code] ?? CurrencyStyle(code, .after, .point, decimals: 0, digits: 8)
    }

    /// The styles of the currencies that the euro has replaced. They have their codes as symbols, because most of
    /// their signs have other meanings today.
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

    /// Returns the currencies with the given sign or abbreviation, sorted. Case and periods are ignored. For example,
    /// `kr` is used for DKK, ISK, NOK and SEK.
    package static func currencies(written sign: String) -> [Currency] {
        let plain = { (text: String) in text.lowercased().filter { $0 != "." } }
        return known.filter { plain($0.value.symbol) == plain(sign) }.keys.compactMap { Currency($0) }.sorted()
    }

    /// Returns the style with ASCII characters only. The currency code replaces a symbol that is not ASCII.
    package func ascii(_ currency: Currency) -> CurrencyStyle {
        var style = self
        style.numbers = numbers.ascii
        guard !symbol.utf8.allSatisfy({ $0 < 0x80 }) else { return style }
        style.symbol = "\(currency)"
        style.place = place == .after ? .after : .beforeWithSpace
        return style
    }

    /// The styles of USDT and of the currencies in the reference rates of the European Central Bank. A currency of
    /// several countries has the style of the majority of its users. Symbols that several currencies share are made
    /// distinct (A$, CN¥), except `kr`.
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
