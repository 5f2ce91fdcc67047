import EventLoop
import HTTP
import Market
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HTTPClientTests {
    @Test func wholeAnswerComesWithStatusHeadersAndPaddedBody() async throws {
        try await onLoop {
            let server = try ScriptedServer([.status(headers: ["X-Kind": " prices "], text: "[1,2]")])
            let response = try await makeClient().get(server.url + "/tickers/24hr")
            #expect(response.status == 200)
            #expect(response.headers["x-kind"] == "prices")
            #expect(response.text == "[1,2]")
            #expect(response.paddedBody.suffix(HTTPResponse.paddingCount).allSatisfy { $0 == 0 })
            #expect(response.paddedBody.count == 5 + HTTPResponse.paddingCount)
            #expect(server.requests.map(\.path) == ["/tickers/24hr"])
        }
    }
}

extension HTTPResponse {
    var text: String { String(decoding: paddedBody.prefix(bodyCount), as: UTF8.self) }
}

@LoopActor
func makeClient(_ change: (inout HTTPConfiguration) -> Void = { _ in }) -> HTTPClient {
    var configuration = HTTPConfiguration(userAgent: "alertd/test")
    change(&configuration)
    return HTTPClient(configuration)
}
