import Testing

@testable import HTTP

@Suite struct ResponseHeaderTests {
    private func header(_ lines: String...) -> ResponseHeader {
        var header = ResponseHeader()
        for line in lines {
            unsafe Array(line.utf8).withUnsafeBytes { unsafe header.append(line: $0) }
        }
        return header
    }

    @Test func namesAreFoundInAnyCase() {
        let header = header("Retry-After: 7\r\n", "DATE: Mon, 23 Nov 2026 10:00:00 GMT\r\n", "etag: \"Ab\"\r\n")
        #expect(header["retry-after"] == "7")
        #expect(header["date"] == "Mon, 23 Nov 2026 10:00:00 GMT")
        #expect(header["etag"] == "\"Ab\"")
    }

    @Test func otherNamesAreNot() {
        let header = header("Retry-After: 7\r\n", "X-Retry: 8\r\n", "no field\r\n", ": 9\r\n", "Note: age: 3\r\n")
        for name in ["retry", "retry-after-", "after", "x", "no field", "age"] {
            #expect(header[name] == nil, "\(name)")
        }
        #expect(ResponseHeader()["date"] == nil)
    }

    @Test func theLastOfSeveralCounts() {
        #expect(header("Age: 1\r\n", "Date: x\r\n", "AGE: 2\r\n")["age"] == "2")
    }

    @Test func whiteSpaceAroundAValueIsNotPartOfIt() {
        let header = header("a:\t b  c \t\r\n", "b:\r\n", "c:d\n", "e: f")
        #expect(header["a"] == "b  c")
        #expect(header["b"] == "")
        #expect(header["c"] == "d")
        #expect(header["e"] == "f")
    }

    @Test func onlyLettersHaveACase() {
        // Each differs from the other name in the bit that makes letters lower case.
        #expect(header("a@b: 1\r\n")["a`b"] == nil)
        #expect(header("a[b: 1\r\n")["a{b"] == nil)
        #expect(header("AZaz-09_: 1\r\n")["azaz-09_"] == "1")
    }
}
