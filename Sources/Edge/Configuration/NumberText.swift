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
