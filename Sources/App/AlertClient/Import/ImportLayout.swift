internal import Market

/// The layout of the lines of a file.
enum ImportLayout: Equatable, Sendable {
    /// One JSON object per line, with time, symbol and price.
    case jsonLines
    case csv(Columns)

    /// The indices of the columns of a CSV file, from 0.
    struct Columns: Equatable, Sendable {
        var separator: UInt8
        /// The time of the price, or the beginning of its kline.
        var time: Int
        var price: Int
        /// The name of the symbol; nil if the file does not have this column.
        var symbol: Int?
        /// True if each row is a kline; the price is then its close.
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

        /// The minimum number of columns in a row.
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

    /// Recognizes the columns from the first line of a file: by their names or, without names, by their number and
    /// content. Returns nil if they are not recognized. Commas are tried last, because they may be decimal signs.
    ///
    /// - Parameters:
    ///   - text: the text with the line.
    ///   - line: the range of the line.
    ///   - separator: the separator that the file names; nil to detect it.
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
        let index = { (known: [String]) in known.lazy.compactMap { names.firstIndex(of: $0) }.first }
        let closeTime = index(closeTimeNames)
        guard let time = index(timeNames) ?? closeTime, let price = index(priceNames) else { return nil }
        let open = index(["open", "openprice"])
        var columns = Self(
            separator: separator, time: time, price: price, symbol: index(symbolNames), areKlines: open != nil,
            closeTime: open != nil ? closeTime : nil, hasHeader: true)
        if let open, let high = index(["high", "highprice"]), let low = index(["low", "lowprice"]) {
            columns.path = Path(open: open, high: high, low: low)
        }
        return columns
    }

    /// Recognizes columns without names. Klines of exchanges have time, open, high, low, close and volume; Binance
    /// adds the close time.
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

    /// Simplifies the name of a column: `Open Time` and `open_time` become `opentime`.
    private static func plainName(_ name: String) -> String {
        name.lowercased().filter { $0.isLetter || $0.isNumber }
    }
}

/// A splitter of CSV lines into fields.
struct FieldSplitter {
    /// The maximum number of columns. No price file has more; the rest is ignored.
    private static let most = 64
    /// Tab, semicolon and comma, in the order in which they are tried: a comma may be a decimal sign if there is
    /// another separator.
    static let separators: [UInt8] = [0x09, 0x3B, 0x2C]

    let separator: UInt8

    /// Returns the ranges of the fields, without surrounding spaces and quotes. A separator inside quotes does not
    /// count.
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
