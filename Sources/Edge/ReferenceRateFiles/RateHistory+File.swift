public import ExchangeRates

extension RateHistory {
    /// The source of rates whose file does not name one.
    public static let europeanCentralBank = "European Central Bank"

    /// Reads a file in any of the formats that the European Central Bank publishes: XML of one day, of 90 days or of
    /// all time, and CSV of one day or of all time (extracted from its ZIP archive).
    ///
    /// A file that begins like XML is read as XML, any other as CSV.
    ///
    /// - Parameters:
    ///   - file: The bytes of the file.
    ///   - source: The publisher of the rates; nil for the sender named in the file or, without one,
    ///     ``europeanCentralBank``.
    ///   - limits: The limits on the file.
    ///   - onIgnored: Called for each currency and date that cannot be used, such as a rate `N/A` in XML. All other
    ///     rates are read. Nil to refuse such a file.
    /// - Throws: ``RateFileError``, also if no rate is left.
    public init(
        file: [UInt8], source: String? = nil, limits: RateFileLimits = RateFileLimits(),
        onIgnored: ((RateFileError) -> Void)? = nil
    ) throws(RateFileError) {
        let start = file.starts(with: [0xEF, 0xBB, 0xBF]) ? file.dropFirst(3) : file[...]
        if start.first(where: { !isSpace($0) }) == UInt8(ascii: "<") {
            try self.init(xml: file, source: source, limits: limits, onIgnored: onIgnored)
        } else {
            try self.init(csv: file, source: source, limits: limits, onIgnored: onIgnored)
        }
    }

    /// Reads an XML file, with one date or many.
    ///
    /// Other elements of the file become the `attributes` of the history.
    ///
    /// - Parameters:
    ///   - xml: The bytes of the file, in UTF-8.
    ///   - source: The publisher of the rates; nil for the sender named in the file.
    ///   - limits: The limits on the file.
    ///   - onIgnored: Called for each currency and date that cannot be used; nil to refuse the file instead.
    /// - Throws: ``RateFileError``.
    public init(
        xml: [UInt8], source: String? = nil, limits: RateFileLimits = RateFileLimits(),
        onIgnored: ((RateFileError) -> Void)? = nil
    ) throws(RateFileError) {
        try Self.checkSize(xml, limits)
        guard let reader = XMLReader(source: source, limits: limits, ignoring: onIgnored) else {
            throw RateFileError(.malformedXML("out of memory"), line: 1, column: 1)
        }
        self = try reader.read(xml)
    }

    /// Reads a CSV file, with one date or many.
    ///
    /// - Parameters:
    ///   - csv: The bytes of the file.
    ///   - source: The publisher of the rates; nil for ``europeanCentralBank``.
    ///   - limits: The limits on the file.
    ///   - onIgnored: Called for each currency and date that cannot be used; nil to refuse the file instead.
    /// - Throws: ``RateFileError``.
    public init(
        csv: [UInt8], source: String? = nil, limits: RateFileLimits = RateFileLimits(),
        onIgnored: ((RateFileError) -> Void)? = nil
    ) throws(RateFileError) {
        try Self.checkSize(csv, limits)
        var reader = CSVReader(csv, source: source ?? Self.europeanCentralBank, limits: limits, ignoring: onIgnored)
        self = try reader.read()
    }

    private static func checkSize(_ bytes: [UInt8], _ limits: RateFileLimits) throws(RateFileError) {
        // expat counts bytes in 31 bits.
        let limit = min(limits.byteCount, Int(Int32.max))
        guard bytes.count <= limit else { throw RateFileError(.tooManyBytes(limit: limit), line: 1, column: 1) }
    }
}
