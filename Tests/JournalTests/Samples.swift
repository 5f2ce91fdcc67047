import Market
import Rules

let sampleTime = WallTime(milliseconds: 1_795_242_164_123)

/// A `fired` with every fact that an event can have.
func fullEvent(number: Int64 = 7, text: String = "btcinr at 7500100 INR is at or above max 7500000") throws -> Event {
    Event(
        number: number,
        occurrence: Occurrence(
            time: sampleTime, kind: .fired, rule: "btc band", symbol: Symbol("btcinr"), bound: .max,
            severity: .critical,
            price: try Price("7500100"), limit: .price(try Price("7500000.50")), currency: Currency("INR"),
            previous: PreviousPrice(price: try Price("7499000.0"), time: WallTime(milliseconds: 1_795_242_134_001)),
            exchangeTime: WallTime(milliseconds: 1_795_242_162_000), received: sampleTime,
            sampleAge: Milliseconds(2_123), reason: .alreadyOutside, text: text))
}

/// An event with as few facts as its kind allows.
func bareEvent(_ kind: EventKind, number: Int64 = 1, told: Bool = true, text: String = "what it is") -> Event {
    Event(
        number: number,
        occurrence: Occurrence(time: sampleTime, kind: kind, severity: .warning, told: told, text: text))
}

func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
}

/// A generator whose numbers are the same on every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value &>> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value &>> 31)
    }
}
