import Configuration
import Diagnostics
import Engine
import Events
import Market
import Rules
import Testing
import Time
import Trials

/// What just holds and what just does not; the words of findings are shown by the files in `Data`.
@Suite struct EdgeValueTests {
    /// The findings of a main file with that text; empty when all is well.
    private func findings(_ text: String) -> [Finding] {
        do throws(SettingsError) {
            return try SettingsLoader(files: MemoryFiles(["a.toml": text])).load("a.toml").warnings
        } catch {
            return error.findings
        }
    }

    private func errorCount(_ text: String) -> Int { findings(text).count { $0.severity == .error } }

    private static func rule(_ keys: String) -> String { "[[rule]]\nsymbol = \"btcinr\"\n\(keys)\n" }

    @Test(arguments: [
        ("[history]\nkeep = \"1m\"", 0), ("[history]\nkeep = \"59s\"", 1),
        ("[feed]\ninterval = \"1m\"\n[history]\nkeep = \"2m\"", 0),
        ("[feed]\ninterval = \"1m\"\n[history]\nkeep = \"119s\"", 1), ("[events]\nkeep = \"1h\"", 0),
        ("[events]\nkeep = \"3599s\"", 1), ("[events]\ncount = 1_000", 0), ("[events]\ncount = 999", 1),
        ("[events]\ncount = 10_000_000", 0), ("[events]\ncount = 10_000_001", 1), ("[history]\nmemory = \"1MiB\"", 0),
        ("[history]\nmemory = \"1023KiB\"", 1), ("[history]\nmemory = \"1GiB\"", 0),
        ("[history]\nmemory = \"1025MiB\"", 1),
        ("[history]\nmemory = \"MiB\"", 1), ("[feed]\ninterval = \"10s\"", 0), ("[feed]\ninterval = \"9999ms\"", 1),
        ("[feed]\ninterval = \"1h\"", 0), ("[feed]\ninterval = \"3601s\"", 1), ("[feed]\nmax_gap = \"30s\"", 0),
        ("[feed]\nmax_gap = \"29s\"", 1), ("[feed]\nfrozen_after = \"1ms\"", 0), ("[feed]\nfrozen_after = \"0s\"", 1),
        // A gap is not compared with an interval that is wrong itself.
        ("[feed]\ninterval = \"1s\"\nmax_gap = \"500ms\"", 1), ("[feed]\ninterval = 5\nmax_gap = \"1s\"", 1),
        ("[feed]\ninterval = \"2h\"\nmax_gap = \"1h\"", 1), ("[feed]\ninterval = \"1m\"\nmax_gap = \"30s\"", 1),
        // Another host may be asked once a second, this machine and the simulator more often.
        ("[feed]\nurl = \"https://a.example\"\ninterval = \"1s\"", 0),
        ("[feed]\nurl = \"https://a.example\"\ninterval = \"999ms\"", 1),
        ("[feed]\nurl = \"http://127.0.0.1:80\"\ninterval = \"100ms\"", 0),
        ("[feed]\nsource = \"simulator\"\ninterval = \"100ms\"", 0),
    ])
    func settings(text: String, errors: Int) {
        #expect(errorCount(text) == errors, "\(findings(text).map(\.message))")
    }

    @Test(arguments: [
        ("min = 1\nwindow = \"1m\"", 1), ("rise = \"1%\"\nwindow = \"1m\"", 0), ("rise = \"1%\"\nwindow = \"59s\"", 1),
        // Prices are kept for 30 days.
        ("rise = \"1%\"\nwindow = \"30d\"", 0), ("rise = \"1%\"\nwindow = \"30d1ms\"", 1),
        ("rise = \"1%\"", 1), ("min = 1\nrepeat = \"1ms\"", 0), ("min = 1\nrepeat = \"0s\"", 1),
        ("min = 2\nmax = 3", 0), ("min = 3\nmax = 3", 1), ("min = 1\nhysteresis = \"-1\"", 1),
        ("min = 1\nname = \"\(String(repeating: "n", count: 128))\"", 0),
        ("min = 1\nname = \"\(String(repeating: "n", count: 129))\"", 1),
        ("min = 1\nmessage = \"\(String(repeating: "m", count: 500))\"", 0),
        ("min = 1\nmessage = \"\(String(repeating: "m", count: 501))\"", 1),
        ("min = 1\nmessage = \"{price} {{x}}\"", 0),
        ("min = 1\nmessage = \"{prize}\"", 1), ("", 1), ("min = 1\nrise = \"1%\"\nwindow = \"1h\"", 1),
    ])
    func rules(keys: String, errors: Int) {
        #expect(errorCount(Self.rule(keys)) == errors, "\(findings(Self.rule(keys)).map(\.message))")
    }

