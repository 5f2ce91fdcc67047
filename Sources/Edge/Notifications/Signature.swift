internal import CCrypto
internal import Text

/// Returns the HMAC-SHA256 of a text by RFC 2104, or nil if libcrypto fails.
func hmacSHA256(_ text: [UInt8], key: [UInt8]) -> [UInt8]? {
    var code = [UInt8](repeating: 0, count: Int(ALERTD_SHA256_BYTES))
    return unsafe alertd_hmac_sha256(key, key.count, text, text.count, &code) ? code : nil
}

/// Encodes a text in base64.
func base64(_ text: String) -> String { Base64.text(of: Array(text.utf8)) }
