import EventLoop
import Foundation
import Market
import TestSupport
import Testing
import Time

@testable import HTTP

@Suite(.timeLimit(.minutes(10)))
struct HTTPFailureTests {
    @Test(arguments: [
        "", "abc", "/tickers", "127.0.0.1", "ftp://127.0.0.1/", "file:///etc/passwd", "http://", "https://",
        "http://user:secret@127.0.0.1/", "https://user@example.com/", "http://127.0.0.1/ x", "http://127.0.0.1/\n",
        "http://127.0.0.1\0@example.com/", "http://127.0.0.1:99999/", "http://[::1/",
    ])
    func addressThatIsNoneIsRefused(address: String) async throws {
        let error = await failure(address)
        guard case .badAddress(let text) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(text.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) })
    }

    @Test(arguments: [
        "http://example.com/", "HTTP://Example.COM/", "http://127.0.0.1.example.com/", "http://localhost.example/",
        "http://128.0.0.1/", "http://10.0.0.1/", "http://[::2]/", "http://127.1.2.3.4/", "http://xlocalhost/",
    ])
    func plainHTTPToAnotherMachineIsRefused(address: String) async throws {
        let error = await failure(address)
        guard case .plainHTTPRefused = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: ["127.0.0.1", "127.1.2.3", "localhost", "LOCALHOST", "0x7f.1"])
    func portThatNobodyListensOnIsRefused(host: String) async throws {
        let (descriptor, port) = try bindToLoopback()
        defer { close(descriptor) }
        #expect(await failure("http://\(host):\(port)/") == .connectionRefused)
        #expect(await failure("https://\(host):\(port)/") == .connectionRefused)
    }

    @Test(.enabled(if: !usesProxy, "a proxy of the environment would be asked"))
    func networkThatCannotBeReached() async throws {
        // A connection to the broadcast address fails in the kernel, whatever the network.
        let error = await failure("http://255.255.255.255/") { $0.allowsPlainHTTP = true }
        guard case .unreachable(let words) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(words == "Network is unreachable" || words == "Permission denied")
    }

    @Test(.enabled(if: !usesProxy, "a proxy of the environment would be asked"))
    func nameThatCannotBeResolved() async throws {
        // A label of more than 63 characters fails without asking anyone.
        let host = String(repeating: "a", count: 64) + ".invalid"
        #expect(await failure("https://\(host)/") == .resolutionFailed(host: host))
    }

    @Test func requestThatIsNotAnsweredIsGivenUp() async throws {
        #expect(await failure(.hang) { $0.totalLimit = .seconds(1) } == .timeout(after: .seconds(1)))
    }

    @Test func bodyThatDripsTooSlowlyIsGivenUp() async throws {
        // Some 100 s for the whole answer, so that the limit comes first on any machine.
        let text = "HTTP/1.1 200 OK\r\n\r\n[1" + String(repeating: " ", count: 100_000)
        let slow = ScriptedServer.Answer.drip(Array(text.utf8), every: .milliseconds(1))
        #expect(await failure(slow) { $0.totalLimit = .seconds(1) } == .timeout(after: .seconds(1)))
    }

    @Test func handshakeThatIsNotAnsweredIsAConnectTimeout() async throws {
        try await onLoop {
            let server = try ScriptedServer([.hang])
            let client = makeClient { $0.connectLimit = Milliseconds(50) }
            await #expect(throws: HTTPError.connectTimeout(after: Milliseconds(50))) {
                try await client.get("https://127.0.0.1:\(server.port)/")
            }
            #expect(client.isIdle)
        }
    }

    @Test(arguments: [
        ScriptedServer.Answer.closed, .truncated([0x5B]), .truncated([]),
        .bytesThenClose(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n[1".utf8)),
        .bytesThenClose(Array("HTTP/1.1 200 OK\r\nContent-Le".utf8)),
        .bytesThenClose(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)),
    ])
    func answerThatBreaksOffIsTruncated(answer: ScriptedServer.Answer) async throws {
        #expect(await failure(answer) == .truncated)
    }

    @Test func bodyOverTheLimitIsRefused() async throws {
        let answer = ScriptedServer.Answer.status(body: [UInt8](repeating: 0x20, count: 1_001))
        #expect(await failure(answer) { $0.bodyLimitBytes = 1_000 } == .bodyTooLarge(limitBytes: 1_000))
    }

    @Test func limitCountsBytesAfterDecompression() async throws {
        let answer = ScriptedServer.Answer.status(headers: ["Content-Encoding": "gzip"], body: gzipOf4096Zeros)
        #expect(await failure(answer) { $0.bodyLimitBytes = 4_095 } == .bodyTooLarge(limitBytes: 4_095))
        #expect(await failure(answer) { $0.bodyLimitBytes = 4_096 } == nil)
    }

    @Test func headerOverTheLimitIsRefused() async throws {
        let line = "X-Filler: \(String(repeating: "x", count: 1_000))\r\n"
        let header = "HTTP/1.1 200 OK\r\n" + String(repeating: line, count: 66) + "Content-Length: 0\r\n\r\n"
        let error = await failure(.bytes(Array(header.utf8)))
        #expect(error == .other("the header is longer than 65536 bytes"))
    }

    /// libcurl gives up on such a line itself, and calls that a lack of memory or a field that is too large.
    @Test func lineOfTheHeaderOverTheLimitOfTheLibraryIsRefused() async throws {
        let header = "HTTP/1.1 200 OK\r\nX-Filler: \(String(repeating: "x", count: 200_000))\r\n\r\n"
        let error = await failure(.bytes(Array(header.utf8)))
        #expect(error == .other("a line of the header is longer than 100 kB, or there is not enough memory"))
    }

    @Test(arguments: [
        ScriptedServer.Answer.bytesThenClose(Array("<html>\u{1B}[31mno status line".utf8)),
        .status(headers: ["Content-Encoding": "gzip"], text: "not gzip at all"),
    ])
    func answerThatIsNotHTTPIsSaidInWords(answer: ScriptedServer.Answer) async throws {
        let error = await failure(answer)
        guard case .other(let words) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!words.isEmpty && words.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) })
    }

    @Test func serverThatSpeaksNoTLSFailsTheHandshake() async throws {
        try await onLoop {
            let server = try ScriptedServer(greeting: "HTTP/1.1 400 Bad Request\r\n\r\n")
            let error = await #expect(throws: HTTPError.self) {
                try await makeClient().get("https://127.0.0.1:\(server.port)/")
            }
            guard case .tls = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test func cancelledTaskEndsItsRequestAtOnce() async throws {
        try await onLoop {
            let server = try ScriptedServer([.hang])
            let client = makeClient()
            let request = Task { @LoopActor in try await client.get(server.url) }
            try await server.waitForRequests(1)
            request.cancel()
            await #expect(throws: HTTPError.cancelled) { try await request.value }
            #expect(client.isIdle)
            try await server.waitForNoConnection()
        }
    }

    @Test func cancelledTaskMakesNoRequest() async throws {
        try await onLoop {
            let server = try ScriptedServer([.status()])
            let request = Task { @LoopActor in
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                return try await makeClient().get(server.url)
            }
            await #expect(throws: HTTPError.cancelled) { try await request.value }
            #expect(server.connectionCount == 0)
        }
    }

    @Test func clientWorksAfterEachKindOfFailure() async throws {
        try await onLoop {
            let server = try ScriptedServer([
                .closed, .truncated([1]), .status(body: [UInt8](repeating: 0, count: 2_000)),
                .status(headers: ["Content-Encoding": "gzip"], text: "no"), .status(text: "[]"),
            ])
            let client = makeClient { $0.bodyLimitBytes = 1_000 }
            for _ in 0..<4 {
                await #expect(throws: HTTPError.self) { try await client.get(server.url) }
                #expect(client.isIdle)
            }
            let response = try await client.get(server.url)
            #expect(response.text == "[]")
        }
    }
}

