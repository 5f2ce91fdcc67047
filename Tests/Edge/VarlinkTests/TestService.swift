import EventLoop
import Foundation
import JSON
import TestSupport

@testable import Varlink

/// A server with a few methods, in a folder of its own.
struct TestService {
    /// What the methods were called for, in their order.
    @LoopActor
    final class Log {
        private(set) var lines: [String] = []
        private var waiting: [(line: String, wait: OneShot<Void, CancellationError>)] = []

        func add(_ line: String) {
            lines.append(line)
            for entry in waiting where entry.line == line { entry.wait.finish(.success(())) }
        }

        func has(_ line: String) async throws {
            guard !lines.contains(line) else { return }
            let wait = OneShot<Void, CancellationError>()
            waiting.append((line, wait))
            try await wait.value(onCancel: CancellationError())
        }
    }

    struct Text: Equatable, JSONReadable, JSONWritable {
        var text: String

        init(text: String) {
            self.text = text
        }

        init(json: JSONValue) throws(JSONError) {
            var object = try json.object()
            text = try object.read("text")
        }

        func write(to writer: inout JSONWriter) {
            writer.beginObject()
            writer.member("text", text)
            writer.endObject()
        }
    }

    struct Numbers: JSONReadable, JSONWritable {
        var count: Int
        var inner: Text?

        init(json: JSONValue) throws(JSONError) {
            var object = try json.object()
            count = try object.read("count")
            inner = try object.readIfPresent("inner")
        }

        func write(to writer: inout JSONWriter) {
            writer.beginObject()
            writer.member("count", count)
            writer.member("inner", inner)
            writer.endObject()
        }
    }

    /// An object as its text.
    struct Raw: JSONReadable, JSONWritable {
        var text: String

        init(_ text: String) {
            self.text = text
        }

        init(json: JSONValue) throws(JSONError) {
            _ = try json.object()
            text = String(decoding: json.text, as: UTF8.self)
        }

        func write(to writer: inout JSONWriter) {
            writer.raw(Array(text.utf8))
        }
    }

    static let information = ServiceInformation(vendor: "v", product: "p", version: "1", url: "https://example.org")

    let path: String
    let server: VarlinkServer
    let log: Log

    var counters: VarlinkCounters {
        get async { await server.counters }
    }

    /// Runs `body` with a server, and stops that afterwards.
    ///
    /// - Parameters:
    ///   - limits: of the server.
    ///   - users: those that connect, in this order: the number of the user and what it may do. All later ones are
    ///     owners.
    ///   - body: what is tested.
    /// - Throws: what `body` throws.
    static func run(
        limits: VarlinkLimits = VarlinkLimits(), users: [(UInt32, PeerRank)] = [],
        _ body: (TestService) async throws -> Void
    ) async throws {
        startLoop()
        let folder = FileManager.default.temporaryDirectory.appending(path: "varlink-\(UUID().uuidString.prefix(13))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "s").path
        let log = Log()
        let ranks = Dictionary(users) { first, _ in first }
        let arrivals = await Arrivals(users.map(\.0))
        let server = try await VarlinkServer(
            path: path, information: information, interfaces: [interface(log)], limits: limits,
            rank: { ranks[$0.user] ?? .owner },
            credentials: { descriptor in
                users.isEmpty
                    ? PeerCredentials(of: descriptor) : PeerCredentials(pid: 1, user: arrivals.next() ?? 0, group: 0)
            })
        await server.start()
        do {
            try await body(TestService(path: path, server: server, log: log))
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    /// Keeps the loop busy while clients send something, so that the server sees all of it at once.
    func hold(_ body: () throws -> Void) async rethrows {
        let (began, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Loop.shared.start {
            began.signal()
            ended.wait()
        }
        await onThread { began.wait() }
        defer { ended.signal() }
        try body()
    }

    /// Waits until this many clients are connected; for 0, until all of those that were connected have gone.
    func untilConnections(are count: Int) async throws {
        while await !hasConnections(count) { await Task.yield() }
    }

    @LoopActor
    private func hasConnections(_ count: Int) -> Bool {
        server.counters.connections > 0 && server.connectionCount == count
    }

    /// The users who connect, one after the other.
    @LoopActor
    private final class Arrivals {
        private var rest: ArraySlice<UInt32>

        init(_ users: [UInt32]) {
            rest = users[...]
        }

        func next() -> UInt32? { rest.popFirst() }
    }

    private static func interface(_ log: Log) -> VarlinkInterface {
        VarlinkInterface(
            name: "org.test", description: "interface org.test\nmethod Echo(text: string) -> (text: string)",
            methods: [
                "Echo": .single { call throws(VarlinkError) in
                    let text = try call.decodeParameters(as: Text.self)
                    log.add(text.text)
                    call.reply(text)
                },
                "Look": .query { call throws(VarlinkError) in
                    let text = try call.decodeParameters(as: Text.self)
                    log.add(text.text)
                    call.reply(text)
                },
                "Slow": .single { call throws(VarlinkError) in
                    try? await sleep(for: .milliseconds(20))
                    call.reply(Text(text: "slow"))
                },
                "Nested": .single { call throws(VarlinkError) in
                    call.reply(try call.decodeParameters(as: Numbers.self))
                },
                "Silent": .single { _ in },
                "Fail": .single { _ throws(VarlinkError) in
                    throw VarlinkError("org.test.Failed", Text(text: "no"))
                },
                "Denied": .single { _ throws(VarlinkError) in throw .permissionDenied },
                "Peer": .single { call in call.reply(Raw(#"{"pid":\#(call.peer.pid),"user":\#(call.peer.user)}"#)) },
                "Big": .single { call throws(VarlinkError) in
                    let count = try call.decodeParameters(as: Numbers.self).count
                    call.reply(Text(text: String(repeating: "x", count: count)))
                    log.add("big")
                },
                "Raw": .single { call in call.reply(parametersJSON: Array(#"{"b":1, "a":[2]}"#.utf8)) },
                "Count": .stream { call throws(VarlinkError) in
                    for number in 1...3 { call.reply(Raw("{\"number\":\(number)}"), continues: number < 3) }
                    call.reply(Raw("{\"number\":4}"))
                },
                "Watch": .stream { call in
                    call.reply(Text(text: "began"), continues: true)
                    call.onClose { log.add("hook") }
                    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                        call.onClose { continuation.resume() }
                    }
                    log.add("ended \(call.isClosed)")
                },
                "Flood": .stream { call in
                    let line = Text(text: String(repeating: "x", count: 60_000))
                    while !call.isClosed { call.reply(line, continues: true) }
                    log.add("flood ended")
                },
            ])
    }
}
