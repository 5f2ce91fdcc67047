import Arguments
import Configuration
import Control
import InterfaceLanguage
import Journal
import PriceSources
import Receivers
import Testing

@testable import Manual

/// What the pages say, section by section.
struct PageContentTests {
    @Test func eachPageHasItsSections() throws {
        #expect(
            try PageReader("alertd.toml.5").titles
                == ["NAME", "SYNOPSIS", "DESCRIPTION"] + SettingsReference.Table.allCases.map(\.header)
                + [
                    "SOURCES", "RECEIVERS", "WEBHOOK TEMPLATES", "WEBHOOK PRESETS", "PLACEHOLDERS", "EXAMPLES", "FILES",
                    "SEE ALSO",
                ])
        #expect(
            try PageReader("alertd-events.7").titles == [
                "NAME", "DESCRIPTION", "THE EVENT STREAM", "FIELDS", "KINDS OF EVENTS", "BOUNDS", "REASONS", "RESUMING",
                "THE CONTROL INTERFACE", "SEE ALSO",
            ])
        #expect(
            try PageReader("alertd.journal-fields.7").titles == [
                "NAME", "DESCRIPTION", "FIELDS OF ALERTD", "FIELDS OF THE JOURNAL", "MESSAGE IDS", "EXAMPLES",
                "SEE ALSO",
            ])
    }

    /// A section that begins with a text explains the list below it.
    @Test(arguments: [
        ("alertd.toml.5", "SOURCES"), ("alertd.toml.5", "RECEIVERS"), ("alertd.toml.5", "PLACEHOLDERS"),
        ("alertd-events.7", "FIELDS"),
        ("alertd-events.7", "REASONS"), ("alertd.journal-fields.7", "MESSAGE IDS"),
    ])
    func aListIsIntroduced(page: String, section: String) throws {
        let lines = try PageReader(page).section(section)
        #expect(lines.first?.hasPrefix(".") == false, "\(section)")
    }

    @Test func theExampleIsShownLineByLine() throws {
        let shown = try PageReader("alertd.toml.5").code(in: "EXAMPLES")
        #expect(
            shown
                == ManualPages.settingsExample.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
                + ["alertctl config check /etc/alertd/alertd.toml"])
    }

    /// Each key has its help, what it takes, what holds without it, and whether a change needs a restart.
    @Test(arguments: SettingsReference.Table.allCases) func eachKeyIsDescribed(table: SettingsReference.Table) throws {
        let items = try PageReader("alertd.toml.5").items(in: table.header)
        let keys = SettingsReference.keys.filter { $0.table == table }
        #expect(items.map(\.term) == keys.map { "\\fB\(troff($0.name))\\fR" })
        for (key, item) in zip(keys, items) {
            let isWindow = table == .rule && key.name == "window"
            let absent =
                key.absent.map { "Default: \($0)." } ?? (isWindow ? "Required for rise, fall and move." : "Required.")
            let restart = key.needsRestart ? " A change needs a restart." : ""
            #expect(
                item.meaning == PageReader.plain("\(key.help). Takes \(key.type.documented). \(absent)\(restart)"),
                "\(key.name)")
        }
    }

    @Test func eachSourceIsSummedUp() throws {
        let items = try PageReader("alertd.toml.5").items(in: "SOURCES")
        #expect(
            items.map(\.term)
                == PriceSource.allCases.map { "\\fB\(troff($0.rawValue))\\fR \\fI\(troff($0.profile.summary))\\fR" })
        #expect(items.map(\.meaning) == PriceSource.allCases.map { PageReader.plain($0.description) })
    }

    @Test func eachTypeOfReceiverIsSummedUp() throws {
        let items = try PageReader("alertd.toml.5").items(in: "RECEIVERS")
        #expect(items.map(\.term) == ReceiverKind.allCases.map { "\\fB\(troff($0.rawValue))\\fR" })
        #expect(items.map(\.meaning) == ReceiverKind.allCases.map { PageReader.plain($0.profile.description) })
    }

    /// Each member of the interface has its comment, which ends as a sentence, and its definition.
    @Test func eachMemberOfTheInterfaceIsExplainedAndDefined() throws {
        let reader = try PageReader("alertd-events.7")
        for member in try #require(ManualPages.interface).members {
            let lines = try reader.subsection("\(member.keyword) \(member.name)")
            let comment = PageReader.plain(member.comment)
            let text = PageReader.text(lines.prefix { $0 != ".RS 4" })
            #expect(text == (comment.hasSuffix(".") ? comment : comment + "."), "\(member.name)")
            #expect(PageReader.code(in: lines) == member.lines, "\(member.name)")
        }
    }

    @Test func eachFieldHasItsTypeAndItsComment() throws {
        let interface = try #require(ManualPages.interface)
        let items = try PageReader("alertd-events.7").items(in: "FIELDS")
        let names = ["EventRecord", "PricePoint", "ConversionRecord", "EventDetails"]
        let fields = names.flatMap { interface.fields(of: $0) ?? [] }
        // Those of an event come first, without a heading of their own.
        let headings = try PageReader("alertd-events.7").section("FIELDS").filter { $0.hasPrefix(".SS") }
        #expect(headings.count == 3 && zip(headings, names.dropFirst()).allSatisfy { $0.contains("Fields of \($1)") })
        #expect(items.map(\.term) == fields.map { "\\fB\(troff($0.name))\\fR \\fI\(troff($0.type.text))\\fR" })
        #expect(items.map(\.meaning) == fields.map { PageReader.plain($0.comment) })
    }

    /// A field of the journal names the entries that always have it, and an id says what it identifies.
    @Test func fieldsAndIDsOfTheJournalAreExplained() throws {
        let reader = try PageReader("alertd.journal-fields.7")
        for (field, item) in zip(JournalField.allCases, try reader.items(in: "FIELDS OF ALERTD")) {
            let users = MessageID.all.filter { $0.fields.contains(field) }.map(\.name)
            let always = users.isEmpty ? "" : " Always present in: \(users.joined(separator: ", "))."
            #expect(item.meaning == PageReader.plain(field.help + always), "\(field.rawValue)")
        }
        let items = try reader.items(in: "MESSAGE IDS")
        #expect(items.map(\.meaning) == MessageID.all.map { PageReader.plain($0.meaning + ".") })
    }

    @Test func thePageOfAProgramHasItsTopicsAndOthers() throws {
        let program = CommandLineSpecification("watchctl", summary: "Look at a watcher", options: [.help])
        let topic = Topic("FILES", [("/etc/a", "The settings."), ("/var/b", "The state.")])
        let page = ManualPages.program(program, section: 8, topics: [topic], seeAlso: ["alertd(8)"])
        let reader = PageReader(text: page)
        #expect(page.hasPrefix(".TH \"WATCHCTL\" \"8\" \"\(Version.date)\" \"alertd \(Version.current)\"\n"))
        #expect(reader.titles == ["NAME", "SYNOPSIS", "OPTIONS", "FILES", "SEE ALSO"])
        let items = try reader.items(in: "FILES")
        #expect(items.map(\.term) == ["\\fB/etc/a\\fR", "\\fB/var/b\\fR"])
        #expect(items.map(\.meaning) == ["The settings.", "The state."])
        #expect(try reader.section("SEE ALSO").first == "\\fBalertd\\fR(8)")
    }
}