private let gzipOf4096Zeros: [UInt8] = [
    31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 237, 193, 1, 13, 0, 0, 0, 194, 160, 247, 79, 109, 15, 7, 20, 0, 0, 0, 240, 110, 17,
    0,
    28, 199, 0, 16, 0, 0,
]

private let usesProxy = ProcessInfo.processInfo.environment.keys.contains { $0.lowercased().hasSuffix("_proxy") }

/// What the request ends with; nil when it succeeds. Not on the loop, which may not run yet.
private func failure(
    _ address: String, _ change: @escaping @LoopActor (inout HTTPConfiguration) -> Void = { _ in }
) async -> HTTPError? {
    startLoop()
    return await failureOnLoop(address, change)
}

private func failure(
    _ answer: ScriptedServer.Answer, _ change: @escaping @LoopActor (inout HTTPConfiguration) -> Void = { _ in }
) async -> HTTPError? {
    startLoop()
    return await failureOnLoop(answer, change)
}

@LoopActor
private func failureOnLoop(
    _ address: String, _ change: @LoopActor (inout HTTPConfiguration) -> Void
) async -> HTTPError? {
    do {
        _ = try await makeClient(change).get(address)
        return nil
    } catch {
        return error
    }
}

@LoopActor
private func failureOnLoop(
    _ answer: ScriptedServer.Answer, _ change: @LoopActor (inout HTTPConfiguration) -> Void
) async -> HTTPError? {
    guard let server = try? ScriptedServer([answer]) else { return nil }
    return await failureOnLoop(server.url, change)
}
