internal import Market

/// How a place writes numbers: what stands before the decimals, and between groups of digits.
struct NumberStyle: Hashable, Sendable {
    var decimalMark = "."
    var separator = ","
    /// Whether only the last group has three digits and the others two: `12,34,567`.
    var hasPairs = false

    /// `1,234.56`
    static let point = NumberStyle()
    /// `1.234,56`
    static let comma = NumberStyle(decimalMark: ",", separator: ".")
    /// `1 234,56`, with spaces that keep a number together.
    static let space = NumberStyle(decimalMark: ",", separator: "\u{A0}")
    /// `1’234.56`
    static let apostrophe = NumberStyle(separator: "’")
    /// `12,34,567.00`
    static let lakh = NumberStyle(hasPairs: true)

    /// The same with ASCII characters only.
    var ascii: NumberStyle {
        var style = self
        if separator == "\u{A0}" { style.separator = " " }
        if separator == "’" { style.separator = "'" }
        return style
    }

    /// The number with all its digits, and at least so many after the point; the sign is left out.
    func text(_ number: Price, decimals: Int = 0) -> String {
        let digits = String(number.mantissa.magnitude)
        let scale = Int(number.scale)
        let padded = String(repeating: "0", count: max(0, scale + 1 - digits.count)) + digits
        let fraction = padded.suffix(scale) + String(repeating: "0", count: max(0, decimals - scale))
        return grouped(padded.dropLast(scale)) + (fraction.isEmpty ? "" : decimalMark + fraction)
    }

    private func grouped(_ digits: Substring) -> String {
        var text = ""
        for (index, digit) in digits.enumerated() {
            let rest = digits.count - index
            let isEdge = hasPairs ? rest == 3 || (rest > 3 && rest % 2 == 1) : rest % 3 == 0
            if index > 0, isEdge { text += separator }
            text.append(digit)
        }
        return text
    }
}
