import Foundation
import HTTPServer
import TestSupport
import Testing
import Time

/// Requests and their responses, as a client sees them.
@Suite(.timeLimit(.minutes(10)))
struct HTTPServerTests {
    private static func routes() -> [HTTPRoute] {
        [
            HTTPRoute(.get, "/text") { $0.respond(.text(200, "hello")) },
            HTTPRoute(.post, "/text") { $0.respond(.text(200, "got \($0.request.body.count)")) },
            HTTPRoute(.get, "/echo") { exchange in
                let fields = (exchange.request.query + exchange.request.headers).map { "\($0.name)=\($0.value)\n" }
                exchange.respond(.text(200, fields.joined()))
            },
            HTTPRoute(.get, "/bad header") { exchange in
                exchange.respond(.text(200, "", headers: [.init("X", "a\r\nSet-Cookie: b")]))
            },
        ]
    }

    private func withServer(
        _ change: (inout HTTPServerLimits) -> Void = { _ in }, _ body: (RunningServer) throws -> Void
    ) throws {
        var limits = HTTPServerLimits()
        limits.bodyBytes = 100
        change(&limits)
        let server = try RunningServer(limits: limits, routes: Self.routes)
        defer { server.stop() }
        try body(server)
    }

    @Test(arguments: [
        ("GET /text HTTP/1.1\nHost: a\n", "HTTP/1.1 200 OK", "\r\n\r\nhello\n"),
        ("GET /none HTTP/1.1\nHost: a\n", "HTTP/1.1 404 Not Found", "\r\n\r\nNot found\n"),
        ("GET /text/../../etc/passwd HTTP/1.1\nHost: a\n", "HTTP/1.1 404 Not Found", "Not found\n"),
        ("DELETE /text HTTP/1.1\nHost: a\n", "HTTP/1.1 405 Method Not Allowed", "Allow: GET, HEAD, POST\r\n"),
        ("NONSENSE /text HTTP/1.1\nHost: a\n", "HTTP/1.1 405 Method Not Allowed", "Method not allowed\n"),
        ("GET /text HTTP/1.1\n", "HTTP/1.1 400 Bad Request", ""),
        ("GET /bad%20header HTTP/1.1\nHost: a\n", "", ""),
    ])
    func requestsAreAnswered(request: String, status: String, part: String) throws {
        try withServer { server in
            let answer = try server.answer(to: request)
            #expect(answer.hasPrefix(status + (status.isEmpty ? "" : "\r\n")), "\(answer)")
            #expect(part.isEmpty || answer.contains(part), "\(answer)")
            #expect(!answer.contains("Set-Cookie"))
        }
    }

    @Test func headHasTheHeaderOfGetWithoutABody() throws {
        try withServer { server in
            let answer = try server.answer(to: "HEAD /text HTTP/1.1\nHost: a\n")
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(answer.contains("Content-Length: 6\r\n"))
            #expect(answer.hasSuffix("\r\n\r\n"))
        }
    }

    @Test func queryAndHeaderAreDecoded() throws {
        try withServer { server in
            let answer = try server.answer(to: "GET /echo?a=1%202&b&c=%3Cx%3E HTTP/1.1\nHost: h\nX-Some: Thing\n")
            #expect(answer.contains("a=1 2\nb=\nc=<x>\n"))
            #expect(answer.contains("host=h\nx-some=Thing\n"))
        }
    }

