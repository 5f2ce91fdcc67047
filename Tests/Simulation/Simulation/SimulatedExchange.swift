internal import EventLoop
internal import ExchangeRates
internal import Feeds
internal import HTTP
internal import Market
internal import TestSupport
internal import Time

/// Answers requests at virtual times: the exchanges, and the publisher of reference rates.
@LoopActor
final class SimulatedExchange: HTTPFetching {
    /// A request that waits for its answer.
    @LoopActor
    final class Request {
        /// Nil for reference rates.
        let source: SourceName?
        /// What is asked for, if candles are.
        let candles: SimulatedCandles.Query?
        let due: BootTime
        let answer = OneShot<HTTPResponse, HTTPError>()

        init(source: SourceName?, candles: SimulatedCandles.Query?, due: BootTime) {
            self.source = source
            self.candles = candles
            self.due = due
        }
    }

    nonisolated static let longestDelay = Milliseconds.seconds(9)

    private let clock: SimulatedClock
    private let isSteady: Bool
    private var random: SplitMix
    private(set) var requests: [Request] = []
    /// Called when the exchange is polled.
    var onPoll: () -> Void = {}

    init(_ clock: SimulatedClock, seed: UInt64, isSteady: Bool) {
        self.isSteady = isSteady
        self.clock = clock
        random = SplitMix(seed: seed)
    }

    func get(
        _ address: String, headers: [String: String], ifModifiedSince: WallTime?
    ) async throws(HTTPError) -> HTTPResponse {
        let source = SimulatedSource.name(of: address)
        let candles = SimulatedCandles.Query(address)
        if source != nil, candles == nil { onPoll() }
        let delays: [Int64] = isSteady ? [0] : [30, 270, 270, 830, Self.longestDelay.count]
        let delay = Milliseconds(delays.randomElement(using: &random) ?? 0)
        let request = Request(source: source, candles: candles, due: clock.now().boot.advanced(by: delay))
        requests.append(request)
        defer { requests.removeAll { $0 === request } }
        return try await request.answer.value(onCancel: .cancelled)
    }

    /// When the next answer is due; nil when nothing was asked.
    var nextDue: BootTime? { requests.filter { !$0.answer.isFinished }.map(\.due).min() }

    /// Takes a request whose answer is due.
    func takeDue() -> Request? {
        let now = clock.now().boot
        return requests.filter { !$0.answer.isFinished && $0.due <= now }.min { $0.due < $1.due }
    }
}

/// The reference rates of a day, as values and as text.
struct SimulatedRates {
    let table: RateTable?
    let body: String

    init(seed: UInt64, day: WallTime) {
        var random = SplitMix(seed: seed)
        let age = Int64([0, 1, 1, 2, 4, 9].randomElement(using: &random) ?? 0)
        let date = WallTime(milliseconds: day.milliseconds - age * 86_400_000).date
        let values = [
            ("USD", ["1.25", "1.1"].randomElement(using: &random) ?? "1"),
            ("INR", ["1.3", "1.15"].randomElement(using: &random) ?? "1"), ("SEK", "1.2"),
        ]
        let rates = values.compactMap { name, text in
            Currency(name).flatMap { currency in (try? Price(text)).map { (currency, $0) } }
        }
        table = RateTable(date: date, source: "European Central Bank", rates: rates)
        let cubes = values.map { "<Cube currency='\($0)' rate='\($1)'/>" }.joined()
        body = """
            <e:Envelope xmlns:e="http://www.gesmes.org/xml/2002-08-01"
                xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><Cube><Cube time='\(date)'>
                \(cubes)</Cube></Cube></e:Envelope>
            """
    }
}
