/// The number of colours of a terminal.
package enum ColorDepth: Equatable, Sendable, CaseIterable {
    case none
    case sixteen
    case many
    case full

    /// Determines the colour depth from the environment variables of the program.
    ///
    /// - Parameters:
    ///   - term: the variable `TERM`.
    ///   - colorterm: the variable `COLORTERM`.
    package init(term: String?, colorterm: String?) {
        let words = [colorterm, term].compactMap(\.self).map { $0.lowercased() }
        if words.contains(where: { $0 == "truecolor" || $0 == "24bit" || $0.hasSuffix("-direct") }) {
            self = .full
        } else if words.contains(where: { $0.hasSuffix("256color") }) {
            self = .many
        } else {
            self = .sixteen
        }
    }
}

/// The colours of all roles, as parameters of the `SGR` control sequence.
///
/// Opposites such as up and down are blue and orange, which nearly everyone can distinguish. On a light terminal,
/// texts have a contrast of at least 4.5 to 1 with white.
package struct Palette: Equatable, Sendable {
    package var depth: ColorDepth
    /// True if the terminal shows dark text on a light background.
    package var isLight: Bool

    package init(_ depth: ColorDepth, isLight: Bool = false) {
        self.depth = depth
        self.isLight = isLight
    }

    /// Returns the `SGR` parameters for the colours of a cell, without the reset before them. The result is empty for
    /// default colours.
    package func parameters(_ ink: Ink, isReversed: Bool) -> String {
        guard depth != .none else { return "" }
        let color = isLight ? lightColor(ink) : darkColor(ink)
        return isReversed ? (color.isEmpty ? "7" : color + ";7") : color
    }

    private func darkColor(_ ink: Ink) -> String {
        switch ink {
        case .text: ""
        case .strong: "1"
        case .muted: pick("2", "38;5;245", "38;5;245")
        case .up: pick("34", "38;5;39", "38;2;56;152;236")
        case .down: pick("33", "38;5;208", "38;2;240;136;62")
        case .alarm: pick("1;33", "1;38;5;208", "1;38;2;240;136;62")
        case .limit: pick("33", "38;5;214", "38;2;230;168;52")
        case .clear: pick("2;33", "38;5;137", "38;2;150;118;70")
        case .band: pick("2;33", "38;5;94", "38;2;110;86;44")
        case .fired: pick("1;31", "1;38;5;203", "1;38;2;248;81;73")
        case .resolved: pick("32", "38;5;78", "38;2;63;185;120")
        case .series(let number): series(number, Self.darkSeries)
        }
    }

    /// Returns the light colour of ``SVGStyle`` or the nearest one. The basic yellow, green and cyan are avoided
    /// because they are too pale.
    private func lightColor(_ ink: Ink) -> String {
        switch ink {
        case .text: ""
        case .strong: "1"
        case .muted: pick("2", "38;5;241", "38;5;241")
        case .up: pick("34", "38;5;25", "38;2;11;111;164")
        case .down: pick("31", "38;5;130", "38;2;179;80;0")
        case .alarm: pick("1;31", "1;38;5;130", "1;38;2;179;80;0")
        case .limit: pick("35", "38;5;94", "38;2;138;93;0")
        case .clear: pick("2;35", "38;5;58", "38;2;122;98;51")
        case .band: pick("2;35", "38;5;180", "38;2;214;188;140")
        case .fired: pick("1;31", "1;38;5;124", "1;38;2;207;34;46")
        case .resolved: pick("34", "38;5;22", "38;2;26;127;55")
        case .series(let number): series(number, Self.lightSeries)
        }
    }

    private typealias SeriesColor = (sixteen: String, many: String, full: String)

    private static let darkSeries: [SeriesColor] = [
        ("36", "38;5;80", "38;2;94;200;216"), ("35", "38;5;176", "38;2;208;138;220"),
        ("32", "38;5;114", "38;2;132;204;120"), ("34", "38;5;75", "38;2;110;160;240"),
        ("33", "38;5;221", "38;2;230;200;90"), ("31", "38;5;210", "38;2;240;130;130"),
    ]

    private static let lightSeries: [SeriesColor] = [
        ("34", "38;5;25", "38;2;11;111;164"), ("35", "38;5;91", "38;2;138;62;168"),
        ("1;34", "38;5;28", "38;2;47;125;50"), ("1;35", "38;5;62", "38;2;59;91;219"),
        ("31", "38;5;94", "38;2;143;100;0"), ("1;31", "38;5;125", "38;2;179;64;74"),
    ]

    private func series(_ number: Int, _ colors: [SeriesColor]) -> String {
        let color = colors[((number % 6) + 6) % 6]
        return pick(color.sixteen, color.many, color.full)
    }

    private func pick(_ sixteen: String, _ many: String, _ full: String) -> String {
        switch depth {
        case .none: ""
        case .sixteen: sixteen
        case .many: many
        case .full: full
        }
    }
}

extension CellGrid {
    /// Returns the rows with control sequences for colours, without trailing blanks. Each row ends with default
    /// colours.
    package func lines(_ palette: Palette) -> [String] {
        (0..<height).map { line($0, palette) }
    }

    private func line(_ row: Int, _ palette: Palette) -> String {
        let end = (0..<width).last { self[row, $0] != .blank } ?? -1
        var text = ""
        var current = ""
        var isReversed = false
        for column in 0...max(0, end) where end >= 0 {
            let cell = self[row, column]
            guard cell.character != "\0" else { continue }
            // A blank has no visible colour unless it is reversed.
            let isUnchanged = cell.character == " " && !cell.isReversed && !isReversed
            let wanted = isUnchanged ? current : palette.parameters(cell.ink, isReversed: cell.isReversed)
            isReversed = cell.isReversed
            if wanted != current {
                text += current.isEmpty ? "\u{1B}[\(wanted)m" : wanted.isEmpty ? "\u{1B}[0m" : "\u{1B}[0;\(wanted)m"
                current = wanted
            }
            text.append(cell.character)
        }
        return text + (current.isEmpty ? "" : "\u{1B}[0m")
    }
}
