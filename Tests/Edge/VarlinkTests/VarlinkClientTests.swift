import EventLoop
import Foundation
import Glibc
import JSON
import TestSupport
import Testing
import VarlinkMessages

@testable import Varlink

@Suite(.timeLimit(.minutes(10)))
struct VarlinkClientTests {
    private typealias Text = TestService.Text
    private typealias Failure = VarlinkClientError

    private typealias Raw = TestService.Raw

    private struct Number: JSONReadable {
        var number: Int

        init(json: JSONValue) throws(JSONError) {
            var object = try json.object()
            number = try object.read("number")
        }
    }

    @Test func callsAndReadsTheAnswer() async throws {
        try await TestService.run { service in
            let path = service.path
            let result = await onThread {
                Result { () throws(Failure) -> [String] in
                    let client = try VarlinkClient(path: path, timeout: .seconds(600))
                    let first = try client.call("org.test.Echo", Text(text: "a\u{0}b"), as: Text.self)
                    let raw = try client.call("org.test.Raw", Text(text: ""), as: Raw.self)
                    return [first.text, raw.text]
                }
            }
            #expect(result == .success(["a\u{0}b", #"{"b":1, "a":[2]}"#]))
        }
    }

    @Test func errorsOfTheMethodCarryTheirParameters() async throws {
        try await TestService.run { service in
            let error = await failure(of: service.path) { client throws(Failure) in
                _ = try client.call("org.test.Fail", Text(text: ""), as: Text.self)
            }
            #expect(error == .remote(name: "org.test.Failed", parametersJSON: Array(#"{"text":"no"}"#.utf8)))
            #expect(error?.remoteParameters(of: "org.test.Failed", as: Text.self) == Text(text: "no"))
            #expect(error?.remoteParameters(of: "org.test.Other", as: Text.self) == nil)
        }
    }

    @Test func goesOnAfterAnErrorOfTheMethod() async throws {
        try await TestService.run { service in
            let error = await failure(of: service.path) { client throws(Failure) in
                do throws(Failure) {
                    _ = try client.call("org.test.Fail", Text(text: ""), as: Raw.self)
                } catch {
                    guard case .remote = error else { throw error }
                }
                _ = try client.call("org.test.Echo", Text(text: "a"), as: Text.self)
            }
            #expect(error == nil)
        }
    }

    @Test func monitorGetsEveryReply() async throws {
        try await TestService.run { service in
            let path = service.path
            let result = await onThread {
                Result { () throws(Failure) -> [Int] in
                    var numbers: [Int] = []
                    let client = try VarlinkClient(path: path, timeout: .seconds(600))
                    try client.monitor("org.test.Count", Text(text: ""), as: Number.self) { reply in
                        numbers.append(reply.number)
                        return true
                    }
                    try client.monitor("org.test.Count", Text(text: ""), as: Number.self) { reply in
                        numbers.append(reply.number)
                        return false
                    }
                    return numbers
                }
            }
            #expect(result == .success([1, 2, 3, 1]))
        }
    }

    @Test func monitorEndsWithTheService() async throws {
        try await TestService.run { service in
            let (path, server) = (service.path, service.server)
            let error = await failure(of: path) { client throws(Failure) in
                try client.monitor("org.test.Watch", Text(text: ""), as: Text.self) { _ in
                    Task { @LoopActor in server.stop() }
                    return true
                }
            }
            #expect(error == nil)
        }
    }

    @Test func saysThatNobodyListens() async throws {
        let folder = NSTemporaryDirectory()
        let path = "\(folder)/varlink-none-\(UUID().uuidString.prefix(8))"
        #expect(await failure(of: path) { _ in } == .notRunning(path: path))
        #expect(await failure(of: path + "/deeper") { _ in } == .notRunning(path: path + "/deeper"))
        let long = String(repeating: "x", count: 200)
        guard case .system = await failure(of: long, { _ in }) else {
            Issue.record("a path that is too long")
            return
        }
    }

