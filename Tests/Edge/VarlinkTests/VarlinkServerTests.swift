import EventLoop
import Foundation
import Glibc
import TestSupport
import Testing
import UnixSockets
import VarlinkMessages

@testable import Varlink

private let echo = #"{"method":"org.test.Echo","parameters":{"text":"a"}}"#
private let echoed = #"{"parameters":{"text":"a"}}"#
private let getInfo = #"{"method":"org.varlink.service.GetInfo"}"#

/// One call and the reply that it has to get.
struct Exchange: CustomTestStringConvertible, Sendable {
    var call: String
    var reply: String

    var testDescription: String { call }

    init(_ call: String, _ reply: String) {
        (self.call, self.reply) = (call, reply)
    }

    static func error(_ name: String, _ parameters: String = "{}") -> String {
        #"{"error":"org.varlink.service.\#(name)","parameters":\#(parameters)}"#
    }
}

@Suite(.timeLimit(.minutes(10)))
struct VarlinkServerTests {
    static let exchanges = [
        Exchange(echo, echoed),
        Exchange(
            #"{"method":"org.test.Echo","parameters":{"text":"\u0000\" ä"}}"#,
            #"{"parameters":{"text":"\u0000\" ä"}}"#),
        Exchange(#"{"method":"org.test.Echo","parameters":{"text":"a","other":[1]},"new":{}}"#, echoed),
        Exchange(#"{"method":"org.test.Echo","parameters":{"text":"a"},"more":true}"#, echoed),
        Exchange(#"{"method":"org.test.Echo","parameters":{"text":"a"},"more":null,"oneway":null}"#, echoed),
        Exchange(#"{"method":"org.test.Silent"}"#, #"{"parameters":{}}"#),
        Exchange(#"{"method":"org.test.Silent","parameters":null}"#, #"{"parameters":{}}"#),
        Exchange(#"{"method":"org.test.Raw"}"#, #"{"parameters":{"b":1, "a":[2]}}"#),
        Exchange(#"{"method":"org.test.Echo"}"#, Exchange.error("InvalidParameter", #"{"parameter":"text"}"#)),
        Exchange(
            #"{"method":"org.test.Echo","parameters":{"text":1}}"#,
            Exchange.error("InvalidParameter", #"{"parameter":"text"}"#)),
        Exchange(
            #"{"method":"org.test.Nested","parameters":{"count":1,"inner":{"text":[]}}}"#,
            Exchange.error("InvalidParameter", #"{"parameter":"inner.text"}"#)),
        Exchange(
            #"{"method":"org.test.Nested","parameters":{"count":99999999999999999999}}"#,
            Exchange.error("InvalidParameter", #"{"parameter":"count"}"#)),
        Exchange(
            #"{"method":"org.test.Missing"}"#, Exchange.error("MethodNotFound", #"{"method":"org.test.Missing"}"#)),
        Exchange(#"{"method":"org.test."}"#, Exchange.error("MethodNotFound", #"{"method":"org.test."}"#)),
        Exchange(#"{"method":""}"#, Exchange.error("MethodNotFound", #"{"method":""}"#)),
        Exchange(#"{"method":"."}"#, Exchange.error("InterfaceNotFound", #"{"interface":""}"#)),
        Exchange(
            #"{"method":"org.none.Echo"}"#, Exchange.error("InterfaceNotFound", #"{"interface":"org.none"}"#)),
        Exchange(
            #"{"method":"org.test.Echo","upgrade":true}"#,
            Exchange.error("MethodNotImplemented", #"{"method":"org.test.Echo"}"#)),
        Exchange(#"{"method":"org.test.Count"}"#, Exchange.error("ExpectedMore")),
        Exchange(#"{"method":"org.test.Denied"}"#, Exchange.error("PermissionDenied")),
        Exchange(#"{"method":"org.test.Fail"}"#, #"{"error":"org.test.Failed","parameters":{"text":"no"}}"#),
        Exchange(
            getInfo,
            #"{"parameters":{"vendor":"v","product":"p","version":"1","url":"https://example.org","#
                + #""interfaces":["org.varlink.service","org.test"]}}"#),
        Exchange(
            #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"org.test"}}"#,
            #"{"parameters":{"description":"interface org.test\nmethod Echo(text: string) -> (text: string)"}}"#),
        Exchange(
            #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"org.none"}}"#,
            Exchange.error("InterfaceNotFound", #"{"interface":"org.none"}"#)),
    ]

    @Test(arguments: exchanges) func answers(_ exchange: Exchange) async throws {
        try await TestService.run { service in
            let client = try RawClient(service.path)
            client.send(exchange.call)
            #expect(await client.next() == exchange.reply)
            // And it continues.
            client.send(echo)
            #expect(await client.next() == echoed)
        }
    }

    @Test func readsACallByteByByte() async throws {
        try await TestService.run { service in
            let client = try RawClient(service.path)
            for byte in Array(echo.utf8) + [0] { client.send([byte]) }
            #expect(await client.next() == echoed)
        }
    }

    @Test func answersPipelinedCallsInTheirOrder() async throws {
        try await TestService.run { service in
            let client = try RawClient(service.path)
            let texts = (0..<100).map { #"{"method":"org.test.Echo","parameters":{"text":"\#($0)"}}"# }
            client.send(Array((#"{"method":"org.test.Slow"}"# + "\0" + texts.joined(separator: "\0") + "\0").utf8))
            #expect(await client.next() == #"{"parameters":{"text":"slow"}}"#)
            for number in 0..<100 { #expect(await client.next() == #"{"parameters":{"text":"\#(number)"}}"#) }
        }
    }

    @Test func answersWhoHasEndedWriting() async throws {
        try await TestService.run { service in
            let client = try RawClient(service.path)
            client.send(#"{"method":"org.test.Slow"}"#)
            client.send(echo)
            client.endWriting()
            #expect(await client.next() == #"{"parameters":{"text":"slow"}}"#)
            #expect(await client.next() == echoed)
            #expect(await client.waitForEnd())
        }
    }

    @Test func onewayGetsNoReply() async throws {
        try await TestService.run { service in
            let client = try RawClient(service.path)
            for method in ["Silent", "Fail", "Missing"] {
                client.send(#"{"method":"org.test.\#(method)","oneway":true}"#)
            }
            client.send(echo)
            #expect(await client.next() == echoed)
        }
    }

    @Test func onewayOfAClientThatLeavesIsHeard() async throws {
        try await TestService.run { service in
            do {
                let client = try RawClient(service.path)
                client.send(#"{"method":"org.test.Echo","parameters":{"text":"bye"},"oneway":true}"#)
            }
            try await service.log.has("bye")
        }
    }

    @Test func knowsWhoCalls() async throws {
        try await TestService.run { service in
            let client = try RawClient(service.path)
            client.send(#"{"method":"org.test.Peer"}"#)
            #expect(await client.next() == #"{"parameters":{"pid":\#(getpid()),"user":\#(geteuid())}}"#)
        }
    }

    @Test func streamsUntilTheLastReply() async throws {
        try await TestService.run { service in
            let client = try RawClient(service.path)
            client.send(#"{"method":"org.test.Count","more":true}"#)
            #expect(await client.next() == #"{"parameters":{"number":1},"continues":true}"#)
            #expect(await client.next() == #"{"parameters":{"number":2},"continues":true}"#)
            #expect(await client.next() == #"{"parameters":{"number":3}}"#)
            client.send(echo)
            #expect(await client.next() == echoed)
        }
    }

    @Test func streamEndsWhenItsClientLeaves() async throws {
        try await TestService.run { service in
            do {
                let client = try RawClient(service.path)
                client.send(#"{"method":"org.test.Watch","more":true}"#)
                #expect(await client.next() == #"{"parameters":{"text":"began"},"continues":true}"#)
            }
            try await service.log.has("hook")
            try await service.log.has("ended true")
            #expect(await service.server.connectionCount == 0)
        }
    }

    @Test func stopEndsStreamsAndConnections() async throws {
        try await TestService.run { service in
            let client = try RawClient(service.path)
            let idle = try RawClient(service.path)
            client.send(#"{"method":"org.test.Watch","more":true}"#)
            #expect(await client.next() != nil)
            await service.server.stop()
            #expect(await client.waitForEnd())
            #expect(await idle.waitForEnd())
            try await service.log.has("ended true")
            #expect(!FileManager.default.fileExists(atPath: service.path))
            #expect(throws: UnixSocketError.self) { try RawClient(service.path) }
        }
    }
}
