import JSON
import Testing

@testable import Varlink

@Suite struct CallHeadTests {
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
