package import Time

/// Reads the value of the header `Retry-After`, which is a number of seconds or a date in one of the three formats of
/// HTTP.
///
/// - Returns: the time to wait from `now`; nil for any other text, zero for a date in the past.
package func retryAfter(_ value: String?, now: WallTime) -> Milliseconds? {
    guard let value else { return nil }
    let text = value.split(whereSeparator: { $0 == " " || $0 == "\t" }).joined(separator: " ")
    if !text.isEmpty, text.utf8.allSatisfy({ $0 &- 0x30 < 10 }) {
        return Int64(text).map { .seconds($0) } ?? Milliseconds(.max)
    }
    guard let date = httpDate(text) else { return nil }
    return max(.zero, date.since(now))
}

private let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`.
package func httpDate(_ text: String) -> WallTime? {
    let parts = text.split(whereSeparator: { $0 == " " || $0 == "-" }).map(String.init)
    if parts.count == 6, parts[5] == "GMT" {
        return date(day: parts[1], month: parts[2], year: parts[3], time: parts[4])
    }
    guard parts.count == 5 else { return nil }
    return date(day: parts[2], month: parts[1], year: parts[4], time: parts[3])
}

private func date(day: String, month: String, year: String, time: String) -> WallTime? {
    guard let number = months.firstIndex(of: month), (1...2).contains(day.utf8.count) else { return nil }
    let twoDigits = { (text: String) in text.utf8.count == 1 ? "0" + text : text }
    // A two-digit year is in this century, because no server asks to wait until a date in the last century.
    let fullYear = year.utf8.count == 2 ? "20" + year : year
    return WallTime(rfc3339: "\(fullYear)-\(twoDigits(String(number + 1)))-\(twoDigits(day))T\(time)Z")
}
