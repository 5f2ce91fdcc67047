import JSON
import Testing

@testable import Varlink

@Suite struct MessageTests {
    @Test func bufferGivesMessagesInTheirOrder() {
        var buffer = MessageBuffer()
        #expect(buffer.take() == nil)
        buffer.append(Array("ab".utf8))
        #expect(buffer.isPartial && !buffer.hasMessage)
        buffer.append(Array("c\0\0d\0e".utf8))
        #expect(buffer.hasMessage && !buffer.isPartial)
        #expect(buffer.take() == Array("abc".utf8))
        #expect(buffer.take() == [])
        buffer.append(Array("f\0".utf8))
        #expect(buffer.take() == Array("d".utf8))
        #expect(buffer.take() == Array("ef".utf8))
        #expect(buffer.take() == nil)
        #expect(buffer.count == 0)
    }

    @Test(arguments: [
        #"{"method":"a.B"}"#, #"{"parameters":null,"method":"a.B","more":null,"x":[{}]}"#,
        #" {"method" : "a.B", "parameters" : {"y":1} } "#,
    ])
    func aCallIsReadInAnyForm(text: String) throws {
        let head = try #require(CallHead(Array(text.utf8), limit: 100))
        #expect(head.method == "a.B")
        #expect(!head.more && !head.oneway && !head.upgrade)
        #expect(throws: Never.self) { try head.parameters.object() }
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"method":1}"#, #"{"method":"a.B","more":1}"#, #"{"method":"a.B","parameters":[]}"#,
        #"{"method":"a.B"}{}"#, #"{"method":"a.B","parameters":{"x":"\u0000"}"#,
    ])
    func whatIsNoCallIsRefused(text: String) {
        #expect(CallHead(Array(text.utf8), limit: 100) == nil)
    }

    @Test func aCallThatIsTooLongIsRefused() {
        let text = Array(#"{"method":"a.B"}"#.utf8)
        #expect(CallHead(text, limit: text.count) != nil)
        #expect(CallHead(text, limit: text.count - 1) == nil)
    }
}
