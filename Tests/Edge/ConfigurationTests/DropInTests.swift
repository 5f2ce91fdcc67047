import Configuration
import Diagnostics
import Market
import Rules
import Testing
import Time

/// `conf.d`: settings in several files.
@Suite struct DropInTests {
    private static let rule = "[[rule]]\nsymbol = \"btcinr\"\nmin = 1\n"

    private func load(_ files: [String: String]) throws -> LoadedSettings {
        try SettingsLoader(files: MemoryFiles(files)).load("/e/alertd.toml")
    }

    private func findings(_ files: [String: String]) -> String {
        rendered(MemoryFiles(files), main: "/e/alertd.toml")
    }

    @Test func aLaterFileReplacesKeysOfATable() throws {
        let loaded = try load([
            "/e/alertd.toml": "[feed]\ninterval = \"30s\"\nfrozen_after = \"10m\"\n[display]\ncurrency = \"EUR\"\n",
            "/e/conf.d/20.toml": "[feed]\ninterval = \"2m\"\n",
            "/e/conf.d/10.toml": "[feed]\ninterval = \"1m\"\n[history]\nkeep = \"7d\"\n",
            "/e/rules.d/a.toml": Self.rule,
        ])
        #expect(loaded.settings.feed.interval == .seconds(120))
        #expect(loaded.settings.feed.frozenAfter == .seconds(600))
        #expect(loaded.settings.history.keep == .seconds(7 * 86_400))
        #expect(loaded.settings.display.currency == Currency("EUR"))
        #expect(
            loaded.files == ["/e/alertd.toml", "/e/conf.d/10.toml", "/e/conf.d/20.toml", "/e/rules.d/a.toml"])
        #expect(
            loaded.origins.map { "\($0.table).\($0.key) = \($0.value) \($0.position.file):\($0.position.line)" } == [
                "feed.interval = \"2m\" /e/conf.d/20.toml:2", "feed.frozen_after = \"10m\" /e/alertd.toml:3",
                "display.currency = \"EUR\" /e/alertd.toml:5", "history.keep = \"7d\" /e/conf.d/10.toml:4",
            ])
        #expect(loaded.warnings.isEmpty)
    }

    @Test func tablesInDoubleBracketsAreAdded() throws {
        let source = { (name: String) in
            "[[source]]\nname = \"\(name)\"\ntype = \"simulator\"\nsymbols = [\"a\", 'b']\n"
        }
        let loaded = try load([
            "/e/alertd.toml": "[feed]\n\n[display]\n" + source("one") + Self.rule,
            "/e/conf.d/a.toml": source("two") + "[[rule]]\nsymbol = \"two:ethinr\"\nmax = 0.5\n",
            "/e/rules.d/b.toml": "[[rule]]\nsymbol = \"two:xrpinr\"\nmax = 2\n",
        ])
        #expect(loaded.settings.sources.map(\.name.description) == ["one", "two"])
        #expect(loaded.settings.rules.map(\.name) == ["btcinr min", "two:ethinr max", "two:xrpinr max"])
        #expect(
            loaded.ruleSources.map { "\($0.begin.position.file):\($0.begin.position.line)" }
                == ["/e/alertd.toml:8", "/e/conf.d/a.toml:5", "/e/rules.d/b.toml:1"])
        #expect(loaded.origins.last?.name == "two")
        #expect(loaded.origins.last?.value == #"["a", "b"]"#)
    }

    @Test func findingsNameTheFileThatTheyAreIn() {
        #expect(
            findings([
                "/e/alertd.toml": "[feed]\ninterval = \"1s\"\n\n[[receiver]]\nname = \"a\"\ntype = \"webhook\"\n"
                    + "url = \"https://x.example\"\nrules = [\"lost\"]\n",
                "/e/conf.d/a.toml":
                    "\n[[receiver]]\nname = \"a\"\ntype = \"webhook\"\nurl = \"https://x.example\"\n[display]\nx = 1\n",
                "/e/conf.d/b.toml": "[nonsense]\n[[display]]\n[[rule]]\nsymbol = \"b\"\nmax = -5\n",
            ]) == """
                /e/alertd.toml:2:12: error: `interval` is 1s, which is too short for api.wazirx.com; \
                use "10s" or longer
                    interval = "1s"
                               ^
                /e/alertd.toml:4:1: warning: the receiver "a" names the rule "lost", which does not exist; \
                correct `rules` of the receiver, or add the rule
                /e/conf.d/a.toml:2:1: error: a receiver named "a" already exists at /e/alertd.toml:4; rename one of them
                    [[receiver]]
                    ^
                /e/conf.d/a.toml:7:1: error: unknown key `x` in [display]; its keys are: currency, usdt_as
                    x = 1
                    ^
                /e/conf.d/b.toml:1:2: error: unknown table [nonsense]; the tables are: [feed], [[source]], [rates], \
                [display], [history], [events], [sinks], [metrics], [heartbeat], [lease], [[receiver]], [[check]], \
                [[rule]]
                    [nonsense]
                     ^
                /e/conf.d/b.toml:2:3: error: [[display]] has double brackets; \
                write [display] on a line of its own, followed by its keys
                    [[display]]
                      ^
                /e/conf.d/b.toml:5:7: error: `max` is -5, but a limit must be greater than 0; use a positive number
                    max = -5
                          ^
                6 errors, 1 warning

                """)
    }

    @Test func feedAndSourceExcludeEachOtherOverFiles() {
        let text = findings([
            "/e/alertd.toml": "[feed]\ninterval = \"1m\"\n",
            "/e/conf.d/a.toml": "\n[[source]]\ntype = \"simulator\"\n",
        ])
        #expect(
            text.hasPrefix(
                "/e/alertd.toml:1:2: error: both [feed] and [[source]] are present; "
                    + "[[source]] is at /e/conf.d/a.toml:2; [feed] is the short form"), "\(text)")
    }

    @Test func theTableThatFitsIsKept() throws {
        let text = findings(["/e/alertd.toml": "display = 3\n", "/e/conf.d/a.toml": "[display]\ncurrency = \"EUR\"\n"])
        let start = "/e/alertd.toml:1:1: error: `display` must be a table, but is a whole number;"
        #expect(text.hasPrefix(start), "\(text)")
        #expect(text.hasSuffix("\n1 error\n"), "\(text)")
    }

    @Test func backupsHiddenFilesAndNotesAreIgnored() throws {
        let bad = "not TOML"
        var files = ["/e/alertd.toml": Self.rule]
        for name in [".a.toml", "a.toml~", "a.toml.dpkg-old", "a.toml.dpkg-new", "#a.toml#", "README"] {
            files["/e/conf.d/\(name)"] = bad
        }
        #expect(try load(files).files == ["/e/alertd.toml"])
        #expect(try load(files).warnings.isEmpty)
        files["/e/conf.d/a.conf"] = bad
        #expect(try load(files).warnings.map(\.message) == ["is ignored: only files that end in .toml are read"])
    }

    @Test func filesThatCannotBeReadAreErrors() {
        let files = MemoryFiles(["/e/alertd.toml": Self.rule], failures: ["/e/conf.d/a.toml": "Permission denied"])
        #expect(
            rendered(files, main: "/e/alertd.toml").hasPrefix(
                "/e/conf.d/a.toml: error: cannot be read: Permission denied;"))
        let folder = MemoryFiles(["/e/alertd.toml": Self.rule], failures: ["/e/conf.d": "Permission denied"])
        #expect(
            rendered(folder, main: "/e/alertd.toml").hasPrefix("/e/conf.d: error: cannot be read: Permission denied;"))
    }

    @Test func aFileThatIsNotTOMLIsTheOnlyErrorAmongThoseReadAsOne() {
        let text = findings([
            "/e/alertd.toml": "[feed]\nsource = \"nonsense\"\n", "/e/conf.d/a.toml": "x = \n",
            "/e/rules.d/r.toml": "[[rule]]\nsymbol = \"other:btcinr\"\nmin = 1\n",
        ])
        #expect(text.hasPrefix("/e/conf.d/a.toml:1:5: error: not valid TOML"), "\(text)")
        #expect(text.hasSuffix("\n1 error\n"), "\(text)")
    }

    @Test func credentialsAreFoundInAllFiles() throws {
        let loaded = try load([
            "/e/alertd.toml": "[[source]]\ntype = \"coinranking\"\n",
            "/e/conf.d/a.toml": "[[source]]\nname = \"second\"\ntype = \"coinranking\"\ncredential = \"own\"\n",
            "/e/conf.d/b.toml":
                "[[receiver]]\nname = \"a\"\ntype = \"telegram\"\nchat = \"1\"\ncredential = \"bot\"\n" + Self.rule,
        ])
        #expect(
            loaded.credentials.map { "\($0.name) \($0.position.file):\($0.position.line)" } == [
                "coinranking /e/alertd.toml:2", "own /e/conf.d/a.toml:4", "bot /e/conf.d/b.toml:5",
            ])
    }

    @Test func countAndSizeHaveLimits() throws {
        var files = ["/e/alertd.toml": Self.rule]
        for index in 1...100 { files["/e/conf.d/\(100 + index).toml"] = "" }
        #expect(try load(files).files.count == 101)
        files["/e/conf.d/last.toml"] = ""
        #expect(findings(files).hasPrefix("/e/conf.d: error: cannot be read: it has more than 100 files; combine some"))
        let half = "#" + String(repeating: "x", count: SettingsLoader.maximumFileBytes - 1)
        var large = ["/e/alertd.toml": Self.rule, "/e/conf.d/1.toml": half]
        #expect(try load(large).warnings.isEmpty)
        large["/e/conf.d/2.toml"] = half
        #expect(
            findings(large).hasPrefix(
                "/e/conf.d/2.toml: error: with this file, the main file and conf.d are larger than 2097152 bytes; "
                    + "move rules to rules.d"))
    }

    @Test func aDropInIsCheckedWithItsMainFile() {
        let files = MemoryFiles([
            "/e/alertd.toml": Self.rule, "/e/conf.d/a.toml": "[feed]\ninterval = \"1s\"\n",
            "/x/conf.d/alone.toml": Self.rule,
        ])
        let check = { (paths: [String]) in
            SettingsLoader(files: files).check(paths).map { $0.findings.map(\.position?.file) }
        }
        for path in ["/e/conf.d/a.toml", "/e/conf.d", "/e/conf.d/", "/e/alertd.toml"] {
            #expect(check([path]) == [["/e/conf.d/a.toml"]])
        }
        #expect(check(["/e/alertd.toml", "/e/conf.d/a.toml"]).count == 1)
        #expect(check(["/x/conf.d/alone.toml"]) == [[]])
    }
}
