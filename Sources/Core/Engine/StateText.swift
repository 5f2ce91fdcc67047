internal import Market
internal import Time

/// Writes a state as words: `firing since=1000@1700000000000`. An instant is its boot time, `@` and its wall time, both
/// in milliseconds.
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

/// Reads what ``StateTextWriter`` wrote.
struct StateTextReader {
    /// The words without a value, in order.
    let words: [String]
    /// A state has few: looking at each is faster than a hash.
    private let fields: [(key: String, value: String)]
    /// Instants are left as they are when nil.
    private let clock: ClockTranslation?
    /// Whether a value could not be read.
    private(set) var isFaulty = false

    /// Nil when a key is repeated or not known.
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

    /// The value of a key as `read` makes it of its text; nil when it is absent, or cannot be read, which is noted.
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

    /// Nil when it is not an instant, or so far away that arithmetic on it might overflow.
    private static func instant(_ text: Substring, _ clock: ClockTranslation?) -> Instant? {
        guard let end = text.utf8.firstIndex(of: UInt8(ascii: "@")), let boot = Int64(text[..<end]),
            let wall = Int64(text[text.utf8.index(after: end)...])
        else { return nil }
        let time = Instant(boot: BootTime(milliseconds: boot), wall: WallTime(milliseconds: wall))
        guard time.isPlausible else { return nil }
        return clock?.translated(time) ?? time
    }
}