    @Test(arguments: [
        ("https://a", "https://a"), ("https://a/", "https://a"), ("https://a.b-c.d_e/p//", "https://a.b-c.d_e/p"),
        ("HTTPS://A.example:65535/x", "HTTPS://A.example:65535/x"), ("https://a.", "https://a."),
        ("https://[::1]:1", "https://[::1]:1"), ("https://[2001:db8::1.2.3.4]/", "https://[2001:db8::1.2.3.4]"),
        ("http://127.0.0.1", "http://127.0.0.1"), ("http://127.255.0.9:8080", "http://127.255.0.9:8080"),
        ("http://localhost", "http://localhost"), ("http://LOCALHOST.", "http://LOCALHOST."),
        ("http://[::1]", "http://[::1]"),
        ("https://" + String(repeating: "a", count: 253), "https://" + String(repeating: "a", count: 253)),
    ])
    func addressesThatHold(given: String, expected: String) throws {
        let loaded = try load("[feed]\ninterval = \"30s\"\nurl = \"\(given)\"\n" + Self.rule("min = 1"))
        #expect(loaded.settings.feed.url == expected)
    }

    @Test(arguments: [
        "", "a", "//a", "ftp://a", "https:/a", "https://", "https:///x", "https://.a", "https://a..b", "https://a b",
        "https://ü", "https://a?x", "https://a/#x", "https://u@a", "https://u:p@a", "https://a:0", "https://a:65536",
        "https://a:", "https://a:x", "https://a:-1", "https://a:1:2", "https://[::1", "https://[abcd]",
        "https://[1.2.3.4]",
        "https://[zz::1]", "https://[::1]x", "https://[]", "https://a!b", "https://a|b", "https://a\\\\b",
        "https://" + String(repeating: "a", count: 254),
        // Not this machine, so not without encryption.
        "http://a", "http://127.0.0.1.example", "http://128.0.0.1", "http://127.0.0", "http://127.0.0.256",
        "http://localhost.example", "http://[::2]", "http://127.0.0.0.1",
    ])
    func addressesThatDoNot(given: String) {
        #expect(errorCount("[feed]\nurl = \"\(given)\"\n" + Self.rule("min = 1")) == 1)
    }

    @Test func plainHTTPHasToBeAllowed() throws {
        let text = "[feed]\nurl = \"http://a\"\nallow_http = "
        #expect(try load(text + "true\n" + Self.rule("min = 1")).settings.feed.allowsPlainHTTP)
        #expect(errorCount(text + "false") == 1)
    }

    @Test func anUnnamedRuleIsCalledAfterItsFirstSymbol() throws {
        let rules = try load("[[rule]]\nsymbol = [\"ethinr\", \"btcinr\"]\nmin = 1\n").settings.rules
        #expect(rules.map(\.name) == ["ethinr min"])
    }

    @Test func theThousandthFindingIsTheLastThatIsShown() {
        let text = { (count: Int) in (0..<count).map { "x\($0) = 1\n" }.joined() }
        #expect(findings(text(1_000)).allSatisfy { $0.position != nil })
        #expect(findings(text(1_000)).count == 1_000)
        #expect(findings(text(1_001)).last?.message.hasPrefix("1 ") == true)
    }

    /// A line as long as that is shown with its finding, a longer one is not.
    @Test func veryLongLinesAreNotShown() {
        let line = { (count: Int) in "x = 1 #" + String(repeating: "c", count: count - 7) }
        #expect(findings(line(4_096)).first?.sourceLine?.count == 4_096)
        #expect(findings(line(4_097)).first.map { $0.sourceLine == nil } == true)
    }

    /// A key that looks like a secret is one finding, and its line is not shown.
    @Test(arguments: [
        "token = \"abc\"", "[feed]\npassword = \"abc\"", "[feed]\nproxy = \"http://u:p@h\"", "api_key = 5",
    ])
    func aSecretIsOneFinding(text: String) {
        let all = findings(text)
        #expect(all.count == 1)
        #expect(all.first?.sourceLine == nil)
        #expect(all.first?.advice?.contains("alertctl credential set") == true)
    }

    @Test func aThousandFilesOfRulesAreRead() {
        func errors(_ count: Int) -> Int {
            var files = MemoryFiles(["a.toml": "[history]\n"])
            for number in 0..<count {
                files.files["rules.d/\(number).toml"] = Array(Self.rule("name = \"\(number)\"\nmin = 1").utf8)
            }
            do throws(SettingsError) {
                return try SettingsLoader(files: files).load("a.toml").settings.rules.count - count
            } catch {
                return error.findings.count
            }
        }
        #expect(errors(1_000) == 0)
        #expect(errors(1_001) == 1)
    }
}

/// Rules from a folder instead of a file.
@Suite struct RuleFolderTests {
    private func names(_ files: [String: String], _ path: String) throws(SettingsError) -> [String] {
        try SettingsLoader(files: MemoryFiles(files)).loadRules(path).settings.rules.map(\.name)
    }

