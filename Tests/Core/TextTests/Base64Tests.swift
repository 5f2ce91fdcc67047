import Foundation
import Testing
import Text

@Suite struct Base64Tests {
    @Test(arguments: 0..<70) func readsWhatItWritesAsOthersDo(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + 251) }
        let text = Base64.text(of: bytes)
        #expect(text == Data(bytes).base64EncodedString())
        #expect(Base64.bytes(of: text) == bytes)
    }

    @Test(arguments: [
        "A", "AA", "AAA", "AAAAA", "AA=A", "====", "=AAA", "A===", "AB==", "AAB=", "AA\n=", "AAÄ=",
        "AA=="
            + "AAAA",
    ])
    func whatIsNotBase64IsRefused(text: String) {
        #expect(Base64.bytes(of: text) == nil)
    }
}
