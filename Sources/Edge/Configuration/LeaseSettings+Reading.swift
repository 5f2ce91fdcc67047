internal import Receivers
internal import Time

extension LeaseSettings {
    static let reference: [SettingsReference.Row] = [
        ("url", .text, "none", "The address of a NATS server with JetStream: nats:// or tls://"),
        ("urls", .texts, "none", "The addresses of the servers of one cluster, instead of `url`"),
        ("credential", .text, "none", "Name of the systemd credential with a token, or USER:PASSWORD"),
        ("bucket", .text, "\"alertd\"", "The key-value store, which is created if it is missing"),
        ("key", .text, "\"leader\"", "The key; daemons with the same bucket and key are one group"),
        ("name", .text, "the name of the machine", "The name of this daemon in messages; must be unique in its group"),
        ("ttl", .duration, "\"30s\"", "How long the lease lasts without being renewed, 5s to 10m"),
        (
            "ca_file", .text, "the system's certificate authorities",
            "Absolute path of a file with the certificate authorities to trust"
        ),
        ("allow_http", .boolean, "false", "Whether to allow an unencrypted connection to another machine"),
    ]

    private static let lengths = Milliseconds.seconds(5)...Milliseconds.seconds(600)

    init(reading table: TableReader) {
        self.init()
        let url = table.text("url", example: "\"nats://127.0.0.1:4222\"")
        let urls = table.texts("urls", example: "[\"tls://one.example.org\"]")
        allowsPlain = table.boolean("allow_http") ?? false
        authorityFile = table.authorityFile()
        credential = name("credential", of: table)
        bucket = name("bucket", of: table) ?? bucket
        key = name("key", of: table) ?? key
        name = name("name", of: table)
        if let given = table.duration("ttl") {
            length = given.value
            if !Self.lengths.contains(given.value) {
                table.context.error(
                    given.position, "`ttl` is \(given.value)", advice: "use a time from \"5s\" to \"10m\"")
            }
        }
        if let url, urls != nil {
            table.context.secretError(url.position, "both `url` and `urls` are set", advice: "remove one of them")
        }
        let given = urls ?? [url].compactMap(\.self)
        for address in given {
            checkNATSServer(address, in: table.context, allowsPlain: allowsPlain, example: "nats://127.0.0.1:4222")
        }
        if table.node("url") == nil, table.node("urls") == nil, let first = table.entries.first {
            table.context.error(
                first.keyPosition, "[lease] has neither `url` nor `urls`, so there would be no lease",
                advice: "add url = \"nats://127.0.0.1:4222\", or remove the table")
        }
        self.urls = given.map(\.value)
    }

    /// Reads a name. A bucket or key must not contain dots, which separate the levels of a NATS subject.
    private func name(_ key: String, of table: TableReader) -> String? {
        guard let text = table.text(key, example: "\"alertd\"") else { return nil }
        guard isPlainName(text.value), key == "name" || key == "credential" || !text.value.contains(".") else {
            table.context.secretError(
                text.position, "`\(key)` is not a valid name", advice: "use at most 64 letters, digits and dashes")
            return nil
        }
        return text.value
    }
}
