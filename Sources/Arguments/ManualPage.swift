extension CommandLineSpecification {
    /// A manual page in the `man` macros of troff, made from the same data as the help.
    package func manualPage(section: Int) -> String {
        var lines = [
            ".TH \"\(name.uppercased())\" \"\(section)\" \"\" \"\(name)\"", ".SH NAME", "\(name) \\- \(troff(summary))",
            ".SH SYNOPSIS",
            ".B \(troff(Self.usage(of: [self])))",
        ]
        lines += titled("DESCRIPTION", discussion.enumerated().flatMap { ($0 == 0 ? [] : [".PP"]) + text($1) })
        lines += titled("EXAMPLES", examples.flatMap { [".TP", ".B \(troff($0.line))"] + text($0.meaning) })
        lines += titled("COMMANDS", commands.flatMap { $0.manualCommand(below: "") })
        lines += titled("OPTIONS", options.flatMap(\.manualItem))
        lines += titled("EXIT STATUS", exitCodes.flatMap { [".TP", ".B \($0.code)"] + text($0.meaning) })
        return lines.joined(separator: "\n") + "\n"
    }

    private func titled(_ title: String, _ lines: [String]) -> [String] {
        lines.isEmpty ? [] : [".SH \(title)"] + lines
    }

    private func manualCommand(below path: String) -> [String] {
        let words = [path + name] + operands.map(\.written)
        var lines = [".SS \"\(troff(words.joined(separator: " ")))\""] + text(summary + ".")
        lines += discussion.flatMap { [".PP"] + text($0) }
        lines += operands.flatMap { [".TP", ".I \($0.name)"] + text($0.help + ".") }
        lines += options.flatMap(\.manualItem)
        return lines + commands.flatMap { $0.manualCommand(below: path + name + " ") }
    }
}

extension OptionSpecification {
    fileprivate var manualItem: [String] {
        let names = (short.map { ["-\($0)"] } ?? []) + ["--" + name]
        let value = valueName.map { " \\fI\($0)\\fR" } ?? ""
        let written = names.map { "\\fB\(troff($0))\\fR" }.joined(separator: ", ")
        var lines = [".TP", written + value] + text(help + ".")
        if case .oneOf(let words) = kind { lines += text("One of \(words.joined(separator: ", ")).") }
        if let details { lines += text(details) }
        return lines
    }
}

/// Running text in lines of a length that editors and `mandoc -T lint` like.
private func text(_ text: String) -> [String] {
    wrapped(text, width: 72).map(troff)
}

/// The text with what troff would take for its own written so that it stays text.
private func troff(_ text: String) -> String {
    var result = ""
    for character in text {
        switch character {
        case "\\": result += "\\e"
        case "-": result += "\\-"
        default: result.append(character)
        }
    }
    let isControlLine = result.hasPrefix(".") || result.hasPrefix("'")
    return isControlLine ? "\\&" + result : result
}
