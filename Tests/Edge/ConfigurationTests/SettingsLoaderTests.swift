import Configuration
import Diagnostics
import Foundation
import Rules
import Testing

@Suite struct SettingsLoaderTests {
    private static let rule = "[[rule]]\nsymbol = \"btcinr\"\n"

    @Test func aMissingMainFileIsAnErrorThatSaysWhatToDo() {
        #expect(
            rendered(MemoryFiles(), main: "/etc/alertd/alertd.toml")
                == """
                /etc/alertd/alertd.toml: error: cannot be read: no such file; \
                create it, or name another file
                1 error

                """)
    }

    @Test func rulesOfAllFilesComeInTheOrderOfTheirNames() throws {
        let files = MemoryFiles([
            "/etc/a/alertd.toml": Self.rule + "min = 1",
            "/etc/a/rules.d/20.toml": "\n" + Self.rule + "name = \"c\"\nmin = 1",
            "/etc/a/rules.d/10.toml": Self.rule + "max = 9",
            "/etc/a/rules.d/.hidden.toml": "not TOML at all",
            "/etc/a/rules.d/10.toml~": "not TOML at all",
            "/etc/a/rules.d/README": "not TOML at all",
        ])
        let loaded = try SettingsLoader(files: files).load("/etc/a/alertd.toml")
        #expect(loaded.settings.rules.map(\.name) == ["btcinr min", "btcinr max", "c"])
        #expect(loaded.files == ["/etc/a/alertd.toml", "/etc/a/rules.d/10.toml", "/etc/a/rules.d/20.toml"])
        #expect(
            loaded.ruleSources.map(\.begin.position) == [
                SourcePosition(file: "/etc/a/alertd.toml", line: 1, column: 1),
                SourcePosition(file: "/etc/a/rules.d/10.toml", line: 1, column: 1),
                SourcePosition(file: "/etc/a/rules.d/20.toml", line: 2, column: 1),
            ])
        #expect(loaded.warnings.isEmpty)
    }

    @Test func aPathWithoutFolderHasItsRulesBesideIt() throws {
        let files = MemoryFiles(["a.toml": "", "rules.d/b.toml": Self.rule + "min = 1"])
        #expect(try SettingsLoader(files: files).load("a.toml").files == ["a.toml", "rules.d/b.toml"])
    }

    @Test func everythingWrongInAllFilesIsSaidAtOnceAndInOrder() {
        let files = MemoryFiles(
            [
                "alertd.toml": "[feed]\ninterval = \"1s\"\n" + Self.rule + "min = 1\n",
                "rules.d/1.toml": "x = \n",
                "rules.d/2.toml": "[feed]\ninterval = \"30s\"\n" + Self.rule + "min = 2\n[hist]\n",
            ],
            failures: ["rules.d/3.toml": "Permission denied"])
        #expect(
            rendered(files) == """
                alertd.toml:2:12: error: `interval` is 1s, which is too short for api.wazirx.com; use "10s" or longer
                    interval = "1s"
                               ^
                rules.d/1.toml:1:5: error: not valid TOML: key-value pair: expected value, saw '\\n'
                    x = 
                        ^
                rules.d/2.toml:1:2: error: [feed] is not allowed in rules.d, which is for [[rule]] only; \
                move it to a file in conf.d
                    [feed]
                     ^
                rules.d/2.toml:3:1: error: a rule named "btcinr min" already exists at alertd.toml:3; \
                give this one a different `name`
                    [[rule]]
                    ^
                rules.d/2.toml:6:2: error: unknown table [hist]; \
                the tables are: [feed], [[source]], [rates], [display], [history], [events], [sinks], \
                [metrics], [heartbeat], [lease], [[receiver]], [[check]], [[rule]]
                    [hist]
                     ^
                rules.d/3.toml: error: cannot be read: Permission denied; \
                check that it is a file and that the daemon's user can read it
                6 errors

                """)
    }

    @Test func aRulesFolderThatCannotBeReadIsAnError() {
        let files = MemoryFiles(["a.toml": ""], failures: ["rules.d": "Not a directory"])
        #expect(
            rendered(files, main: "a.toml")
                == "rules.d: error: cannot be read: Not a directory; "
                + "check that it is a file and that the daemon's user can read it\n1 error\n"
        )
    }

    @Test func theErrorNamesTheFilesThatWereRead() {
        let files = MemoryFiles(["a.toml": "x", "rules.d/b.toml": "y"])
        let error = #expect(throws: SettingsError.self) { try SettingsLoader(files: files).load("a.toml") }
        #expect(error?.files == ["a.toml", "rules.d/b.toml"])
        #expect(error?.findings.count == 2)
    }

    @Test func tenThousandRulesAreEnough() throws {
        func files(_ count: Int) -> MemoryFiles {
            let rule = { (index: Int) in "[[rule]]\nname=\"\(index)\"\nsymbol=\"a\"\nmin=1\n" }
            return MemoryFiles([
                "a.toml": (0..<5_000).map(rule).joined(), "rules.d/b.toml": (5_000..<count).map(rule).joined(),
            ])
        }
        #expect(try SettingsLoader(files: files(10_000)).load("a.toml").settings.rules.count == 10_000)
        #expect(
            rendered(files(10_001), main: "a.toml").hasPrefix(
                "rules.d/b.toml:20001:1: error: more than 10000 rules; use patterns such as \"*inr\"\n"))
    }

    @Test func findingsAreBounded() {
        let error = #expect(throws: SettingsError.self) {
            try load((0..<3_000).map { "x\($0) = 1\n" }.joined())
        }
        #expect(error?.findings.count == 1_001)
        #expect(error?.findings.last?.message == "2000 more findings are not shown")
    }

    @Test func aFileThatIsTooLargeIsRefused() {
        let text = rendered([UInt8](repeating: 0x23, count: SettingsLoader.maximumFileBytes + 1))
        #expect(text.hasPrefix("alertd.toml: error: cannot be read: it is larger than 1048576 bytes;"))
        #expect(
            rendered([UInt8](repeating: 0x23, count: SettingsLoader.maximumFileBytes)).contains("warning: no rules"))
    }

    /// A finding ends up in the journal; what may be a secret must not.
    @Test(arguments: [
        "[feed]\napi_key = \"hunter2\"", "[feed]\npassword = hunter2", "token = [\"hunter2\"", "secret.x = 'hunter2'",
        "[feed]\nurl = \"https://me:hunter2@example.com\"", "[feed]\napiKey=\"hunter2\"\ninterval=1",
        "x = {PASSWORDS = \"hunter2\"} y",
    ])
    func secretsAreNotShown(text: String) {
        let said = rendered(Array(text.utf8))
        #expect(said.contains("error"))
        #expect(!said.contains("hunter2"))
    }

    @Test func aFileThatIsIgnoredIsNamedWithoutALine() {
        let files = MemoryFiles(["a.toml": Self.rule + "min = 1", "rules.d/b.conf": ""])
        let said = rendered(files, main: "a.toml")
        #expect(said.hasPrefix("rules.d/b.conf: warning: is ignored: only files that end in .toml are read"), "\(said)")
    }

    @Test func anAddressOfRatesHasNoQuery() throws {
        let address = "https://rates.example.org/daily.xml"
        #expect(try load("[rates]\nurl = \"\(address)\"").settings.rates.url == address)
        #expect(try load("[rates]\nurl = \"\(address)\"").settings.rates.historyURL == nil)
        #expect(try load("").settings.rates.historyURL == RateSettings.europeanHistoryURL)
        let own = "https://rates.example.org/hist.csv"
        #expect(try load("[rates]\nhistory_url = \"\(own)\"").settings.rates.historyURL == own)
        let plain = rendered(Array("[rates]\nhistory_url = \"http://rates.example.org/h\"".utf8))
        #expect(plain.contains("`history_url` uses plain http to another machine"), "\(plain)")
        #expect(rendered(Array("[rates]\nurl = \"\(address)?day=1\"".utf8)).contains("1 error"))
    }
}
