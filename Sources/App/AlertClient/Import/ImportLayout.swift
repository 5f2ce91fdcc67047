internal import Market

/// The layout of the lines of a file.
enum ImportLayout: Equatable, Sendable {
    /// One JSON object per line, with time, symbol and price.
    case jsonLines
    case csv(Columns)

    /// Which column of a CSV file is what.
    struct Columns: Equatable, Sendable {
        var separator: UInt8
        /// The time of the price, or the beginning of its kline.
        var time: Int
        var price: Int
        /// The column with the name of the symbol.
        var symbol: Int?
        /// Whether each row is a kline; then the price is its close.
        var areKlines = false
        /// The end of the kline.
        var closeTime: Int?
        /// The first, highest and lowest price of a kline, if all three are present.
        var path: Path?
        var hasHeader = false

        struct Path: Equatable, Sendable {
            var open: Int
            var high: Int
            var low: Int
        }

        /// The least number of columns that a row must have.
        var count: Int { max(time, price, symbol ?? 0, closeTime ?? 0) + 1 }
    }
}

extension ImportLayout.Columns {
    private static let timeNames = [
        "time", "timestamp", "ts", "unix", "unixtime", "unixtimestamp", "date", "datetime", "opentime", "starttime",
        "timeutc",
    ]
    private static let closeTimeNames = ["closetime", "endtime"]
    private static let priceNames = ["price", "close", "last", "lastprice", "closeprice"]
    private static let symbolNames = ["symbol", "market", "pair", "ticker"]

    /// Recognizes the columns by the first line of a file: by their names or, without names, by their number and
    /// content. Nil if they are not recognized. A decimal comma is no separator if another one gives columns.
    ///
    /// - Parameters:
    ///   - text: the text with the line.
    ///   - line: the place of the line.
    ///   - separator: the separator that the file names; nil to find it.
    init?(recognizing text: Span<UInt8>, in line: Range<Int>, separator: UInt8? = nil) {
        for mark in separator.map({ [$0] }) ?? FieldSplitter.separators where line.contains(where: { text[$0] == mark })
        {
            let fields = FieldSplitter(separator: mark).fields(of: text, in: line)
            let isData = fields.first.map { importedTime(text, in: $0) != nil } ?? false
            let columns =
                isData
                ? Self.unnamed(fields, of: text, mark)
                : Self.named(fields.map { Self.plainName(text.string(in: $0)) }, mark)
            guard let columns else { continue }
            self = columns
            return
        }
        return nil
    }

    private static func named(_ names: [String], _ separator: UInt8) -> Self? {
        let place = { (known: [String]) in known.lazy.compactMap { names.firstIndex(of: $0) }.first }
        let closeTime = place(closeTimeNames)
        guard let time = place(timeNames) ?? closeTime, let price = place(priceNames) else { return nil }
        let open = place(["open", "openprice"])
        var columns = Self(
            separator: separator, time: time, price: price, symbol: place(symbolNames), areKlines: open != nil,
            closeTime: open != nil ? closeTime : nil, hasHeader: true)
        if let open, let high = place(["high", "highprice"]), let low = place(["low", "lowprice"]) {
            columns.path = Path(open: open, high: high, low: low)
        }
        return columns
    }

    /// Klines of exchanges have time, open, high, low, close, volume; those of Binance the close time next.
    private static func unnamed(_ fields: [Range<Int>], of text: Span<UInt8>, _ separator: UInt8) -> Self? {
        switch fields.count {
        case 2: return Self(separator: separator, time: 0, price: 1)
        case 3: return Self(separator: separator, time: 0, price: 2, symbol: 1)
        case 6...:
            let closeTime = fields.count >= 11 && importedTime(text, in: fields[6]) != nil ? 6 : nil
            return Self(
                separator: separator, time: 0, price: 4, areKlines: true, closeTime: closeTime,
                path: Path(open: 1, high: 2, low: 3))
        default: return nil
        }
    }

    /// `Open Time` and `open_time` are `opentime`.
    private static func plainName(_ name: String) -> String {
        name.lowercased().filter { $0.isLetter || $0.isNumber }
    }
}

/// Splits a line of CSV into fields.
struct FieldSplitter {
    /// More columns than any price file has; the rest is ignored.
    private static let most = 64
    /// Tab, semicolon and comma: a comma may be a decimal sign if there is another separator.
    static let separators: [UInt8] = [0x09, 0x3B, 0x2C]

    let separator: UInt8

    /// The positions of the fields, without surrounding spaces and quotes. A separator inside quotes does not count.
    func fields(of text: Span<UInt8>, in line: Range<Int>) -> [Range<Int>] {
        var fields: [Range<Int>] = []
        forEachField(of: text, in: line) { fields.append($1) }
        return fields
    }

    func forEachField(of text: Span<UInt8>, in line: Range<Int>, _ body: (Int, Range<Int>) -> Void) {
        var start = line.lowerBound
        var isQuoted = false
        var number = 0
        for index in line where number < Self.most {
            if text[index] == 0x22 { isQuoted.toggle() }
            guard text[index] == separator, !isQuoted else { continue }
            body(number, Self.trimmed(text, start..<index))
            number += 1
            start = index + 1
        }
        if number < Self.most { body(number, Self.trimmed(text, start..<line.upperBound)) }
    }

    private static func trimmed(_ text: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        var (first, last) = (range.lowerBound, range.upperBound)
        while first < last, text[first] == 0x20 { first += 1 }
        while last > first, text[last - 1] == 0x20 { last -= 1 }
        if last - first >= 2, text[first] == 0x22, text[last - 1] == 0x22 { return first + 1..<last - 1 }
        return first..<last
    }
}
