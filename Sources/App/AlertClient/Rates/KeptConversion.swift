internal import Control
internal import JSON
internal import Market
internal import Time

/// A conversion as it was when the user asked for it.
struct KeptConversion: Equatable {
    /// Identifies it for the user. Later ones have greater numbers.
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
    /// Whether a peg was used.
    var isPegged: Bool
    /// Whether a price of the simulated market was used.
    var isSimulated: Bool

    /// The numbers that a file may have: more than anybody converts, and far from the end of the integers.
    private static let numbers = 1...1_000_000_000_000
    /// More than a conversion takes: two amounts of up to 40 bytes, two currencies of up to 32, and 200 bytes of keys.
    private static let lineLimit = 500

    init(_ reply: ConvertReply, number: Int, time: WallTime) {
        self.number = number
        self.time = time
        (amount, from, to, result) = (reply.amount, reply.from, reply.to, reply.result)
        (isExact, date, isStale) = (reply.exact, reply.date, reply.stale)
        (isPegged, isSimulated) = (reply.pegged, reply.simulated)
    }

    /// Reads a line of the file; nil if it is damaged.
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

    /// The line of the file, with its line end.
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

    /// The same conversion at the rates of now.
    var parameters: ConvertParameters { ConvertParameters(amount: amount, from: from, to: to) }

    /// How much more the result is now, exactly; negative if it is less, nil if that does not fit.
    func difference(to now: ConvertReply) -> Price? {
        guard let old = try? Price(result), let new = try? Price(now.result) else { return nil }
        return new.subtracting(old)
    }

    /// The change of the rate in percent, which is that of the result; nil for an amount of 0.
    func percentChange(to now: ConvertReply) -> Price? {
        guard let old = try? Price(result).magnitude, let new = try? Price(now.result).magnitude else { return nil }
        return new.percentChange(from: old)
    }
}

extension Price {
    /// The amount without its sign.
    fileprivate var magnitude: Price? { mantissa < 0 ? Price.zero.subtracting(self) : self }
}
