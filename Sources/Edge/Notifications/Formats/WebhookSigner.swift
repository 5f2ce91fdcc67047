internal import Text
internal import Time

/// A signer of requests, as specified by Standard Webhooks 1.0.0 (standard-webhooks/standard-webhooks,
/// spec/standard-webhooks.md): `webhook-id`, `webhook-timestamp` and `webhook-signature`, an HMAC-SHA256 over
/// `ID.TIMESTAMP.BODY`.
struct WebhookSigner {
    /// The signing keys: one, or two while a secret is being replaced; empty without a secret.
    private let keys: [[UInt8]]

    /// Parses secrets that are separated by spaces.
    init(_ secrets: String) throws(ReceiverFault) {
        var keys: [[UInt8]] = []
        for secret in secrets.split(separator: " ") {
            let encoded = secret.hasPrefix(Self.prefix) ? secret.dropFirst(Self.prefix.count) : secret
            guard let key = Base64.bytes(of: String(encoded)), Self.keyBytes.contains(key.count) else {
                throw ReceiverFault(text: "the credential is not a signing secret: whsec_ and 24 to 64 bytes in base64")
            }
            keys.append(key)
        }
        self.keys = keys
    }

    static let prefix = "whsec_"
    /// The key lengths in bytes that the specification allows.
    private static let keyBytes = 24...64

    /// Returns the headers that identify a request and, if there is a secret, sign it.
    func headers(for notification: Notification, _ body: [UInt8]) -> [String: String] {
        let seconds = notification.now.milliseconds / 1_000
        var headers = ["webhook-id": notification.id, "webhook-timestamp": "\(seconds)"]
        let signed = Array("\(notification.id).\(seconds).".utf8) + body
        let signatures = keys.compactMap { hmacSHA256(signed, key: $0).map { "v1,\(Base64.text(of: $0))" } }
        if !signatures.isEmpty { headers["webhook-signature"] = signatures.joined(separator: " ") }
        return headers
    }
}
