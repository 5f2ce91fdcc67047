internal import Market

/// How amounts of a currency are written where it is spent.
struct CurrencyStyle: Hashable, Sendable {
    /// Where the symbol stands, and whether it keeps a distance.
    enum Place: Sendable {
        /// `$1.00`
        case before
        /// `CHF 1.00`
        case beforeWithSpace
        /// `1.00 kr`
        case after
    }

    var symbol: String
    var place: Place
    var numbers: NumberStyle
    /// How many digits after the point an amount has, where it needs no more.
    var decimals: Int
    /// How many significant digits a rounded amount has at least.
    var digits: Int

    init(_ symbol: String, _ place: Place, _ numbers: NumberStyle, decimals: Int = 2, digits: Int? = nil) {
        self.symbol = symbol
        self.place = place
        self.numbers = numbers
        self.decimals = decimals
        self.digits = digits ?? decimals + 3
    }

    /// The style of the currency. One that is not known, as each crypto-currency, is written with its code; it has as
    /// many decimals as it needs.
    static func of(_ currency: Currency) -> CurrencyStyle {
        known["\(currency)"] ?? CurrencyStyle("\(currency)", .after, .point, decimals: 0, digits: 8)
    }

    /// The same with ASCII characters only: the code stands for a symbol that is none.
    func ascii(_ currency: Currency) -> CurrencyStyle {
        var style = self
        style.numbers = numbers.ascii
        guard !symbol.utf8.allSatisfy({ $0 < 0x80 }) else { return style }
        style.symbol = "\(currency)"
        style.place = place == .after ? .after : .beforeWithSpace
        return style
    }

    /// The currencies of the European Central Bank's reference rates, and USDT, which counts as one. Where several
    /// places share one, the form of most of its users; a symbol that several currencies share is kept apart, except
    /// that of the crowns.
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
