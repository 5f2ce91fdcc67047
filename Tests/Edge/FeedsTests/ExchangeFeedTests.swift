import EventLoop
import Feeds
import HTTP
import Market
import PriceSources
import TestSupport
import Testing
import Time

private func failure(of result: Result<HTTPResponse, HTTPError>) async throws -> FeedFailure? {
    try await onLoop { () -> FeedFailure? in
        let feed = ExchangeFeed(
            FeedParameters(.wazirx, url: "https://example.org/sapi/v1"), decoder: RecordDecoder(WazirXFormat()),
            client: AnsweringClient(result), time: FixedTime())
        do {
            _ = try await feed.poll()
            return nil
        } catch let failure as FeedFailure {
            return failure
        }
    }
}

private func failure(
    status: Int, _ body: String = "", headers: [String: String] = [:]
) async throws -> FeedFailure? {
    try await failure(of: .success(HTTPResponse(status: status, headers: headers, paddedBody: padded(body))))
}

@Suite(.timeLimit(.minutes(10))) struct ExchangeFeedTests {
    /// Advice names the table of the settings that the feed is from: no other one may exist.
    @Test(arguments: PriceSource.allCases.filter { $0.profile.url != nil } + [.json])
    func theAdviceNamesTheSection(source: PriceSource) async throws {
        let answers: [Result<HTTPResponse, HTTPError>] =
            [200, 204, 302, 403, 404, 418, 429].map { .success(HTTPResponse(status: $0, paddedBody: padded("<html>"))) }
            + [.failure(.connectionRefused), .failure(.other("x")), .failure(.bodyTooLarge(limitBytes: 1))]
        let minutes = WallTime(milliseconds: 0)..<WallTime(milliseconds: 60_000)
        let request = CandleRequest(symbol: try #require(Symbol("btcinr")), minutes: minutes)
        var named = 0
        for answer in answers {
            let texts = try await onLoop { () -> [String] in
                var parameters = FeedParameters(source, url: "https://example.org")
                parameters.section = #"[[source]] "other""#
                let feed = makeFeed(parameters, client: { AnsweringClient(answer) }, time: FixedTime())
                let candles = CandleFeed(parameters, client: { AnsweringClient(answer) }, time: FixedTime())
                var texts: [String] = []
                do { _ = try await feed.poll() } catch let failure as FeedFailure { texts.append(failure.sentence) }
                do {
                    _ = try await candles?.candles(request)
                } catch let failure as FeedFailure {
                    texts.append(failure.sentence)
                }
                return texts
            }
            #expect(!texts.contains { $0.contains("[feed]") }, "\(answer): \(texts)")
            named += texts.count { $0.contains(#"in [[source]] "other""#) }
        }
        #expect(named > 5)
    }

    @Test func aResponseBecomesABatchWithItsTimeOfReceipt() async throws {
        let (batch, addresses) = try await onLoop {
            let client = AnsweringClient(
                .success(HTTPResponse(status: 200, paddedBody: padded("[\(element("btcinr"))]"))))
            let feed = ExchangeFeed(
                FeedParameters(.wazirx, url: "https://example.org/sapi/v1/"), decoder: RecordDecoder(WazirXFormat()),
                client: client, time: FixedTime())
            #expect(feed.name == "wazirx")
            #expect(!feed.isSimulated)
            return (try await feed.poll(), client.addresses)
        }
        #expect(batch.symbols == ["btcinr"])
        #expect(batch.received == receipt)
        #expect(addresses == ["https://example.org/sapi/v1/tickers/24hr"])
    }

    @Test(
        arguments: [
            (429, "", .rateLimited), (429, #"{"code":2136,"message":"x"}"#, .rateLimited), (418, "", .banned),
            (403, "<html>403 Forbidden</html>", .forbidden), (403, #"{"code":1,"message":"x"}"#, .forbidden),
            (200, #"{"message":"Too many api request","code":2136}"#, .rateLimited),
            (400, #"{"code":2136,"message":"Too many api request"}"#, .rateLimited),
            (403, #"{"code":2136,"message":"Too many api request"}"#, .rateLimited),
            (400, #"{"code":-1121,"message":"Invalid symbol."}"#, .rejected), (404, "", .rejected),
            (200, #"{"code":1999,"message":"missing"}"#, .rejected), (500, "", .serverError),
            (502, "<html>Bad Gateway</html>", .serverError), (503, "[]", .serverError), (200, "<html>", .notJSON),
            (200, "error code: 1020", .notJSON), (200, "", .emptyResponse), (200, "[]", .emptyResponse),
            (200, "[{", .unusable), (200, "[{}]", .unusable), (200, "{}", .unusable), (304, "", .redirect),
            (204, "", .other),
            (202, "[\(element("btcinr"))]", .other), (500, "[\(element("btcinr"))]", .serverError),
        ] as [(Int, String, FeedFailure.Kind)])
    func statusAndBodyDecideTheKind(status: Int, body: String, expected: FeedFailure.Kind) async throws {
        let failure = try #require(try await failure(status: status, body))
        #expect(failure.kind == expected)
        #expect(!failure.message.isEmpty && !failure.sentence.hasSuffix("."))
        #expect(failure.advice?.isEmpty != true)
    }

    @Test(
        arguments: [
            (.badAddress("x"), .settings), (.plainHTTPRefused(host: "h"), .settings), (.authorityFile("f"), .settings),
            (.resolutionFailed(host: "h"), .resolution), (.connectionRefused, .refused),
            (.unreachable("x"), .unreachable),
            (.connectTimeout(after: .seconds(10)), .timeout), (.timeout(after: .seconds(20)), .timeout),
            (.tls("x"), .tls), (.redirectRefused("x"), .redirect),
            (.bodyTooLarge(limitBytes: 9), .tooLarge), (.truncated, .truncated), (.cancelled, .other),
            (.other("x"), .other),
        ] as [(HTTPError, FeedFailure.Kind)])
    func whatTheNetworkDoesDecidesTheKind(error: HTTPError, expected: FeedFailure.Kind) async throws {
        let failure = try #require(try await failure(of: .failure(error)))
        #expect(failure.kind == expected)
        #expect(!failure.message.isEmpty && failure.advice?.isEmpty != true)
    }

    /// As decompressing gives it when the compressed data ends early.
    @Test func everyResponseThatEndsEarlyIsRefused() async throws {
        let whole = "[\(element("btcinr")),\(element("ethinr"))]"
        #expect(try await failure(status: 200, whole) == nil)
        for count in 0..<whole.utf8.count {
            let failure = try await failure(status: 200, String(decoding: whole.utf8.prefix(count), as: UTF8.self))
            #expect(failure != nil, "\(count) bytes")
        }
    }

    @Test func eachFailureHasWordsOfItsOwn() async throws {
        var messages: [String] = []
        for status in [429, 418, 403, 404, 502, 304, 204] {
            messages.append(try #require(try await failure(status: status)).message)
        }
        for body in ["", "[]", "<html>", "text", "[{", "[{}]", "{}", #"{"code":2136}"#, #"{"code":1}"#] {
            messages.append(try #require(try await failure(status: 200, body)).message)
        }
        let errors: [HTTPError] = [
            .badAddress("x"), .plainHTTPRefused(host: "h"), .authorityFile("f"), .resolutionFailed(host: "h"),
            .connectionRefused, .unreachable("x"),
            .connectTimeout(after: .seconds(10)), .timeout(after: .seconds(20)), .tls("x"), .redirectRefused("x"),
            .bodyTooLarge(limitBytes: 9), .truncated, .cancelled, .other("x"),
        ]
        for error in errors {
            messages.append(try #require(try await failure(of: .failure(error))).message)
        }
        #expect(Set(messages).count == messages.count)
    }

    @Test(
        arguments: [
            ("120", 120_000), (" 7 ", 7_000), ("0", 0), ("Mon, 21 Nov 2022 06:36:00 GMT", 10_000),
            ("Monday, 21-Nov-22 06:36:00 GMT", 10_000), ("Mon Nov 21 06:36:00 2022", 10_000),
            ("Mon, 21 Nov 2022 06:00:00 GMT", 0), ("99999999999999999999999", .max), ("soon", nil), ("-1", nil),
            ("", nil),
            ("Mon, 41 Nov 2022 06:36:00 GMT", nil), ("1.5", nil),
        ] as [(String, Int64?)])
    func theServerMaySayWhenToComeBack(header: String, expected: Int64?) async throws {
        for status in [429, 418, 503] {
            let failure = try #require(try await failure(status: status, headers: ["retry-after": header]))
            let longest: Int64 = status == 418 ? 259_200_000 : 3_600_000
            #expect(failure.retryAfter?.count == expected.map { min($0, longest) })
        }
    }

    @Test func theRateLimitInABodyKeepsTheTimeToComeBack() async throws {
        let body = #"{"message":"Too many api request","code":2136}"#
        let failure = try #require(try await failure(status: 200, body, headers: ["retry-after": "9"]))
        #expect(failure.retryAfter == .seconds(9))
        #expect(failure.message.contains(#""Too many api request" (code 2136)"#))
    }

    @Test func wordsOfTheServerAreCutAndEscaped() async throws {
        let nasty = "\u{1B}[31m\u{7F}\u{9B}\u{202E}\u{2028}"
        let failures = [
            try await failure(status: 400, "{\"code\":1,\"message\":\"\u{7F}\u{9B}\u{202E}\u{2028}\\u001b[31m\\n\"}"),
            try await failure(status: 200, #"{"code":1,"message":"\#(String(repeating: "x", count: 5_000))"}"#),
            try await failure(of: .failure(.other(nasty))), try await failure(of: .failure(.redirectRefused(nasty))),
            try await failure(of: .failure(.tls(nasty))), try await failure(of: .failure(.unreachable(nasty))),
        ]
        for failure in failures {
            let text = try #require(failure).message
            #expect(text.count <= 300 + 8 * nasty.unicodeScalars.count)
            let isClean = text.unicodeScalars.allSatisfy {
                ![.control, .format, .lineSeparator].contains($0.properties.generalCategory)
            }
            #expect(isClean)
        }
        let quoted = try #require(try await failure(status: 400, #"{"code":1,"message":"say \"a\\b\/c\""}"#))
        #expect(quoted.message.contains(#""say "a\b/c"" (code 1)"#))
    }

    @Test func overRealHTTPFailuresAndSuccessFollowEachOther() async throws {
        let kinds = try await onLoop { () -> [FeedFailure.Kind?] in
            let server = try ScriptedServer([
                .status(429, headers: ["Retry-After": "3"], text: "slow down"), .status(403, text: "<html>no</html>"),
                .truncated(Array("[\(element("a"))".utf8)), .closed, .status(200, text: "<html>"),
                .status(200, text: "[\(element("btcinr"))]"),
            ])
            defer { server.stop() }
            let client = HTTPClient(.patient)
            let feed = ExchangeFeed(
                FeedParameters(.wazirx, url: server.url), decoder: RecordDecoder(WazirXFormat()), client: client,
                time: SystemClock())
            var kinds: [FeedFailure.Kind?] = []
            for _ in 0..<6 {
                do {
                    #expect(try await feed.poll().symbols == ["btcinr"])
                    kinds.append(nil)
                } catch let error as FeedFailure {
                    kinds.append(error.kind)
                }
            }
            #expect(server.requests.allSatisfy { $0.path == "/tickers/24hr" })
            return kinds
        }
        #expect(kinds.count == 6)
        #expect(kinds.prefix(3) == [.rateLimited, .forbidden, .truncated])
        #expect(kinds[3] != nil)
        #expect(kinds.suffix(2) == [.notJSON, nil])
    }
}
