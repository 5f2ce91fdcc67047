import Configuration
import Diagnostics
import Engine
import Events
import ExchangeRates
import Foundation
import Market
import Rules
import TestSupport
import Testing
import Time
import Trials

@Suite struct RuleTestReaderTests {
    private static let rule = "[[rule]]\nname = \"r\"\nsymbol = \"btcinr\"\nmax = 110\n"
    private static let test = "[[test]]\nname = \"t\"\nseries = { btcinr = \"100 110\" }\n"

    private static func tests(_ files: [String: String]) throws(SettingsError) -> LoadedRuleTests {
        try SettingsLoader(files: MemoryFiles(files)).loadRuleTests("tests/t.toml")
    }

    private static func findings(_ text: String, others: [String: String] = [:]) -> String {
        do throws(SettingsError) {
            _ = try tests(others.merging(["tests/t.toml": text]) { $1 })
            return ""
        } catch {
            return FindingRenderer().render(error.findings)
        }
    }

    private static let faults: [(String, String)] = [
        (
            "tests/t.toml:1:1: error: unknown key `intervall` in the file; did you mean `interval`?",
            "intervall = \"1m\"\n\(rule)\(test)"
        ),
        ("tests/t.toml: error: no tests; add a [[test]]", rule),
        ("tests/t.toml: error: no rules to test; name a file in `rules`, or add a [[rule]]", test),
        (
            "tests/t.toml:5:1: error: the test has no `name`; add one that says what it tests",
            "\(rule)[[test]]\nseries = { btcinr = \"1\" }\n"
        ),
        (
            "tests/t.toml:5:1: error: the test has no `series`; add one, such as series = { btcinr = \"100x3 110\" }",
            "\(rule)[[test]]\nname = \"t\"\n"
        ),
        (
            "tests/t.toml:7:26: error: `abc` is not a price or keyword; use prices, quiet",
            "\(rule)[[test]]\nname = \"t\"\nseries = { btcinr = \"100 abc\" }\n"
        ),
        (
            "tests/t.toml:8:5: error: `abc` is not a price or keyword; use prices, quiet",
            "\(rule)[[test]]\nname = \"t\"\nseries.btcinr = \"\"\"\n100 abc\"\"\"\n"
        ),
        (
            "tests/t.toml:9:3: error: `abc` is not a price or keyword; use prices, quiet",
            "\(rule)[[test]]\nname = \"t\"\nseries.btcinr = '''100\n200\n  abc'''\n"
        ),
        (
            "tests/t.toml:7:17: error: `abc` is not a price or keyword; use prices, quiet",
            "\(rule)[[test]]\nname = \"t\"\nseries.btcinr = \"1\\tabc\"\n"
        ),
        (
            "tests/t.toml:8:19: error: `at` is 1m, after the last poll at 30s; "
                + "write a longer series, or correct the time",
            "\(rule)\(test)expect = [ { at = \"1m\", kind = \"fired\" } ]\n"
        ),
        (
            "tests/t.toml:8:39: error: `kind` is \"fire\"; did you mean \"fired\"?",
            rule + test
                + "expect = [ { at = \"0s\",        kind = \"fire\" } ]\n"
        ),
        ("tests/t.toml:8:11: error: `kind` is missing; add it", "\(rule)\(test)expect = [{ at = \"0s\" }]\n"),
        ("tests/t.toml:8:11: error: `at` is missing; add it", "\(rule)\(test)expect = [{ kind = \"fired\" }]\n"),
        (
            "tests/t.toml:8:47: error: no rule is named \"q\"; did you mean \"r\"?",
            "\(rule)\(test)expect = [{ at = \"0s\", kind = \"fired\", rule = \"q\" }]\n"
        ),
        (
            "tests/t.toml:8:8: error: `only` must be a string or a list of strings, but is a string",
            "\(rule)\(test)only = \"fired\"\n"
        ),
        (
            "tests/t.toml:8:11: error: \"EUR\" is not a currency with a rate to the euro",
            "\(rule)\(test)rates = { EUR = 1 }\n"
        ),
        (
            "tests/t.toml:8:9: error: `rates` is empty or has a currency twice; give the value of one euro",
            "\(rule)\(test)rates = {}\n"
        ),
        (
            "tests/t.toml:8:17: error: a rate must be greater than 0; give the value of one euro",
            "\(rule)\(test)rates = { USD = 0 }\n"
        ),
        (
            "tests/t.toml:1:9: error: `rules` must be a string or a list of strings, but is a string",
            "rules = \"x\"\n\(rule)\(test)"
        ),
        (
            "tests/none.toml: error: cannot be read: no such file; create it, or name another file",
            "rules = [\"none.toml\"]\n\(rule)\(test)"
        ),
        (
            "tests/t.toml:1:12: error: `interval` is zero; use a longer time, such as \"30s\"",
            "interval = \"0s\"\n\(rule)\(test)"
        ),
    ]

