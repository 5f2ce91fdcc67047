/// The number format of a country: the decimal mark, and the grouping of digits.
package struct NumberStyle: Hashable, Sendable {
    /// The mark between the whole part and the decimals.
    package var decimalMark = "."
    /// The separator between digit groups of the whole part.
    package var separator = ","
    /// True if only the last group has three digits and the others have two: `12,34,567`.
    package var hasPairs = false

    /// `1,234.56`
    package static let point = NumberStyle()
    /// `1.234,56`
    package static let comma = NumberStyle(decimalMark: ",", separator: ".")
    /// `1 234,56`, with no-break spaces.
    package static let space = NumberStyle(decimalMark: ",", separator: "\u{A0}")
    /// `1’234.56`
    package static let apostrophe = NumberStyle(separator: "’")
    /// `12,34,567.00`
    package static let lakh = NumberStyle(hasPairs: true)

    /// The style with ASCII characters only.
    package var ascii: NumberStyle {
        var style = self
        if separator == "\u{A0}" { style.separator = " " }
        if separator == "’" { style.separator = "'" }
        return style
    }

    /// Formats all digits of the number, with at least `decimals` decimal places and without the sign.
    package func text(_ number: Price, decimals: Int = 0) -> String {
        var text: [UInt8] = []
        append(number, decimals: decimals, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the result of ``text(_:decimals:)``.
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

/// The decimal digits of a number in ASCII, padded with leading zeros to a minimum length.
private struct DigitText {
    let count: Int
    // A 64-bit number has at most 20 digits, at most 18 of which are decimal places of a price.
    private var bytes = InlineArray<20, UInt8>(repeating: UInt8(ascii: "0"))

    /// Makes the digits of a number.
    ///
    /// - Parameters:
    ///   - number: the number.
    ///   - least: the minimum number of digits, at most 20.
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

    subscript(place: Int) -> UInt8 { bytes[bytes.count - count + place] }
}
