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

    mutating func field(_ key: String, _ sample: PriceSample?) {
        field(key, sample.map { "\($0.price)@\(Self.text($0.time))" })
    }

    static func text(_ instant: Instant) -> String {
        "\(instant.boot.milliseconds)@\(instant.wall.milliseconds)"
    }
}

/// Reads what ``StateTextWriter`` wrote.
struct StateTextReader {
    /// The keys that have a value, sorted.
    var keys: [String] { fields.keys.sorted() }

    /// The words without a value, in order.
    let words: [String]
    private let fields: [String: String]
    /// Instants are left as they are when nil.
    private let clock: ClockTranslation?
    /// Whether a value could not be read.
    private(set) var isFaulty = false

    /// Nil when a key is repeated or not known.
    init?(_ text: String, clock: ClockTranslation? = nil, isKnown: (String) -> Bool) {
        var words: [String] = []
        var fields: [String: String] = [:]
        for part in text.split(separator: " ") {
            guard let end = part.firstIndex(of: "=") else {
                words.append(String(part))
                continue
            }
            let key = String(part[..<end])
            guard isKnown(key), fields[key] == nil else { return nil }
            fields[key] = String(part[part.index(after: end)...])
        }
        self.words = words
        self.clock = clock
        self.fields = fields
    }

    /// The value of a key as `read` makes it of its text; nil when it is absent, or cannot be read, which is noted.
    mutating func value<Value>(_ key: String, _ read: (String) -> Value?) -> Value? {
        guard let text = fields[key] else { return nil }
        let value = read(text)
        if value == nil { isFaulty = true }
        return value
    }

    mutating func instant(_ key: String) -> Instant? {
        let clock = clock
        return value(key) { Self.instant(Self.parts($0)[...], clock) }
    }

    mutating func sample(_ key: String) -> PriceSample? {
        let clock = clock
        return value(key) { text in
            let parts = Self.parts(text)
            guard let price = try? Price(parts.first ?? ""), let time = Self.instant(parts.dropFirst(), clock) else {
                return nil
            }
            return PriceSample(price: price, time: time)
        }
    }

    /// Nil when it is not an instant, or so far away that arithmetic on it might overflow.
    private static func instant(_ parts: ArraySlice<String>, _ clock: ClockTranslation?) -> Instant? {
        guard parts.count == 2, let boot = parts.first.flatMap({ Int64($0) }),
            let wall = parts.last.flatMap({ Int64($0) })
        else { return nil }
        let time = Instant(boot: BootTime(milliseconds: boot), wall: WallTime(milliseconds: wall))
        guard time.isPlausible else { return nil }
        return clock?.translated(time) ?? time
    }

    /// The parts between the `@`.
    static func parts(_ text: String) -> [String] {
        text.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
    }
}