    @Test func readsAllThatATestCanSay() throws {
        let loaded = try Self.tests([
            "tests/t.toml": Self.rule + """
                [[test]]
                name = "all"
                series = { btcinr = "100", ethinr = "1x3" }
                rates = { USD = 1.5, SEK = "11" }
                silences = [{ at = "30s", for = "1m", symbol = "btc*", rule = "r", severity = "warning" }]
                acks = [{ at = "1m", rule = "r" }]
                arms = [{ at = "30s", rule = "r", symbol = "ethinr" }]
                only = ["fired"]
                expect = [{ at = "30s", kind = "fired", rule = "r", symbol = "btcinr", bound = "max", \
                severity = "critical", price = 1.5, limit = "1..2", currency = "SEK", notified = false, \
                reason = "cooldown", text = "words" }]
                """
        ])
        #expect(loaded.positions == [SourcePosition(file: "tests/t.toml", line: 5, column: 1)])
        let trial = try #require(loaded.trials.first)
        var expected = ExpectedEvent(time: .seconds(30), kind: .fired)
        expected.rule = "r"
        (expected.symbol, expected.bound, expected.severity) = (Symbol("btcinr"), .max, .critical)
        (expected.price, expected.currency) = (try Price("1.5"), Currency("SEK"))
        expected.limit = .range(low: try Price("1"), high: try Price("2"))
        (expected.notified, expected.reason, expected.text) = (false, .cooldown, "words")
        let start = loaded.settings.start
        let pairs = [
            (currency: try #require(Currency("USD")), rate: try Price("1.5")),
            (currency: try #require(Currency("SEK")), rate: try Price("11")),
        ]
        let rates = try #require(RateTable(date: start.date, source: "test", rates: pairs))
        let silence = Silence(
            number: 1, symbols: SymbolPattern("btc*"), rule: "r", severity: .warning,
            end: .at(WallTime(milliseconds: start.milliseconds + 90_000)))
        let actions = [
            TrialAction(.acknowledge, at: .seconds(60), rule: "r"),
            TrialAction(.arm, at: .seconds(30), rule: "r", symbol: Symbol("ethinr")),
        ]
        #expect(
            trial
                == RuleTrial(
                    name: "all",
                    markets: [
                        TrialMarket(
                            symbol: try #require(Symbol("btcinr")), series: try PriceScript("100", interval: .zero)),
                        TrialMarket(
                            symbol: try #require(Symbol("ethinr")), series: try PriceScript("1x3", interval: .zero)),
                    ],
                    rates: ReferenceRates(rates),
                    silences: [TrialSilence(begin: .seconds(30), silence: silence)], actions: actions,
                    expected: [expected],
                    kinds: [.fired]))
    }

    @Test func timesAreThoseOfTheFileElseOfTheSettingsElseTheStandard() throws {
        let standard = try Self.tests(["tests/t.toml": Self.rule + Self.test]).settings
        #expect(standard.interval == .seconds(30))
        #expect(standard.engine.maximumGap == .seconds(90))
        #expect(standard.engine.frozenAfter == .seconds(1_800))
        let settings = "[feed]\ninterval = \"1m\"\nmax_gap = \"2m\"\n" + Self.rule
        let named = "rules = [\"../alertd.toml\"]\n"
        let files = ["tests/../alertd.toml": settings, "tests/t.toml": named + Self.test]
        let ofSettings = try Self.tests(files).settings
        #expect(ofSettings.interval == .seconds(60))
        #expect(ofSettings.engine.maximumGap == .seconds(120))
        #expect(ofSettings.engine.staleAfter == .seconds(180))
        let own = "interval = \"10s\"\nfrozen_after = \"1m\"\nstart = 2030-01-01T00:00:00Z\n" + named + Self.test
        let ofFile = try Self.tests(files.merging(["tests/t.toml": own]) { $1 }).settings
        #expect(ofFile.interval == .seconds(10))
        #expect(ofFile.engine.maximumGap == .seconds(30))
        #expect(ofFile.engine.frozenAfter == .seconds(60))
        #expect(ofFile.start.date.year == 2030)
    }

    @Test func rulesComeFromFilesFoldersAndTheTestItself() throws {
        let loaded = try Self.tests([
            "tests/t.toml": "rules = [\"one.toml\", \"more/\"]\n" + Self.rule + Self.test,
            "tests/one.toml": "[[rule]]\nname = \"one\"\nsymbol = \"btcinr\"\nmin = 1\n",
            "tests/more/b.toml": "[[rule]]\nname = \"b\"\nsymbol = \"btcinr\"\nmin = 1\n",
            "tests/more/a.toml": "[[rule]]\nname = \"a\"\nsymbol = \"btcinr\"\nmin = 1\n",
            "tests/more/.hidden.toml": "not toml",
        ])
        #expect(loaded.settings.rules.map(\.name) == ["one", "a", "b", "r"])
    }

    /// The window of a rule is measured with the interval of the test.
    @Test func windowsFollowTheInterval() {
        let rule = "[[rule]]\nname = \"w\"\nsymbol = \"btcinr\"\nfall = \"5%\"\nwindow = \"30s\"\n"
        #expect(Self.findings("interval = \"10s\"\n" + rule + Self.test) == "")
        #expect(Self.findings(rule + Self.test).contains("shorter than two intervals"))
    }

    @Test(arguments: faults)
    func saysWhatIsWrongAndWhere(expected: String, text: String) {
        #expect(Self.findings(text).contains(expected), "\(Self.findings(text))")
    }

    @Test func whatTestsDrawHasALimit() {
        let series = (0..<11).map { "s\($0) = \"1x100000\"" }.joined(separator: ", ")
        let text = Self.findings("\(Self.rule)[[test]]\nname = \"t\"\nseries = { \(series) }\n")
        #expect(text.contains("t.toml:7:188: error: the tests have more than 1000000 polls"), "\(text)")
    }

    @Test func twoFilesWithSettingsAreOneTooMany() {
        let text = Self.findings(
            "rules = [\"a.toml\", \"b.toml\"]\n" + Self.test,
            others: ["tests/a.toml": "[feed]\n" + Self.rule, "tests/b.toml": "[feed]\ninterval = \"1m\"\n"])
        #expect(text.contains("tests/b.toml:1:2: error: tests/a.toml is already the main settings file"))
    }

    @Test(arguments: settingsFiles(in: packageFolder.appending(path: "etc/tests")))
    func shippedTestsHold(name: String) throws {
        let path = packageFolder.appending(path: "etc/tests/\(name)").path
        let loaded = try SettingsLoader().loadRuleTests(path)
        #expect(loaded.warnings.isEmpty)
        #expect(!loaded.trials.isEmpty)
        for trial in loaded.trials {
            let outcome = trial.outcome(loaded.settings)
            #expect(outcome.hasPassed, "\(name): \(trial.name): \(outcome.entries.filter { !$0.isSame })")
        }
    }

    @Test func testsAreShipped() {
        #expect(settingsFiles(in: packageFolder.appending(path: "etc/tests")).count >= 3)
    }

    @Test func pricesAreATextAndOnlySoManyTestsAreRead() throws {
        let wrong = Self.findings("\(Self.rule)[[test]]\nname = \"t\"\nseries = { btcinr = 100 }\n")
        #expect(wrong.contains("tests/t.toml:7:21: error: `btcinr` must be a string"), "\(wrong)")
        #expect(wrong.contains("write prices in quotes: \"100x3 110\""), "\(wrong)")
        let one = "{ name = \"t\", series = { btcinr = \"1\" } }"
        let tests = { (count: Int) in "test = [\(Array(repeating: one, count: count).joined(separator: ","))]\n" }
        #expect(Self.findings(tests(10_000) + Self.rule) == "")
        let many = Self.findings(tests(10_001) + Self.rule)
        #expect(many.contains("error: more than 10000 tests; use several files"), "\(many.prefix(300))")
    }
}
