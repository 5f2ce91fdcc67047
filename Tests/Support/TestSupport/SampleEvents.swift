package import Events
internal import Market
package import Time

/// The time of the sample events.
package let sampleTime = WallTime(milliseconds: 1_795_242_164_123)

/// A `fired` event with every field set.
package func fullEvent(
    number: Int64 = 7, text: String = "BTC/INR ₹75,00,100.00 is at or above its maximum ₹75,00,000.00"
) throws
    -> Event
{
    Event(
        number: number,
        occurrence: Occurrence(
            time: sampleTime, kind: .fired, source: SourceName("wazirx"), rule: "btc band", symbol: Symbol("btcinr"),
            bound: .max,
            severity: .critical,
            price: try Price("7500100"), limit: .price(try Price("7500000.50")), currency: Currency("INR"),
            previous: PreviousPrice(price: try Price("7499000.0"), time: WallTime(milliseconds: 1_795_242_134_001)),
            exchangeTime: WallTime(milliseconds: 1_795_242_162_000), received: sampleTime,
            sampleAge: Milliseconds(2_123), reason: .alreadyBreached, text: text))
}

/// An event with only the required fields of its kind.
package func bareEvent(
    _ kind: EventKind, number: Int64 = 1, notified: Bool = true, receiver: String? = nil, text: String = "what it is"
) -> Event {
    var details = DecisionDetails()
    details.receiver = receiver
    return Event(
        number: number,
        occurrence: Occurrence(
            time: sampleTime, kind: kind, severity: .warning, notified: notified, details: details, text: text))
}

/// Bytes as text, with U+FFFD for invalid UTF-8.
package func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
}
