/// Parses a size such as `64MiB` (KiB, MiB or GiB) into bytes. Returns nil for any other text, or if the number does
/// not fit.
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
