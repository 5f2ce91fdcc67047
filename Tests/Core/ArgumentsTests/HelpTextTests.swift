import Foundation
import Testing

@testable import Arguments

struct HelpTextTests {
    @Test func theWholeProgram() {
        #expect(
            sample.helpText() == """
                Usage: watchctl [OPTION]... [COMMAND]
                Look at a watcher.

                Examples:
                  watchctl list --top 3  The first three.

                It's a sample. It says something long enough to be wrapped when it is shown on
                eighty columns of text.

                Commands:
                  list        List all that is there
                  show        Show one
                  config      Manage settings
                  read        Read files
                  completion  Print a script

                Options:
                  -h, --help         Show this help and exit
                  -q, --quiet        Say nothing
                      --json         Print JSON
                  -s, --socket PATH  The socket to talk to
                      --color WHEN   Whether to use [colours]: auto, always, never

                Exit codes:
                  0  All is well.
                  2  Invalid usage.

                """)
    }

    @Test func aCommandHasItsOwnOptionsFirst() throws {
        let text = try #require(sample.helpText(for: ["list"]))
        let own = try #require(text.range(of: "Options:\n  -n, --top NUMBER"))
        let common = try #require(text.range(of: "Common options:\n  -h, --help"))
        #expect(own.lowerBound < common.lowerBound)
        #expect(text.hasPrefix("Usage: watchctl list [OPTION]...\n"))
    }

    @Test func otherNamesAreShown() throws {
        let text = try #require(sample.helpText(for: ["config", "verify"]))
        #expect(
            text.hasPrefix(
                "Usage: watchctl config check [OPTION]... [FILE]\nCheck a file.\nAliases: verify, test\n\n"))
        #expect(sample.manualPage(section: 1).text.contains("Check a file. Also: verify, test."))
        #expect(sample.manualPage(section: 1).text.contains("Also: \\-\\-colour."))
    }

    @Test func noLineIsLongerThanATerminal() throws {
        for flat in sample.flattened {
            let text = try #require(sample.helpText(for: flat.path))
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        }
    }

    @Test func thereIsNoHelpForWhatIsNotThere() {
        #expect(sample.helpText(for: ["nothing"]) == nil)
    }

    @Test func theManualPageEscapesWhatTroffWouldRead() {
        let page = CommandLineSpecification(
            "p", summary: "a - b", discussion: [".not a request \\n"], options: [.help]
        ).manualPage(section: 8, source: "p 1", date: "2026-11-21").text
        #expect(page.hasPrefix(".TH \"P\" \"8\" \"2026-11-21\" \"p 1\"\n.nh\n.ad l\n.SH NAME\np \\- a \\- b\n"))
        #expect(page.contains("\n\\&.not a request \\en\n"))
        #expect(page.contains("\\fB\\-h, \\-\\-help\\fR\nShow this help and exit.\n"))
    }

    @Test func theManualPageHoldsEveryCommandAndOption() {
        let page = sample.manualPage(section: 1).text
        for flat in sample.flattened.dropFirst() {
            #expect(page.contains(".SS \"\(flat.path.joined(separator: " "))"))
            for option in flat.command.options { #expect(page.contains("\\-\\-\(option.name)\\fR")) }
        }
    }
}
