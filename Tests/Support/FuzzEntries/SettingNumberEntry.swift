internal import Configuration
internal import Market
internal import Rules

extension FuzzEntry {
    /// The value of `min` in a settings file: a TOML number or a string.
    package static let settingNumber = FuzzEntry(name: "setting-number", seeds: numbers, longest: 96) { bytes in
        readAsSetting(bytes)
    }
}

@Sendable
private func numbers() -> [[UInt8]] {
    [
        "4_800_000", "\"0.00000041\"", "1.5e3", "0.1", "\"4_800_000.50\"", "+5", "\"9223372036854775807\"", "'1e-18'",
        "7500000.500000000000000000000000000000", "\"00005\"",
    ].map { Array($0.utf8) }
}

/// Whether it is a limit, which then must equal the number as written.
private func readAsSetting(_ bytes: [UInt8]) -> Bool {
    guard !bytes.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return false }
    let text = Array("[[rule]]\nsymbol = \"a\"\nmin = ".utf8) + bytes + [0x0A]
    guard let settings = try? SettingsLoader(files: OneFile(bytes: text)).load("a.toml").settings,
        let rule = settings.rules.first, case .band(let band) = rule.condition, let min = band.min
    else { return false }
    precondition(settings.rules.count == 1 && min.price.isPositive, "a limit that is not above 0")
    let quotes: [UInt8] = [0x22, 0x27]
    let number = bytes.prefix { $0 != 0x23 }.filter { !quotes.contains($0) && $0 != 0x5F && $0 != 0x20 && $0 != 0x09 }
    // Escapes in a string, hexadecimal numbers, and amounts as people write them (`1.000.041`) are not compared.
    guard number.allSatisfy({ $0 &- 0x30 < 10 || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0) }),
        number.count(where: { $0 == 0x2E }) < 2
    else { return true }
    let plain = number.first == 0x2B ? Array(number.dropFirst()) : Array(number)
    precondition(readAsDecimal(plain) == min.price, "another number")
    return true
}

private struct OneFile: SettingsFiles {
    let bytes: [UInt8]

    func contents(of path: String, limit: Int) -> FileAnswer<[UInt8]> { .found(bytes) }
    func names(in folder: String) -> FileAnswer<[String]> { .missing }
}
