public import Market

/// A currency of ISO 4217 with its name and the places where it is used.
///
/// The table has the euro, all currencies that the euro has replaced, and the other currencies for which the European
/// Central Bank has published reference rates since 1999, unless it has withdrawn them.
public struct NationalCurrency: Hashable, Sendable {
    /// The currency, whose description is its code in ISO 4217: `SEK`.
    public let currency: Currency
    /// The number in ISO 4217: 752.
    public let number: Int
    /// The sign or abbreviation for amounts: `kr`, `₹`. If several currencies share a sign, it also names the
    /// country: `CA$`. Nil if amounts are written with the code.
    public let symbol: String?
    /// The English name: `Swedish krona`.
    public let name: String
    /// The countries and areas that use or used the currency, largest first: `Denmark`, `Greenland`, `Faroe Islands`.
    public let areas: [String]
    /// The currency that replaced this one, such as the euro; nil for a currency in use.
    public let successor: Currency?

    /// Other names of the currency or its areas, in lower case.
    package let otherWords: [String]

    /// All currencies: first the ones in use, in the order of the European Central Bank's files, then the former ones.
    public static let all: [NationalCurrency] = table.split(separator: "\n").compactMap { NationalCurrency(row: $0) }

    /// Returns the national currency of a currency; nil if it is not in ``all``.
    public static func of(_ currency: Currency) -> NationalCurrency? { byCurrency[currency] }

    private static let byCurrency = Dictionary(all.map { ($0.currency, $0) }) { first, _ in first }

    /// Parses a row of the table; nil if the row is malformed.
    private init?(row: Substring) {
        let fields = row.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 7, let currency = Currency(fields[0]), let number = Int(fields[1]) else { return nil }
        let list = { (text: String) in text.split(separator: ",").map(String.init) }
        (self.currency, self.number, name) = (currency, number, fields[3])
        symbol = fields[2].isEmpty ? nil : fields[2]
        areas = list(fields[4])
        otherWords = list(fields[5])
        successor = fields[6].isEmpty ? nil : Currency(fields[6])
    }
}

extension NationalCurrency: CustomStringConvertible {
    /// `Swedish krona (SEK, kr)`
    public var description: String { "\(name) (\(currency)\(symbol.map { ", \($0)" } ?? ""))" }
}

extension NationalCurrency {
    /// Finds currencies by code, symbol, name, or the country that uses them: `sek`, `₹`, `krona`, `rupees`,
    /// `Sweden`, `South Kor`.
    ///
    /// Case and accents do not matter, and `yens` is read as `yen`. A word of three or more letters also matches the
    /// beginning of a longer word.
    ///
    /// - Parameter text: the search text.
    /// - Returns: the best matches, currencies in use first; empty if nothing matches.
    public static func search(_ text: String) -> [NationalCurrency] {
        let words = folded(text)
        let sign = text.lowercased().filter { $0 != "." && $0 != " " }
        guard !sign.isEmpty else { return [] }
        let ranked = all.compactMap { entry in entry.rank(of: words, sign).map { (rank: $0, entry: entry) } }
        guard let best = ranked.map(\.rank).min() else { return [] }
        return ranked.filter { $0.rank == best }.map(\.entry)
    }

    /// Finds all currencies that match in any way, best matches first, for a list that is filtered while the user
    /// types.
    ///
    /// - Parameter text: the search text; an empty text matches everything.
    /// - Returns: the currencies; equally good matches are in the order of ``all``.
    public static func filter(_ text: String) -> [NationalCurrency] {
        let words = folded(text)
        let sign = text.lowercased().filter { $0 != "." && $0 != " " }
        guard !sign.isEmpty else { return all }
        let ranked = all.enumerated().compactMap { index, entry in
            entry.rank(of: words, sign).map { (rank: $0, index: index, entry: entry) }
        }
        return ranked.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map(\.entry)
    }

