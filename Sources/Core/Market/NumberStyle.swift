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
        let digits = String(number.mantissa.magnitude).utf8
        let scale = Int(number.scale)
        let zero = UInt8(ascii: "0")
        // A table has thousands of numbers: their bytes are collected in one array.
        var text: [UInt8] = []
        text.reserveCapacity(2 * digits.count + max(scale, decimals) + 8)
        let whole = digits.dropLast(scale)
        appendGrouped(whole, to: &text)
        if text.isEmpty { text.append(zero) }
        if scale > 0 || decimals > 0 {
            text += decimalMark.utf8
            text.append(contentsOf: repeatElement(zero, count: max(0, scale - digits.count)))
            text += digits[whole.endIndex...]
            text.append(contentsOf: repeatElement(zero, count: max(0, decimals - scale)))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The ASCII digits with separators between groups of them.
    private func appendGrouped(_ digits: Substring.UTF8View, to text: inout [UInt8]) {
        var rest = digits.count
        for digit in digits {
            let isEdge = hasPairs ? rest == 3 || (rest > 3 && rest % 2 == 1) : rest % 3 == 0
            if !text.isEmpty, isEdge { text += separator.utf8 }
            text.append(digit)
            rest -= 1
        }
    }
}
