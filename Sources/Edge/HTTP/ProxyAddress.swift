internal import CCurl

/// A proxy for requests. The address may contain a user name and a password, so only its scheme, host and port are
/// ever shown.
package struct ProxyAddress: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The full address, for libcurl only.
    let text: String
    private let shown: String
    let secrets: ProxySecrets

    /// Reads `scheme://[user:password@]host:port`.
    ///
    /// - Returns: nil for any other text. No reason is given, because it could contain a secret from the text.
    package init?(_ text: String) {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        guard let handle = unsafe curl_url() else { return nil }
        defer { unsafe curl_url_cleanup(handle) }
        let flags = UInt32(CURLU_NON_SUPPORT_SCHEME)
        guard unsafe curl_url_set(handle, CURLUPART_URL, text, flags) == CURLUE_OK,
            let scheme = unsafe urlPart(CURLUPART_SCHEME, of: handle)?.lowercased(),
            ["http", "https", "socks4", "socks4a", "socks5", "socks5h"].contains(scheme),
            let host = unsafe urlPart(CURLUPART_HOST, of: handle), !host.isEmpty,
            let port = unsafe urlPart(CURLUPART_PORT, of: handle),
            unsafe urlPart(CURLUPART_PATH, of: handle) == "/", unsafe urlPart(CURLUPART_QUERY, of: handle) == nil
        else { return nil }
        self.text = text
        secrets = ProxySecrets([text])
        shown = "\(scheme)://\(host.lowercased()):\(port)"
    }

    /// The address without user name and password: `http://proxy.example:3128`.
    package var description: String { shown }
    package var debugDescription: String { shown }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
