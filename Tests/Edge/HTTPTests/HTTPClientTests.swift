import EventLoop
import Market
import TestSupport
import Testing
import Time

@testable import HTTP

@Suite(.timeLimit(.minutes(10)))
struct HTTPClientTests {
    @Test func wholeAnswerComesWithStatusHeadersAndPaddedBody() async throws {
        try await onLoop {
            let server = try ScriptedServer([.status(headers: ["X-Kind": " prices \t"], text: "[1,2]")])
            let response = try await makeClient().get(server.url + "/tickers/24hr?a=b#c")
            #expect(response.status == 200)
            #expect(response.headers["x-kind"] == "prices")
            #expect(response.text == "[1,2]")
            #expect(response.paddedBody.suffix(HTTPResponse.paddingCount).allSatisfy { $0 == 0 })
            #expect(response.paddedBody.count == 5 + HTTPResponse.paddingCount)
            #expect(server.requests.map(\.line) == ["GET /tickers/24hr?a=b HTTP/1.1"])
        }
    }

    @Test func requestSaysWhoAsksAndWhatItTakes() async throws {
        try await onLoop {
            let server = try ScriptedServer([.status()])
            _ = try await makeClient().get(server.url)
            let headers = try #require(server.requests.first).headers
            #expect(headers["user-agent"] == "alertd/test")
            #expect(headers["accept-encoding"] == "gzip, deflate")
            #expect(headers["host"] == "127.0.0.1:\(server.port)")
        }
    }

    @Test func furtherHeadersBelongToOneRequest() async throws {
        try await onLoop {
            let server = try ScriptedServer([.status()])
            let client = makeClient()
            for headers in [["x-access-token": "abc", "X-Other": "1"], [:], ["x-access-token": "def"]] {
                _ = try await client.get(server.url, headers: headers)
            }
            #expect(server.requests.map { $0.headers["x-access-token"] } == ["abc", nil, "def"])
            #expect(server.requests.map { $0.headers["x-other"] } == ["1", nil, nil])
            #expect(server.requests.allSatisfy { $0.headers["user-agent"] == "alertd/test" })
            #expect(server.connectionCount == 1)
        }
    }

    @Test func whatHasNotChangedIsNotSentAgain() async throws {
        try await onLoop {
            let changed = ["Last-Modified": "Mon, 21 Nov 2022 14:56:07 GMT"]
            let server = try ScriptedServer([
                .status(304, headers: changed), .status(headers: changed, text: "old"), .status(text: "new"),
            ])
            let client = makeClient()
            let time = WallTime(rfc3339: "2022-11-21T14:56:07Z")
            #expect(try await client.get(server.url, ifModifiedSince: time).status == 304)
            // This server does not know the question.
            #expect(try await client.get(server.url, ifModifiedSince: time).text.isEmpty)
            #expect(try await client.get(server.url).text == "new")
            let asked = server.requests.map { $0.headers["if-modified-since"] }
            #expect(asked == ["Mon, 21 Nov 2022 14:56:07 GMT", "Mon, 21 Nov 2022 14:56:07 GMT", nil])
        }
    }

    @Test(arguments: [204, 304, 400, 403, 418, 429, 500, 503])
    func anyStatusIsAnAnswer(status: Int) async throws {
        try await onLoop {
            let server = try ScriptedServer([.status(status, headers: ["Retry-After": "7"])])
            let response = try await makeClient().get(server.url)
            #expect(response.status == status)
            #expect(response.headers["retry-after"] == "7")
            #expect(response.bodyCount == 0)
        }
    }

    @Test(arguments: [("gzip", gzipOfSample), ("deflate", deflateOfSample)])
    func bodyIsDecompressed(coding: String, body: [UInt8]) async throws {
        try await onLoop {
            let server = try ScriptedServer([.status(headers: ["Content-Encoding": coding], body: body)])
            let response = try await makeClient().get(server.url)
            #expect(response.text == #"[{"symbol":"btcinr"}]"#)
        }
    }

    /// libcurl takes compressed data that ends early for complete: then it is the beginning of the text, which whoever
    /// reads JSON or XML notices.
    @Test func compressedDataThatEndsEarlyIsABeginning() async throws {
        try await onLoop {
            let whole = #"[{"symbol":"btcinr"}]"#
            for count in 1...gzipOfSample.count {
                let body = Array(gzipOfSample.prefix(count))
                let server = try ScriptedServer([.status(headers: ["Content-Encoding": "gzip"], body: body)])
                let response = try await makeClient().get(server.url)
                #expect(whole.hasPrefix(response.text), "\(count) bytes: \(response.text)")
                // Without the last nine bytes, of which eight are the checksum and the length.
                #expect((response.text == whole) == (count >= gzipOfSample.count - 9), "\(count) bytes")
            }
            // A checksum that is there is checked.
            var wrong = gzipOfSample
            wrong[wrong.count - 8] ^= 1
            let server = try ScriptedServer([.status(headers: ["Content-Encoding": "gzip"], body: wrong)])
            await #expect(throws: HTTPError.self) { try await makeClient().get(server.url) }
        }
    }

