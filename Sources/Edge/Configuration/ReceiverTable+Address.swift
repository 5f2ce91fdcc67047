internal import Diagnostics
internal import Receivers
internal import Text

// Addresses and credentials of receivers. No finding shows a line with an address, because it may contain a token.
extension ReceiverTable {
    private static let secretAdvice =
        "store it with `alertctl credential set NAME`; then write"

    func readAddress(_ receiver: inout Receiver, of kind: ReceiverKind?) {
        receiver.allowsPlainHTTP = reader.boolean("allow_http") ?? false
        receiver.urlCredential = credentialName("url_credential")
        let url = reader.text("url", example: "\"https://example.org/alerts\"")
        let urls = reader.texts("urls", example: "[\"http://127.0.0.1:9093\"]")
        guard let kind else { return }
        let given = [url].compactMap(\.self) + (urls ?? [])
        receiver.urls = given.map(\.value)
        if let urls, ![.webAddresses, .natsServers].contains(kind.profile.address) {
            context.secretError(
                urls.first?.position ?? begin, "`urls` is not used by \(kind.rawValue)", advice: "use `url`")
        }
        checkOrigin(receiver, given, kind)
        switch kind.profile.address {
        case .webAddress(let standard):
            if given.isEmpty, receiver.urlCredential == nil { receiver.urls = [standard].compactMap(\.self) }
            for address in given { check(address, receiver) }
        case .webAddresses: for address in given { check(address, receiver) }
        case .mailServer: for address in given { checkMailServer(address) }
        case .natsServers:
            for address in given {
                checkNATSServer(
                    address, in: context, allowsPlain: receiver.allowsPlainHTTP, example: kind.profile.example)
            }
        case .secretAddress:
            for address in given {
                context.secretError(
                    address.position,
                    "the address of a \(kind.rawValue) webhook is a secret: anyone who knows it can use it",
                    advice: "\(Self.secretAdvice) url_credential = \"NAME\"")
            }
        }
    }

    /// Reports an address that is set both in the settings and as a credential, and a missing address if the service
    /// has no standard one.
    private func checkOrigin(_ receiver: Receiver, _ given: [Located<String>], _ kind: ReceiverKind) {
        if let first = given.first, receiver.urlCredential != nil {
            context.secretError(
                first.position, "both an address and `url_credential` are set", advice: "remove one of them")
        }
        let isGiven = ["url", "urls", "url_credential"].contains { reader.node($0) != nil }
        guard !isGiven, !kind.profile.hasStandardAddress else { return }
        let line =
            kind.profile.address == .secretAddress ? "url_credential = \"NAME\"" : "url = \"\(kind.profile.example)\""
        context.error(begin, "the receiver has no address", advice: "add \(line)")
    }

    private func check(_ text: Located<String>, _ receiver: Receiver) {
        do throws(FeedAddress.Fault) {
            let address = try FeedAddress(text.value, allowsQuery: receiver.kind == .webhook)
            if !address.isEncrypted, !address.isLoopback, !receiver.allowsPlainHTTP {
                context.secretError(
                    text.position, "the address uses plain http to another machine",
                    advice: "use https, or set allow_http = true")
            }
            if isSecret(text.value) {
                context.secretError(
                    text.position, "the address contains a token; settings files must not contain secrets",
                    advice: "\(Self.secretAdvice) url_credential = \"NAME\"")
            }
        } catch {
            context.secretError(
                text.position, "an address \(error.message)",
                advice: "write it like \"\(receiver.kind.profile.example)\"")
        }
    }

    /// Returns true if the address belongs to a service whose addresses are secrets, or has a query parameter named
    /// like a secret.
    private func isSecret(_ address: String) -> Bool {
        let known = [
            "hooks.slack.com/", "discord.com/api/webhooks/", "discordapp.com/api/webhooks/", "telegram.org/bot",
        ]
        if known.contains(where: address.includes) { return true }
        let query = address.split(separator: "?").dropFirst().joined()
        return query.split(separator: "&").contains { looksSecret(String($0.prefix { $0 != "=" })) }
    }

    private func checkMailServer(_ text: Located<String>) {
        let lower = text.value.lowercased()
        guard lower.hasPrefix("smtp://") || lower.hasPrefix("smtps://"),
            (try? FeedAddress("https" + text.value.drop { $0 != ":" })) != nil
        else {
            context.secretError(
                text.position, "`url` is not the address of a mail server",
                advice: "write it like \"\(ReceiverKind.email.profile.example)\"")
            return
        }
    }

