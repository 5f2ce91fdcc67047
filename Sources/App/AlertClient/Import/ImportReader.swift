internal import Diagnostics
internal import JSON
package import Market
package import Time

/// A price to import.
package struct ImportedSample {
    package let symbol: Symbol
    /// The time of the price, since 1970.
    package let milliseconds: Int64
    /// Greater than 0.
    package let price: Price
}

/// A fault in a line. Its message is worded so that it can follow the position of the line.
package struct LineFault: Error {
    /// The message, without the file and line.
    package var message: String

    init(_ message: String) {
        self.message = message
    }

    static let noTime =
        "is neither a number since 1970 nor a date with the year first, such as 2026-11-21, 2026-11-21 05:22:44 or "
        + "2026-11-21T05:22:44+01:00"

    /// Makes a message that quotes the text of a field, shortened and made safe to show.
    init(_ what: String, _ text: Span<UInt8>, _ range: Range<Int>, _ why: String) {
        let shown = visible(text.string(in: range.prefix(40)))
        message = "the \(what) '\(shown)\(range.count > 40 ? "…" : "")' \(why)"
    }
}

/// The options for reading files.
package struct ImportOptions {
    /// The symbol that the user gave, for files that do not name their symbol or name their only symbol differently.
    package var symbol: Symbol?
    /// The length of a kline; nil to detect it.
    package var klineLength: Milliseconds?
    /// The symbol from the name of the file, used if neither the file nor the user names one.
    package var presumedSymbol: Symbol?
    /// True to use all four prices of a kline instead of only its close.
    package var takesWholeKlines = false
    /// The current time; later prices are refused.
    package var now: WallTime

    package init(symbol: Symbol? = nil, now: WallTime) {
        self.symbol = symbol
        self.now = now
    }
}

