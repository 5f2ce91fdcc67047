import Foundation
import Testing

@testable import Charts

/// The colours of a light terminal have the contrast that WCAG 2 asks of texts.
struct LightPaletteTests {
    private static let texts: [Ink] =
        [.muted, .up, .down, .alarm, .limit, .clear, .fired, .resolved] + (0..<6).map { .series($0) }

    @Test(arguments: [ColorDepth.many, .full], texts)
    func aTextCanBeReadOnWhite(depth: ColorDepth, ink: Ink) throws {
        let parameters = Palette(depth, isLight: true).parameters(ink, isReversed: false)
        let numbers = parameters.split(separator: ";").compactMap { Int($0) }
        let start = try #require(numbers.firstIndex(of: 38))
        let color = numbers[start + 1] == 2 ? Array(numbers[(start + 2)...]) : Self.indexed(numbers[start + 2])
        let contrast = 1.05 / (Self.luminance(color) + 0.05)
        #expect(contrast >= 4.5, "\(ink): \(parameters) has \(contrast)")
    }

    @Test func opposedRolesDiffer() {
        for depth in [ColorDepth.sixteen, .many, .full] {
            let palette = Palette(depth, isLight: true)
            let color = { palette.parameters($0, isReversed: false) }
            #expect(color(.up) != color(.down))
            #expect(color(.fired) != color(.resolved))
            #expect(Set((0..<6).map { color(.series($0)) }).count == 6)
        }
    }

    /// A colour of the cube or the greys of 256 colours.
    private static func indexed(_ number: Int) -> [Int] {
        if number >= 232 { return Array(repeating: 8 + 10 * (number - 232), count: 3) }
        let steps = [0, 95, 135, 175, 215, 255]
        return [steps[(number - 16) / 36], steps[(number - 16) / 6 % 6], steps[(number - 16) % 6]]
    }

    private static func luminance(_ color: [Int]) -> Double {
        let parts = color.map { part -> Double in
            let share = Double(part) / 255
            return share <= 0.03928 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
}
