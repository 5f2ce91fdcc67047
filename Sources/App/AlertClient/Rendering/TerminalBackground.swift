/// What the environment says about the background of the terminal.
struct TerminalBackground: Equatable, Sendable {
    static let variable = "ALERTCTL_BACKGROUND"

    /// Nil if nothing is known.
    let isLight: Bool?
    /// Whether the user has said so, rather than the terminal's program.
    let isChosen: Bool

    init(_ variables: [String: String]) {
        let chosen = ["light": true, "dark": false][variables[Self.variable]?.lowercased() ?? ""]
        isChosen = chosen != nil
        isLight = chosen ?? variables["COLORFGBG"].flatMap(Self.isLight)
    }

    /// `0;15` or `0;default;15`: the last number is the background, of sixteen colours.
    private static func isLight(_ colors: String) -> Bool? {
        guard let last = colors.split(separator: ";").last, let number = Int(last), (0...15).contains(number) else {
            return nil
        }
        return number == 7 || number > 8
    }
}
