import Glibc
import HTTPServer
import Testing

struct ListenAddressTests {
    @Test(arguments: [
        ("127.0.0.1:9464", ListenAddress.internet(host: "127.0.0.1", port: 9_464), true),
        ("localhost:80", .internet(host: "127.0.0.1", port: 80), true),
        ("0.0.0.0:1", .internet(host: "0.0.0.0", port: 1), false),
        ("[::1]:9464", .internet(host: "::1", port: 9_464), true),
        ("[::]:0", .internet(host: "::", port: 0), false),
        ("/run/a:b", .unix(path: "/run/a:b"), true),
    ])
    func addressesAreRead(text: String, address: ListenAddress, isLocal: Bool) throws {
        #expect(try ListenAddress(text) == address)
        #expect(address.isLocal == isLocal)
    }

    @Test(arguments: [
        "", "9464", ":9464", "127.0.0.1", "127.0.0.1:", "127.0.0.1:70000", "127.0.0.1:-1", "example.com:80", "::1:80",
        "[::1]", "[127.0.0.1]:80", "1.2.3:80", "run/socket", "[::1]x:80",
    ])
    func othersAreRefused(text: String) {
        #expect(throws: HTTPServerError.badAddress(text)) { try ListenAddress(text) }
    }

    @Test func aTakenPortIsReported() throws {
        let first = try ListenAddress("[::1]:0").listen()
        defer { close(first) }
        let port = try #require(ListenAddress.port(of: first))
        let address = ListenAddress.internet(host: "::1", port: port)
        let error = try #require(throws: HTTPServerError.self) { try address.listen() }
        #expect("\(error)" == "[::1]:\(port): bind: Address already in use")
    }
}
