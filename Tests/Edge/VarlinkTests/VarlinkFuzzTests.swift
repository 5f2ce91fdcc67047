import TestSupport
import Testing

@testable import Varlink

@Suite(.timeLimit(.minutes(10)))
struct VarlinkFuzzTests {
    private static let seeds = [
        #"{"method":"org.test.Echo","parameters":{"text":"a"}}"#,
        #"{"method":"org.test.Nested","parameters":{"count":1,"inner":{"text":"\u00e4"}},"more":true}"#,
        #"{"method":"org.test.Count","more":true,"oneway":false}"#,
        #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"org.test"}}"#,
    ]
    private static let pieces = [
        "\"", "{", "}", "[", "]", ":", ",", "\\", "\\u", "\\ud800", "null", "true", "-", "1e999", "0x", "\u{0}",
        "\u{FEFF}",
        "/*", "\"method\":", "9999999999999999999", "\u{7F}", "ä",
    ]

    private static func message(_ generator: inout SplitMix) -> [UInt8] {
        var bytes = Array((seeds.randomElement(using: &generator) ?? "").utf8)
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            let place = Int.random(in: 0...bytes.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes.insert(contentsOf: (pieces.randomElement(using: &generator) ?? "").utf8, at: place)
            case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 0...9, using: &generator)))
            case 2: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
            default: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &generator) }
            }
        }
        return bytes + [0]
    }

    /// Each message is answered or ends its connection, and the server continues.
    @Test func serverSurvivesHostileBytes() async throws {
        try await TestService.run { service in
            var generator = SplitMix(seed: 20_261_121)
            for _ in 0..<300 {
                let client = try RawClient(service.path)
                for _ in 0..<10 { client.send(Self.message(&generator)) }
                client.endWriting()
                #expect(await client.waitForEnd())
            }
            let client = try RawClient(service.path)
            client.send(#"{"method":"org.varlink.service.GetInfo"}"#)
            #expect(await client.next()?.hasPrefix(#"{"parameters":{"vendor":"#) == true)
            let counters = await service.counters
            #expect(counters.malformed > 100)
            #expect(counters.calls > 100)
        }
    }
}
