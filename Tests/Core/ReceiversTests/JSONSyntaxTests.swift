import Receivers
import Testing

/// Where a text stops being JSON.
struct JSONSyntaxTests {
    @Test(arguments: [
        "{}", "[]", "null", " true ", "-0.5e+10", "\"a\\u00e9\\n\"", "{\"a\":[1,2,{\"b\":false}],\"c\":\"\"}",
        "[ [ ] , 0 ]",
    ])
    func goodTextsHaveNoFault(text: String) {
        #expect(JSONSyntax.fault(in: Array(text.utf8)) == nil)
    }

    @Test(arguments: [
        ("", 0), ("{", 1), ("{\"a\"}", 4), ("{\"a\":}", 5), ("{\"a\":1,}", 7), ("[1 2]", 3), ("[1,]", 3), ("01", 1),
        ("\"a\nb\"", 2), ("\"\\x\"", 1), ("\"\\u12g4\"", 1), ("\"a", 2), ("tru", 0), ("{a:1}", 1), ("1 2", 2),
        ("1.", 2),
        ("-", 1), ("nul", 0), ("[\"a\",]", 5), ("\"\\u12", 1),
    ])
    func faultsHaveTheirPlace(text: String, offset: Int) {
        #expect(JSONSyntax.fault(in: Array(text.utf8))?.offset == offset)
    }

    @Test func deepTextsAreRefused() {
        let depth = 40
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(JSONSyntax.fault(in: Array(text.utf8)) != nil)
    }
}
