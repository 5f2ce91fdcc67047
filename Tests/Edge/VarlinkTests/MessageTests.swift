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
        (#"{"parameters":{"a":[1,{"b":"}"}]}}"#, #"{"a":[1,{"b":"}"}]}"#),
        (#"{ "error" : "x" , "parameters" : { } , "continues":true}"#, "{ }"),
        (#"{"x":{"parameters":1},"parameters":2}"#, "2"),
        (#"{"x":"\"parameters\":3","parameters":{}}"#, "{}"),
        (#"{"x":["parameters",1]}"#, nil),
        ("{}", nil),
        ("", nil),
    ])
    func findsTheTextOfAMember(_ text: String, _ expected: String?) {
        let found = JSONOutline.member("parameters", of: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
        #expect(found == expected)
    }

    @Test func countsNestingOutsideOfStrings() {
        let nested = { (depth: Int) in
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(!JSONOutline.isTooDeep(nested(32)))
        #expect(JSONOutline.isTooDeep(nested(33)))
        #expect(!JSONOutline.isTooDeep([0x22] + nested(99) + [0x22]))
    }
}