    @Test func chunksAreJoined() async throws {
        try await onLoop {
            let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[1\r\n3\r\n,2]\r\n0\r\n\r\n"
            let server = try ScriptedServer([.bytes(Array(chunked.utf8))])
            let response = try await makeClient().get(server.url)
            #expect(response.text == "[1,2]")
        }
    }

    @Test func interimAnswersAndRepeatedHeadersLeaveTheLast() async throws {
        try await onLoop {
            let interim = "HTTP/1.1 103 Early Hints\r\nX-Early: yes\r\n\r\n"
            let final = "HTTP/1.1 200 OK\r\nX-A: 1\r\nX-A: 2\r\nContent-Length: 2\r\n\r\n[]"
            let server = try ScriptedServer([.bytes(Array((interim + final).utf8))])
            let response = try await makeClient().get(server.url)
            #expect(response.status == 200)
            #expect(response.headers["x-early"] == nil)
            #expect(response.headers["x-a"] == "2")
        }
    }

    @Test func bodyWithoutLengthEndsWithTheConnection() async throws {
        try await onLoop {
            let server = try ScriptedServer([.bytesThenClose(Array("HTTP/1.0 200 OK\r\n\r\n[3]".utf8))])
            let response = try await makeClient().get(server.url)
            #expect(response.text == "[3]")
        }
    }

    @Test func oneConnectionServesManyRequests() async throws {
        try await onLoop {
            let server = try ScriptedServer([.status(text: "[]")])
            let client = makeClient()
            for _ in 0..<50 {
                let response = try await client.get(server.url)
                #expect(response.text == "[]")
                #expect(client.isIdle)
            }
            #expect(server.requests.count == 50)
            #expect(server.connectionCount == 1)
        }
    }

    /// The kernel gives the number of a closed descriptor to the next one.
    @Test func aDescriptorMayGetTheNumberOfAnother() async throws {
        try await onLoop {
            let client = makeClient()
            for _ in 0..<20 {
                let answer = Array("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n[]".utf8)
                let server = try ScriptedServer([.bytesThenClose(answer)])
                let response = try await client.get(server.url)
                #expect(response.text == "[]" && client.isIdle)
            }
        }
    }

    @Test func aConnectionThatTheServerClosedIsMadeAgain() async throws {
        try await onLoop {
            let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]".utf8)
            let server = try ScriptedServer([.bytesThenClose(answer)])
            let client = makeClient()
            for _ in 0..<3 {
                let response = try await client.get(server.url)
                #expect(response.text == "[]")
            }
            #expect(server.connectionCount == 3)
        }
    }

    @Test func twoRequestsRunAtTheSameTime() async throws {
        try await onLoop {
            let slow = try ScriptedServer([.hang])
            let quick = try ScriptedServer([.status(text: "[]")])
            let client = makeClient()
            let first = Task { @LoopActor in try await client.get(slow.url) }
            try await slow.waitForRequests(1)
            let second = try await client.get(quick.url)
            #expect(second.text == "[]")
            first.cancel()
            await #expect(throws: HTTPError.cancelled) { try await first.value }
            #expect(client.isIdle)
        }
    }

    @Test func largeBodyUpToTheLimitComesWhole() async throws {
        try await onLoop {
            let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let server = try ScriptedServer([.status(body: body)])
            let client = makeClient { $0.bodyLimitBytes = 300_000 }
            for _ in 0..<2 {
                let response = try await client.get(server.url)
                #expect(response.paddedBody.dropLast(HTTPResponse.paddingCount).elementsEqual(body))
            }
        }
    }

    @Test func clientThatIsDroppedClosesItsConnections() async throws {
        try await onLoop {
            let server = try ScriptedServer([.status()])
            var client: HTTPClient? = makeClient()
            _ = try await client?.get(server.url)
            weak let dropped = client
            client = nil
            #expect(dropped == nil)
            try await server.waitForNoConnection()
        }
    }
}

/// `[{"symbol":"btcinr"}]`
private let gzipOfSample: [UInt8] = [
    31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 139, 174, 86, 42, 174, 204, 77, 202, 207, 81, 178, 82, 74, 42, 73, 206, 204, 43,
    82,
    170, 141, 5, 0, 3, 99, 201, 84, 21, 0, 0, 0,
]
private let deflateOfSample: [UInt8] = [
    120, 156, 139, 174, 86, 42, 174, 204, 77, 202, 207, 81, 178, 82, 74, 42, 73, 206, 204, 43, 82, 170, 141, 5, 0, 83,
    59,
    7, 139,
]

extension HTTPResponse {
    var text: String { String(decoding: paddedBody.prefix(bodyCount), as: UTF8.self) }
}

@LoopActor
func makeClient(_ change: (inout HTTPConfiguration) -> Void = { _ in }) -> HTTPClient {
    // Only tests of the limits set shorter ones.
    var configuration = HTTPConfiguration.patient
    change(&configuration)
    return HTTPClient(configuration)
}