/// Reads a page back, as far as these tests need it.
struct PageReader {
    private let lines: [String]

    init(_ name: String) throws {
        self.init(text: try #require(ManualPages.page(name)))
    }

    init(text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    var titles: [String] {
        lines.filter { $0.hasPrefix(".SH ") }.map { Self.plain($0.dropFirst(4).filter { $0 != "\"" }) }
    }

    /// The lines below the heading, up to the next one.
    func section(_ title: String) throws -> [String] { try part(".SH \"\(troff(title))\"", until: [".SH "]) }

    func subsection(_ title: String) throws -> [String] {
        try part(".SS \"\(troff(title))\"", until: [".SH ", ".SS "])
    }

    private func part(_ heading: String, until ends: [String]) throws -> [String] {
        let start = try #require(lines.firstIndex(of: heading), "\(heading)")
        return Array(lines[(start + 1)...].prefix { line in !ends.contains { line.hasPrefix($0) } })
    }

    /// What is to be typed or put into a file, without escapes.
    func code(in title: String) throws -> [String] { Self.code(in: try section(title)) }

    static func code(in lines: [String]) -> [String] {
        var code: [String] = []
        var isCode = false
        for line in lines {
            if line == ".fi" { isCode = false }
            if isCode { code.append(unescaped(line)) }
            if line == ".nf" { isCode = true }
        }
        return code
    }

    /// The terms of a list as they are written, with their meaning as plain text.
    func items(in title: String) throws -> [(term: String, meaning: String)] {
        try section(title).split(separator: ".TP", omittingEmptySubsequences: false).dropFirst().map { lines in
            (lines.first ?? "", Self.text(lines.dropFirst().prefix { !$0.hasPrefix(".S") }))
        }
    }

    /// Running text on one line.
    static func text(_ lines: some Sequence<String>) -> String {
        plain(lines.filter { !$0.hasPrefix(".") || $0.hasPrefix(".\\") }.joined(separator: " "))
    }

    /// Without fonts and escapes, and without the backticks of a source text.
    static func plain(_ text: String) -> String {
        unescaped(["\\fB", "\\fR", "\\fI", "`"].reduce(text) { $0.replacing($1, with: "") })
    }

    private static func unescaped(_ text: String) -> String {
        [
            ("\\&", ""), ("\\-", "-"), ("\\(aq", "'"), ("\\(dq", "\""), ("\\(ga", "`"), ("\\(ha", "^"),
            ("\\(ti", "~"), ("\\e", "\\"),
        ].reduce(text) { $0.replacing($1.0, with: $1.1) }
    }
}

private func troff(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("'", with: "\\(aq")
        .replacing("\"", with: "\\(dq").replacing("~", with: "\\(ti")
}