    private static func rule(_ name: String) -> String { "[[rule]]\nname = \"\(name)\"\nsymbol = \"a\"\nmin = 1\n" }

    @Test func theMainFileOfAFolderIsReadWithItsRules() throws {
        let files = [
            "etc/alertd.toml": Self.rule("main"), "etc/other.toml": Self.rule("other"),
            "etc/rules.d/1.toml": Self.rule("one"),
        ]
        for path in ["etc", "etc/", "etc//", "etc/alertd.toml"] { #expect(try names(files, path) == ["main", "one"]) }
        #expect(try names(files, "etc/other.toml") == ["other", "one"])
    }

    @Test func withoutOneAllFilesAreRead() throws {
        let files = ["etc/b.toml": Self.rule("b"), "etc/a.toml": "[feed]\ninterval = \"1m\"\n" + Self.rule("a")]
        #expect(try names(files, "etc") == ["a", "b"])
    }

    @Test(arguments: [
        ["etc/a.toml": "[feed]\n", "etc/b.toml": "[history]\n", "etc/c.toml": rule("c")],
        ["etc/a.toml": "[hist]\n" + rule("a")], ["etc/a.toml": "x = 1\n" + rule("a")], [:],
    ])
    func whatIsNoFolderOfRules(files: [String: String]) {
        let error = #expect(throws: SettingsError.self) { try names(files, "etc") }
        #expect(error?.findings.count == 1)
    }
}

/// The edges of files with tests of rules.
@Suite struct RuleTestEdgeTests {
    private static let rule = "[[rule]]\nname = \"r\"\nsymbol = \"btcinr\"\nmax = 110\n"
    private static let test = "[[test]]\nname = \"t\"\nseries = { btcinr = \"100 110\" }\n"

    private func tests(_ text: String) throws(SettingsError) -> LoadedRuleTests {
        try SettingsLoader(files: MemoryFiles(["t.toml": text])).loadRuleTests("t.toml")
    }

    private func errorCount(_ text: String) -> Int {
        do throws(SettingsError) {
            _ = try tests(text)
            return 0
        } catch {
            return error.findings.count
        }
    }

    @Test func aTestBeginsWithTheYearUnlessItSaysWhen() throws {
        #expect(try tests(Self.rule + Self.test).settings.start.description == "2026-01-01T00:00:00.000Z")
        let later = try tests("start = 2025-02-03T04:05:06Z\n" + Self.rule + Self.test)
        #expect(later.settings.start.description == "2025-02-03T04:05:06.000Z")
    }

    /// A window has two polls of the test, not of the settings; without its rule there is none to test.
    @Test(arguments: [("1m", 0), ("59s", 2), ("119s", 2)] as [(String, Int)])
    func windowsFollowTheIntervalOfTheTest(window: String, errors: Int) {
        let interval = window == "119s" ? "1m" : "30s"
        let rule = "[[rule]]\nname = \"r\"\nsymbol = \"btcinr\"\nrise = \"1%\"\nwindow = \"\(window)\"\n"
        #expect(errorCount("interval = \"\(interval)\"\n" + rule + Self.test) == errors)
    }

    @Test(arguments: [
        ("rates = { USD = 1.1 }", 0), ("rates = {}", 1), ("rates = { USD = \"0\" }", 1), ("rates = { EUR = 1 }", 1),
        ("acks = [{ at = \"30s\", rule = \"r\" }]", 0),
        ("acks = [{ at = \"30s\", rule = \"r\", symbol = \"btc!\" }]", 1),
        ("acks = [{ rule = \"r\" }]", 1), ("arms = [{ at = \"30s\" }]", 1),
        ("silences = [{ at = \"0s\", for = \"1m\" }]", 0), ("silences = [{ at = \"0s\" }]", 1),
        ("silences = [{ at = \"0s\", for = \"1m\", symbol = \"b!\" }]", 1), ("expect = []", 0),
        ("expect = [{ at = \"30s\", kind = \"fired\" }]", 0), ("expect = [{ at = \"30s\" }]", 1),
        ("expect = [{ kind = \"fired\" }]", 1), ("expect = [{ at = \"30s\", kind = \"fried\" }]", 1),
    ])
    func keysOfATest(keys: String, errors: Int) {
        #expect(errorCount(Self.rule + Self.test + keys + "\n") == errors)
    }

    @Test func aThousandSymbolsCanBeDrawn() {
        let test = { (count: Int) in
            "[[test]]\nname = \"t\"\n[test.series]\n" + (0..<count).map { "s\($0) = \"1\"\n" }.joined()
        }
        #expect(errorCount(Self.rule + test(1_000)) == 0)
        #expect(errorCount(Self.rule + test(1_001)) == 1)
    }
}