    func readCredentials(_ receiver: inout Receiver, of kind: ReceiverKind?) {
        receiver.credential = credentialName("credential")
        receiver.proxyCredential = credentialName("proxy_credential")
        guard let kind else { return }
        switch kind.profile.credential {
        case .none:
            if let node = reader.node("credential") {
                context.secretError(
                    node.position, "`credential` is not used by \(kind.rawValue)", advice: "use `url_credential`")
            }
        case .required(let content) where reader.node("credential") == nil:
            context.error(
                begin, "the receiver has no `credential`",
                advice: "add the name of a systemd credential with \(content)")
        case .required, .optional: break
        }
    }

    /// Reads the name of a credential. A text that may be the secret itself is not shown.
    private func credentialName(_ key: String) -> String? {
        guard let text = reader.text(key, example: "\"phone-token\"") else { return nil }
        let prefixes = ["whsec_", "whsk_", "tk_", "xoxb", "xapp", "syt_"]
        guard isPlainName(text.value), !prefixes.contains(where: text.value.hasPrefix) else {
            context.secretError(
                text.position, "`\(key)` is not the name of a systemd credential",
                advice: "\(Self.secretAdvice) \(key) = \"NAME\"")
            return nil
        }
        return text.value
    }

    func readValues(_ receiver: inout Receiver, of kind: ReceiverKind?) {
        for key in ReceiverProfile.Key.allCases {
            let example = "\"\(key.example)\""
            let texts =
                switch key {
                case .to: reader.texts(key.rawValue, example: example)
                case .thread:
                    reader.integer(key.rawValue, in: 1...Int64(Int32.max)).flatMap { number in
                        reader.node(key.rawValue).map { [Located(value: "\(number)", position: $0.position)] }
                    }
                default: reader.text(key.rawValue, example: example).map { [$0] }
                }
            guard let kind else { continue }
            check(key, texts, of: kind)
            receiver.values[key] = texts?.map(\.value)
        }
    }

    private func check(_ key: ReceiverProfile.Key, _ texts: [Located<String>]?, of kind: ReceiverKind) {
        let node = reader.node(key.rawValue)
        guard (kind.profile.required + kind.profile.optional).contains(key) else {
            if let node {
                context.error(
                    node.position, "`\(key.rawValue)` is not used by \(kind.rawValue)", advice: "remove the line")
            }
            return
        }
        if node == nil, kind.profile.required.contains(key) {
            context.error(
                begin, "the receiver has no `\(key.rawValue)`",
                advice: "add it, such as \(key.rawValue) = \"\(key.example)\"")
        }
        for text in texts ?? [] where !key.accepts(text.value) {
            context.error(
                text.position, "`\(key.rawValue)` is not valid", advice: "write it like \"\(key.example)\"")
        }
    }
}

extension ReceiverProfile.Key {
    fileprivate var example: String {
        switch self {
        case .from: "alertd@example.org"
        case .to: "me@example.org"
        case .user: "me"
        case .chat: "123456789"
        case .thread: "42"
        case .room: "!abc:example.org"
        case .subject: Receiver.standardSubject
        case .instance: Receiver.standardInstance
        }
    }

    /// Returns true if the text is a valid value of the key.
    fileprivate func accepts(_ text: String) -> Bool {
        let isVisible = text.utf8.allSatisfy { (0x21...0x7E).contains($0) } && (1...254).contains(text.utf8.count)
        switch self {
        case .from, .to:
            let parts = text.split(separator: "@", omittingEmptySubsequences: false)
            return isVisible && parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
                && !text.contains { "<>(),;:\\\"[]".contains($0) }
        case .user, .thread: return isVisible
        case .instance: return isPlainName(text)
        case .chat:
            let number = text.hasPrefix("-") ? text.dropFirst() : text[...]
            return isVisible && (text.hasPrefix("@") || (!number.isEmpty && number.allSatisfy(\.isNumber)))
        case .room: return isVisible && text.hasPrefix("!")
        case .subject:
            let tokens = text.split(separator: ".", omittingEmptySubsequences: false)
            return text.utf8.count <= 64 && !text.hasPrefix("$") && tokens.allSatisfy { isPlainName(String($0)) }
        }
    }
}

/// Checks the address of a NATS server: `nats://HOST[:PORT]` or `tls://…`.
func checkNATSServer(_ text: Located<String>, in context: FileContext, allowsPlain: Bool, example: String) {
    guard let server = NATSServer(text.value),
        let address = try? FeedAddress("https" + text.value.drop { $0 != ":" })
    else {
        context.secretError(
            text.position, "the address is not that of a NATS server",
            advice: "write it like \"\(example)\"; a user name and a password belong in the credential")
        return
    }
    if !server.requiresTLS, !address.isLoopback, !allowsPlain {
        context.secretError(
            text.position, "the connection to another machine may be unencrypted",
            advice: "use tls:// instead of nats://, or set allow_http = true")
    }
}
