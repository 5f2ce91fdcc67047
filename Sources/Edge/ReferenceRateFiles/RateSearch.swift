package import ExchangeRates
package import Time

/// A search for the rates of one date in a file that is read in pieces, such as the whole history. It keeps a single
/// table in memory, and does not validate the rates of other dates.
package final class RateSearch {
    /// The rates that the file has for the date.
    package struct Result: Sendable {
        /// The table of the date, or of the last date before it; nil if all dates of the file are later.
        package var table: RateTable?
        /// The next date in the file after ``table``, or the first date if there is no table; nil if there is none.
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
    /// The beginning of the file, until the first character shows the format.
    private var start: [UInt8] = []
    private var byteCount = 0
    /// The maximum length of blanks at the beginning of a file, in bytes.
    private static let blankLimit = 64 << 10

    /// - Parameters:
    ///   - date: The date to look for.
    ///   - limits: The limits of the file.
    package init(for date: CivilDate, limits: RateFileLimits = RateFileLimits()) {
        (self.date, self.limits) = (date, limits)
    }

    /// Reads the next piece of the file.
    ///
    /// - Throws: ``RateFileError`` if the file is invalid.
    package func add(_ piece: ArraySlice<UInt8>) throws(RateFileError) {
        byteCount += piece.count
        guard byteCount <= limits.byteCount else {
            throw RateFileError(.tooManyBytes(limit: limits.byteCount), line: 1, column: 1)
        }
        guard reader == nil else { return try read(piece) }
        start += piece
        let text = start.starts(with: [0xEF, 0xBB, 0xBF]) ? start.dropFirst(3) : start[...]
        guard let first = text.first(where: { !isSpace($0) }) else {
            // All of it is searched again with each piece.
            guard start.count <= Self.blankLimit else { throw Place().fault(.empty) }
            return
        }
        reader = try makeReader(isXML: first == UInt8(ascii: "<"))
        let all = start[...]
        start = []
        try read(all)
    }

    /// Finishes the search at the end of the file.
    ///
    /// - Throws: ``RateFileError`` if the file is cut off, or has no date.
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
