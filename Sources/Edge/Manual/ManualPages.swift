package import Arguments
internal import Control

/// The manual pages that do not belong to a single program, each generated from the data that the programs use.
package enum ManualPages {
    /// The file names of all pages.
    package static let names = ["alertd.toml.5", "alertd-events.7", "alertd.journal-fields.7"]

    /// Returns the page with a name from ``names``; nil for any other name.
    package static func page(_ name: String) -> String? {
        switch name {
        case "alertd.toml.5": settingsPage().text
        case "alertd-events.7": eventsPage().text
        case "alertd.journal-fields.7": journalPage().text
        default: nil
        }
    }

    /// Generates the page of a program from its command line and further topics.
    ///
    /// - Parameters:
    ///   - commandLine: the command line of the program.
    ///   - section: the section of the manual.
    ///   - topics: sections to add after those of the command line.
    ///   - others: related manual pages.
    /// - Returns: the text of the page.
    package static func program(
        _ commandLine: CommandLineSpecification, section: Int, topics: [Topic], seeAlso others: [String]
    ) -> String {
        var page = commandLine.manualPage(section: section, source: source, date: Version.date)
        for topic in topics { page.add(topic) }
        page.seeAlso(others)
        return page.text
    }

    static let source = "alertd \(Version.current)"

    static func begin(_ name: String, section: Int, _ summary: String) -> ManualDocument {
        ManualDocument(name, section: section, summary: summary, source: source, date: Version.date)
    }
}

/// A section of a page with terms and their meanings.
package struct Topic: Sendable {
    package var title: String
    /// The terms in the order of the page, each with one paragraph.
    package var items: [(term: String, meaning: String)]

    package init(_ title: String, _ items: [(term: String, meaning: String)]) {
        self.title = title
        self.items = items
    }
}

extension ManualDocument {
    mutating func add(_ topic: Topic) {
        section(topic.title)
        for item in topic.items { self.item(item.term, [item.meaning]) }
    }
}
