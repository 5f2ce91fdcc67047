extension Milliseconds {
    /// Parses a duration as people write it, in integers with units, with or without spaces: `30min`, `2 hours`,
    /// `1h 30m`, `1w`. It also accepts the format of ``init(_:)-(String)``. Returns nil for any other text and for more
    /// than a hundred years.
    package static func written(_ text: String) -> Milliseconds? {
        var rest = text.utf8.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }[...]
        var sum = Milliseconds.zero
        guard rest.contains(where: { $0 != 0x20 }) else { return nil }
        while !rest.isEmpty {
            rest = rest.drop { $0 == 0x20 }
            let digits = rest.prefix { $0 &- 0x30 < 10 }
            rest = rest.dropFirst(digits.count).drop { $0 == 0x20 }
            let word = rest.prefix { $0 &- 0x61 < 26 }
            rest = rest.dropFirst(word.count)
            guard let unit = unit(String(decoding: word, as: UTF8.self)),
                let part = Milliseconds(String(decoding: digits, as: UTF8.self) + unit.name)?.count,
                let whole = Milliseconds("\(sum.count + part * unit.factor)ms")
            else { return nil }
            sum = whole
            // Ignore trailing blanks.
            if rest.allSatisfy({ $0 == 0x20 }) { break }
        }
        return sum
    }

    /// Returns a unit of the format of settings, and how many of these units the given unit has: `d` and 7 for a
    /// week.
    private static func unit(_ word: String) -> (name: String, factor: Int64)? {
        switch word {
        case "ms", "msec", "msecs", "millisecond", "milliseconds": ("ms", 1)
        case "s", "sec", "secs", "second", "seconds": ("s", 1)
        case "m", "min", "mins", "minute", "minutes": ("m", 1)
        case "h", "hr", "hrs", "hour", "hours": ("h", 1)
        case "d", "day", "days": ("d", 1)
        case "w", "week", "weeks": ("d", 7)
        default: nil
        }
    }
}
