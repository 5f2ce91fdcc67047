internal import Time

/// A suggestion for a text that is not a valid time.
///
/// The order of day and month is never guessed: `3/4/2026` is in March or in April, depending on the reader.
struct TimeAdvice {
    /// The possible readings of the text as a date, each with its time of day.
    private let meant: [String]

    init(_ text: String, now: CivilDate) {
        var words = TimeReader.withFullClock(text.lowercased()).split(separator: " ").map(String.init)
        let clock = words.count > 1 && words.last?.contains(":") == true ? words.removeLast() : nil
        let parts = words.joined(separator: " ").split { " /.-,".contains($0) }.map(String.init)
        let hasDots = words.contains { $0.contains(".") }
        meant = Self.dates(parts, dayFirst: hasDots, now).map { date in
            clock.map { "'\(date) \($0)'" } ?? "\(date)"
        }
    }

    /// `write the date as 2026-11-22`; nil if the text does not look like a date.
    var sentence: String? {
        switch meant.count {
        case 0: nil
        case 1: "write the date as \(meant[0])"
        default: "write \(meant[0]) or \(meant[1])"
        }
    }

    /// Returns the possible dates for a day, a month and an optional year.
    private static func dates(_ parts: [String], dayFirst: Bool, _ now: CivilDate) -> [CivilDate] {
        guard (2...3).contains(parts.count) else { return [] }
        var numbers: [Int64] = []
        var (year, month): (Int64?, Int64?) = (nil, nil)
        for part in parts {
            if let number = Int64(part), part.utf8.first.map({ $0 &- 0x30 < 10 }) == true {
                if part.utf8.count == 4 { year = number } else { numbers.append(number) }
            } else {
                guard month == nil, let found = self.month(part) else { return [] }
                month = found
            }
        }
        let of = { (day: Int64, month: Int64) in CivilDate(year: year ?? now.year, month: month, day: day) }
        if let month { return numbers.count == 1 ? [of(numbers[0], month)].compactMap(\.self) : [] }
        guard numbers.count == 2, parts.count == 2 || year != nil else { return [] }
        let orders = [(numbers[0], numbers[1]), (numbers[1], numbers[0])]
        let dates = (dayFirst ? [orders[0]] : orders).compactMap { of($0.0, $0.1) }
        return Set(dates).sorted()
    }

    private static func month(_ word: String) -> Int64? {
        let names = [
            "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
            "november", "december",
        ]
        guard word.utf8.count >= 3 else { return nil }
        return names.firstIndex { $0.hasPrefix(word) }.map { Int64($0) + 1 }
    }
}