    /// Returns the rank of the match, 0 for the best; nil if there is no match.
    private func rank(of words: [String], _ sign: String) -> Int? {
        if "\(currency)".lowercased() == sign { return 0 }
        if let symbol, symbol.lowercased().filter({ $0 != "." }) == sign { return 1 }
        guard !words.isEmpty else { return nil }
        let text = words.joined(separator: " ")
        let names = ([name] + areas + otherWords).map(Self.folded)
        let singular = text.hasSuffix("s") && text.utf8.count > 3 ? String(text.dropLast()) : text
        if names.contains(where: { [text, singular].contains($0.joined(separator: " ")) }) { return 2 }
        let own = Self.folded(name)
        if words.count == 1, own.contains(text) || own.contains(singular) { return 3 }
        let matches = { (names: [[String]]) in
            words.allSatisfy { word in
                word.utf8.count > 2 && names.contains { $0.contains { $0.hasPrefix(word) } }
            }
        }
        return matches(names) ? 4 : nil
    }

    /// Returns the words of a text, in lower case and without accents.
    private static func folded(_ text: String) -> [String] {
        var folded = ""
        for character in text.lowercased() {
            let isPlain = ("a"..."z").contains(character) || ("0"..."9").contains(character)
            folded += isPlain ? String(character) : letters[character] ?? " "
        }
        return folded.split(separator: " ").map(String.init)
    }

    /// The accented letters in the local names of countries and currencies.
    private static let letters: [Character: String] = [
        "á": "a", "à": "a", "â": "a", "ã": "a", "ä": "a", "å": "a", "æ": "ae", "ç": "c", "č": "c", "é": "e",
        "è": "e", "ě": "e", "ê": "e", "ğ": "g", "í": "i", "ı": "i", "î": "i", "ł": "l", "ñ": "n", "ó": "o",
        "ô": "o", "ö": "o", "ø": "o", "ř": "r", "š": "s", "ş": "s", "ș": "s", "ú": "u", "ü": "u", "ý": "y",
        "ž": "z",
    ]
}

