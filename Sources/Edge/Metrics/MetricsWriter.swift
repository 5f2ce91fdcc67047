package import Market
package import Time

/// Writes metrics as text, family by family.
package struct MetricsWriter {
    private let format: MetricsFormat
    private var bytes: [UInt8] = []
    /// The name of the current family, and what comes before the value of each of its labels: `,rule="`.
    private var name: [UInt8] = []
    private var leads: [[UInt8]] = []

    /// Makes an empty text; `capacity` is how many bytes are expected.
    package init(_ format: MetricsFormat, capacity: Int = 0) {
        self.format = format
        bytes.reserveCapacity(capacity)
    }

    /// Begins a family; all its samples follow. A family begins once.
    package mutating func begin(_ family: MetricFamily) {
        name = Array("\(family.name)".utf8)
        leads = family.labels.map { Array(",\($0)=\"".utf8) }
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

    /// Writes a sample of the current family.
    ///
    /// - Parameters:
    ///   - labels: The values of the family's labels, in their order; those that are empty are left out.
    ///   - value: A decimal number as text.
    package mutating func sample(_ labels: [String], _ value: String) {
        bytes.append(contentsOf: name)
        let start = bytes.count
        for (lead, label) in zip(leads, labels) where !label.isEmpty {
            bytes.append(contentsOf: lead)
            appendEscaped(label)
            bytes.append(UInt8(ascii: "\""))
        }
        if bytes.count > start {
            bytes[start] = UInt8(ascii: "{")
            bytes.append(UInt8(ascii: "}"))
        }
        bytes.append(UInt8(ascii: " "))
        bytes.append(contentsOf: value.utf8)
        bytes.append(UInt8(ascii: "\n"))
    }

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

    /// The texts of families need no escaping; a test checks that.
    private mutating func appendHelp(_ family: MetricFamily) {
        append(family.help)
        append("\n")
    }

    private mutating func append(_ text: StaticString, dropping count: Int = 0) {
        unsafe bytes.append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount - count))
    }

    private mutating func appendEscaped(_ text: String) {
        let isPlain = text.utf8.allSatisfy { $0 != 0x5C && $0 != 0x22 && $0 != 0x0A }
        guard !isPlain else { return bytes.append(contentsOf: text.utf8) }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): append("\\\\")
            case UInt8(ascii: "\""): append("\\\"")
            case 0x0A: append("\\n")
            default: bytes.append(byte)
            }
        }
    }
}

extension MetricsWriter {
    package mutating func sample(_ labels: String..., value: Int) { sample(labels, value.description) }

    /// 1 for true.
    package mutating func sample(_ labels: String..., value: Bool) { sample(labels, value ? "1" : "0") }

    package mutating func sample(_ labels: String..., value: Price) { sample(labels, value.description) }

    /// Seconds since 1970; nothing for nil.
    package mutating func sample(_ labels: String..., value: WallTime?) {
        if let value { sample(labels, seconds(value.milliseconds, scale: 3)) }
    }

    /// A time in seconds.
    package mutating func sample(_ labels: String..., nanoseconds: Int64) {
        sample(labels, seconds(nanoseconds, scale: 9))
    }
}

private func seconds(_ count: Int64, scale: UInt8) -> String {
    Price(mantissa: count, scale: scale)?.reduced.description ?? "0"
}

extension MetricFamily {
    /// How many bytes at the end of the name belong to the sample, and not to the family in OpenMetrics.
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