    /// What the other side writes before it closes, and the error that it gives.
    static let answers: [(answer: String, error: VarlinkClientError)] = [
        ("", .connectionClosed),
        (#"{"parameters":"#, .connectionClosed),
        ("hello\0", .protocolViolation("not JSON")),
        ("[]\0", .protocolViolation("the value is not an object")),
        (#"{"parameters":{}}"# + "\0", .protocolViolation("parameters.text is missing")),
        (#"{}"# + "\0", .protocolViolation("parameters.text is missing")),
        (#"{"parameters":{"text":1}}"# + "\0", .protocolViolation("parameters.text is not a string")),
        (#"{"error":1}"# + "\0", .protocolViolation("error is not a string")),
        ("\"\u{1B}\"\0", .protocolViolation("not valid UTF-8")),
        (String(repeating: "[", count: 99_999) + "\0", .protocolViolation("nested deeper than 32 levels")),
        (#"{"error":"a.b.C"}"# + "\0", .remote(name: "a.b.C", parametersJSON: Array("{}".utf8))),
    ]

    @Test(arguments: answers) func survives(_ answer: String, _ error: VarlinkClientError) async throws {
        let found = try await failure(answering: Array(answer.utf8)) { client throws(Failure) in
            _ = try client.call("org.test.Echo", Text(text: ""), as: Text.self)
        }
        #expect(found == error)
    }

    @Test func stopsWaitingInTime() async throws {
        let found = try await failure(answering: nil, timeout: .milliseconds(50)) { client throws(Failure) in
            _ = try client.call("org.test.Echo", Text(text: ""), as: Text.self)
        }
        #expect(found == .timeout)
    }

    /// The reply to the first call may still come, and would be taken for that to the second.
    @Test func noCallFollowsOneWithoutAReply() async throws {
        let found = try await failure(answering: nil, timeout: .milliseconds(50)) { client throws(Failure) in
            #expect(throws: Failure.timeout) { try client.call("org.test.Echo", Text(text: ""), as: Text.self) }
            _ = try client.call("org.test.Echo", Text(text: ""), as: Text.self)
        }
        #expect(found == .connectionClosed)
    }

    @Test func noCallFollowsAStreamThatWasLeft() async throws {
        try await TestService.run { service in
            let error = await failure(of: service.path) { client throws(Failure) in
                try client.monitor("org.test.Count", Text(text: ""), as: Number.self) { _ in false }
                _ = try client.call("org.test.Echo", Text(text: ""), as: Text.self)
            }
            #expect(error == .connectionClosed)
        }
    }

    /// A stream may be silent for long, but the rest of a reply has to come.
    @Test func stopsWaitingForTheRestOfAReply() async throws {
        let found = try await failure(
            answering: Array("{".utf8), thenCloses: false, timeout: .milliseconds(50)
        ) { client throws(Failure) in
            try client.monitor("org.test.Watch", Text(text: ""), as: Text.self) { _ in true }
        }
        #expect(found == .timeout)
    }

    @Test func aCompanionEndsACallAndAStream() async throws {
        let call = try await failure(answering: nil) { client throws(Failure) in
            client.companion = WaitCompanion(wait: { (-1, 0, 1) }, act: { false })
            _ = try client.call("org.test.Echo", Text(text: ""), as: Text.self)
        }
        #expect(call == .interrupted)
        let stream = try await failure(answering: nil) { client throws(Failure) in
            client.companion = WaitCompanion(wait: { (-1, 0, 1) }, act: { false })
            try client.monitor("org.test.Watch", Text(text: ""), as: Text.self) { _ in true }
        }
        #expect(stream == .interrupted)
    }

    /// Its descriptor wakes the program while no answer comes.
    @Test func aCompanionIsCalledWhenItsDescriptorIsReady() async throws {
        let found = try await failure(answering: nil) { client throws(Failure) in
            var ends: [Int32] = [-1, -1]
            guard unsafe pipe(&ends) == 0 else { throw .system("pipe") }
            let (reader, writer) = (ends[0], ends[1])
            var byte: UInt8 = 7
            guard unsafe write(writer, &byte, 1) == 1 else { throw .system("write") }
            client.companion = WaitCompanion(
                wait: { (reader, Int16(POLLIN), -1) }, act: { unsafe read(reader, &byte, 1) != 1 })
            defer { for end in ends { close(end) } }
            _ = try client.call("org.test.Echo", Text(text: "a"), as: Text.self)
        }
        #expect(found == .interrupted)
    }

    @Test func wordsHoldNoControlCharacters() {
        let error = VarlinkClientError.remote(name: "a\u{1B}[2Jb", parametersJSON: Array("{\u{9B}\n}".utf8))
        #expect(error.description == #"a\u{1B}[2Jb {\u{009B}\n}"#)
    }
}

/// Connects and calls `body`, and returns what was thrown.
private func failure(
    of path: String, timeout: Duration = .seconds(600),
    _ body: @escaping @Sendable (VarlinkClient) throws(VarlinkClientError) -> Void
) async -> VarlinkClientError? {
    await onThread {
        do throws(VarlinkClientError) {
            try body(try VarlinkClient(path: path, timeout: timeout))
            return nil
        } catch {
            return error
        }
    }
}

/// The same with a service that writes the given bytes once it is called, and closes unless it is not to; nil writes
/// nothing and keeps listening.
private func failure(
    answering bytes: [UInt8]?, thenCloses: Bool = true, timeout: Duration = .seconds(600),
    _ body: @escaping @Sendable (VarlinkClient) throws(VarlinkClientError) -> Void
) async throws -> VarlinkClientError? {
    startLoop()
    let path = NSTemporaryDirectory() + "/varlink-\(UUID().uuidString.prefix(13))"
    let listener = try await UnixListener(path: path, mode: 0o600)
    let opened = OpenDescriptors()
    await listener.start { connection in
        opened.list.append(connection)
        guard let bytes else { return }
        var watch: DescriptorWatch?
        watch = DescriptorWatch(connection, for: .readable) { _ in
            _ = receiveBytes(from: connection) { _ in }
            _ = sendBytes(bytes[...], to: connection)
            if thenCloses { shutdown(connection, Int32(SHUT_WR)) }
            watch?.end()
        }
        opened.watches.append(watch)
    }
    let found = await failure(of: path, timeout: timeout, body)
    await listener.stop()
    await opened.closeAll()
    return found
}

/// What a service of a test has open.
@LoopActor
private final class OpenDescriptors {
    var list: [Int32] = []
    var watches: [DescriptorWatch?] = []

    nonisolated init() {}

    func closeAll() {
        for watch in watches { watch?.end() }
        for descriptor in list { close(descriptor) }
    }
}
