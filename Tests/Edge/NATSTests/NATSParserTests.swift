import JSON
import Testing

@testable import NATS

struct NATSParserTests {
    /// What a server sends around two replies, the second one without a receiver.
    private static let bytes = Array(
        ("INFO {\"headers\":true}\r\nPING\r\n+OK\r\nMSG _INBOX.a.0 1 12\r\n{\"seq\": \"\r\n\"\r\n"
            + "HMSG _INBOX.a.1 1 16 16\r\nNATS/1.0 503\r\n\r\n\r\n-ERR 'Slow Consumer'\r\n").utf8)
    private static let operations: [NATSOperation] = [
        .info(Array("{\"headers\":true}".utf8)), .ping, .ok,
        .message(subject: "_INBOX.a.0", reply: NATSReply(payload: Array("{\"seq\": \"\r\n\"".utf8))),
        .message(subject: "_INBOX.a.1", reply: NATSReply(status: 503)), .error("Slow Consumer"),
    ]

    private func operations(_ parts: [ArraySlice<UInt8>]) throws -> [NATSOperation] {
        var parser = NATSParser()
        var found: [NATSOperation] = []
        for part in parts {
            parser.append(Array(part))
            while let operation = try parser.next() { found.append(operation) }
        }
        return found
    }

    @Test func operationsAreSplitAnywhere() throws {
        for place in Self.bytes.indices {
            #expect(try operations([Self.bytes[..<place], Self.bytes[place...]]) == Self.operations, "\(place)")
        }
        #expect(try operations(Self.bytes.indices.map { Self.bytes[$0...$0] }) == Self.operations)
    }

    @Test(arguments: [
        "HTTP/1.1 400 Bad Request\r\n", "MSG a 1\r\n", "MSG a 1 -1\r\n\r\n", "MSG a 1 99999999999\r\n", "MSG\r\n",
        "HMSG a 1 5 4\r\nabcd\r\n", "HMSG a 1 4\r\nabcd\r\n", "MSG a 1 2\r\nabcd\r\n", "MSG a b c d 2\r\nab\r\n",
        "MSG a 1 1048577\r\n", "MSG a 1 18446744073709551615\r\n",
    ])
    func othersAreRefused(text: String) {
        #expect(throws: NATSParser.Fault.self) { try operations([Array(text.utf8)[...]]) }
    }

    @Test func aLineHasALimit() throws {
        var parser = NATSParser()
        let portion = [UInt8](repeating: 0x41, count: 1 << 10)
        for _ in 0..<64 {
            parser.append(portion)
            #expect(try parser.next() == nil)
        }
        parser.append(portion)
        #expect(throws: NATSParser.Fault.self) { try parser.next() }
    }
}

struct NATSConversationTests {
    private let requests = [
        NATSRequest("alertd.events.wazirx.btcinr", headers: [("Nats-Msg-Id", "a-1")], payload: Array("{}".utf8)),
        NATSRequest("$JS.API.INFO"),
    ]

    private func conversation(
        _ credential: String? = nil, requiresTLS: Bool = false, allowsPlain: Bool = true
    ) -> NATSConversation {
        NATSConversation(
            requests, NATSLogin(credential, version: "1"), nonce: "n", requiresTLS: requiresTLS,
            allowsPlain: allowsPlain)
    }

    private func info(_ text: String = "") -> [UInt8] { Array("INFO {\"headers\":true\(text)}\r\n".utf8) }

    @Test func everythingIsSentAtOnce() throws {
        var conversation = conversation("tok")
        guard case .send(let bytes) = try conversation.ingest(info()).first else {
            Issue.record("nothing was sent")
            return
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let login = text.prefix { $0 != "\r\n" }
        #expect(login.hasPrefix("CONNECT {") && login.contains("\"auth_token\":\"tok\""))
        #expect(
            text.dropFirst(login.count) == "\r\nSUB _INBOX.n.* 1\r\n"
                + "HPUB alertd.events.wazirx.btcinr _INBOX.n.0 30 32\r\nNATS/1.0\r\nNats-Msg-Id: a-1\r\n\r\n{}\r\n"
                + "PUB $JS.API.INFO _INBOX.n.1 0\r\n\r\n")
        // Replies may come in any order, twice, and among others.
        #expect(
            try conversation.ingest(Array("PING\r\nMSG _INBOX.n.1 1 1\r\nb\r\n".utf8))
                == [.send(Array("PONG\r\n".utf8))])
        #expect(try conversation.ingest(Array("MSG _INBOX.n.1 1 1\r\nb\r\nMSG _INBOX.n.7 1 1\r\nb\r\n".utf8)) == [])
        let last = try conversation.ingest(Array("MSG x 1 1\r\nb\r\nMSG _INBOX.n.0 1 1\r\na\r\n".utf8))
        #expect(last == [.finished([NATSReply(payload: [0x61]), NATSReply(payload: [0x62])])])
    }

    /// However many there are, one answer does.
    @Test func pingsAreAnsweredOnce() throws {
        var conversation = conversation()
        _ = try conversation.ingest(info())
        let many = Array(String(repeating: "PING\r\n+OK\r\n", count: 1_000).utf8)
        #expect(try conversation.ingest(many) == [.send(Array("PONG\r\n".utf8))])
    }

    @Test func theServerGetsNothingBeforeTLS() throws {
        for text in [",\"tls_required\":true", ",\"tls_required\":true,\"tls_available\":true"] {
            var conversation = conversation("me:secret", allowsPlain: false)
            #expect(try conversation.ingest(info(text)) == [.secure])
            let bytes = String(decoding: conversation.begin(isSecure: true), as: UTF8.self)
            #expect(bytes.contains("\"tls_required\":true") && bytes.contains("\"user\":\"me\",\"pass\":\"secret\""))
        }
        var injected = conversation()
        let both = info(",\"tls_required\":true") + Array("MSG _INBOX.n.0 1 1\r\nx\r\n".utf8)
        #expect(try injected.ingest(both) == [.secure])
        _ = injected.begin(isSecure: true)
        #expect(try injected.ingest(Array("MSG _INBOX.n.1 1 1\r\nx\r\n".utf8)) == [])
        var offered = conversation(requiresTLS: true)
        #expect(try offered.ingest(info(",\"tls_available\":true")) == [.secure])
    }

    @Test func refusalsHaveReasons() {
        var missing = conversation(requiresTLS: true)
        #expect(throws: NATSError.failed("the server does not offer TLS")) { try missing.ingest(info()) }
        var plain = conversation(allowsPlain: false)
        #expect(throws: NATSError.self) { try plain.ingest(info()) }
        var old = conversation()
        #expect(throws: NATSError.self) { try old.ingest(Array("INFO {}\r\n".utf8)) }
        var login = conversation()
        #expect(throws: NATSError.refused("Authorization Violation")) {
            try login.ingest(info() + Array("-ERR 'Authorization Violation'\r\n".utf8))
        }
        var keys = conversation()
        let advice =
            "the server has users with NKeys, which alertd does not support; use a token, or a user with a password"
        #expect(throws: NATSError.refused("Authorization Violation; \(advice)")) {
            try keys.ingest(info(",\"nonce\":\"a1B2\"") + Array("-ERR 'Authorization Violation'\r\n".utf8))
        }
        var other = conversation()
        #expect(throws: NATSError.failed("the server answers: Maximum Connections Exceeded")) {
            try other.ingest(Array("-ERR 'Maximum Connections Exceeded'\r\n".utf8))
        }
    }

    @Test func loginsAreNotShown() {
        #expect(!"\(String(reflecting: NATSLogin("me:secret", version: "1")))".contains("secret"))
    }
}
