package import ExchangeRates
package import Time

/// Finds the rates of one date in a file that comes in pieces, such as the whole history, of which it keeps one table.
/// The rates of other dates are not checked.
package final class RateSearch {
    /// What the file has for the date.
    package struct Result: Sendable {
        /// The table of the date, or of the last one before it; nil if all are later.
        package var table: RateTable?
        /// The next date with rates after ``table``, or the first one without a table; nil after the last one.
        package var next: CivilDate?
        /// The first and the last date of the file.
        package var dates: ClosedRange<CivilDate>
    }

    private enum Reader {
        case xml(XMLReader)
        case csv(CSVReader)
    }

    private let date: CivilDate
    private let limits: RateFileLimits
    private var reader: Reader?
    /// The white space at the beginning, before it is known what the file is.
    private var start: [UInt8] = []
    private var byteCount = 0

    /// - Parameters:
    ///   - date: The date to look for.
    ///   - limits: How large the file may be.
    package init(for date: CivilDate, limits: RateFileLimits = RateFileLimits()) {
        (self.date, self.limits) = (date, limits)
    }

    /// Reads the next piece of the file.
    ///
    /// - Throws: ``RateFileError``; then the file cannot be used.
    package func add(_ piece: ArraySlice<UInt8>) throws(RateFileError) {
        byteCount += piece.count
        guard byteCount <= limits.byteCount else {
            throw RateFileError(.tooManyBytes(limit: limits.byteCount), line: 1, column: 1)
        }
        guard reader == nil else { return try read(piece) }
        start += piece
        let text = start.starts(with: [0xEF, 0xBB, 0xBF]) ? start.dropFirst(3) : start[...]
        guard let first = text.first(where: { !isSpace($0) }) else { return }
        reader = try makeReader(isXML: first == UInt8(ascii: "<"))
        let all = start[...]
        start = []
        try read(all)
    }

    /// Ends the file.
    ///
    /// - Throws: ``RateFileError`` for a file that is cut off, or has no date.
    package func finish() throws(RateFileError) -> Result {
        let found: Result?
        switch reader {
        case .xml(let reader): found = try reader.finish()
        case .csv(var reader): found = try reader.finish()
        case nil: throw Place().fault(.empty)
        }
        guard let found else { throw Place().fault(.noRates) }
        return found
    }

    private func makeReader(isXML: Bool) throws(RateFileError) -> Reader {
        guard isXML else {
            return .csv(
                CSVReader(
                    [], source: RateHistory.europeanCentralBank, limits: limits, sought: date, ignoring: { _ in }))
        }
        guard let reader = XMLReader(source: nil, limits: limits, sought: date, ignoring: { _ in }) else {
            throw RateFileError(.malformedXML("out of memory"), line: 1, column: 1)
        }
        return .xml(reader)
    }

    private func read(_ piece: ArraySlice<UInt8>) throws(RateFileError) {
        switch reader {
        case .xml(let reader): try reader.add(piece)
        case .csv(var csv):
            reader = nil
            defer { reader = .csv(csv) }
            try csv.add(piece)
        case nil: break
        }
    }
}
