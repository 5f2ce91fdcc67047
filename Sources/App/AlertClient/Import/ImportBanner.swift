internal import Market

/// The lines of text before the header of a file, such as the address of its publisher.
struct ImportBanner {
    /// The maximum number of lines. A file with more is not a price file.
    static let limit = 10

    /// The fault and the number of the first line, to report if no header follows.
    private(set) var first: (fault: LineFault, line: Int)?
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Adds a line that is neither a header nor a row.
    ///
    /// - Throws: the ``LineFault`` of the first such line if there are too many lines.
    mutating func add(_ text: Span<UInt8>, _ place: TextLine) throws(LineFault) {
        count += 1
        let first = first ?? (Self.fault(text, place.range), place.number)
        self.first = first
        guard count <= Self.limit else { throw first.fault }
    }

    /// Returns the fault of a line. If the last field of the line is a price, the line is a row whose time cannot be
    /// read.
    private static func fault(_ text: Span<UInt8>, _ line: Range<Int>) -> LineFault {
        for separator in FieldSplitter.separators {
            let fields = FieldSplitter(separator: separator).fields(of: text, in: line)
            guard let time = fields.first, let other = fields.dropFirst().last, !other.isEmpty,
                (try? Price(parsing: text, in: other)) != nil
            else { continue }
            return LineFault("time", text, time, LineFault.noTime)
        }
        return LineFault(
            "not an alertctl export, not rows of time and price, not klines (open time, open, high, low, close, …), "
                + "and not a header that names a time and a price")
    }
}
