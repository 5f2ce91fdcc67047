internal import Control
internal import JSON
internal import Market
internal import Time

/// A conversion that the user kept, with its result at that time.
struct KeptConversion: Equatable {
    /// The number by which the user selects the conversion. Later conversions in the list have higher numbers.
    var number: Int
    var time: WallTime
    var amount: String
    var from: String
    var to: String
    var result: String
    var isExact: Bool
    /// The date of the reference rates; nil if none were used.
    var date: String?
    var isStale: Bool
    /// True if the conversion includes a peg.
    var isPegged: Bool
    /// True if the conversion includes a price of the simulated market.
    var isSimulated: Bool

    /// The valid numbers. The upper limit is more than anyone will reach, and far below the largest integer.
    private static let numbers = 1...1_000_000_000_000
    /// The maximum length of a line in bytes. The longest valid line is shorter: two amounts of up to 40 bytes, two
    /// currencies of up to 32 bytes, and about 200 other bytes.
    private static let lineLimit = 500

    init(_ reply: ConvertReply, number: Int, time: WallTime) {
        self.number = number
        self.time = time
        (amount, from, to, result) = (reply.amount, reply.from, reply.to, reply.result)
        (isExact, date, isStale) = (reply.exact, reply.date, reply.stale)
        (isPegged, isSimulated) = (reply.pegged, reply.simulated)
    }

    /// Parses a line of the file; nil if it is damaged.
    init?(line: [UInt8]) {
        guard let document = try? JSONDocument(line, limit: Self.lineLimit), let read = try? Self(document) else {
            return nil
        }
        self = read
        let areReadable =
            Self.numbers.contains(number) && Currency(from) != nil && Currency(to) != nil
            && [amount, result].allSatisfy { (try? Price($0)) != nil }
            && (date.map { CivilDate($0) != nil } ?? true)
        guard areReadable else { return nil }
    }

    private init(_ document: JSONDocument) throws(JSONError) {
        var object = try document.root.object()
        number = try object.read("number")
        let time: String = try object.read("time")
        guard let parsed = WallTime(rfc3339: time) else { throw JSONError(.missing, path: "time") }
        self.time = parsed
        amount = try object.read("amount")
        from = try object.read("from")
        result = try object.read("result")
        to = try object.read("to")
        isExact = try object.read("exact")
        date = try object.readIfPresent("date")
        isStale = try object.read("stale")
        isPegged = try object.read("pegged")
        isSimulated = try object.read("simulated")
    }

    /// The line for the file, with its line end.
    var line: [UInt8] {
        var writer = JSONWriter(capacity: 256)
        writer.beginObject()
        writer.member("number", number)
        writer.member("time", time.description)
        writer.member("amount", amount)
        writer.member("from", from)
        writer.member("result", result)
        writer.member("to", to)
        writer.member("exact", isExact)
        writer.member("date", date)
        writer.member("stale", isStale)
        writer.member("pegged", isPegged)
        writer.member("simulated", isSimulated)
        writer.endObject()
        return writer.bytes + [0x0A]
    }

    /// The parameters of the call that repeats the conversion at current rates.
    var parameters: ConvertParameters { ConvertParameters(amount: amount, from: from, to: to) }

    /// Returns the exact difference from the kept result to the new one; negative if the new result is lower, nil if
    /// the difference cannot be represented.
    func difference(to now: ConvertReply) -> Price? {
        guard let old = try? Price(result), let new = try? Price(now.result) else { return nil }
        return new.subtracting(old)
    }

    /// Returns the change of the rate in percent, which is the change of the result because the amount is the same;
    /// nil for an amount of 0.
    func percentChange(to now: ConvertReply) -> Price? {
        guard let old = try? Price(result).magnitude, let new = try? Price(now.result).magnitude else { return nil }
        return new.percentChange(from: old)
    }
}

extension Price {
    /// The absolute value; nil if it cannot be represented.
    fileprivate var magnitude: Price? { mantissa < 0 ? Price.zero.subtracting(self) : self }
}