    @Test func aConnectionServesSeveralRequests() throws {
        try withServer { server in
            let client = try server.connect()
            defer { client.close() }
            for _ in 0..<3 {
                client.send("GET /text HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(client.read(until: "hello\n").hasSuffix("\r\n\r\nhello\n"))
            }
            client.send(
                "GET /text HTTP/1.1\r\nHost: a\r\n\r\nGET /text HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(client.readToEnd().components(separatedBy: "hello\n").count == 3)
        }
    }

    // MARK: Bodies

    @Test(arguments: [
        ("Content-Length: 5\r\n\r\n12345", "got 5\n"),
        ("Transfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n3\r\n678\r\n0\r\n\r\n", "got 8\n"),
        ("Content-Length: 0\r\n\r\n", "got 0\n"),
    ])
    func aBodyIsRead(rest: String, answer: String) throws {
        try withServer { server in
            let client = try server.connect()
            defer { client.close() }
            client.send("POST /text HTTP/1.1\r\nHost: a\r\n" + rest)
            #expect(client.read(until: answer).hasSuffix(answer))
        }
    }

    @Test func aLongBodyIsRefusedBeforeItIsSent() throws {
        try withServer { server in
            let answer = try server.answer(to: "POST /text HTTP/1.1\nHost: a\nContent-Length: 101\n")
            #expect(answer.hasPrefix("HTTP/1.1 413 "))
        }
    }

    @Test func aLongBodyInPiecesEndsTheConnection() throws {
        try withServer { server in
            let client = try server.connect()
            defer { client.close() }
            client.send("POST /text HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            client.send("65\r\n" + String(repeating: "x", count: 101) + "\r\n")
            #expect(client.isClosed())
        }
    }

    @Test func theGateRefusesBeforeTheBody() throws {
        let server = try RunningServer(
            gate: { $0.header("x-key") == "secret" ? nil : .text(403, "no") }, routes: Self.routes)
        defer { server.stop() }
        let refused = try server.answer(to: "POST /text HTTP/1.1\nHost: a\nContent-Length: 50\n")
        #expect(refused.hasPrefix("HTTP/1.1 403 "))
        let allowed = try server.answer(to: "GET /text HTTP/1.1\nHost: a\nX-Key: secret\n")
        #expect(allowed.hasPrefix("HTTP/1.1 200 "))
        let doubled = try server.answer(to: "GET /text HTTP/1.1\nHost: a\nX-Key: secret\nX-Key: secret\n")
        #expect(doubled.hasPrefix("HTTP/1.1 403 "), "which of two values counts would be a guess")
    }

    // MARK: Hostile clients

    @Test(arguments: [
        ("GET /", " HTTP/1.1\r\nHost: a\r\n\r\n", "414"), ("GET /text HTTP/1.1\r\nHost: a\r\nX: ", "\r\n\r\n", "431"),
    ])
    func aLongHeaderIsRefused(start: String, end: String, status: String) throws {
        try withServer { server in
            let client = try server.connect()
            defer { client.close() }
            client.send(start + String(repeating: "a", count: 70_000) + end)
            #expect(client.read(until: "\r\n").hasPrefix("HTTP/1.1 \(status) "))
        }
    }

    @Test(arguments: [
        "\u{0}\u{1}\u{2}\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\nHost: a\r\n\r\n", "\r\n\r\n\r\nx\r\n",
    ])
    func nonsenseIsRefused(text: String) throws {
        try withServer { server in
            let client = try server.connect()
            client.send(text)
            client.close()
            #expect(try server.answer(to: "GET /text HTTP/1.1\nHost: a\n").hasSuffix("hello\n"))
        }
    }

    @Test func aSlowHeaderEndsWithItsTime() throws {
        try withServer { server in
            let client = try server.connect()
            defer { client.close() }
            client.send("GET /text HTTP/1.1\r\nHost: a\r\n")
            // Its answer shows that the first line was read.
            #expect(try server.answer(to: "GET /text HTTP/1.1\nHost: a\n").hasSuffix("hello\n"))
            for _ in 0..<9 {
                client.send("X: y\r\n")
                server.advance(by: .seconds(1))
            }
            client.send("X: z\r\n")
            server.advance(by: .seconds(1))
            #expect(client.isClosed())
        }
    }

    @Test func anIdleConnectionEndsWithItsTime() throws {
        try withServer { server in
            let client = try server.connect()
            defer { client.close() }
            client.send("GET /text HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(client.read(until: "hello\n").hasSuffix("hello\n"))
            // It comes in a later turn, when the first request is complete for the server as well.
            #expect(try server.answer(to: "GET /text HTTP/1.1\nHost: a\n").hasSuffix("hello\n"))
            server.advance(by: .seconds(60))
            #expect(client.isClosed())
        }
    }

    @Test func idleConnectionsMakeRoomForNewOnes() async throws {
        var limits = HTTPServerLimits()
        limits.connections = 4
        let server = try RunningServer(limits: limits, routes: Self.routes)
        defer { server.stop() }
        var idle: [RawClient] = []
        for index in 0..<4 {
            idle.append(try server.connect())
            _ = try await waitFor { server.connectionCount == index + 1 ? true : nil }
            server.advance(by: .seconds(1))
        }
        for _ in 0..<20 { #expect(try server.answer(to: "GET /text HTTP/1.1\nHost: a\n").hasSuffix("hello\n")) }
        #expect(idle[0].isClosed(), "the one that was idle for longest")
        idle.forEach { $0.close() }
    }

    /// Half a request keeps nobody out, however many there are, and an accepted client keeps its connection.
    @Test(arguments: ["GET /text HTTP/1.1\r\nHost: a\r\n", "GET", "GET /refused HTTP/1.1\r\nHost: a\r\n\r\n"])
    func unfinishedRequestsMakeRoom(start: String) async throws {
        var limits = HTTPServerLimits()
        limits.connections = 8
        let server = try RunningServer(
            limits: limits, gate: { $0.path == "/refused" ? .text(401, "no") : nil }, routes: Self.routes)
        defer { server.stop() }
        let known = try server.connect()
        defer { known.close() }
        known.send("GET /text HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(known.read(until: "hello\n").hasSuffix("hello\n"))
        var hostile: [RawClient] = []
        for _ in 0..<40 {
            hostile.append(try server.connect())
            hostile.last?.send(start)
            #expect(try server.answer(to: "GET /text HTTP/1.1\nHost: a\n").hasSuffix("hello\n"))
        }
        known.send("GET /text HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(known.read(until: "hello\n").hasSuffix("hello\n"), "others took the place of an accepted client")
        hostile.forEach { $0.close() }
    }

    /// Many half requests that come at once, before and after a whole one, do not keep it out: the server accepts all
    /// of them before it reads any.
    @Test func halfRequestsAtOnceMakeRoom() async throws {
        var limits = HTTPServerLimits()
        (limits.connections, limits.connectionsPerUser) = (8, 4)
        let (entered, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let server = try RunningServer(limits: limits) {
            Self.routes() + [
                HTTPRoute(.get, "/hold") { exchange in
                    entered.signal()
                    release.wait()
                    exchange.respond(.text(200, "held"))
                }
            ]
        }
        defer { server.stop() }
        let holder = try server.connect()
        holder.send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n")
        entered.wait()
        let half = { () throws -> RawClient in
            let client = try server.connect()
            client.send("GET /text HTTP/1.1\r\n")
            return client
        }
        var clients = [holder] + (try (0..<20).map { _ in try half() })
        let whole = try server.connect()
        whole.send("GET /text HTTP/1.1\r\nHost: a\r\n\r\n")
        clients += try (0..<20).map { _ in try half() }
        release.signal()
        #expect(whole.read(until: "hello\n").hasSuffix("hello\n"))
        (clients + [whole]).forEach { $0.close() }
    }

    /// The clients of this test all have the same user, whom the kernel names.
    @Test func aUserHasOnlyPartOfThePlaces() async throws {
        var limits = HTTPServerLimits()
        (limits.connections, limits.connectionsPerUser) = (20, 3)
        let server = try RunningServer(limits: limits, routes: Self.routes)
        defer { server.stop() }
        var clients: [RawClient] = []
        for _ in 0..<3 {
            clients.append(try server.connect())
            clients.last?.send("GET /text HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = clients.last?.read(until: "hello\n")
            server.advance(by: .seconds(1))
        }
        #expect(try server.answer(to: "GET /text HTTP/1.1\nHost: a\n").hasSuffix("hello\n"))
        #expect(clients[0].isClosed(), "the user's own connection that was idle for longest")
        clients.forEach { $0.close() }
    }

    @Test func manyClientsAtOnceAreServed() async throws {
        var limits = HTTPServerLimits()
        limits.connectionsPerUser = 64
        let server = try RunningServer(limits: limits, routes: Self.routes)
        defer { server.stop() }
        let answers = await withTaskGroup { group in
            for _ in 0..<60 {
                group.addTask { await onThread { try? server.answer(to: "GET /text HTTP/1.1\nHost: a\n") } }
            }
            return await group.reduce(into: [String?]()) { $0.append($1) }
        }
        #expect(answers.count { $0?.hasSuffix("hello\n") == true } == 60)
    }

    // MARK: Addresses

    @Test func aUnixSocketIsServed() throws {
        let path = FileManager.default.temporaryDirectory.path + "/http-\(UUID().uuidString.prefix(8))"
        let server = try RunningServer(.unix(path: path), routes: Self.routes)
        defer {
            server.stop()
            _ = unsafe unlink(path)
        }
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let client = try RawClient(path: path)
        defer { client.close() }
        client.send("GET /text HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(client.read(until: "hello\n").hasSuffix("hello\n"))
    }

    @Test func curlIsServed() async throws {
        let server = try RunningServer(routes: Self.routes)
        defer { server.stop() }
        let pipe = try TestPipe()
        let url = "http://127.0.0.1:\(server.port)/text"
        let curl = try ChildProcess(
            "/usr/bin/env", ["curl", "-sS", "--max-time", "60", url, "-I", url], output: .descriptor(pipe.writeEnd),
            errors: .null)
        pipe.closeWriteEnd()
        let output = String(decoding: pipe.readToEnd(), as: UTF8.self)
        #expect(curl.wait() == 0)
        #expect(output.contains("Content-Length: 6"))
    }
}
