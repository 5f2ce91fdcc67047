/// The number format of the user's spreadsheet, which also determines the field separator.
///
/// Spreadsheets read a CSV file as UTF-8 only if it begins with a byte order mark, and numbers only in the format of
/// the locale.
struct Spreadsheet: Equatable, Sendable {
    static let byteOrderMark = "\u{FEFF}"

    let decimalSign: Character
    var separator: Character { decimalSign == "," ? ";" : "," }
    var style: CSVStyle { CSVStyle(separator: separator, decimalSign: decimalSign, hasDates: true) }
}

/// The style of CSV output.
struct CSVStyle: Equatable, Sendable {
    /// For programs: RFC 4180.
    static let standard = CSVStyle(separator: ",", decimalSign: ".", hasDates: false)

    let separator: Character
    let decimalSign: Character
    /// True if times are written as `2026-11-21 05:22:44`, which spreadsheets recognize as a date.
    let hasDates: Bool

    /// Formats an exact decimal or a whole number.
    func number(_ text: String) -> String {
        decimalSign == "." ? text : String(text.map { $0 == "." ? decimalSign : $0 })
    }

    /// Formats a time in UTC. Times for spreadsheets omit the milliseconds if they are 0.
    func time(_ text: String) -> String {
        guard hasDates, text.hasSuffix("Z") else { return text }
        let parts = text.dropLast().split(separator: "T")
        guard parts.count == 2 else { return text }
        let clock = parts[1].hasSuffix(".000") ? parts[1].dropLast(4) : parts[1]
        return "\(parts[0]) \(number(String(clock)))"
    }

    /// Returns the name of a column. It contains the time zone if the times themselves do not.
    func name(_ key: String) -> String {
        hasDates && key == "time" ? "time (UTC)" : key
    }
}
