import EventLoop
import Feeds
import HTTP
import Market
import PriceSources
import TestSupport
import Testing
import Time

/// The query of a source's address may be a key, and a server may answer with what it was sent.
@Suite(.timeLimit(.minutes(10))) struct AddressSecretTests {
    private static let address = "https://example.org/js?list=all&apikey=JSKEYSEKRET"

    @LoopActor
    private func feed(_ result: Result<HTTPResponse, HTTPError>, _ layout: JSONLayout? = nil) -> any Feed {
        let client = AnsweringClient(result)
        var parameters = FeedParameters(.json, url: Self.address)
        parameters.layout = layout
        return makeFeed(parameters, client: { client }, time: FixedTime())
    }

    private func failure(_ result: Result<HTTPResponse, HTTPError>) async throws -> FeedFailure? {
        var layout = JSONLayout(last: try #require(JSONPointer("/p")))
        layout.items = JSONPointer("/data")
        return try await onLoop { [layout] () -> FeedFailure? in
            do {
                _ = try await feed(result, layout).poll()
                return nil
            } catch let failure as FeedFailure {
                return failure
            }
        }
    }

    @Test(arguments: [
        (400, #"{"error":"bad key /js?list=all&apikey=JSKEYSEKRET"}"#), (403, #"{"message":"jskeysekret is unknown"}"#),
        (500, #"{"code":"JSKEYSEKRET","message":"no"}"#), (200, #"{"error":"JSKEY%53EKRET"}"#),
    ])
    func anErrorThatRepeatsItIsNotShown(status: Int, body: String) async throws {
        let found = try await failure(.success(HTTPResponse(status: status, paddedBody: padded(body))))
        let message = try #require(found?.message)
        #expect(message.hasSuffix("(status \(status)): (not shown: it repeats a secret)"))
    }

    @Test func otherErrorsAreShown() async throws {
        let body = #"{"error":"the apikey for /js has expired"}"#
        let found = try await failure(.success(HTTPResponse(status: 400, paddedBody: padded(body))))
        #expect(found?.message.hasSuffix(#": "the apikey for /js has expired""#) == true)
    }

    @Test func aFailureWithoutAnAnswerDoesNotShowIt() async throws {
        let bad = try await failure(.failure(.badAddress("ftp://me:pw@example.org/js?apikey=JSKEYSEKRET")))
        #expect(bad?.message == "`ftp://example.org/js` is not an http or https address")
        for error in [HTTPError.other("no JSKEYSEKRET"), .tls("no JSKEYSEKRET"), .unreachable("no JSKEYSEKRET")] {
            let found = try await failure(.failure(error))
            #expect(found?.message.hasSuffix(": (not shown: it repeats a secret)") == true)
        }
    }

    @Test func anExampleOfABadElementDoesNotShowIt() async throws {
        var layout = JSONLayout(last: try #require(JSONPointer("/p")))
        layout.items = .root
        layout.symbol = .place(try #require(JSONPointer("/s")))
        let good = #"{"s":"btcusd","p":1},"#
        // The second one is longer than an example, which ends within the key.
        let key = String(repeating: "x", count: 40) + "JSKEYSEKRET"
        for bad in [#"{"s":"","x":"JSKEYSEKRET"}"#, #"{"s":"","x":"\#(key)"}"#] {
            let body = "[\(good)\(bad)]"
            let batch = try await onLoop { [layout] in
                try await feed(.success(HTTPResponse(status: 200, paddedBody: padded(body))), layout).poll()
            }
            #expect(batch.badElementCount == 1 && batch.badExample == "(not shown: it repeats a secret)")
        }
    }

    @Test func theAddressIsShownWithoutIt() async throws {
        let url = try await onLoop { feed(.failure(.connectionRefused)).url }
        #expect(url == "https://example.org/js")
    }
}