extension NationalCurrency {
    /// Each row has the code, the number, the symbol, the name used by the European Central Bank, the areas, other
    /// words, and the successor.
    private static let table = """
        EUR|978|€|Euro|\(euroArea)|eu,european union,europe,eurozone,euro area,holland|
        USD|840|$|US dollar|\(dollarArea)|usa,america,united states of america,american dollar,us,buck,greenback|
        JPY|392|¥|Japanese yen|Japan|nippon|
        CZK|203|Kč|Czech koruna|Czechia|czech republic,koruny,korun|
        DKK|208|kr.|Danish krone|Denmark,Greenland,Faroe Islands|kroner,danmark|
        GBP|826|£|Pound sterling|United Kingdom,Jersey,Guernsey,Isle of Man|\(britain)|
        HUF|348|Ft|Hungarian forint|Hungary||
        PLN|985|zł|Polish zloty|Poland|zlotys,polska|
        RON|946|lei|Romanian leu|Romania|lei|
        SEK|752|kr|Swedish krona|Sweden|kronor,sverige|
        CHF|756||Swiss franc|Switzerland,Liechtenstein|franken,schweiz,suisse|
        ISK|352|kr.|Icelandic krona|Iceland|kronur|
        NOK|578|kr|Norwegian krone|Norway,Svalbard|kroner,norge|
        TRY|949|₺|Turkish lira|Turkey,Northern Cyprus|turkiye|
        AUD|036|A$|Australian dollar|Australia,Kiribati,Nauru,Tuvalu,Norfolk Island,Christmas Island|aussie|
        BRL|986|R$|Brazilian real|Brazil|reais,brasil|
        CAD|124|CA$|Canadian dollar|Canada|loonie|
        CNY|156|CN¥|Chinese yuan renminbi|China|yuan,chinese yuan,renminbi,rmb|
        HKD|344|HK$|Hong Kong dollar|Hong Kong||
        IDR|360|Rp|Indonesian rupiah|Indonesia||
        ILS|376|₪|Israeli shekel|Israel,Palestinian territories|new shekel,israeli new shekel,sheqel,nis|
        INR|356|₹|Indian rupee|India,Bhutan|rs,bharat|
        KRW|410|₩|South Korean won|South Korea|korea,korean won|
        MXN|484|MX$|Mexican peso|Mexico||
        MYR|458|RM|Malaysian ringgit|Malaysia||
        NZD|554|NZ$|New Zealand dollar|New Zealand,Cook Islands,Niue,Tokelau,Pitcairn Islands|kiwi|
        PHP|608|₱|Philippine peso|Philippines||
        SGD|702|S$|Singapore dollar|Singapore||
        THB|764|฿|Thai baht|Thailand||
        ZAR|710|R|South African rand|South Africa,Namibia,Lesotho||
        RUB|643|₽|Russian rouble|Russia|ruble,russian ruble|
        BGN|975|лв.|Bulgarian lev|Bulgaria|leva|EUR
        HRK|191|kn|Croatian kuna|Croatia|hrvatska|EUR
        LTL|440|Lt|Lithuanian litas|Lithuania|litai|EUR
        LVL|428|Ls|Latvian lats|Latvia|lati|EUR
        EEK|233||Estonian kroon|Estonia|krooni|EUR
        SKK|703|Sk|Slovak koruna|Slovakia|koruny,korun|EUR
        CYP|196||Cyprus pound|Cyprus|cypriot pound|EUR
        MTL|470|Lm|Maltese lira|Malta|liri|EUR
        SIT|705||Slovenian tolar|Slovenia|tolarjev|EUR
        GRD|300|₯|Greek drachma|Greece|drachmae,drachmes|EUR
        ATS|040|öS|Austrian schilling|Austria|osterreich|EUR
        BEF|056||Belgian franc|Belgium||EUR
        DEM|276|DM|German mark|Germany|deutsche mark,deutschmark,d mark,deutschland|EUR
        ESP|724|₧|Spanish peseta|Spain,Andorra|espana|EUR
        FIM|246|mk|Finnish markka|Finland|finnish mark,markkaa,suomi|EUR
        FRF|250|₣|French franc|France,Monaco,Andorra||EUR
        IEP|372|IR£|Irish pound|Ireland|punt|EUR
        ITL|380|₤|Italian lira|Italy,San Marino,Vatican City|lire,italia|EUR
        LUF|442||Luxembourg franc|Luxembourg||EUR
        NLG|528|ƒ|Dutch guilder|Netherlands|holland,gulden,florin|EUR
        PTE|620||Portuguese escudo|Portugal||EUR
        ROL|642||Romanian leu (until 2005)|Romania|old leu|RON
        TRL|792||Turkish lira (until 2005)|Turkey|old lira|TRY
        """

    /// The members since 1999, 2001, 2007 to 2009, 2011, 2014, 2015, 2023 and 2026, and other places that use the
    /// euro.
    private static let euroArea = """
        Germany,France,Italy,Spain,Netherlands,Belgium,Greece,Portugal,Austria,Bulgaria,Finland,Slovakia,Ireland,\
        Croatia,Lithuania,Slovenia,Latvia,Estonia,Cyprus,Luxembourg,Malta,Kosovo,Montenegro,Andorra,Monaco,San Marino,\
        Vatican City
        """

    private static let dollarArea = """
        United States,Puerto Rico,Ecuador,El Salvador,Panama,Timor-Leste,Guam,US Virgin Islands,Micronesia,\
        Northern Mariana Islands,American Samoa,Turks and Caicos Islands,Marshall Islands,British Virgin Islands,\
        Caribbean Netherlands,Palau
        """

    private static let britain = "uk,britain,great britain,england,scotland,wales,british pound,sterling,quid"
}
