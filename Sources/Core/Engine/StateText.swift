internal import Market
internal import Time

/// A writer of state as words: `firing since=1000@1700000000000`. An instant is its boot time, `@` and its wall time,
/// both in milliseconds.
struct StateTextWriter {
    private(set) var text = ""

    mutating func word(_ word: String) {
        text += text.isEmpty ? word : " \(word)"
    }

    mutating func field(_ key: String, _ value: String?) {
        if let value { word("\(key)=\(value)") }
    }

    mutating func field(_ key: String, _ instant: Instant?) {
        field(key, instant.map(Self.text))
    }

    static func text(_ instant: Instant) -> String {
        "\(instant.boot.milliseconds)@\(instant.wall.milliseconds)"
    }
}

/// A reader of the text that ``StateTextWriter`` writes.
struct StateTextReader {
    /// The words without a value, in order.
    let words: [String]
    /// A state has few fields, so a linear search is faster than a hash table.
    private let fields: [(key: String, value: String)]
    /// Translates instants; nil to leave them unchanged.
    private let clock: ClockTranslation?
    /// True if a value could not be read.
    private(set) var isFaulty = false

    /// Parses the text; nil if a key is repeated or unknown.
    init?(_ text: String, clock: ClockTranslation? = nil, isKnown: (String) -> Bool) {
        var words: [String] = []
        var fields: [(key: String, value: String)] = []
        for part in Array(text.utf8).split(separator: UInt8(ascii: " ")) {
            guard let end = part.firstIndex(of: UInt8(ascii: "=")) else {
                words.append(String(decoding: part, as: UTF8.self))
                continue
            }
            let key = String(decoding: part[..<end], as: UTF8.self)
            guard isKnown(key), !fields.contains(where: { $0.key == key }) else { return nil }
            fields.append((key, String(decoding: part[(end + 1)...], as: UTF8.self)))
        }
        self.words = words
        self.clock = clock
        self.fields = fields
    }

    /// Returns the value of a key, parsed by `read`. Nil if it is absent or invalid; an invalid value sets
    /// ``isFaulty``.
    mutating func value<Value>(_ key: String, _ read: (String) -> Value?) -> Value? {
        guard let text = fields.first(where: { $0.key == key })?.value else { return nil }
        let value = read(text)
        if value == nil { isFaulty = true }
        return value
    }

    mutating func instant(_ key: String) -> Instant? {
        let clock = clock
        return value(key) { Self.instant($0[...], clock) }
    }

    /// Parses an instant; nil if it is invalid, or so far away that arithmetic on it might overflow.
    private static func instant(_ text: Substring, _ clock: ClockTranslation?) -> Instant? {
        guard let end = text.utf8.firstIndex(of: UInt8(ascii: "@")), let boot = Int64(text[..<end]),
            let wall = Int64(text[text.utf8.index(after: end)...])
        else { return nil }
        let time = Instant(boot: BootTime(milliseconds: boot), wall: WallTime(milliseconds: wall))
        guard time.isPlausible else { return nil }
        return clock?.translated(time) ?? time
    }
}
