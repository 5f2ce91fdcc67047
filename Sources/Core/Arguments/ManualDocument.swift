/// A manual page in the `man` macros of troff, built from top to bottom.
///
/// In running text, text between backticks is printed in bold. Everything else is plain text; characters that troff
/// would interpret are escaped.
package struct ManualDocument {
    private var lines: [String]
    /// True if the next paragraph follows a heading, which already separates it from the text above.
    private var followsHeading = false

    /// Begins the page with its name and a one-line summary.
    ///
    /// - Parameters:
    ///   - name: the name of the page for `man`, such as `alertd.toml`.
    ///   - section: the section of the manual.
    ///   - summary: one line, without a full stop.
    ///   - source: the name and version of the program.
    ///   - date: the date, such as `2026-11-21`.
    package init(_ name: String, section: Int, summary: String, source: String = "", date: String = "") {
        lines = [
            ".TH \"\(name.uppercased())\" \"\(section)\" \"\(date)\" \"\(source)\"",
            // No hyphenation, so that names can be found and copied; no justification.
            ".nh", ".ad l", ".SH NAME",
            "\(name) \\- \(troff(summary))",
        ]
    }

    /// The text of the page, ending with a newline.
    package var text: String { lines.joined(separator: "\n") + "\n" }

    package mutating func section(_ title: String) {
        lines.append(".SH \"\(troff(title))\"")
        followsHeading = true
    }

    package mutating func subsection(_ title: String) {
        lines.append(".SS \"\(troff(title))\"")
        followsHeading = true
    }

    /// Appends a paragraph of running text.
    package mutating func paragraph(_ text: String) {
        if !followsHeading { lines.append(".PP") }
        followsHeading = false
        lines += running(text)
    }

    /// Appends a term in bold with its meaning.
    ///
    /// - Parameters:
    ///   - term: the term in plain text.
    ///   - value: a placeholder, printed in italics after the term.
    ///   - meaning: the paragraphs of the meaning.
    package mutating func item(_ term: String, value: String? = nil, _ meaning: [String]) {
        let value = value.map { " \\fI\(troff($0))\\fR" } ?? ""
        lines += [".TP", "\\fB\(troff(term))\\fR\(value)"]
        for (index, paragraph) in meaning.enumerated() {
            if index > 0 { lines.append(".IP") }
            lines += running(paragraph)
        }
        followsHeading = false
    }

    /// Appends lines of input or of a file, printed verbatim.
    package mutating func code(_ code: [String]) {
        if !followsHeading { lines.append(".PP") }
        followsHeading = false
        lines += [".RS 4", ".nf"] + code.map(troffLine) + [".fi", ".RE"]
    }

    /// Appends a section that refers to other manual pages, such as `alertd(8)`.
    package mutating func seeAlso(_ pages: [String]) {
        section("SEE ALSO")
        lines += pages.enumerated().map { index, page in
            let name = page.prefix { $0 != "(" }
            let end = index < pages.count - 1 ? "," : ""
            return "\\fB\(troff(String(name)))\\fR\(page.dropFirst(name.count))\(end)"
        }
    }

    /// Returns running text in lines that are short enough for `mandoc -T lint`.
    private func running(_ text: String) -> [String] {
        var isBold = false
        return wrapped(text, width: 72).map { line in
            // Bold text that continues past the end of a line is ended there and begun again on the next line.
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

/// Returns the text with all characters escaped that troff would interpret.
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

/// Returns a line of text that troff does not treat as a request, as it would if the line began with a full stop.
private func guarded(_ line: String) -> String {
    line.hasPrefix(".") ? "\\&" + line : line
}