/// A reader of the lines of one file, one after another.
///
/// The first line that is neither empty nor a comment determines the layout, and the first time determines the unit
/// of all times. A few lines of other text, such as the address of the publisher, may come before a header. The price
/// of a kline is its close. Its time is the last millisecond of the kline, so that steps of the same length have the
/// same close.
package struct ImportReader {
    private let options: ImportOptions
    private(set) var layout: ImportLayout?
    private(set) var timeForm: TimeForm?
    /// The header of an alertctl export.
    private(set) var header: ExportHeader?
    /// The number of records according to the last line of an export; nil until that line is read.
    private(set) var statedRecords: Int?
    /// The number of lines that should contain a price, including bad ones.
    private(set) var records = 0
    /// The number of klines that end in the future.
    private(set) var unfinished = 0
    private(set) var klines = KlineLength()
    /// The prices before the close of the last kline, in time order; see ``ImportOptions/takesWholeKlines``.
    package private(set) var path: [ImportedSample] = []
    private let objects = JSONLineReader(members: ["time", "symbol", "price", "records", "complete"])
    /// The file's own name for its only symbol, if the user gave another name.
    private var ownName: [UInt8]?
    /// The separator in Excel's `sep=;`.
    private var statedSeparator: UInt8?
    /// The lines before the header that are neither comments nor empty.
    private(set) var banner = ImportBanner()
    /// The decimal sign of the prices: a point or a comma; nil while all prices are whole numbers.
    private(set) var decimalSign: UInt8?

    /// Creates a reader that begins with the first line of a file.
    package init(_ options: ImportOptions) {
        self.options = options
    }

    /// Reads a line.
    ///
    /// - Returns: the price; nil if the line has none, and for an unfinished kline.
    /// - Throws: ``LineFault``.
    package mutating func read(_ text: Span<UInt8>, _ place: TextLine) throws(LineFault) -> ImportedSample? {
        path.removeAll(keepingCapacity: true)
        let line = place.range
        guard !line.allSatisfy({ text[$0] == 0x20 || text[$0] == 0x09 }) else { return nil }
        guard text[line.lowerBound] != 0x23 else {
            try readComment(text.string(in: line))
            return nil
        }
        guard statedRecords == nil else { throw LineFault("there are more lines after the end of the export") }
        guard let layout else { return try begin(text, place) }
        switch layout {
        case .jsonLines: return try readObject(text, place)
        case .csv(let columns): return try readRow(text, line, columns)
        }
    }

    /// The fault of the file as a whole, known after its last line; nil if there is none.
    package var faultAtEnd: LineFault? {
        guard header != nil else { return nil }
        guard let statedRecords else { return LineFault("the export is incomplete: its last line is missing") }
        guard statedRecords != records else { return nil }
        return LineFault("the export is incomplete: it has \(records) of \(statedRecords) records")
    }

    private mutating func begin(_ text: Span<UInt8>, _ place: TextLine) throws(LineFault) -> ImportedSample? {
        let line = place.range
        if text[line.lowerBound] == 0x7B {
            layout = .jsonLines
            if let header = ExportHeader(json: text.string(in: line)) {
                try adopt(header)
                return nil
            }
            return try readObject(text, place)
        }
        if banner.isEmpty, let separator = Self.separator(statedBy: text.string(in: line.prefix(16))) {
            statedSeparator = separator
            return nil
        }
        let columns = ImportLayout.Columns(recognizing: text, in: line, separator: statedSeparator)
        // Only a header may follow a banner. If a row follows, the lines before it were bad rows, not a banner.
        guard let columns, columns.hasHeader || banner.isEmpty else {
            try banner.add(text, place)
            return nil
        }
        guard columns.symbol != nil || options.symbol != nil || options.presumedSymbol != nil else {
            throw LineFault("the file does not name its symbol; specify it with --symbol")
        }
        layout = .csv(columns)
        return columns.hasHeader ? nil : try readRow(text, line, columns)
    }

    /// Returns the separator that a line such as Excel's `sep=;` names; nil for another line.
    private static func separator(statedBy line: String) -> UInt8? {
        let bytes = Array(line.lowercased().utf8.filter { $0 != 0x22 })
        guard bytes.count == 5, bytes.starts(with: "sep=".utf8), FieldSplitter.separators.contains(bytes[4]) else {
            return nil
        }
        return bytes[4]
    }

    private mutating func readComment(_ line: String) throws(LineFault) {
        if let header = ExportHeader(comment: line) { try adopt(header) }
        if let records = ExportEnd(comment: line)?.records { statedRecords = records }
    }

    private mutating func adopt(_ header: ExportHeader) throws(LineFault) {
        guard header.what == ExportHeader.prices else {
            throw LineFault("it contains \(visible(header.what)), but only prices can be imported")
        }
        guard header.format <= ExportHeader.currentFormat else {
            throw LineFault("it was written by alertctl \(visible(header.version)), which is newer than this one")
        }
        self.header = header
    }
}

// MARK: Records

extension ImportReader {
    private mutating func readObject(_ text: Span<UInt8>, _ line: TextLine) throws(LineFault) -> ImportedSample? {
        let isObject = objects.read(text, line.range, block: line.block)
        if isObject, objects.value(4) != nil, let stated = objects.value(3) {
            statedRecords = Int(text.string(in: stated))
            return nil
        }
        records += 1
        guard isObject else { throw LineFault("it is not a JSON object with time, symbol and price") }
        guard let time = objects.value(0) else { throw LineFault("the time is missing") }
        guard let price = objects.value(2) else { throw LineFault("the price is missing") }
        guard let symbol = objects.value(1) else { throw LineFault("the symbol is missing") }
        return try sample(text, time: time, price: price, symbol: symbol)
    }

