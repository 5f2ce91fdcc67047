internal import Time

extension FuzzEntry {
    /// A time, a length of time or a date, as settings, options and files have them.
    package static let time = FuzzEntry(name: "time", seeds: times, longest: 96) { bytes in
        guard let text = String(validating: bytes, as: UTF8.self) else { return false }
        return [readAsTime(text), readAsLength(text), readAsDate(text)].contains(true)
    }
}

@Sendable
private func times() -> [[UInt8]] {
    [
        "2026-11-21T05:22:44.123456789Z", "2026-02-28 23:59:60+05:30", "0000-01-01T00:00:00-23:59",
        "9999-12-31T23:59:59.999Z", "2024-02-29", "1h30m", "250ms", "36500d", "0s", "1d1h1m1s1ms",
    ].map { Array($0.utf8) }
}

private func readAsTime(_ text: String) -> Bool {
    guard let time = WallTime(rfc3339: text) else { return false }
    let written = "\(time)"
    // The years of other zones may lie just outside those that are written.
    guard (-62_167_219_200_000...253_402_300_799_999).contains(time.milliseconds) else { return true }
    precondition(WallTime(rfc3339: written) == time, "not what was written")
    precondition(written.hasPrefix("\(time.date)T"), "another date")
    return true
}

private func readAsLength(_ text: String) -> Bool {
    guard let length = Milliseconds(text) else { return false }
    precondition(length >= .zero && Milliseconds("\(length)") == length, "not what was written")
    precondition(length.approximate.utf8.count <= length.description.utf8.count + 4, "longer than exact")
    return true
}

private func readAsDate(_ text: String) -> Bool {
    guard let date = CivilDate(text) else { return false }
    precondition("\(date)" == text && CivilDate(daysSinceEpoch: date.daysSinceEpoch) == date, "another date")
    return true
}
