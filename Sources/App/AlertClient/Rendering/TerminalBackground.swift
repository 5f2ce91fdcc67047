/// The background of the terminal according to the environment.
struct TerminalBackground: Equatable, Sendable {
    static let variable = "ALERTCTL_BACKGROUND"

    /// Nil if unknown.
    let isLight: Bool?
    /// True if the user set it, not the terminal emulator.
    let isChosen: Bool

    init(_ variables: [String: String]) {
        let chosen = ["light": true, "dark": false][variables[Self.variable]?.lowercased() ?? ""]
        isChosen = chosen != nil
        isLight = chosen ?? variables["COLORFGBG"].flatMap(Self.isLight)
    }

    /// Parses `0;15` or `0;default;15`: the last number is the background, one of sixteen colours.
    private static func isLight(_ colors: String) -> Bool? {
        guard let last = colors.split(separator: ";").last, let number = Int(last), (0...15).contains(number) else {
            return nil
        }
        return number == 7 || number > 8
    }
}
