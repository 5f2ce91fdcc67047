extension CommandLineSpecification {
    /// Makes a manual page with the contents of the help and additional details.
    ///
    /// - Parameters:
    ///   - section: the section of the manual.
    ///   - source: the name and version of the program.
    ///   - date: the date, such as `2026-11-21`.
    /// - Returns: the page. The caller may append sections.
    package func manualPage(section: Int, source: String = "", date: String = "") -> ManualDocument {
        var page = ManualDocument(name, section: section, summary: summary, source: source, date: date)
        page.section("SYNOPSIS")
        page.paragraph("`\(Self.usage(of: [self]))`")
        page.sectionIfAny("DESCRIPTION", discussion) { $0.paragraph($1) }
        page.sectionIfAny("EXAMPLES", examples) { $0.item($1.line, [$1.meaning]) }
        page.sectionIfAny("COMMANDS", commands) { $1.describe(in: &$0, below: []) }
        page.sectionIfAny("OPTIONS", options) { $1.describe(in: &$0) }
        page.sectionIfAny("EXIT STATUS", exitCodes) { $0.item(String($1.code), [$1.meaning]) }
        return page
    }

    /// The aliases as a sentence: ` Also: rm.`
    private var aliasText: String { aliases.isEmpty ? "" : " Also: \(aliases.joined(separator: ", "))." }

    private func describe(in page: inout ManualDocument, below path: [String]) {
        page.subsection((path + [name] + operands.map(\.written)).joined(separator: " "))
        page.paragraph(summary + "." + aliasText)
        for paragraph in discussion { page.paragraph(paragraph) }
        for operand in operands {
            page.item(operand.name, [operand.help + "."] + [operand.kind.words].compactMap { $0 })
        }
        for option in options { option.describe(in: &page) }
        for example in examples { page.item(example.line, [example.meaning]) }
        for command in commands { command.describe(in: &page, below: path + [name]) }
    }
}

extension ManualDocument {
    fileprivate mutating func sectionIfAny<Element>(
        _ title: String, _ elements: [Element], _ write: (inout ManualDocument, Element) -> Void
    ) {
        guard !elements.isEmpty else { return }
        section(title)
        for element in elements { write(&self, element) }
    }
}

extension ValueKind {
    /// A sentence with the accepted words; nil if the value is not a choice of words.
    fileprivate var words: String? {
        guard case .oneOf(let words) = self else { return nil }
        return "One of \(words.joined(separator: ", "))."
    }
}

extension OptionSpecification {
    fileprivate func describe(in page: inout ManualDocument) {
        let names = (short.map { ["-\($0)"] } ?? []) + ["--" + name]
        let also = aliases.isEmpty ? nil : "Also: \(aliases.map { "--" + $0 }.joined(separator: ", "))."
        let meaning = [help + ".", kind.words, details, also].compactMap { $0 }.joined(separator: " ")
        page.item(names.joined(separator: ", "), value: valueName, [meaning])
    }
}
