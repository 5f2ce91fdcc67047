/// How many colours a terminal has.
package enum ColorDepth: Equatable, Sendable, CaseIterable {
    case none
    case sixteen
    case many
    case full

    /// What the environment of a program says about its terminal.
    ///
    /// - Parameters:
    ///   - term: The variable `TERM`.
    ///   - colorterm: The variable `COLORTERM`.
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

/// The colours of roles, as parameters of the control sequence `SGR`.
///
/// Roles that mean opposite things differ in blue and orange, which nearly everyone can tell apart.
package struct Palette: Equatable, Sendable {
    package var depth: ColorDepth

    package init(_ depth: ColorDepth) {
        self.depth = depth
    }

    /// The parameters of a cell's colours, without the reset before them; empty for none.
    package func parameters(_ ink: Ink, isReversed: Bool) -> String {
        guard depth != .none else { return "" }
        let color = color(ink)
        return isReversed ? (color.isEmpty ? "7" : color + ";7") : color
    }

    private func color(_ ink: Ink) -> String {
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
        case .series(let number): series(number)
        }
    }

    private func series(_ number: Int) -> String {
        let place = ((number % 6) + 6) % 6
        let colors = [
            ("36", "38;5;80", "38;2;94;200;216"), ("35", "38;5;176", "38;2;208;138;220"),
            ("32", "38;5;114", "38;2;132;204;120"), ("34", "38;5;75", "38;2;110;160;240"),
            ("33", "38;5;221", "38;2;230;200;90"), ("31", "38;5;210", "38;2;240;130;130"),
        ][place]
        return pick(colors.0, colors.1, colors.2)
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
    /// The rows with control sequences for their colours, without trailing blanks; each ends with default colours.
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
            // A blank shows no colour unless it is reversed.
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
