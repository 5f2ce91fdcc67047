import EventLoop
import TestSupport
import Testing

@testable import Varlink

private let echo = #"{"method":"org.test.Echo","parameters":{"text":"a"}}"#
private let echoed = #"{"parameters":{"text":"a"}}"#

/// Bytes that are no call, with a name for them.
struct Malformed: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var bytes: [UInt8]

    init(_ name: String, _ text: String) {
        self.init(name, bytes: Array(text.utf8) + [0])
    }

    init(_ name: String, bytes: [UInt8]) {
        (testDescription, self.bytes) = (name, bytes)
    }
}

@Suite(.timeLimit(.minutes(10)))
struct VarlinkLimitsTests {
    static let malformed = [
        Malformed("empty", ""),
        Malformed("no JSON", "hello"),
        Malformed("cut off", #"{"method":"#),
        Malformed("an array", "[]"),
        Malformed("a string", #""org.test.Echo""#),
        Malformed("no method", "{}"),
        Malformed("method is a number", #"{"method":1}"#),
        Malformed("parameters are an array", #"{"method":"org.test.Silent","parameters":[]}"#),
        Malformed("parameters are a text", #"{"method":"org.test.Silent","parameters":"x"}"#),
        Malformed("more is a text", #"{"method":"org.test.Silent","more":"yes"}"#),
        Malformed("oneway is a number", #"{"method":"org.test.Silent","oneway":1}"#),
        Malformed("nested deeply", String(repeating: "[", count: 60_000)),
        Malformed(
            "nested deeply in a call",
            #"{"method":"org.test.Silent","parameters":{"x":"# + String(repeating: "[", count: 500)
                + String(repeating: "]", count: 500) + "}}"),
        Malformed(
            "invalid UTF-8",
            bytes: Array(#"{"method":"org.test.Silent","parameters":{"x":""#.utf8) + [0xFF] + Array("\"}}\0".utf8)),
        Malformed("too long", String(repeating: " ", count: 65_537)),
        Malformed("without an end", bytes: [UInt8](repeating: 0x20, count: 200_000)),
    ]

    @Test(arguments: malformed) func closesOnWhatIsNoCall(_ malformed: Malformed) async throws {
        try await TestService.run { service in
            let client = try RawClient(service.path)
            client.send(echo)
            #expect(await client.next() == echoed)
            client.send(malformed.bytes)
            #expect(await client.waitForEnd())
            #expect(await service.counters.malformed == 1)
            let other = try RawClient(service.path)
            other.send(echo)
            #expect(await other.next() == echoed)
        }
    }

    @Test func takesTheLongestCall() async throws {
        try await TestService.run { service in
            let client = try RawClient(service.path)
            client.send(echo + String(repeating: " ", count: 65_536 - echo.utf8.count))
            #expect(await client.next() == echoed)
        }
    }

    @Test func turnsAwayWhoIsTooMuch() async throws {
        var limits = VarlinkLimits()
        limits.places = ConnectionLimits(total: 2)
        try await TestService.run(limits: limits) { service in
            let first = try RawClient(service.path)
            let second = try RawClient(service.path)
            let third = try RawClient(service.path)
            #expect(await third.waitForEnd())
            for client in [first, second] {
                client.send(echo)
                #expect(await client.next() == echoed)
            }
            #expect(await service.server.places.refused == 1)
            #expect(await service.counters.connections == 2)
        }
    }

    @Test func closesAStreamThatNobodyReads() async throws {
        try await TestService.run { service in
            let client = try RawClient(service.path)
            client.send(#"{"method":"org.test.Flood","more":true}"#)
            try await service.log.has("flood ended")
            #expect(await service.counters.overflowed == 1)
            #expect(await client.waitForEnd())
        }
    }

    @Test func closesWhenAnAnswerIsTooLong() async throws {
        var limits = VarlinkLimits()
        limits.queue = 100_000
        try await TestService.run(limits: limits) { service in
            let client = try RawClient(service.path)
            client.send(#"{"method":"org.test.Big","parameters":{"count":600000}}"#)
            try await service.log.has("big")
            #expect(await service.counters.overflowed == 1)
            #expect(await client.waitForEnd())
        }
    }

    @Test func closesWhenAllTogetherAreTooLong() async throws {
        var limits = VarlinkLimits()
        limits.totalQueue = 100_000
        try await TestService.run(limits: limits) { service in
            let client = try RawClient(service.path)
            client.send(#"{"method":"org.test.Big","parameters":{"count":600000}}"#)
            try await service.log.has("big")
            #expect(await service.counters.overflowed == 1)
            #expect(await client.waitForEnd())
        }
    }

    @Test func writesALongAnswerAsItIsRead() async throws {
        try await TestService.run { service in
            let client = try RawClient(service.path)
            for _ in 0..<4 { client.send(#"{"method":"org.test.Big","parameters":{"count":600000}}"#) }
            for _ in 0..<4 {
                #expect(await client.next()?.utf8.count == 600_000 + #"{"parameters":{"text":""}}"#.utf8.count)
            }
        }
    }

    /// The rest of a call has to come in time even if its bytes keep coming.
    @Test func closesWhoDoesNotEndACall() async throws {
        var limits = VarlinkLimits()
        limits.messageTime = .milliseconds(50)
        try await TestService.run(limits: limits) { service in
            let client = try RawClient(service.path)
            client.send(Array("{".utf8))
            #expect(await client.waitForEnd())
            #expect(await service.counters.timedOut == 1)
        }
    }

    @Test func closesWhoDoesNotCall() async throws {
        var limits = VarlinkLimits()
        limits.idleTime = .milliseconds(50)
        try await TestService.run(limits: limits) { service in
            let client = try RawClient(service.path)
            #expect(await client.waitForEnd())
            #expect(await service.counters.timedOut == 1)
        }
    }

    @Test func streamIsNotIdle() async throws {
        var limits = VarlinkLimits()
        limits.idleTime = .seconds(2)
        try await TestService.run(limits: limits) { service in
            let stream = try RawClient(service.path)
            stream.send(#"{"method":"org.test.Watch","more":true}"#)
            #expect(await stream.next() != nil)
            // Another connection, made later, runs out of its time first.
            let idle = try RawClient(service.path)
            #expect(await idle.waitForEnd())
            #expect(await service.server.connectionCount == 1)
        }
    }
}
