internal import ExchangeRates
internal import Market
internal import Time

/// A reader of the CSV of the European Central Bank: a header `Date,USD,…`, then one line per date, with `N/A`
/// where there is no rate.
///
/// Spaces around a field are ignored. If the header ends with a comma, so does each line; the empty last field then
/// shows that the line is complete.
struct CSVReader {
    private let limits: RateFileLimits
    private var builder: HistoryBuilder
    private var rest: ArraySlice<UInt8>
    /// True if the last line ends with a newline.
    private var endsInLineEnd: Bool
    /// The beginning of a line whose end has not been read yet, in a file that is read in pieces.
    private var incomplete: [UInt8] = []
    private var hasHeader = false
    /// The currencies of the columns after the date; nil for an ignored column.
    private var columns: [Currency?] = []
    private var currencies: [Currency] = []
    private var ignored: IgnoredRates
    /// True if the header ends with a comma.
    private var isClosed = false
    private var place = Place(line: 0)
    /// The offset in the file at which the line of ``place`` begins.
    private var lineStart = 0

    private static let lineFeed = UInt8(ascii: "\n")

    init(
        _ bytes: [UInt8], source: String, limits: RateFileLimits, sought: CivilDate? = nil,
        ignoring report: ((RateFileError) -> Void)?
    ) {
        self.limits = limits
        ignored = IgnoredRates(report: report)
        builder = HistoryBuilder(source: source, limits: limits, sought: sought)
        let hasByteOrderMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        let content = bytes.prefix((bytes.lastIndex { !isSpace($0) } ?? -1) + 1)
        rest = content.dropFirst(hasByteOrderMark ? 3 : 0)
        endsInLineEnd = bytes[content.endIndex...].contains(Self.lineFeed)
    }

    mutating func read() throws(RateFileError) -> RateHistory {
        guard !rest.isEmpty else { throw Place().fault(.empty) }
        try readHeader(nextLine())
        while !rest.isEmpty {
            let fields = nextLine()
            _ = try unlessIgnored { reader throws(RateFileError.Fault) in try reader.readLine(fields) }
        }
        // Without a comma or a newline at the end, a number that lacks its last digits looks like any other.
        guard isClosed || endsInLineEnd else { throw place.fault(.cutOff) }
        guard let history = builder.history() else { throw ignored.first ?? place.fault(.noRates) }
        return history
    }

    /// Reads an element of the file; returns nil if it is ignored.
    private mutating func unlessIgnored<Value>(
        _ read: (inout CSVReader) throws(RateFileError.Fault) -> Value
    ) throws(RateFileError) -> Value? {
        do throws(RateFileError.Fault) {
            return try read(&self)
        } catch {
            let error = place.fault(error)
            guard ignored.handle(error) else { throw error }
            return nil
        }
    }

    /// Returns the trimmed fields of the next line. If there are more than the limits allow, the last field contains
    /// the rest of the line.
    private mutating func nextLine() -> [ArraySlice<UInt8>] {
        place = Place(line: place.line + 1)
        lineStart = rest.startIndex
        let line = rest.prefix { $0 != Self.lineFeed }
        rest = rest[line.endIndex...].dropFirst()
        let fields = line.split(
            separator: UInt8(ascii: ","), maxSplits: limits.currencyCount + 2, omittingEmptySubsequences: false)
        return fields.map(trimmed)
    }

    private mutating func readHeader(_ fields: [ArraySlice<UInt8>]) throws(RateFileError) {
        guard let first = fields.first, first.elementsEqual("Date".utf8) else {
            throw place.fault(.malformedHeader(excerpt(fields.first ?? [])))
        }
        isClosed = fields.count > 2 && fields.last?.isEmpty == true
        var known: Set<Currency> = []
        for field in fields.dropFirst().dropLast(isClosed ? 1 : 0) {
            let currency = try unlessIgnored { reader throws(RateFileError.Fault) in
                try Field.currency(reader.text(of: field))
            }
            columns.append(currency)
            guard columns.count <= limits.currencyCount else {
                throw place.fault(.tooManyCurrencies(limit: limits.currencyCount))
            }
            guard let currency else { continue }
            guard known.insert(currency).inserted else { throw place.fault(.repeatedCurrency("\(currency)")) }
            currencies.append(currency)
        }
    }

