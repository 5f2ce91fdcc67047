import Configuration
import Rules
import Testing
import Time

struct RuleFileTests {
    private var draft: RuleDraft {
        var draft = RuleDraft()
        draft.set("max", "160500 SEK")
        draft.set("symbol", ["btcinr"])
        draft.set("name", "btc \"high\" \\ \u{7}ä")
        return draft
    }

    private func text(_ file: RuleFile) -> String { String(decoding: file.bytes, as: UTF8.self) }

    /// The names of the rules in a text, as the daemon reads them.
    private func names(_ text: String) throws -> [String] {
        try load(text).settings.rules.map(\.name)
    }

    @Test func aRuleIsWrittenInTheOrderOfTheDocumentation() throws {
        var draft = draft
        draft.set("notify", ["phone"], isList: true)
        draft.set("once")
        draft.set("expires", WallTime(milliseconds: 0))
        #expect(
            draft.text
                == """
                [[rule]]
                name = "btc \\"high\\" \\\\ \\u0007ä"
                symbol = "btcinr"
                max = "160500 SEK"
                once = true
                expires = 1970-01-01T00:00:00.000Z
                notify = ["phone"]

                """)
        #expect(draft.key(inLine: 0) == nil && draft.key(inLine: 2) == "symbol" && draft.key(inLine: 7) == nil)
    }

    @Test func aRuleIsAppendedAfterAnEmptyLine() {
        let rule = draft.text
        for (before, start) in [
            ("a = 1\n", "a = 1\n\n"), ("a = 1", "a = 1\n\n"), ("a = 1\n\n", "a = 1\n\n"), ("# x\n \t\n", "# x\n \t\n"),
        ] {
            var file = RuleFile(Array(before.utf8))
            let line = file.append(draft)
            #expect(text(file) == start + rule, "\(before)")
            #expect(line == start.split(separator: "\n", omittingEmptySubsequences: false).count)
        }
        var new = RuleFile([])
        #expect(new.append(draft) == 3)
        #expect(text(new).hasPrefix("# Rules added with 'alertctl rule add'") && text(new).hasSuffix("\n\n" + rule))
    }

    /// A rule is found by its name even if it cannot be loaded: in the order of its keys, in one line or in a list.
    @Test func rulesWithErrorsAreFoundByTheirNames() {
        let file = RuleFile(
            Array(
                """
                [[rule]]
                symbol = "one"
                name = "first"
                max = "wrong"

                [[rule]]
                source = "kraken"
                symbol = ["two", "three"]
                cross_up = 5
                min = 1

                [[rule]]
                name = 5
                symbol = "four"
                """.utf8))
        #expect(file.line(of: "first") == 1)
        #expect(file.line(of: "two min cross_up") == 6)
        #expect(file.line(of: "kraken:two min cross_up") == 6)
        for other in ["one", "one max", "wrong", "kraken", "two", "three min cross_up", "5", "four", ""] {
            #expect(file.line(of: other) == nil, "\(other)")
        }
        #expect(RuleFile(Array("[[rule".utf8)).line(of: "first") == nil)
        #expect(RuleFile(Array("[rule]\nname = \"first\"\n".utf8)).line(of: "first") == nil)
    }

    @Test func linesEndAsTheyDidBefore() {
        var file = RuleFile(Array("a = 1\r\n".utf8))
        #expect(file.append(draft) == 3)
        #expect(text(file) == "a = 1\r\n\r\n" + draft.text.replacing("\n", with: "\r\n"))
    }

    private static let file = """
        # The rules of the house.

        # Bitcoin, high
        # and dry
        [[rule]]  # first
        name = "one"
        symbol = [
            "btcinr",
        ]
        max = 1 # a comment in the line
        # the end of one

        # A section on its own

        # about two
        [[rule]]
        name = "two"
        max = 2
        symbol = [
            "ethinr",
        # not of the next rule
        ]
        # about three
          [[ rule ]]
        name = "three"
        symbol = "ethinr"
        min = 3

        """

    @Test func aRuleIsRemovedWithItsComments() throws {
        #expect(try names(Self.file) == ["one", "two", "three"])
        var one = RuleFile(Array(Self.file.utf8))
        let removed = one.remove(headerInLine: 5)
        #expect(removed?.hasPrefix("# Bitcoin, high\n# and dry\n[[rule]]  # first\nname = \"one\"\n") == true)
        #expect(text(one).hasPrefix("# The rules of the house.\n\n# A section on its own\n\n# about two\n[[rule]]\n"))
        #expect(try names(text(one)) == ["two", "three"])
        var two = RuleFile(Array(Self.file.utf8))
        #expect(two.remove(headerInLine: 16)?.hasPrefix("# about two\n[[rule]]\nname = \"two\"") == true)
        #expect(text(two).contains("# the end of one\n\n# A section on its own\n\n# about three\n  [[ rule ]]\n"))
        #expect(try names(text(two)) == ["one", "three"])
        var three = RuleFile(Array(Self.file.utf8))
        #expect(three.remove(headerInLine: 24)?.hasPrefix("# about three\n  [[ rule ]]\n") == true)
        #expect(text(three).hasSuffix("# not of the next rule\n]\n"))
        #expect(try names(text(three)) == ["one", "two"])
    }

    @Test func whatWasAppendedIsRemovedWithoutATrace() {
        for before in ["a = 1\n", "# x\n\n[[rule]]\nname = \"b\"\nsymbol = \"x\"\nmax = 1\n"] {
            var file = RuleFile(Array(before.utf8))
            let line = file.append(draft)
            #expect(file.remove(headerInLine: line) == "\n" + draft.text || file.bytes == Array(before.utf8))
            #expect(text(file) == before)
        }
    }

    @Test func onlyHeadersAreRemoved() {
        for (content, line) in [
            (Self.file, 6), (Self.file, 21), (Self.file, 0), (Self.file, 99), ("rule = [{ name = \"x\" }]\n", 1),
            ("[[rule]\n", 1), ("", 1), ("rule = 1", 1),
        ] {
            var file = RuleFile(Array(content.utf8))
            #expect(file.remove(headerInLine: line) == nil)
            #expect(text(file) == content)
        }
    }

    @Test func aReplacedFileIsReadInsteadOfTheOld() throws {
        let files = MemoryFiles(["/e/alertd.toml": "", "/e/rules.d/a.toml": "[[rule]]\nsymbol = \"a\"\nmax = 1\n"])
        let rule = Array("[[rule]]\nsymbol = \"b\"\nmax = 1\n".utf8)
        for (path, expected) in [
            ("/e/rules.d/b.toml", ["a max", "b max"]), ("/e/rules.d/a.toml", ["b max"]),
            ("/e/alertd.toml", ["b max", "a max"]), ("/other.toml", ["a max"]),
        ] {
            let replaced = ReplacedFile(path, with: rule, in: files)
            #expect(try SettingsLoader(files: replaced).load("/e/alertd.toml").settings.rules.map(\.name) == expected)
        }
        let alone = MemoryFiles(["/e/alertd.toml": ""])
        let first = ReplacedFile("/e/rules.d/b.toml", with: rule, in: alone)
        #expect(try SettingsLoader(files: first).load("/e/alertd.toml").settings.rules.count == 1)
        let large = ReplacedFile("/e/alertd.toml", with: [UInt8](repeating: 0x0A, count: 2 << 20), in: alone)
        #expect(throws: SettingsError.self) { try SettingsLoader(files: large).load("/e/alertd.toml") }
    }

    @Test func aRuleAtTheTopIsRemovedWithItsComments() {
        let rule = "[[rule]]\nname = \"a\"\nsymbol = \"x\"\nmax = 1\n"
        let other = "[[rule]]\nname = \"b\"\nsymbol = \"x\"\nmax = 1\n"
        for (before, header, after) in [
            ("# c\n# d\n" + rule + "\n" + other, 3, other), (rule + "\n\n" + other, 1, other), (rule, 1, ""),
            ("\n \n" + rule, 3, ""), ("# c\n\n" + rule, 3, "# c\n"),
        ] {
            var file = RuleFile(Array(before.utf8))
            #expect(file.remove(headerInLine: header)?.contains("name = \"a\"") == true, "\(before)")
            #expect(text(file) == after, "\(before)")
        }
    }

    @Test func anEmptyFirstLineHasNoCarriageReturn() {
        var file = RuleFile(Array("\na = 1\n".utf8))
        _ = file.append(draft)
        #expect(text(file) == "\na = 1\n\n" + draft.text)
    }
}
