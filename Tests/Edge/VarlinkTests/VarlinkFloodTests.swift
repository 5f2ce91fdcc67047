import EventLoop
import Foundation
import TestSupport
import Testing

@testable import Varlink

private func look(_ text: String, flags: String = "") -> String {
    #"{"method":"org.test.Look","parameters":{"text":"\#(text)"}\#(flags)}"#
}

private func echo(_ text: String, flags: String = "") -> String {
    #"{"method":"org.test.Echo","parameters":{"text":"\#(text)"}\#(flags)}"#
}

private func answer(_ text: String) -> String {
    #"{"parameters":{"text":"\#(text)"}}"#
}

@Suite("Clients that ask for too much", .timeLimit(.minutes(10)))
struct VarlinkFloodTests {
    @Test func questionsWithoutAnAnswerAreNotEvenAsked() async throws {
        try await TestService.run { service in
            let client = try RawClient(service.path)
            client.send(look("a", flags: #","oneway":true"#))
            client.send(#"{"method":"org.test.Flood","more":true,"oneway":true}"#)
            client.send(echo("b", flags: #","oneway":true"#))
            client.send(look("c"))
            #expect(await client.next() == answer("c"))
            #expect(await service.log.lines == ["b", "c"])
        }
    }

    /// One user has sent ten calls from each of two clients before another user sends one.
    @Test func usersTakeTurns() async throws {
        try await TestService.run(users: [(1, .reader), (1, .reader), (2, .reader)]) { service in
            let clients = try (0..<3).map { _ in try RawClient(service.path) }
            await service.hold {
                for client in clients.prefix(2) {
                    for number in 0..<10 { client.send(echo("many \(number)")) }
                }
                clients[2].send(echo("one"))
            }
            #expect(await clients[2].next() == answer("one"))
            let lines = await service.log.lines
            #expect(lines.firstIndex(of: "one") ?? .max <= 3, "\(lines)")
            for client in clients.prefix(2) {
                for number in 0..<10 { #expect(await client.next() == answer("many \(number)")) }
            }
        }
    }

    @Test func callsOfOwnersComeFirst() async throws {
        let users = (0..<8).map { (UInt32($0 + 1), PeerRank.reader) } + [(9, .administrator)]
        try await TestService.run(users: users) { service in
            let clients = try users.map { _ in try RawClient(service.path) }
            let owner = try RawClient(service.path)
            await service.hold {
                for client in clients { client.send(echo("other")) }
                owner.send(echo("owner"))
            }
            #expect(await owner.next() == answer("owner"))
            for client in clients { #expect(await client.next() == answer("other")) }
            let lines = await service.log.lines
            // At most the call of the administrator, which has the same priority, is answered before.
            #expect(lines.firstIndex(of: "owner") ?? .max <= 1, "\(lines)")
        }
    }

    @Test func callsOfAClientThatHungUpAreDropped() async throws {
        try await TestService.run(users: [(1, .reader)]) { service in
            try await service.hold {
                let client = try RawClient(service.path)
                for _ in 0..<10 { client.send(echo("dropped", flags: #","oneway":true"#)) }
            }
            try await service.untilConnections(are: 0)
            #expect(await service.log.lines.isEmpty)
        }
    }

    /// `varlinkctl call --oneway` closes as soon as it has sent its call.
    @Test func changeWithoutAnAnswerIsMadeAfterTheAdministratorHungUp() async throws {
        try await TestService.run(users: [(1, .administrator)]) { service in
            try await service.hold {
                let client = try RawClient(service.path)
                client.send(echo("a", flags: #","oneway":true"#))
                client.send(echo("nobody reads this"))
                client.send(echo("b", flags: #","oneway":true"#))
            }
            try await service.log.has("b")
            #expect(await service.log.lines == ["a", "b"])
        }
    }

    /// A client that does not read is not answered further: one answer waits for it, and the rest of its calls.
    @Test func clientThatDoesNotReadIsNotAnsweredFurther() async throws {
        try await TestService.run { service in
            let client = try RawClient(service.path)
            for _ in 0..<50 { client.send(#"{"method":"org.test.Big","parameters":{"count":600000}}"#) }
            try await service.log.has("big")
            let other = try RawClient(service.path)
            for number in 0..<100 {
                other.send(echo("\(number)"))
                #expect(await other.next() == answer("\(number)"))
            }
            #expect(await service.log.lines.count { $0 == "big" } == 1)
            #expect(await service.counters.overflowed == 0)
        }
    }

    @Test func placesAreKeptForOwners() async throws {
        let users = (0..<20).map { _ in (UInt32(7), PeerRank.reader) } + [(8, .reader)]
        try await TestService.run(users: users) { service in
            let many = try (0..<20).map { _ in try RawClient(service.path) }
            for client in many.prefix(16) {
                client.send(echo("a"))
                #expect(await client.next() == answer("a"))
            }
            for client in many.suffix(4) { #expect(await client.waitForEnd()) }
            for _ in 0..<2 {
                let other = try RawClient(service.path)
                other.send(echo("b"))
                #expect(await other.next() == answer("b"))
            }
            #expect(await service.server.places.refused == 4)
        }
    }

    @Test func answersThatReadersDoNotReadLeaveRoomForOwners() async throws {
        var limits = VarlinkLimits()
        limits.totalQueue = 2_000_000
        let users = (1...4).map { (UInt32($0), PeerRank.reader) }
        try await TestService.run(limits: limits, users: users) { service in
            let readers = try users.map { _ in try RawClient(service.path) }
            for reader in readers { reader.send(#"{"method":"org.test.Big","parameters":{"count":600000}}"#) }
            // The answer that is too much closes the connection of its reader.
            while await service.counters.overflowed == 0 { await Task.yield() }
            let owner = try RawClient(service.path)
            owner.send(#"{"method":"org.test.Big","parameters":{"count":600000}}"#)
            #expect(await owner.next()?.utf8.count ?? 0 > 600_000)
            #expect(readers.count == 4)
        }
    }

    @Test func descriptorsThatAreSentAlongAreClosed() async throws {
        try await TestService.run { service in
            let client = try RawClient(service.path)
            var ends: [Int32] = [0, 0]
            try #require(unsafe pipe(&ends) == 0)
            client.send(Array(look("a").utf8) + [0], with: ends[1])
            close(ends[1])
            #expect(await client.next() == answer("a"))
            var byte: UInt8 = 0
            let reader = ends[0]
            let count = await onThread { [reader] in
                var entry = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
                return unsafe poll(&entry, 1, 10_000)
            }
            #expect(count == 1)
            #expect(unsafe read(reader, &byte, 1) == 0)
            close(reader)
        }
    }

    /// A call that comes byte by byte takes the time for one call, whoever sends it.
    @Test func callMayComeByteByByte() async throws {
        try await TestService.run(users: [(1, .reader)]) { service in
            let client = try RawClient(service.path)
            for byte in Array(look("slow").utf8) + [0] { client.send([byte]) }
            #expect(await client.next() == answer("slow"))
        }
    }

    @Test func thousandsThatComeAndGoLeaveNothing() async throws {
        try await TestService.run(users: (0..<2_000).map { _ in (1, .reader) }) { service in
            for _ in 0..<2_000 { _ = try RawClient(service.path) }
            while await service.counters.connections + service.server.places.refused < 2_000 { await Task.yield() }
            try await service.untilConnections(are: 0)
            #expect(await service.server.places.count == 0)
            let client = try RawClient(service.path)
            client.send(look("a"))
            #expect(await client.next() == answer("a"))
        }
    }
}
