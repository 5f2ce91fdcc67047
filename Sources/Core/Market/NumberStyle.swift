/// How a country writes numbers: the decimal mark, and how digits are grouped.
package struct NumberStyle: Hashable, Sendable {
    /// Between the whole part and the decimals.
    package var decimalMark = "."
    /// Between groups of digits of the whole part.
    package var separator = ","
    /// Whether only the last group has three digits and the others two: `12,34,567`.
    package var hasPairs = false

    /// `1,234.56`
    package static let point = NumberStyle()
    /// `1.234,56`
    package static let comma = NumberStyle(decimalMark: ",", separator: ".")
    /// `1 234,56`, with spaces that keep a number together.
    package static let space = NumberStyle(decimalMark: ",", separator: "\u{A0}")
    /// `1’234.56`
    package static let apostrophe = NumberStyle(separator: "’")
    /// `12,34,567.00`
    package static let lakh = NumberStyle(hasPairs: true)

    /// The same with ASCII characters only.
    package var ascii: NumberStyle {
        var style = self
        if separator == "\u{A0}" { style.separator = " " }
        if separator == "’" { style.separator = "'" }
        return style
    }

    /// Writes all digits of the number, and at least `decimals` after the point; the sign is left out.
    package func text(_ number: Price, decimals: Int = 0) -> String {
        var text: [UInt8] = []
        append(number, decimals: decimals, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends what ``text(_:decimals:)`` writes.
    func append(_ number: Price, decimals: Int, to text: inout [UInt8]) {
        let digits = DigitText(number.mantissa.magnitude, atLeast: Int(number.scale) + 1)
        let whole = digits.count - Int(number.scale)
        for place in 0..<whole {
            let rest = whole - place
            let isEdge = hasPairs ? rest == 3 || (rest > 3 && rest % 2 == 1) : rest % 3 == 0
            if place > 0, isEdge { for byte in separator.utf8 { text.append(byte) } }
            text.append(digits[place])
        }
        guard number.scale > 0 || decimals > 0 else { return }
        for byte in decimalMark.utf8 { text.append(byte) }
        for place in whole..<digits.count { text.append(digits[place]) }
        text.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: max(0, decimals - Int(number.scale))))
    }
}

/// The decimal digits of a number as ASCII, with leading zeros up to a least number of them.
private struct DigitText {
    let count: Int
    // A number of 64 bits has at most 20 digits, and a price at most 18 of them after the point.
    private var bytes = InlineArray<20, UInt8>(repeating: UInt8(ascii: "0"))

    /// - Parameters:
    ///   - number: the number.
    ///   - least: at most 20.
    init(_ number: UInt64, atLeast least: Int) {
        var rest = number
        var start = bytes.count
        while rest > 0 {
            start -= 1
            bytes[start] += UInt8(rest % 10)
            rest /= 10
        }
        count = max(bytes.count - start, least)
    }

    /// The digit at a place, counted from the first one.
    subscript(place: Int) -> UInt8 { bytes[bytes.count - count + place] }
}
