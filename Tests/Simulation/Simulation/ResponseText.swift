internal import HTTP
internal import Market
internal import TestSupport
internal import Time

/// The bytes of responses.
enum ResponseText {
    /// A usable body that gives these markets, in one of many ways to write it.
    static func body(_ tickers: [Ticker], seed: UInt64) -> String {
        var random = SplitMix(seed: seed)
        var elements = tickers.map { element($0, &random) }
        // What does not count: a repeated symbol, and elements that are no tickers.
        if Int.random(in: 0..<6, using: &random) == 0, let first = tickers.first {
            elements.append(#"{"symbol":"\#(first.symbol)","lastPrice":"1","volume":"1"}"#)
        }
        if Int.random(in: 0..<6, using: &random) == 0 {
            let bad = [
                #"{"symbol":"UPPER","lastPrice":"1"}"#, #"{"lastPrice":"1"}"#, "[]", "7", "null", #"{"symbol":5}"#,
            ]
            elements.insert(
                bad.randomElement(using: &random) ?? "", at: .random(in: 0...elements.count, using: &random))
        }
        return "[" + elements.joined(separator: Int.random(in: 0..<4, using: &random) == 0 ? " ,\n" : ",") + "]"
    }

    private static func element(_ ticker: Ticker, _ random: inout SplitMix) -> String {
        var fields = [#""symbol":"\#(ticker.symbol)""#]
        if let base = ticker.base { fields.append(#""baseAsset":"\#(base)""#) }
        if let quote = ticker.quote { fields.append(#""quoteAsset":"\#(quote)""#) }
        fields.append(#""openPrice":"4.9e-7""#)
        fields.append(number("lowPrice", ticker.last, &random))
        fields.append(number("highPrice", ticker.last, &random))
        fields.append(number("lastPrice", ticker.last, &random))
        fields.append(number("volume", ticker.volume, &random))
        fields.append(number("bidPrice", ticker.bid, &random))
        fields.append(number("askPrice", ticker.ask, &random))
        if let time = ticker.exchangeTime { fields.append(#""at":\#(time.milliseconds)"#) }
        if ticker.exchangeTime == nil, Bool.random(using: &random) { fields.append(#""at":1588829734"#) }
        if Int.random(in: 0..<8, using: &random) == 0 { fields.shuffle(using: &random) }
        return "{" + fields.joined(separator: ",") + "}"
    }

    private static func number(_ name: String, _ price: Price?, _ random: inout SplitMix) -> String {
        guard let price else {
            let none = ["null", #""""#, #""abc""#, #""1.2.3""#, "[]", "true", #""99999999999999999999""#]
            return #""\#(name)":\#(none.randomElement(using: &random) ?? "null")"#
        }
        return switch Int.random(in: 0..<12, using: &random) {
        case 0: #""\#(name)":\#(price)"#
        case 1: #""\#(name)":"\#(price.mantissa)e-\#(price.scale)""#
        default: #""\#(name)":"\#(price)""#
        }
    }

    static func padded(_ text: String) -> [UInt8] {
        Array(text.utf8) + [UInt8](repeating: 0, count: HTTPResponse.paddingCount)
    }

    /// A way in which a request can fail.
    ///
    /// - Parameters:
    ///   - seed: decides which.
    ///   - body: what a response would have.
    ///   - mayBeEmpty: whether an empty list is a failure.
    /// - Returns: the answer.
    static func failure(
        seed: UInt64, _ body: String, mayBeEmpty: Bool = true
    ) -> Result<HTTPResponse, HTTPError> {
        var random = SplitMix(seed: seed)
        let response = { (status: Int, text: String, headers: [String: String]) -> Result<HTTPResponse, HTTPError> in
            .success(HTTPResponse(status: status, headers: headers, paddedBody: padded(text)))
        }
        let wait = ["retry-after": "\(Int.random(in: 1...400, using: &random))"]
        switch Int.random(in: 0..<22, using: &random) {
        case 0: return .failure(.timeout(after: .seconds(20)))
        case 1: return .failure(.connectTimeout(after: .seconds(10)))
        case 2: return .failure(.connectionRefused)
        case 3: return .failure(.resolutionFailed(host: "api.wazirx.com"))
        case 4: return .failure(.truncated)
        case 5: return .failure(.tls("certificate has expired"))
        case 6: return .failure(.bodyTooLarge(limitBytes: 8 << 20))
        case 7: return .failure(.unreachable("no route to host"))
        case 8: return response(200, "", [:])
        case 9: return response(200, mayBeEmpty ? "[]" : "", [:])
        case 10: return response(200, "<html><body>Attention required</body></html>", [:])
        case 11: return response(200, #"{"message":"Too many api request","code":2136}"#, [:])
        case 12: return response(200, #"[{"symbol":"X"},{"a":1}]"#, [:])
        case 13: return response(200, String(body.dropLast(body.utf8.count / 3 + 1)), [:])
        case 14: return response(403, "<html>403 Forbidden</html>", [:])
        case 15: return response(418, "", wait)
        case 16: return response(429, #"{"code":2136,"message":"Too many api request"}"#, wait)
        case 17: return response(429, "", ["retry-after": "soon"])
        case 18: return response(500, "oops", [:])
        case 19: return response(502, "<html>Bad Gateway</html>", [:])
        case 20: return response(301, "", ["location": "http://example.org"])
        default: return response(204, "", [:])
        }
    }
}
