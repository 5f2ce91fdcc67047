package import Market
package import Time

/// A writer of metrics as text, family by family.
package struct MetricsWriter {
    private let format: MetricsFormat
    private var bytes: [UInt8] = []
    /// The names of the current family and of its labels.
    private var name: StaticString = ""
    private var labels: [StaticString] = []
    /// The number of labels of the current sample so far, including skipped ones.
    private var labelCount = 0
    private var hasLabels = false

    package init(_ format: MetricsFormat) {
        self.format = format
    }

    /// Reserves memory for more samples of about a hundred bytes each. Growing step by step would copy the text
    /// repeatedly.
    package mutating func reserve(samples: Int) { bytes.reserveCapacity(bytes.count + samples * 112) }

    /// Begins a family; all its samples follow. A family begins only once.
    package mutating func begin(_ family: MetricFamily) {
        (name, labels) = (family.name, family.labels)
        switch format {
        case .text:
            describe("# HELP ", family, suffix: 0)
            appendHelp(family)
            describe("# TYPE ", family, suffix: 0)
            append(family.kind == .counter ? "counter\n" : "gauge\n")
        case .openMetrics:
            let suffix = family.suffixCount
            describe("# TYPE ", family, suffix: suffix)
            append(family.kind.typeLine)
            if let unit = family.unit {
                describe("# UNIT ", family, suffix: suffix)
                append(unit.line)
            }
            describe("# HELP ", family, suffix: suffix)
            appendHelp(family)
        }
    }

    /// Begins a sample of the current family. A call for each label, in the order of the family, and a call of
    /// `endSample` must follow.
    package mutating func beginSample() {
        append(name)
        (labelCount, hasLabels) = (0, false)
    }

    /// Skips a label.
    package mutating func skipLabel() { labelCount += 1 }

    package mutating func label(_ text: LabelText) { label { $0.append(contentsOf: text.escaped) } }

    package mutating func label(_ symbol: Symbol) { label(symbol.append) }

    /// Writes a label, or skips it if the value is nil.
    package mutating func label(_ asset: Asset?) { asset.map { label($0.append) } ?? skipLabel() }

    /// Writes a label, or skips it if the value is nil.
    package mutating func label(_ currency: Currency?) { currency.map { label($0.append) } ?? skipLabel() }

    /// Writes a label, or skips it if the text is empty.
    package mutating func label(_ text: String) {
        guard !text.isEmpty else { return skipLabel() }
        label { appendEscaped(text, to: &$0) }
    }

    @inline(__always)
    private mutating func label(_ appendValue: (inout [UInt8]) -> Void) {
        guard labelCount < labels.count else { return }
        bytes.append(hasLabels ? UInt8(ascii: ",") : UInt8(ascii: "{"))
        append(labels[labelCount])
        append("=\"")
        appendValue(&bytes)
        bytes.append(UInt8(ascii: "\""))
        (labelCount, hasLabels) = (labelCount + 1, true)
    }

    /// Ends the current sample with its exact value.
    package mutating func endSample(_ value: Price) {
        if hasLabels { bytes.append(UInt8(ascii: "}")) }
        bytes.append(UInt8(ascii: " "))
        value.append(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
    }

    package mutating func endSample(_ value: Int) { endSample(whole(value)) }

    /// Ends the current sample with 1 for true or 0 for false.
    package mutating func endSample(_ value: Bool) { endSample(value ? .one : .zero) }

    /// Appends the families of another text, which is not finished and has the same format.
    package mutating func append(_ other: MetricsWriter) { bytes.append(contentsOf: other.bytes) }

    /// Ends the text.
    ///
    /// - Returns: The whole text.
    package consuming func finish() -> [UInt8] {
        if format == .openMetrics { append("# EOF\n") }
        return bytes
    }

    private mutating func describe(_ start: StaticString, _ family: MetricFamily, suffix: Int) {
        append(start)
        append(family.name, dropping: suffix)
        append(" ")
    }

    /// Appends the help text, which needs no escaping; a test checks that.
    private mutating func appendHelp(_ family: MetricFamily) {
        append(family.help)
        append("\n")
    }

    private mutating func append(_ text: StaticString, dropping count: Int = 0) {
        unsafe bytes.append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount - count))
    }
}

extension MetricsWriter {
    /// Writes a whole sample; `labels` are the values of the labels, in the order of the family.
    package mutating func sample(_ labels: String..., value: Int) { sample(labels, whole(value)) }

    /// Writes a whole sample with 1 for true or 0 for false.
    package mutating func sample(_ labels: String..., value: Bool) { sample(labels, value ? .one : .zero) }

    package mutating func sample(_ labels: String..., value: Price) { sample(labels, value) }

    /// Writes a time as seconds since 1970; nothing if it is nil.
    package mutating func sample(_ labels: String..., value: WallTime?) {
        if let value { sample(labels, seconds(value.milliseconds, scale: 3)) }
    }

    /// Writes a duration in seconds.
    package mutating func sample(_ labels: String..., nanoseconds: Int64) {
        sample(labels, seconds(nanoseconds, scale: 9))
    }

    /// Writes a whole sample. The values of labels are in the order of the family, and empty ones are skipped.
    private mutating func sample(_ labels: [String], _ value: Price) {
        beginSample()
        for text in labels { label(text) }
        endSample(value)
    }
}

/// The value of a label, escaped once for many samples.
package struct LabelText: Sendable {
    fileprivate var escaped: [UInt8] = []

    /// Escapes a text, which must not be empty.
    package init(_ text: String) { appendEscaped(text, to: &escaped) }
}

private func appendEscaped(_ text: String, to bytes: inout [UInt8]) {
    for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "\\"): bytes += [byte, byte]
        case UInt8(ascii: "\""): bytes += [UInt8(ascii: "\\"), byte]
        case 0x0A: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
        default: bytes.append(byte)
        }
    }
}

private func whole(_ value: Int) -> Price { Price(mantissa: Int64(value), scale: 0) ?? .zero }

private func seconds(_ count: Int64, scale: UInt8) -> Price {
    Price(mantissa: count, scale: scale)?.reduced ?? .zero
}

extension MetricFamily {
    /// The number of bytes at the end of the name that OpenMetrics uses for the sample, but not for the family.
    fileprivate var suffixCount: Int {
        switch kind {
        case .counter: 6
        case .info: 5
        case .gauge: 0
        }
    }
}

extension MetricFamily.Kind {
    fileprivate var typeLine: StaticString {
        switch self {
        case .counter: "counter\n"
        case .gauge: "gauge\n"
        case .info: "info\n"
        }
    }
}

extension MetricFamily.Unit {
    fileprivate var line: StaticString {
        switch self {
        case .seconds: "seconds\n"
        case .bytes: "bytes\n"
        }
    }
}
