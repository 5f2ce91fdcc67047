/// Removes underscores. As in TOML, each must be between two digits; returns nil otherwise.
private func removingUnderscores(_ text: String) -> String? {
    guard text.utf8.contains(0x5F) else { return text }
    let bytes = Array(text.utf8)
    func isDigit(at index: Int) -> Bool { bytes.indices.contains(index) && bytes[index] &- 0x30 < 10 }
    for index in bytes.indices where bytes[index] == 0x5F {
        guard isDigit(at: index - 1), isDigit(at: index + 1) else { return nil }
    }
    return String(decoding: bytes.filter { $0 != 0x5F }, as: UTF8.self)
}

extension Price {
    /// Parses a number as people write it in a file: like ``init(_:)-(String)``, but with optional underscores between
    /// digits.
    ///
    /// - Throws: ``PriceError``.
    package init(written text: String) throws(PriceError) {
        guard let plain = removingUnderscores(text) else { throw .malformed }
        try self.init(plain)
    }
}
