/// The escaping of a value in a request. It prevents the value from ending the string, parameter or header that
/// contains it.
package enum TemplateEscape: Equatable, Sendable {
    /// Inside a JSON string, the value is part of the string. Elsewhere, it becomes a number, a string or `null`.
    case json
    /// Percent-encoded, for forms and queries.
    case form
    case xml
    /// Without control characters other than line ends and tabs.
    case plain
    /// One line, for a header.
    case line

    /// Selects the escaping for a content type; nil for a type whose texts cannot be escaped.
    package init?(contentType: String) {
        let type = contentType.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        switch type {
        case "application/json": self = .json
        case "application/x-www-form-urlencoded": self = .form
        case "text/plain": self = .plain
        case "text/xml", "text/html", "application/xml", "application/xhtml+xml": self = .xml
        case _ where type.hasSuffix("+json"): self = .json
        case _ where type.hasSuffix("+xml"): self = .xml
        default: return nil
        }
    }

    /// Appends the escaped value to the output.
    func append(_ value: String, to output: inout [UInt8]) {
        switch self {
        case .json: Self.appendJSON(value, to: &output)
        case .form: Self.appendForm(value, to: &output)
        case .xml: Self.appendXML(value, to: &output)
        case .plain: Self.appendPlain(value, to: &output)
        case .line: for scalar in value.unicodeScalars { Self.append(Self.isControl(scalar) ? " " : scalar, &output) }
        }
    }

    /// C0, DEL, C1, and the two line ends of Unicode.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
        default: false
        }
    }

    private static func append(_ scalar: Unicode.Scalar, _ output: inout [UInt8]) {
        output += UTF8.encode(scalar).map(Array.init) ?? []
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func appendJSON(_ value: String, to output: inout [UInt8]) {
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\"".utf8
            case "\\": output += "\\\\".utf8
            case "\n": output += "\\n".utf8
            case "\r": output += "\\r".utf8
            case "\t": output += "\\t".utf8
            case _ where isControl(scalar):
                output += "\\u".utf8
                for shift in [12, 8, 4, 0] { output.append(digits[Int(scalar.value >> shift & 0xF)]) }
            default: append(scalar, &output)
            }
        }
    }

    private static func appendForm(_ value: String, to output: inout [UInt8]) {
        for byte in value.utf8 {
            if byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || "-._~".utf8.contains(byte) {
                output.append(byte)
            } else {
                output += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            }
        }
    }

    private static func appendXML(_ value: String, to output: inout [UInt8]) {
        for scalar in value.unicodeScalars {
            switch scalar {
            case "&": output += "&amp;".utf8
            case "<": output += "&lt;".utf8
            case ">": output += "&gt;".utf8
            case "\"": output += "&quot;".utf8
            case "'": output += "&#39;".utf8
            case "\n", "\t": append(scalar, &output)
            case _ where isControl(scalar) || scalar.value == 0xFFFE || scalar.value == 0xFFFF: append(" ", &output)
            default: append(scalar, &output)
            }
        }
    }

    private static func appendPlain(_ value: String, to output: inout [UInt8]) {
        for scalar in value.unicodeScalars {
            let isKept = scalar == "\n" || scalar == "\t" || !isControl(scalar)
            append(isKept ? scalar : " ", &output)
        }
    }
}
