import Testing

@testable import Manual

/// How pages are built, whatever they say.
struct PageShapeTests {
    private func lines(_ name: String) throws -> [String] {
        try #require(ManualPages.page(name)).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private static let sections = [
        "alertd.toml.5": "5", "alertd-events.7": "7", "alertd.journal-fields.7": "7",
    ]

    @Test(arguments: ManualPages.names) func theTitleIsThatOfTheFile(name: String) throws {
        let section = try #require(Self.sections[name])
        let title = name.dropLast(2)
        let lines = try lines(name)
        #expect(lines[0].hasPrefix(".TH \"\(title.uppercased())\" \"\(section)\" "))
        #expect(lines[0].contains("\"\(ManualPages.source)\""))
        #expect(lines[4].hasPrefix("\(title) \\- "))
        #expect(lines[4].count > title.count + 10)
    }

    /// No heading stands over nothing, and each page says first what it is about and last where to read on.
    @Test(arguments: ManualPages.names) func eachHeadingHasAText(name: String) throws {
        let lines = try lines(name)
        let headings = lines.indices.filter { lines[$0].hasPrefix(".SH") || lines[$0].hasPrefix(".SS") }
        for index in headings {
            #expect(lines[index].count > 6, "\(lines[index])")
            let next = lines[index + 1]
            #expect(!next.isEmpty && (!next.hasPrefix(".S") || lines[index].hasPrefix(".SH")), "\(lines[index])")
            #expect(!next.hasPrefix(".SH"), "\(lines[index])")
        }
        let titles = headings.map { lines[$0] }.filter { $0.hasPrefix(".SH") }
        #expect(titles.first == ".SH NAME")
        #expect(titles.contains(".SH \"DESCRIPTION\""))
        #expect(titles.last == ".SH \"SEE ALSO\"")
        #expect(Set(titles).count == titles.count)
    }

    /// Whoever reads one page finds the others.
    @Test(arguments: ManualPages.names) func eachPageNamesTheProgramsAndOthers(name: String) throws {
        let text = try lines(name).joined(separator: "\n")
        let others = try #require(text.split(separator: ".SH \"SEE ALSO\"").last).split(separator: "\n")
        #expect(others.count >= 3)
        #expect(others.contains("\\fBalertd\\fR(8),"))
        #expect(others.contains("\\fBalertctl\\fR(1),"))
        #expect(others.dropLast().allSatisfy { $0.hasPrefix("\\fB") && $0.hasSuffix("),") })
        #expect(others.last?.hasPrefix("\\fB") == true && others.last?.hasSuffix(")") == true)
        #expect(!others.contains { $0.hasPrefix("\\fB\(name.dropLast(2))\\fR") }, "not itself")
    }

    /// A paragraph begins as a sentence does, and ends as one.
    @Test(arguments: ManualPages.names) func textIsWholeSentences(name: String) throws {
        var isCode = false
        var paragraph = ""
        var previous = ""
        var isTerm = false
        for line in try lines(name).dropFirst(5) + [".SH"] {
            if line == ".nf" { isCode = true }
            if line == ".fi" { isCode = false }
            guard !isCode else { continue }
            if line.hasPrefix(".") {
                if line.hasPrefix(".SH \"SEE ALSO\"") { break }
                if !paragraph.isEmpty {
                    let text = paragraph.replacing("\\fB", with: "").replacing("\\fR", with: "").replacing(
                        "\\fI", with: "")
                    #expect(text.last == "." || text.last == ":" || text.last == "?", "\(text)")
                    #expect(!text.contains("  ") && !text.contains(" ."), "\(text)")
                }
                (paragraph, isTerm) = ("", line == ".TP")
            } else if isTerm {
                #expect(line.hasPrefix("\\fB") && line.count > 6, "a term: \(line) behind \(previous)")
                isTerm = false
            } else {
                paragraph += (paragraph.isEmpty ? "" : " ") + line
            }
            previous = line
        }
    }

    /// Each term of a list is explained, unless its type says it all, and what looks like code is not empty.
    @Test(arguments: ManualPages.names) func eachTermIsExplained(name: String) throws {
        let lines = try lines(name)
        for index in lines.indices where lines[index] == ".TP" {
            #expect(lines[index + 1].hasPrefix("\\fB"))
            guard !lines[index + 1].contains("\\fI") else { continue }
            #expect(!lines[index + 2].hasPrefix(".") && !lines[index + 2].isEmpty, "\(lines[index + 1])")
        }
        for index in lines.indices where lines[index] == ".nf" {
            #expect(!lines[index + 1].isEmpty && lines[index + 1] != ".fi")
            #expect(lines[index - 1] == ".RS 4")
        }
        #expect(lines.count { $0 == ".nf" } == lines.count { $0 == ".fi" })
        #expect(lines.contains(".nf"))
    }
}