    private mutating func readLine(_ fields: [ArraySlice<UInt8>]) throws(RateFileError.Fault) {
        let expected = columns.count + (isClosed ? 2 : 1)
        guard fields.count == expected, !isClosed || fields.last?.isEmpty == true else {
            throw .fieldCount(found: fields.count, expected: expected)
        }
        try builder.begin(text(of: fields[0]))
        if builder.isSkipped { return }
        try builder.append(currencies, rates(in: fields.dropFirst()))
    }

    private mutating func rates(in fields: ArraySlice<ArraySlice<UInt8>>) throws(RateFileError.Fault) -> [Price?] {
        var rates: [Price?] = []
        rates.reserveCapacity(currencies.count)
        for (currency, field) in zip(columns, fields) {
            let text = try text(of: field)
            guard let currency else { continue }
            guard text != "N/A" else {
                rates.append(nil)
                continue
            }
            do throws(RateFileError.Fault) {
                rates.append(try Field.rate(text, of: currency))
            } catch {
                guard ignored.handle(place.fault(error)) else { throw error }
                rates.append(nil)
            }
        }
        return rates
    }

    /// Returns the field as text, and sets the position for errors in it.
    private mutating func text(of field: ArraySlice<UInt8>) throws(RateFileError.Fault) -> String {
        place.column = field.startIndex - lineStart + 1
        guard field.count <= limits.textLength else { throw .tooLong(limit: limits.textLength) }
        return String(decoding: field, as: UTF8.self)
    }
}

// A file that comes in pieces.
extension CSVReader {
    /// The longest line: the largest number of fields of the greatest length.
    private var lineLimit: Int { (limits.currencyCount + 2) * (limits.textLength + 1) }

    /// Reads the lines that are complete with the next piece of the file.
    mutating func add(_ piece: ArraySlice<UInt8>) throws(RateFileError) {
        incomplete += piece
        guard let end = incomplete.lastIndex(of: Self.lineFeed) else {
            guard incomplete.count <= lineLimit else { throw place.fault(.tooLong(limit: lineLimit)) }
            return
        }
        rest = incomplete[...end]
        incomplete = Array(incomplete[(end + 1)...])
        if !hasHeader, rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        try readLines()
    }

    /// Ends the file.
    mutating func finish() throws(RateFileError) -> RateSearch.Result? {
        endsInLineEnd = incomplete.allSatisfy(isSpace)
        rest = endsInLineEnd ? [] : incomplete[...]
        try readLines(areComplete: false)
        guard isClosed || endsInLineEnd else { throw place.fault(.cutOff) }
        return builder.found
    }

    private mutating func readLines(areComplete: Bool = true) throws(RateFileError) {
        while !rest.isEmpty {
            if hasHeader, areComplete, try skipLine() { continue }
            let fields = nextLine()
            if fields.count == 1, fields[0].isEmpty { continue }
            guard hasHeader else {
                try readHeader(fields)
                hasHeader = true
                continue
            }
            _ = try unlessIgnored { reader throws(RateFileError.Fault) in try reader.readLine(fields) }
        }
    }

    /// Skips a line whose rates are not sought, after its date.
    private mutating func skipLine() throws(RateFileError) -> Bool {
        let line = rest.prefix { $0 != Self.lineFeed }
        let text = String(decoding: trimmed(line.prefix { $0 != UInt8(ascii: ",") }.prefix(20)), as: UTF8.self)
        guard let date = try? Field.date(text), builder.skips(date) else { return false }
        place = Place(line: place.line + 1)
        do throws(RateFileError.Fault) { try builder.begin(text) } catch { throw place.fault(error) }
        rest = rest[line.endIndex...].dropFirst()
        return true
    }
}

func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
}

/// Returns the field without surrounding spaces and without a carriage return at the end of the line.
private func trimmed(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let start = field.drop(while: isSpace)
    return start.prefix((start.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start.startIndex) - start.startIndex)
}
