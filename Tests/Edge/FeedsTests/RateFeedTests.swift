import EventLoop
import ExchangeRates
import Feeds
import HTTP
import Market
import TestSupport
import Testing
import Time

private let file = """
    <e:Envelope xmlns:e="http://www.gesmes.org/xml/2002-08-01"
        xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><Cube><Cube time='2022-11-21'>
        <Cube currency='USD' rate='1.0246'/><Cube currency='SEK' rate='10.9858'/></Cube></Cube></e:Envelope>
    """

/// Answers instead of the network, one response after the other, and records the requests.
@LoopActor
private final class FakeClient: HTTPFetching {
    private var results: [Result<HTTPResponse, HTTPError>]
    private(set) var addresses: [String] = []
    private(set) var times: [WallTime?] = []

    init(_ results: [Result<HTTPResponse, HTTPError>]) {
        self.results = results
    }

    func get(
        _ address: String, headers: [String: String], ifModifiedSince: WallTime?
    ) async throws(HTTPError) -> HTTPResponse {
        addresses.append(address)
        times.append(ifModifiedSince)
        return try results.removeFirst().get()
    }
}

private func answer(
    _ status: Int, _ body: String = "", headers: [String: String] = [:]
) -> Result<HTTPResponse, HTTPError> {
    .success(HTTPResponse(status: status, headers: headers, paddedBody: padded(body)))
}

