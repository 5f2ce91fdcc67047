internal import Glibc
internal import Market
internal import Time

/// A recorded response: the time of receipt, and the symbols with a price.
struct RecordedPoll {
    var time: WallTime
    var tickers: [Ticker]
}

/// The folder in `ALERTD_RECORDED_DATA`; nil if it is not set.
var recordedFolder: String? {
    unsafe getenv("ALERTD_RECORDED_DATA").map { unsafe String(cString: $0) }
}

/// Returns the recorded polls with their usable prices, or synthetic ones of about the same shape.
func recordedPolls() throws -> [RecordedPoll] {
    guard let folder = recordedFolder else { return madeUpPolls() }
    var polls: [String: [Ticker]] = [:]
    for quote in ["btc", "inr", "usdt", "wrx"] {
        let lines = try lines(ofCompressed: "\(folder)/wazirx/api-v2-polls_2021-05-06_\(quote).csv.gz")
        let columns = lines[0].split(separator: ",", omittingEmptySubsequences: false)
        guard let last = columns.firstIndex(of: "last"), let base = columns.firstIndex(of: "base_unit") else {
            continue
        }
        for line in lines.dropFirst() {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            guard fields.count > max(last, base), let symbol = Symbol(fields[base] + quote) else { continue }
            guard let price = try? Price(String(fields[last])), price.isPositive else { continue }
            polls[String(fields[0]), default: []].append(Ticker(symbol: symbol, last: price))
        }
    }
    return polls.sorted { $0.key < $1.key }.map { RecordedPoll(time: time(ofPoll: $0.key), tickers: $0.value) }
}

/// Parses `20210506-213816`. The time zone does not matter here.
private func time(ofPoll text: String) -> WallTime {
    let digits = text.filter(\.isNumber).compactMap(\.wholeNumberValue)
    guard digits.count == 14 else { return WallTime(milliseconds: 0) }
    let number = { (range: Range<Int>) in digits[range].reduce(0) { $0 * 10 + $1 } }
    let seconds = (number(6..<8) * 24 + number(8..<10)) * 3_600 + number(10..<12) * 60 + number(12..<14)
    return WallTime(milliseconds: Int64(seconds) * 1_000)
}

/// Makes synthetic polls. A third of the prices change by a few ticks from poll to poll; one in ten symbols has no
/// price.
private func madeUpPolls() -> [RecordedPoll] {
    var generator = SystemRandomNumberGenerator()
    var mantissas = (0..<250).map { Int64(10_000 + $0 * 977) }
    return (0..<290).map { poll in
        let tickers = mantissas.indices.filter { $0 % 10 != 9 }.compactMap { number -> Ticker? in
            if Int.random(in: 0..<3, using: &generator) == 0 {
                mantissas[number] = max(1, mantissas[number] + Int64.random(in: -40...40, using: &generator))
            }
            return Symbol("coin\(number)inr").map {
                Ticker(symbol: $0, last: Price(mantissa: mantissas[number], scale: UInt8(number % 5)))
            }
        }
        return RecordedPoll(time: WallTime(milliseconds: Int64(poll) * 120_000), tickers: tickers)
    }
}

/// Returns the first 200,000 minutes of `binance-1m-close_BTCUSDT_2018`, or a random walk.
func recordedMinutes() throws -> [(time: WallTime, price: Price)] {
    guard let folder = recordedFolder else {
        var mantissa: Int64 = 1_370_792
        return (0..<200_000).compactMap { (minute: Int64) in
            mantissa = max(1, mantissa + Int64.random(in: -2_000...2_000))
            return Price(mantissa: mantissa, scale: 2).map { (WallTime(milliseconds: minute * 60_000), $0) }
        }
    }
    let lines = try lines(ofCompressed: "\(folder)/series/binance-1m-close_BTCUSDT_2018.csv.gz")
    return try lines.dropFirst().prefix(200_000).map { line in
        let fields = line.split(separator: ",")
        guard fields.count == 2, let second = Int64(fields[0]) else { throw BenchmarkError(message: "bad: \(line)") }
        return (WallTime(milliseconds: second * 1_000), try Price(String(fields[1])))
    }
}

private func lines(ofCompressed path: String) throws -> [Substring] {
    guard let pipe = unsafe popen("gzip -dc '\(path)'", "r") else { throw BenchmarkError(message: "no gzip") }
    defer { unsafe pclose(pipe) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = unsafe fread(&buffer, 1, buffer.count, pipe)
        guard count > 0 else { break }
        bytes.append(contentsOf: buffer.prefix(count))
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard !lines.isEmpty else { throw BenchmarkError(message: "\(path): nothing in it") }
    return lines
}
