/// A manual page in the `man` macros of troff, built from top to bottom.
///
/// In running text, what is between backticks is printed in bold. Everything else is plain text, even where troff would
/// treat it as a request.
package struct ManualDocument {
    private var lines: [String]
    /// Whether the next paragraph follows a heading, which already separates it from the text above.
    private var followsHeading = false

    /// Begins the page with its name and a one-line summary.
    ///
    /// - Parameters:
    ///   - name: the name that `man` finds it by: `alertd.toml`.
    ///   - section: the section of the manual.
    ///   - summary: one line, without a full stop.
    ///   - source: the program with its version.
    ///   - date: `2026-11-21`.
    package init(_ name: String, section: Int, summary: String, source: String = "", date: String = "") {
        lines = [
            ".TH \"\(name.uppercased())\" \"\(section)\" \"\(date)\" \"\(source)\"",
            // Words are not hyphenated, so that names can be searched for and copied, and lines are not justified.
            ".nh", ".ad l", ".SH NAME",
            "\(name) \\- \(troff(summary))",
        ]
    }

    /// The page, ending in a newline.
    package var text: String { lines.joined(separator: "\n") + "\n" }

    /// Begins a section.
    package mutating func section(_ title: String) {
        lines.append(".SH \"\(troff(title))\"")
        followsHeading = true
    }

    /// Begins a subsection.
    package mutating func subsection(_ title: String) {
        lines.append(".SS \"\(troff(title))\"")
        followsHeading = true
    }

    /// Adds a paragraph of running text.
    package mutating func paragraph(_ text: String) {
        if !followsHeading { lines.append(".PP") }
        followsHeading = false
        lines += running(text)
    }

    /// A term in bold, and what it means.
    ///
    /// - Parameters:
    ///   - term: in plain text.
    ///   - value: a placeholder, shown in italics after the term.
    ///   - meaning: paragraphs.
    package mutating func item(_ term: String, value: String? = nil, _ meaning: [String]) {
        let value = value.map { " \\fI\(troff($0))\\fR" } ?? ""
        lines += [".TP", "\\fB\(troff(term))\\fR\(value)"]
        for (index, paragraph) in meaning.enumerated() {
            if index > 0 { lines.append(".IP") }
            lines += running(paragraph)
        }
        followsHeading = false
    }

    /// Lines to type or of a file, printed verbatim.
    package mutating func code(_ code: [String]) {
        if !followsHeading { lines.append(".PP") }
        followsHeading = false
        lines += [".RS 4", ".nf"] + code.map(troffLine) + [".fi", ".RE"]
    }

    /// Names of manual pages, as `alertd(8)`.
    package mutating func seeAlso(_ pages: [String]) {
        section("SEE ALSO")
        lines += pages.enumerated().map { index, page in
            let name = page.prefix { $0 != "(" }
            let end = index < pages.count - 1 ? "," : ""
            return "\\fB\(troff(String(name)))\\fR\(page.dropFirst(name.count))\(end)"
        }
    }

    /// The text in lines that are short enough for `mandoc -T lint`.
    private func running(_ text: String) -> [String] {
        var isBold = false
        return wrapped(text, width: 72).map { line in
            // Emphasis that continues past the end of a line is closed there and reopened on the next.
            var result = isBold ? "\\fB" : ""
            for (index, piece) in line.split(separator: "`", omittingEmptySubsequences: false).enumerated() {
                if index > 0 {
                    isBold.toggle()
                    result += isBold ? "\\fB" : "\\fR"
                }
                result += troff(String(piece))
            }
            return guarded(isBold ? result + "\\fR" : result)
        }
    }
}

/// The text with everything escaped that troff would interpret.
func troff(_ text: String) -> String {
    var result = ""
    for character in text {
        switch character {
        case "\\": result += "\\e"
        case "-": result += "\\-"
        case "'": result += "\\(aq"
        case "\"": result += "\\(dq"
        case "`": result += "\\(ga"
        case "^": result += "\\(ha"
        case "~": result += "\\(ti"
        default: result.append(character)
        }
    }
    return result
}

private func troffLine(_ text: String) -> String {
    guarded(troff(text))
}

/// A line of text that begins with a full stop would be a request.
private func guarded(_ line: String) -> String {
    line.hasPrefix(".") ? "\\&" + line : line
}