    private mutating func readRow(
        _ text: Span<UInt8>, _ line: Range<Int>, _ columns: ImportLayout.Columns
    ) throws(LineFault) -> ImportedSample? {
        records += 1
        let nowhere = line.lowerBound..<line.lowerBound
        var (open, high, low) = (nowhere, nowhere, nowhere)
        let path = options.takesWholeKlines ? columns.path : nil
        var (time, price, symbol, closeTime, count) = (nowhere, nowhere, nowhere, nowhere, 0)
        FieldSplitter(separator: columns.separator).forEachField(of: text, in: line) { number, range in
            count = number + 1
            if number == columns.time { time = range }
            if number == columns.price { price = range }
            if number == columns.symbol { symbol = range }
            if number == columns.closeTime { closeTime = range }
            guard let path else { return }
            if number == path.open { open = range }
            if number == path.high { high = range }
            if number == path.low { low = range }
        }
        guard count >= columns.count else {
            throw LineFault("it has \(counted(count, "column")) instead of at least \(columns.count)")
        }
        let named = columns.symbol == nil ? nil : symbol
        guard columns.areKlines else { return try sample(text, time: time, price: price, symbol: named) }
        let end = try kline(
            text, open: time, close: columns.closeTime == nil ? nil : closeTime, price: price, symbol: named)
        if path != nil, let end {
            let prices = try (self.price(text, open), self.price(text, high), self.price(text, low))
            self.path = try Self.path(
                open: prices.0, high: prices.1, low: prices.2, to: end, from: self.time(text, time))
        }
        return end
    }

    /// Returns the prices of a kline before its close: the open at its beginning, and its extremes after a third and
    /// two thirds of its length. The low is first if the kline rises or ends at its open, the high if it falls.
    private static func path(
        open: Price, high: Price, low: Price, to end: ImportedSample, from begin: Int64
    ) throws(LineFault) -> [ImportedSample] {
        guard low <= open, low <= end.price, open <= high, end.price <= high else {
            throw LineFault("the open or the close of the kline is outside its low and high")
        }
        let third = (end.milliseconds - begin) / 3
        let prices = end.price >= open ? [open, low, high] : [open, high, low]
        return prices.enumerated().map { number, price in
            ImportedSample(symbol: end.symbol, milliseconds: begin + Int64(number) * third, price: price)
        }
    }

    private mutating func sample(
        _ text: Span<UInt8>, time: Range<Int>, price: Range<Int>, symbol: Range<Int>?
    ) throws(LineFault) -> ImportedSample {
        let milliseconds = try self.time(text, time)
        guard milliseconds <= options.now.milliseconds else { throw LineFault("time", text, time, "is in the future") }
        return ImportedSample(
            symbol: try self.symbol(text, symbol), milliseconds: milliseconds, price: try self.price(text, price))
    }

    private mutating func kline(
        _ text: Span<UInt8>, open: Range<Int>, close: Range<Int>?, price: Range<Int>, symbol: Range<Int>?
    ) throws(LineFault) -> ImportedSample? {
        let begin = try time(text, open)
        klines.record(begin)
        let end = if let close { KlineLength.lastMillisecond(ofClose: try time(text, close)) } else { Int64?.none }
        let sample = ImportedSample(
            symbol: try self.symbol(text, symbol),
            milliseconds: end ?? begin + max(1, (options.klineLength ?? .zero).count) - 1,
            price: try self.price(text, price))
        guard sample.milliseconds >= begin else { throw LineFault("the kline ends before it begins") }
        guard sample.milliseconds <= options.now.milliseconds else {
            unfinished += 1
            return nil
        }
        return sample
    }
}

// MARK: Fields

extension ImportReader {
    /// The day of Bitcoin's first block: no price is older.
    private static let oldest: Int64 = 1_230_940_800_000

    private mutating func time(_ text: Span<UInt8>, _ range: Range<Int>) throws(LineFault) -> Int64 {
        guard let (form, milliseconds) = importedTime(text, in: range) else {
            throw LineFault("time", text, range, LineFault.noTime)
        }
        let expected = timeForm ?? form
        timeForm = expected
        guard form == expected else {
            throw LineFault("time", text, range, "is not in the same format as before: \(expected.text)")
        }
        guard milliseconds >= Self.oldest else { throw LineFault("time", text, range, "is before the first bitcoin") }
        return milliseconds
    }

