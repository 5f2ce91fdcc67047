/// The background color of a terminal, as the terminal reports it.
struct BackgroundColor: Equatable, Sendable {
    /// The request for the background color (OSC 11).
    static let query = "\u{1B}]11;?\u{07}"

    /// The relative luminance, from 0 for black to 1 for white.
    private let luminance: Double

    /// True if black contrasts more with the background than white does.
    var isLight: Bool { luminance > 0.179 }

    /// Reads the body of an answer, `11;rgb:ffff/ffff/ffff`. Each part has one to four hexadecimal digits.
    init?(answer: some Collection<UInt8>) {
        let text = String(decoding: answer, as: UTF8.self)
        let start = "11;rgb:"
        guard text.hasPrefix(start) else { return nil }
        let parts = text.dropFirst(start.count).split(separator: "/", omittingEmptySubsequences: false)
        let shares = parts.compactMap { part -> Double? in
            guard (1...4).contains(part.utf8.count), let value = UInt16(part, radix: 16), part.first != "+" else {
                return nil
            }
            return Double(value) / Double((1 << (4 * part.utf8.count)) - 1)
        }
        guard parts.count == 3, shares.count == 3 else { return nil }
        // The squares are close enough to the curve of sRGB to distinguish light from dark.
        luminance = 0.2126 * shares[0] * shares[0] + 0.7152 * shares[1] * shares[1] + 0.0722 * shares[2] * shares[2]
    }
}
