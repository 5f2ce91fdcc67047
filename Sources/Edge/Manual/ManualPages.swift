package import Arguments
internal import Control

/// The manual pages that are no program's own; each is written from the data that the programs themselves use.
package enum ManualPages {
    /// The pages that there are, by the name of their file.
    package static let names = ["alertd.toml.5", "alertd-events.7", "alertd.journal-fields.7"]

    /// A page of ``names``; nil when there is none of that name.
    package static func page(_ name: String) -> String? {
        switch name {
        case "alertd.toml.5": settingsPage().text
        case "alertd-events.7": eventsPage().text
        case "alertd.journal-fields.7": journalPage().text
        default: nil
        }
    }

    /// The page of a program, from its command line and what else there is to know of it.
    ///
    /// - Parameters:
    ///   - commandLine: of the program.
    ///   - section: of the manual.
    ///   - topics: sections behind those of the command line, each of items.
    ///   - others: manual pages to look at.
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

/// A section of a page: terms and what they mean.
package struct Topic: Sendable {
    package var title: String
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
