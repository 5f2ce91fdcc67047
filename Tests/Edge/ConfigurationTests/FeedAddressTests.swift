import Testing

@testable import Configuration

struct FeedAddressTests {
    private func fault(_ text: String, allowsQuery: Bool = false) -> FeedAddress.Fault? {
        do throws(FeedAddress.Fault) {
            _ = try FeedAddress(text, allowsQuery: allowsQuery)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ("https://api.example.org/v1//", true, "api.example.org", "https://api.example.org/v1"),
        ("HTTP://API.Example.ORG.:8080/A", false, "api.example.org", "HTTP://API.Example.ORG.:8080/A"),
        ("http://[::1]:80", false, "::1", "http://[::1]:80"),
        ("https://a_b-c.d:65535", true, "a_b-c.d", "https://a_b-c.d:65535"),
    ])
    func theParts(text: String, isEncrypted: Bool, host: String, kept: String) throws {
        let address = try FeedAddress(text)
        #expect(address.isEncrypted == isEncrypted)
        #expect(address.host == host)
        #expect(address.text == kept)
    }

    @Test func aWholeAddressKeepsItsQueryAndSlash() throws {
        let text = "https://example.org/price/?ids=bitcoin&vs=usd/"
        #expect(try FeedAddress(text, allowsQuery: true).text == text)
        #expect(try FeedAddress("https://example.org?ids=a", allowsQuery: true).host == "example.org")
        #expect(fault(text) == .queryOrFragment)
        #expect(fault("https://example.org/#a", allowsQuery: true) == .queryOrFragment)
    }

    @Test(
        arguments: [
            ("", .scheme), ("example.org", .scheme), ("ftp://example.org", .scheme), ("://example.org", .scheme),
            ("https:/example.org", .scheme), ("https://", .host), ("https:///path", .host), ("https://.org", .host),
            ("https://a..b", .host), ("https://a b", .character), ("https://a\u{7F}", .character),
            ("https://ä.org", .character),
            ("https://a/{x}", .character), ("https://a|b", .character), ("https://user@a", .userOrPassword),
            ("https://user:word@a/", .userOrPassword), ("https://a:0", .port), ("https://a:65536", .port),
            ("https://a:", .port), ("https://a:8o", .port), ("https://[::1", .host), ("https://[1]", .host),
            ("https://[::g]", .host), ("https://[::1]x", .port), ("https://a!b", .host), ("https://.", .host),
        ] as [(String, FeedAddress.Fault)])
    func theFirstFaultIsNamed(text: String, expected: FeedAddress.Fault) {
        #expect(fault(text) == expected)
    }

    @Test func aHostHasAtMost253Characters() {
        let name = { (count: Int) in "https://" + String(repeating: "a", count: count) }
        #expect(fault(name(253)) == nil)
        #expect(fault(name(253) + ".") == nil)
        #expect(fault(name(254)) == .host)
    }

    @Test(arguments: [
        ("http://localhost/x", true), ("http://127.0.0.1", true), ("http://127.255.0.9:1", true),
        ("http://[::1]", true),
        ("http://LOCALHOST.", true), ("http://127.0.0", false), ("http://127.0.0.1.", true),
        ("http://128.0.0.1", false),
        ("http://127.0.0.256", false), ("http://127.0.0.1.example.org", false), ("http://localhost.example", false),
        ("http://[::2]", false), ("http://127.0.0.x", false),
    ])
    func onlyThisMachineIsLoopback(text: String, expected: Bool) throws {
        #expect(try FeedAddress(text).isLoopback == expected)
    }
}

struct ByteCountTests {
    @Test(
        arguments: [
            ("64MiB", 67_108_864), ("1KiB", 1_024), ("0GiB", 0), ("2GiB", 2_147_483_648), ("007KiB", 7_168),
            ("64", nil),
            ("64MB", nil), ("MiB", nil), ("-1MiB", nil), ("1.5GiB", nil), ("1 GiB", nil), ("64mib", nil), ("", nil),
            ("9223372036854775807KiB", nil), ("99999999999999999999KiB", nil),
        ] as [(String, Int?)])
    func aSizeHasAWholeNumberAndAUnit(text: String, expected: Int?) {
        #expect(byteCount(text) == expected)
    }
}
