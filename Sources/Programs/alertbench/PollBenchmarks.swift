internal import Engine
internal import Events
internal import Feeds
internal import Glibc
internal import HTTP
internal import History
internal import Market
internal import Rules
internal import Time

/// Measures decoding and evaluating a response, compared with simdjson reading the same bytes.
func pollBenchmarks() throws -> [Row] {
    let body = try responseBody()
    let now = Instant(boot: BootTime(milliseconds: 0), wall: WallTime(milliseconds: 1_669_000_000_000))
    let bare = timed(calls: 200) { _ = readingBaseline(of: body) }
    var decoder = RecordDecoder(WazirXFormat())
    let batch = try decoder.decode(body, received: now)
    let decoding = try timed(calls: 200) { _ = try decoder.decode(body, received: now) }
    let poll = try timedPoll(body, batch)
    let reference = "bare simdjson \(readable(bare))"
    let size = "\(batch.tickers.count) tickers, \(body.count / 1_000) kB"
    return [
        Row(
            name: "decode \(size)", figure: readable(decoding), reference: reference, ratio: decoding / bare,
            goal: "at most 1.5"),
        Row(
            name: "whole poll: decode, append, 1,000 rules", figure: readable(poll), reference: reference,
            ratio: poll / bare, goal: "at most 4"),
        try decodingRow("Binance", of: binanceResponse(), RecordDecoder(BinanceFormat())),
        try decodingRow("Kraken", of: krakenResponse(), RecordDecoder(KrakenFormat())),
        try dayOfHistory(batch),
    ]
}

/// Measures decoding a response of another source, compared with simdjson reading all its values.
private func decodingRow(
    _ source: String, of body: [UInt8], _ decoder: consuming some TickerDecoding & ~Copyable
) throws -> Row {
    let now = Instant(boot: BootTime(milliseconds: 0), wall: WallTime(milliseconds: 1_669_000_000_000))
    let bare = timed(calls: 50) { _ = readingBaseline(of: body) }
    let count = try decoder.decode(body, received: now).tickers.count
    let start = ContinuousClock.now
    for _ in 0..<50 { _ = try decoder.decode(body, received: now) }
    let decoding = (ContinuousClock.now - start) / 50
    return Row(
        name: "decode \(count) tickers of \(source), \(body.count / 1_000) kB", figure: readable(decoding),
        reference: "bare simdjson \(readable(bare))", ratio: decoding / bare, goal: "at most 1.5")
}

/// Makes a response with 3,500 tickers in the format and size of Binance.
private func binanceResponse() -> [UInt8] {
    let elements = (0..<3_500).map { index in
        let price = "\(index % 997).\(12_345_678 + index)"
        return #"{"symbol":"C\#(index)USDT","priceChange":"0.00000945","priceChangePercent":"3.342","#
            + #""weightedAvgPrice":"\#(price)","prevClosePrice":"\#(price)","lastPrice":"\#(price)","#
            + #""lastQty":"27309157.00000000","bidPrice":"\#(price)","bidQty":"8092472.00","askPrice":"\#(price)","#
            + #""askQty":"15000000.00","openPrice":"\#(price)","highPrice":"\#(price)","lowPrice":"\#(price)","#
            + #""volume":"621432087719.00","quoteVolume":"179748569.24176604","openTime":1668926149711,"#
            + #""closeTime":1669000000000,"firstId":30323603,"lastId":30362303,"count":38701}"#
    }
    return Array("[\(elements.joined(separator: ","))]".utf8) + [UInt8](repeating: 0, count: HTTPResponse.paddingCount)
}

