internal import CExpat
internal import ExchangeRates
internal import Time

/// A reader of the XML of the European Central Bank, based on expat: `Envelope`, `Cube`, `Cube` with a time, `Cube`
/// with a rate.
///
/// expat parses the file in one pass, and the first error stops it. A document type stops it before any entity can be
/// declared, so a small file cannot expand. The memory for the result is bounded by the size of the file.
@safe
final class XMLReader {
    private let parser: XML_Parser
    private let limits: RateFileLimits
    private var content: RateFileContent
    private var failure: RateFileError?
    private var ignored: IgnoredRates
    /// The bytes that were added since expat last completed an element.
    private var pendingBytes = 0

    /// Creates a reader. Returns nil if there is no memory for a parser.
    init?(
        source: String?, limits: RateFileLimits, sought: CivilDate? = nil, ignoring report: ((RateFileError) -> Void)?
    ) {
        ignored = IgnoredRates(report: report)
        // Names become namespace, line feed, name. The text is read as UTF-8, whatever the file declares.
        guard let parser = unsafe XML_ParserCreateNS("UTF-8", 0x0A) else { return nil }
        unsafe self.parser = unsafe parser
        self.limits = limits
        content = RateFileContent(source: source, limits: limits, sought: sought)
    }

    deinit {
        unsafe XML_ParserFree(parser)
    }

    func read(_ bytes: [UInt8]) throws(RateFileError) -> RateHistory {
        try parse(bytes[...], isLast: true)
        do throws(RateFileError.Fault) {
            return try content.history()
        } catch {
            throw ignored.first ?? place.fault(error)
        }
    }

    /// The maximum size of an unfinished tag or comment, in bytes. expat buffers it, and reads it again with each
    /// piece, so a long one would block the loop. The largest tag of the European Central Bank is below 1 kB.
    private static let pendingLimit = 64 << 10

    /// Reads the next piece of the file.
    func add(_ piece: ArraySlice<UInt8>) throws(RateFileError) {
        pendingBytes += piece.count
        try parse(piece, isLast: false)
        guard pendingBytes <= Self.pendingLimit else { throw place.fault(.tooLong(limit: Self.pendingLimit)) }
    }

    /// Ends a file that came in pieces.
    func finish() throws(RateFileError) -> RateSearch.Result? {
        try parse([], isLast: true)
        return content.found
    }

    private func parse(_ bytes: ArraySlice<UInt8>, isLast: Bool) throws(RateFileError) {
        unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        unsafe XML_SetElementHandler(parser, startElement, endElement)
        unsafe XML_SetCharacterDataHandler(parser, characters)
        unsafe XML_SetStartDoctypeDeclHandler(parser, documentType)
        let status = unsafe bytes.withUnsafeBytes { buffer in
            let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            return unsafe XML_Parse(parser, start, Int32(clamping: buffer.count), isLast ? 1 : 0)
        }
        if let failure { throw failure }
        guard status == XML_STATUS_OK else { throw place.fault(.malformedXML(words)) }
    }

    /// The position of the parser: the beginning of an element, or the point at which the parser stopped.
    private var place: Place {
        let line = unsafe alertd_xml_line(parser)
        let column = unsafe alertd_xml_column(parser)
        return Place(line: Int(clamping: line), column: Int(clamping: column) + 1)
    }

    private var words: String {
        unsafe XML_ErrorString(XML_GetErrorCode(parser)).map { unsafe String(cString: $0) } ?? "unknown error"
    }

    fileprivate func perform(_ body: (inout RateFileContent) throws(RateFileError.Fault) -> Void) {
        // expat may make a few more calls after it has been stopped.
        guard failure == nil else { return }
        pendingBytes = 0
        do throws(RateFileError.Fault) {
            try body(&content)
        } catch {
            let error = place.fault(error)
            guard !ignored.handle(error) else { return }
            failure = error
            unsafe XML_StopParser(parser, 0)
        }
    }

    fileprivate static func of(_ context: UnsafeMutableRawPointer?) -> XMLReader? {
        unsafe context.map { unsafe Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
    }
}

private func startElement(
    context: UnsafeMutableRawPointer?, name: UnsafePointer<XML_Char>?,
    pairs: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
) {
    unsafe XMLReader.of(context)?.perform { content throws(RateFileError.Fault) in
        let name = try unsafe content.text(name)
        var attributes: [RateAttribute] = []
        var next = unsafe pairs
        while let pair = unsafe next, unsafe pair[0] != nil {
            let attribute = RateAttribute(
                name: try unsafe content.text(pair[0]), value: try unsafe content.text(pair[1]))
            attributes.append(attribute)
            try content.checkCount(attributes)
            unsafe next = unsafe pair + 2
        }
        try content.start(name, attributes)
    }
}

private func endElement(context: UnsafeMutableRawPointer?, name: UnsafePointer<XML_Char>?) {
    unsafe XMLReader.of(context)?.perform { content throws(RateFileError.Fault) in try content.end() }
}

private func characters(context: UnsafeMutableRawPointer?, bytes: UnsafePointer<XML_Char>?, count: Int32) {
    unsafe XMLReader.of(context)?.perform { content throws(RateFileError.Fault) in
        let bytes = unsafe UnsafeRawBufferPointer(start: bytes, count: Int(count))
        try unsafe content.append(bytes)
    }
}

private func documentType(
    context: UnsafeMutableRawPointer?, name: UnsafePointer<XML_Char>?, system: UnsafePointer<XML_Char>?,
    public: UnsafePointer<XML_Char>?, hasSubset: Int32
) {
    unsafe XMLReader.of(context)?.perform { _ throws(RateFileError.Fault) in throw .documentType }
}