    private mutating func price(_ text: Span<UInt8>, _ range: Range<Int>) throws(LineFault) -> Price {
        do throws(PriceError) {
            let price = try parsed(text, range)
            guard price.isPositive else { throw PriceError.malformed }
            return price
        } catch {
            throw LineFault(
                "price", text, range,
                error == .doesNotFit
                    ? "has more digits than can be stored exactly" : "is not a number greater than 0 in plain digits")
        }
    }

    /// Reads a price with a decimal point or comma, which must not change within a file.
    private mutating func parsed(_ text: Span<UInt8>, _ range: Range<Int>) throws(PriceError) -> Price {
        guard let sign = range.first(where: { text[$0] == 0x2E || text[$0] == 0x2C }).map({ text[$0] }) else {
            return try Price(parsing: text, in: range)
        }
        guard sign == decimalSign ?? sign else { throw .malformed }
        // For a decimal comma, commas become points. Points become commas, which make the number invalid.
        let plain = range.map { sign == 0x2E ? text[$0] : text[$0] == 0x2C ? 0x2E : text[$0] == 0x2E ? 0x2C : text[$0] }
        let price = try Price(parsing: plain.span, in: 0..<plain.count)
        decimalSign = sign
        return price
    }

    private mutating func symbol(_ text: Span<UInt8>, _ range: Range<Int>?) throws(LineFault) -> Symbol {
        if let symbol = options.symbol {
            try checkIsAlone(text, range)
            return symbol
        }
        guard let range else {
            if let presumed = options.presumedSymbol { return presumed }
            throw LineFault("the symbol is missing")
        }
        guard let symbol = Symbol(text, in: range) ?? Symbol(pair: text.string(in: range)) else {
            throw LineFault("symbol", text, range, "is not a name of at most 32 letters and digits")
        }
        return symbol
    }
}

extension ImportReader {
    /// Checks that the file has only one symbol, because --symbol cannot rename several symbols.
    private mutating func checkIsAlone(_ text: Span<UInt8>, _ range: Range<Int>?) throws(LineFault) {
        guard let range else { return }
        guard let ownName else {
            self.ownName = range.map { text[$0] }
            return
        }
        guard ownName.count == range.count, ownName.indices.allSatisfy({ ownName[$0] == text[range.lowerBound + $0] })
        else {
            throw LineFault(
                "symbol", text, range, "differs from the previous one; --symbol works only for files with one symbol")
        }
    }
}

extension Symbol {
    /// Reads a symbol as other programs write it: `BTC/USDT`, `BTC-USDT`.
    fileprivate init?(pair: String) {
        self.init(pair.lowercased().filter { !"/-_".contains($0) })
    }
}

/// The length of klines, detected from the times at which they begin: the greatest common divisor of the distances
/// from the first time. This works in any order, and the times need not be kept.
struct KlineLength {
    private static let usual: [Int64] = [
        1_000, 60_000, 180_000, 300_000, 900_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000, 21_600_000, 28_800_000,
        43_200_000, 86_400_000, 259_200_000, 604_800_000,
    ]

    private var first: Int64?
    private var divisor: Int64 = 0

    mutating func record(_ begin: Int64) {
        guard let first else {
            first = begin
            return
        }
        var (a, b) = (divisor, abs(begin - first))
        while b != 0 { (a, b) = (b, a % b) }
        divisor = a
    }

    /// The length; nil if exchanges have no klines of this length.
    var length: Milliseconds? {
        Self.usual.contains(divisor) ? Milliseconds(divisor) : nil
    }

    /// Returns the last millisecond of a kline. The close time that exchanges give is the last millisecond or second
    /// of the kline, or the first moment after it.
    static func lastMillisecond(ofClose time: Int64) -> Int64 {
        switch time % 60_000 {
        case 0: time - 1
        case 59_000: time + 999
        default: time
        }
    }
}
