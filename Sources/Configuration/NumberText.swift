internal import Market

/// Takes out underscores, each of which must stand between two digits, as in TOML; nil when one does not.
func removingUnderscores(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    guard bytes.contains(0x5F) else { return text }
    func isDigit(at index: Int) -> Bool { bytes.indices.contains(index) && bytes[index] &- 0x30 < 10 }
    for index in bytes.indices where bytes[index] == 0x5F {
        guard isDigit(at: index - 1), isDigit(at: index + 1) else { return nil }
    }
    return String(decoding: bytes.filter { $0 != 0x5F }, as: UTF8.self)
}

/// The exact number that a text holds, underscores between digits accepted.
///
/// - Throws: `PriceError`.
func exactNumber(_ text: String) throws(PriceError) -> Price {
    guard let plain = removingUnderscores(text) else { throw .malformed }
    return try Price(plain)
}

/// The bytes that a text such as `64MiB` stands for (KiB, MiB, GiB); nil for any other text, or when they do not fit.
func byteCount(_ text: String) -> Int? {
    let units = [("KiB", 10), ("MiB", 20), ("GiB", 30)]
    guard let (name, shift) = units.first(where: { text.hasSuffix($0.0) }) else { return nil }
    let digits = text.dropLast(name.count).utf8
    guard !digits.isEmpty, digits.allSatisfy({ $0 &- 0x30 < 10 }), let count = Int(Substring(digits)) else {
        return nil
    }
    let (product, overflow) = count.multipliedReportingOverflow(by: 1 << shift)
    return overflow ? nil : product
}
