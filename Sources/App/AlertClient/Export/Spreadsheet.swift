/// How the user's spreadsheet writes numbers, and what separates its fields then.
///
/// Spreadsheets take a CSV file for UTF-8 if it begins with a byte order mark, and its numbers only in the form of the
/// locale.
struct Spreadsheet: Equatable, Sendable {
    static let byteOrderMark = "\u{FEFF}"

    let decimalSign: Character
    var separator: Character { decimalSign == "," ? ";" : "," }
    var style: CSVStyle { CSVStyle(separator: separator, decimalSign: decimalSign, hasDates: true) }
}

/// How CSV is written.
struct CSVStyle: Equatable, Sendable {
    /// For programs: RFC 4180.
    static let standard = CSVStyle(separator: ",", decimalSign: ".", hasDates: false)

    let separator: Character
    let decimalSign: Character
    /// Whether times are written as `2026-11-21 05:22:44`, which spreadsheets take for a date.
    let hasDates: Bool

    /// An exact decimal or a whole number.
    func number(_ text: String) -> String {
        decimalSign == "." ? text : String(text.map { $0 == "." ? decimalSign : $0 })
    }

    /// A time in UTC; milliseconds are left out if they are 0.
    func time(_ text: String) -> String {
        guard hasDates, text.hasSuffix("Z") else { return text }
        let parts = text.dropLast().split(separator: "T")
        guard parts.count == 2 else { return text }
        let clock = parts[1].hasSuffix(".000") ? parts[1].dropLast(4) : parts[1]
        return "\(parts[0]) \(number(String(clock)))"
    }

    /// The name of a column; the times in it have no zone themselves.
    func name(_ key: String) -> String {
        hasDates && key == "time" ? "time (UTC)" : key
    }
}