private func failure(of result: Result<HTTPResponse, HTTPError>) async throws -> FeedFailure? {
    try await onLoop { () -> FeedFailure? in
        let feed = ReferenceRateFeed(url: "https://example.org/r.xml", client: FakeClient([result]), time: FixedTime())
        do {
            _ = try await feed.fetch()
            return nil
        } catch let failure as FeedFailure {
            return failure
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct RateFeedTests {
    @Test(arguments: [file, "Date, USD, SEK, \n21 November 2022, 1.0246, 10.9858, \n"])
    func aFileBecomesATable(body: String) async throws {
        let (rates, addresses) = try await onLoop {
            let client = FakeClient([answer(200, body)])
            let feed = ReferenceRateFeed(url: "https://example.org/r.xml", client: client, time: FixedTime())
            return (try await feed.fetch(), client.addresses)
        }
        #expect(addresses == ["https://example.org/r.xml"])
        #expect(rates?.date == CivilDate(year: 2022, month: 11, day: 21))
        #expect(rates?.currencies.map(\.description) == ["USD", "SEK"])
    }

    /// As when a rate is suspended: the others are used, and the bad one is named until it is good again.
    @Test func aBadCurrencyIsNamedAndTheOthersAreUsed() async throws {
        let bad = file.replacing("</Cube></Cube>", with: "<Cube currency='RUB' rate='N/A'/></Cube></Cube>")
        let (rates, ignored) = try await onLoop {
            let feed = ReferenceRateFeed(
                url: "https://example.org/r.xml", client: FakeClient([answer(200, bad), answer(200, file)]),
                time: FixedTime())
            let rates = try await feed.fetch()
            let first = feed.ignored
            _ = try await feed.fetch()
            return (rates, [first, feed.ignored])
        }
        #expect(rates?.currencies.map(\.description) == ["USD", "SEK"])
        #expect(ignored == [["the rate of RUB is not a positive number with a decimal point: N/A"], []])
    }

    /// The query of a mirror's address may be a key, which the mirror may repeat.
    @Test func theQueryIsNotShown() async throws {
        let bad = file.replacing("</Cube></Cube>", with: "<Cube currency='RUB' rate='RATEKEY'/></Cube></Cube>")
        let (url, ignored, message) = try await onLoop { () -> (String?, [String], String) in
            let feed = ReferenceRateFeed(
                url: "https://example.org/r.xml?key=RATEKEY",
                client: FakeClient([answer(200, bad), .failure(.other("no ratekey"))]), time: FixedTime())
            _ = try await feed.fetch()
            let ignored = feed.ignored
            do {
                _ = try await feed.fetch()
                return (feed.url, ignored, "")
            } catch let failure as FeedFailure {
                return (feed.url, ignored, failure.message)
            }
        }
        #expect(url == "https://example.org/r.xml")
        #expect(ignored == ["(not shown: it repeats a secret)"])
        #expect(message == "request failed: (not shown: it repeats a secret)")
    }

    @Test func anArchiveIsNamed() async throws {
        let failure = try await failure(of: answer(200, "PK\u{3}\u{4}\u{14}\u{0}\u{7}"))
        #expect(failure?.message == "the source of exchange rates sent a ZIP archive")
    }

    @Test func onlyWhatHasChangedIsAskedFor() async throws {
        let changed = ["last-modified": "Mon, 21 Nov 2022 14:56:07 GMT"]
        let (tables, times) = try await onLoop {
            let client = FakeClient([
                answer(200, file, headers: changed), answer(304), answer(200), answer(200, file), answer(200, file),
            ])
            let feed = ReferenceRateFeed(url: "https://example.org/r.xml", client: client, time: FixedTime())
            var tables: [Bool] = []
            for _ in 0..<5 { tables.append(try await feed.fetch() != nil) }
            return (tables, client.times)
        }
        #expect(tables == [true, false, false, true, true])
        let time = WallTime(rfc3339: "2022-11-21T14:56:07Z")
        #expect(times == [nil, time, time, time, nil])
    }

    @Test(
        arguments: [
            (429, "", .rateLimited), (403, "<html/>", .forbidden), (404, "", .rejected), (500, "", .serverError),
            (503, file, .serverError), (304, "", .redirect), (204, "", .other), (200, "", .unusable),
            (200, "<!DOCTYPE html><html>Log in</html>", .unusable),
            (200, file.replacing(".", with: ","), .unusable), (200, String(file.dropLast()), .unusable),
        ] as [(Int, String, FeedFailure.Kind)])
    func anythingElseIsAFailure(status: Int, body: String, kind: FeedFailure.Kind) async throws {
        let failure = try #require(try await failure(of: answer(status, body)))
        #expect(failure.kind == kind)
        #expect(!failure.message.isEmpty && !failure.sentence.hasSuffix(".") && failure.advice?.isEmpty != true)
        #expect(!failure.message.contains("the exchange "))
    }

    @Test func theReasonNamesThePlaceInTheFile() async throws {
        let bad = file.replacing("rate='1.0246'", with: "rate='1,0246'").replacing("10.9858", with: "N/A")
        #expect(
            try await failure(of: answer(200, bad))?.message
                == "invalid file of exchange rates: line 3, column 5: the rate of USD is not a positive number "
                + "with a decimal point: 1,0246")
    }

    @Test(
        arguments: [
            (.resolutionFailed(host: "h"), .resolution), (.connectionRefused, .refused),
            (.timeout(after: .seconds(20)), .timeout),
            (.tls("x"), .tls), (.redirectRefused("x"), .redirect), (.bodyTooLarge(limitBytes: 9), .tooLarge),
            (.authorityFile("f"), .settings), (.badAddress("x"), .settings), (.unreachable("x"), .unreachable),
        ] as [(HTTPError, FeedFailure.Kind)])
    func whatTheNetworkDoesIsSaidOfTheRightSource(error: HTTPError, kind: FeedFailure.Kind) async throws {
        let failure = try #require(try await failure(of: .failure(error)))
        #expect(failure.kind == kind)
        #expect(!failure.message.contains("the exchange "))
        #expect(!failure.sentence.contains("[feed]") && !failure.sentence.contains("the exchange "))
    }

    @Test func theServersWishForPatienceIsKept() async throws {
        let failure = try await failure(of: answer(503, headers: ["retry-after": "120"]))
        #expect(failure?.retryAfter == .seconds(120))
    }
}
