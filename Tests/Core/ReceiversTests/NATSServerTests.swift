import Testing

@testable import Receivers

struct NATSServerTests {
    @Test(arguments: [
        ("nats://Example.org", "nats://example.org:4222"), ("tls://[::1]:4333/", "tls://[::1]:4333"),
        ("NATS://my_host:4333", "nats://my_host:4333"),
    ])
    func addresses(text: String, expected: String) {
        #expect(NATSServer(text)?.description == expected)
    }

    @Test(arguments: [
        "", "nats://", "http://a", "nats://me:x@a", "nats://a:0", "nats://a:99999", "nats://a/b", "nats://a b",
        "nats://a?b", "nats://[x]", "nats://a,b",
    ])
    func otherTextsAreRefused(text: String) {
        #expect(NATSServer(text) == nil)
    }
}
