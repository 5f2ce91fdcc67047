internal import ExchangeRates
internal import Time

/// An interpreter of the elements of an XML file as they are parsed.
struct RateFileContent {
    private let limits: RateFileLimits
    private var builder: HistoryBuilder
    /// The names of the open elements, outermost first.
    private var open: [String] = []
    /// The number of open elements that are a `Cube`.
    private var cubes = 0
    /// The text of the innermost element, unless it is a `Cube`.
    private var text: [UInt8] = []
    private var attributes: [RateAttribute] = []
    private let sourceIsGiven: Bool

    private static let envelope = "http://www.gesmes.org/xml/2002-08-01\nEnvelope"
    private static let cube = "http://www.ecb.int/vocabulary/2002-08-01/eurofxref\nCube"
    private static let sender = "Sender/name"

    init(source: String?, limits: RateFileLimits, sought: CivilDate? = nil) {
        self.limits = limits
        sourceIsGiven = source != nil
        builder = HistoryBuilder(
            source: source ?? RateHistory.europeanCentralBank, limits: limits, sought: sought)
    }

    /// Returns the history after the last element.
    func history() throws(RateFileError.Fault) -> RateHistory {
        guard let history = builder.history(attributes: attributes) else { throw .noRates }
        return history
    }

    /// The result of the search after the last element; nil if the file had no date.
    var found: RateSearch.Result? { builder.found }

    mutating func start(_ name: String, _ attributes: [RateAttribute]) throws(RateFileError.Fault) {
        guard open.count < limits.depth else { throw .tooDeep(limit: limits.depth) }
        if open.isEmpty, name != Self.envelope { throw .notRates(found: excerpt(local(name))) }
        open.append(name)
        text = []
        if name == Self.cube {
            cubes += 1
            try startCube(attributes)
        } else {
            // Inside the rates, an unknown element could change their meaning; outside, it cannot.
            guard cubes == 0 else { throw .notRates(found: excerpt(local(name))) }
            try addAttributes(attributes)
        }
    }

    private mutating func startCube(_ given: [RateAttribute]) throws(RateFileError.Fault) {
        var given = given
        switch cubes {
        case 1: try addAttributes(given)
        case 2:
            let time = try removeAttribute("time", from: &given)
            try builder.begin(time, attributes: given)
        case 3:
            let currency = try removeAttribute("currency", from: &given)
            // A missing rate is treated like an empty one, so that the message names the currency.
            let rate = try? removeAttribute("rate", from: &given)
            try builder.add(currency, rate ?? "", attributes: given)
        default: throw .tooDeep(limit: limits.depth)
        }
    }

    mutating func end() throws(RateFileError.Fault) {
        defer {
            open.removeLast()
            text = []
        }
        guard open.last == Self.cube else { return try addText() }
        defer { cubes -= 1 }
        if cubes == 2 { try builder.end() }
    }

    /// Adds text. Between the `Cube` elements, only white space is allowed.
    mutating func append(_ bytes: UnsafeRawBufferPointer) throws(RateFileError.Fault) {
        let isBlank = unsafe bytes.allSatisfy { $0 == 0x20 || 0x09...0x0D ~= $0 }
        guard cubes == 0 else {
            if !isBlank { throw .notRates(found: unsafe excerpt(bytes)) }
            return
        }
        if isBlank, text.isEmpty { return }
        unsafe text.append(contentsOf: bytes)
        guard text.count <= limits.textLength else { throw .tooLong(limit: limits.textLength) }
    }

    /// Returns the text of an attribute or a name, which ends with a zero byte.
    func text(_ bytes: UnsafePointer<CChar>?) throws(RateFileError.Fault) -> String {
        guard let bytes = unsafe bytes else { return "" }
        var count = 0
        while unsafe bytes[count] != 0 {
            guard count < limits.textLength else { throw .tooLong(limit: limits.textLength) }
            count += 1
        }
        return unsafe String(cString: bytes)
    }

    /// Refuses too many attributes, either of one element or of everything that is kept around the rates.
    func checkCount(_ attributes: [RateAttribute]) throws(RateFileError.Fault) {
        guard attributes.count <= limits.attributeCount else { throw .tooManyAttributes(limit: limits.attributeCount) }
    }

    private func removeAttribute(
        _ name: String, from attributes: inout [RateAttribute]
    ) throws(RateFileError.Fault) -> String {
        guard let index = attributes.firstIndex(where: { $0.name == name }) else { throw .missingAttribute(name) }
        return attributes.remove(at: index).value
    }

    private mutating func addAttributes(_ given: [RateAttribute]) throws(RateFileError.Fault) {
        attributes += given
        try checkCount(attributes)
    }

    /// Records the text of an element around the rates under its path, such as `Sender/name`.
    private mutating func addText() throws(RateFileError.Fault) {
        guard !text.isEmpty else { return }
        let path = open.dropFirst().map(local).joined(separator: "/")
        let value = String(decoding: text, as: UTF8.self)
        try addAttributes([RateAttribute(name: path, value: value)])
        if path == Self.sender, !sourceIsGiven { builder.source = value }
    }
}

/// Returns a name without its namespace.
private func local(_ name: String) -> String {
    name.split(separator: "\n").last.map(String.init) ?? name
}
