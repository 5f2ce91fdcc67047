import Foundation
import TestSupport

/// The scripted exchange of `exchange.py`; its commands are described there.
final class Exchange: Sendable {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "exchange.py").path

    let httpPort: Int
    let httpsPort: Int?
    private let program: Program

    /// Starts an exchange that serves the tickers given, over https as well when there is a certificate.
    init(tickers: [[String: String]] = [], certificate: TestAuthority.Certificate? = nil) async throws {
        let secrets = certificate.map { ["--tls-cert", $0.certificate, "--tls-key", $0.key] } ?? []
        program = try Program("/usr/bin/python3", [Self.script] + secrets)
        let ports = try await Self.object(program.line { _ in true })
        guard let http = ports["http"] as? Int else { throw NothingCame() }
        httpPort = http
        httpsPort = ports["https"] as? Int
        try await command("tickers", ["list": tickers.map(Self.withTime)])
    }

    var url: String { "http://127.0.0.1:\(httpPort)/sapi/v1" }
    var secureURL: String { "https://localhost:\(httpsPort ?? 0)/sapi/v1" }

    /// Sends a command and waits for its answer; throws what the exchange says is wrong with it.
    @discardableResult
    func command(_ word: String, _ fields: [String: Any] = [:]) async throws -> [String: Any] {
        let data = try JSONSerialization.data(withJSONObject: fields.merging(["do": word]) { $1 })
        let answered = program.lines.count
        try program.send(line: String(decoding: data, as: UTF8.self))
        let answer = try await Self.object(program.line(from: answered) { _ in true })
        if let error = answer["error"] as? String { throw ExchangeError(words: error) }
        return answer
    }

    func change(_ symbol: String, _ fields: [String: String]) async throws {
        try await command("change", ["symbol": symbol, "fields": fields])
    }

    func setPrice(_ price: String, of symbol: String) async throws {
        try await change(symbol, ["lastPrice": price])
    }

    /// Answers the next `times` requests, or all when it is nil, as the preset of `exchange.py` says.
    func behave(as preset: String, times: Int? = nil) async throws {
        try await command("behave", ["as": preset].merging(times.map { ["times": $0] } ?? [:]) { $1 })
    }

    /// How many requests have come since the start.
    func requests() async throws -> Int {
        try await command("report")["requests"] as? Int ?? 0
    }

    /// Waits until a response that was begun after now has been sent.
    func waitForNextAnswer() async throws {
        let count = try await requests()
        guard try await command("wait", ["answered": count + 1, "limit_ms": 20_000])["ok"] as? Bool == true else {
            throw NothingCame()
        }
    }

    private static func object(_ line: String) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
    }

    private static func withTime(_ ticker: [String: String]) -> [String: Any] {
        var whole: [String: Any] = ticker
        whole["at"] = Int(Date().timeIntervalSince1970) * 1_000
        return whole
    }
}

/// A command that the exchange did not understand.
struct ExchangeError: Error {
    let words: String
}

/// A ticker in the form of the exchange, with a book around its price and a volume.
func ticker(_ symbol: String, last: String, base: String = "btc", quote: String = "inr") -> [String: String] {
    [
        "symbol": symbol, "baseAsset": base, "quoteAsset": quote, "openPrice": last, "lowPrice": last,
        "highPrice": last, "lastPrice": last, "volume": "12.5", "bidPrice": last, "askPrice": last,
    ]
}