/// Makes a response with 1,000 tickers in the format and size of Kraken.
private func krakenResponse() -> [UInt8] {
    let elements = (0..<1_000).map { index in
        let price = "\(index % 997).\(12_345 + index)"
        return #""C\#(index)/USD":{"a":["\#(price)","8","8.000"],"b":["\#(price)","2","2.000"],"#
            + #""c":["\#(price)","0.01686188"],"v":["1414.57420708","1686.74719574"],"#
            + #""p":["27497.35370","27478.05822"],"t":[20034,23808],"l":["\#(price)","\#(price)"],"#
            + #""h":["\#(price)","\#(price)"],"o":"\#(price)"}"#
    }
    return Array(#"{"error":[],"result":{\#(elements.joined(separator: ","))}}"#.utf8)
        + [UInt8](repeating: 0, count: HTTPResponse.paddingCount)
}

/// Measures the memory of a day of prices every 30 s. Every price changes a little with every poll.
private func dayOfHistory(_ batch: TickerBatch) throws -> Row {
    var history = History(HistoryCapacity(keep: .seconds(86_400), interval: .seconds(30), bytes: 64 << 20))
    var tickers = batch.tickers
    let before = memoryKilobytes(of: getpid()).anonymous
    for poll in 0..<Int64(2_881) {
        for index in tickers.indices {
            guard let last = tickers[index].last else { continue }
            tickers[index].last = Price(mantissa: last.mantissa + (poll + Int64(index)) % 3 - 1, scale: last.scale)
        }
        let time = poll * 30_000
        let now = Instant(boot: BootTime(milliseconds: time), wall: WallTime(milliseconds: time))
        history.append(tickers, at: now.wall)
    }
    let grown = memoryKilobytes(of: getpid()).anonymous - before
    return Row(
        name: "a day of \(tickers.count) symbols in memory", figure: "\(grown) kB",
        reference: "counted: \(history.byteCount / 1_024) kB", ratio: nil, goal: "20,480 kB with the idle daemon")
}

/// Returns the time of an ordinary poll without events: all polls have the same prices.
private func timedPoll(_ body: [UInt8], _ batch: TickerBatch) throws -> Duration {
    let rules = try thousandRules(for: batch)
    let start = Instant(boot: BootTime(milliseconds: 0), wall: WallTime(milliseconds: 1_669_000_000_000))
    let settings = EngineSettings(
        maximumGap: .seconds(90), frozenAfter: .seconds(1_000_000_000), staleAfter: .seconds(90))
    var engine = RuleEngine(rules: rules, settings: settings, start: start)
    var history = History(HistoryCapacity(keep: .seconds(86_400), interval: .seconds(30), bytes: 64 << 20))
    var decoder = RecordDecoder(WazirXFormat())
    var time: Int64 = 0
    return try timed(calls: 200) {
        time += 30_000
        let now = Instant(
            boot: BootTime(milliseconds: time), wall: WallTime(milliseconds: 1_669_000_000_000 + time))
        let batch = try decoder.decode(body, received: now)
        history.append(batch.tickers, at: now.wall)
        let occurrences = engine.evaluate(batch)
        guard occurrences.isEmpty || time == 30_000 else { throw BenchmarkError(message: occurrences[0].text) }
    }
}

/// Makes 1,000 rules, two or three per symbol, with limits that no price reaches.
private func thousandRules(for batch: TickerBatch) throws -> [Rule] {
    let usable = batch.tickers.filter { $0.last?.isPositive ?? false }
    guard !usable.isEmpty else { throw BenchmarkError(message: "the response has no price") }
    return try (0..<1_000).compactMap { number in
        let ticker = usable[number % usable.count]
        guard let pattern = SymbolPattern(ticker.symbol.description), let price = ticker.last,
            let factor = Price(mantissa: Int64(2 + number % 7), scale: 0), let max = price.multiplied(by: factor)
        else { return nil }
        return Rule(name: "rule \(number)", symbols: [pattern], condition: .band(try Band(min: nil, max: max)))
    }
}

/// Returns a recorded response if there is one, otherwise a synthetic one of the same shape, with padding.
func responseBody() throws -> [UInt8] {
    let text = recordedResponse() ?? madeUpResponse()
    return text + [UInt8](repeating: 0, count: HTTPResponse.paddingCount)
}

private func recordedResponse() -> [UInt8]? {
    guard let folder = unsafe getenv("ALERTD_RECORDED_DATA") else { return nil }
    let path = unsafe String(cString: folder) + "/wazirx/sapi-tickers-24hr_2022-11-21_450.json"
    guard let file = unsafe fopen(path, "r") else { return nil }
    defer { unsafe fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = unsafe fread(&bytes, 1, bytes.count, file)
    return count > 0 ? Array(bytes.prefix(count)) : nil
}

/// Makes a synthetic response of the same shape as the recorded ones.
///
/// - Parameters:
///   - symbols: the number of symbols.
///   - change: returns the amount to add to the last price of a symbol.
/// - Returns: the body, without padding.
func madeUpResponse(symbols: Int = 450, change: (Int) -> Int = { _ in 0 }) -> [UInt8] {
    let tickers = (0..<symbols).map { number in
        """
        {"symbol":"coin\(number)inr","baseAsset":"coin\(number)","quoteAsset":"inr","openPrice":"\(7_000 + number)",\
        "lowPrice":"\(6_900 + number).125","highPrice":"\(7_100 + number).5",\
        "lastPrice":"\(7_050 + number + change(number)).25",\
        "volume":"\(number).00041","bidPrice":"\(7_049 + number).0","askPrice":"\(7_051 + number).0","at":1669000000000}
        """
    }
    return Array("[\(tickers.joined(separator: ","))]".utf8)
}

/// The reason why a benchmark could not run.
struct BenchmarkError: Error, CustomStringConvertible {
    var message: String
    var description: String { message }
}
