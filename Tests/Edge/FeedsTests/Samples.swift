import EventLoop
import Feeds
import Foundation
import HTTP
import Market
import Time

/// Receipt in the tests: 2022-11-21T06:35:50Z, a second after `at` of the samples.
let receipt = Instant(boot: BootTime(milliseconds: 1_000), wall: WallTime(milliseconds: 1_669_012_550_000))

/// One ticker as the exchange writes it.
func element(_ symbol: String, last: String = "12.5", at: String = "1669012549000") -> String {
    #"{"symbol":"\#(symbol)","baseAsset":"btc","quoteAsset":"inr","openPrice":"4.9e-7","lowPrice":"11.0","#
        + #""highPrice":"13.0","lastPrice":"\#(last)","volume":"6.52125","bidPrice":"12.4","#
        + #""askPrice":"12.6","at":\#(at)}"#
}

func padded(_ body: some Sequence<UInt8>) -> [UInt8] {
    Array(body) + Array(repeating: 0, count: HTTPResponse.paddingCount)
}

func padded(_ body: String) -> [UInt8] { padded(body.utf8) }

func decode(_ body: String) throws(DecodingFailure) -> TickerBatch {
    var decoder = RecordDecoder(WazirXFormat())
    return try decoder.decode(padded(body), received: receipt)
}

/// How a body fails to decode; nil when it does not fail.
func decodingFailure(_ body: some Sequence<UInt8>) -> DecodingFailure? {
    var decoder = RecordDecoder(WazirXFormat())
    do {
        _ = try decoder.decode(padded(body), received: receipt)
        return nil
    } catch {
        return error
    }
}

func decodingFailure(_ body: String) -> DecodingFailure? { decodingFailure(Array(body.utf8)) }

func price(_ text: String) throws -> Price { try Price(text) }

extension TickerBatch {
    var symbols: [String] { tickers.map(\.symbol.description) }
}

/// The folder of recorded responses, where there is one.
let recordings: URL? = ProcessInfo.processInfo.environment["ALERTD_RECORDED_DATA"]
    .map { URL(fileURLWithPath: $0).appending(path: "wazirx") }

/// Always the same time.
struct FixedTime: TimeSource {
    var instant = receipt
    func now() -> Instant { instant }
}

/// SplitMix64, for repeatable randomness.
struct TestRandom: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Always draws the same end of a range: `1 << 53` gives the lower end of a small one (0 would be rejected forever),
/// the greatest number the upper end.
struct Extreme: RandomNumberGenerator {
    var value: UInt64
    mutating func next() -> UInt64 { value }
}
