import AlertClient
import Configuration
import Control
import Diagnostics
import Market
import PriceSources
import Rules
import Testing
import Time

struct CheckTests {
    /// Settings with one rule on `btcinr` in a file.
    private static func loaded(_ source: PriceSource = .wazirx, max: String = "7500000", currency: String? = nil) throws
        -> SettingsCheck
    {
        var settings = Settings()
        settings.feed.source = source
        settings.feed.name = SourceName(unchecked: source.rawValue)
        settings.rules = [
            Rule(
                name: "btc band", symbols: ["btcinr"].compactMap(SymbolPattern.init),
                condition: .band(try Band(min: nil, max: try Price(max))), currency: currency.flatMap(Currency.init))
        ]
        let place = { (line: Int) in
            RuleSource.Place(position: SourcePosition(file: "a.toml", line: line, column: 7), line: "max = \(max)")
        }
        return SettingsCheck(
            findings: [],
            loaded: LoadedSettings(
                settings: settings, warnings: [], files: ["a.toml"],
                ruleSources: [RuleSource(begin: place(1), keys: ["max": place(3), "currency": place(4)])]))
    }

    private func run(_ check: SettingsCheck, overrides: [OverrideStatus] = []) -> Run {
        let run = Run()
        run.environment.checkFiles = { _ in [check] }
        run.daemon.replies[.listOverrides] = ListOverridesReply(overrides: overrides)
        return run
    }

    @Test func aRuleIsHeldAgainstTheMarketOfTheDaemon() throws {
        let run = run(try Self.loaded())
        #expect(run("check a.toml") == 9)
        #expect(
            run.output
                == """
                a.toml:3:7: warning: `max` is already reached on btcinr: btcinr is at ₹75,13,000.50; \
                the alert fires as soon as the rule is loaded
                    max = 7500000
                          ^
                1 warning

                """)
        #expect(run.errors.isEmpty)
        #expect(self.run(try Self.loaded(max: "7600000"))("check a.toml") == 0)
        #expect(self.run(try Self.loaded(max: "100000000"))("check a.toml") == 9)
    }

    @Test func withoutAFileThoseOfTheDaemonAreChecked() throws {
        let check = try Self.loaded(max: "7600000")
        let files = { (prepare: (Run) -> Void) in
            let run = self.run(check)
            var asked: [String] = []
            run.environment.checkFiles = {
                asked = $0
                return [check]
            }
            prepare(run)
            run("check")
            return asked
        }
        let running = files { run in
            run.daemon.replies[.status] = Sample.status { $0.configuration.files = ["/srv/prices.toml"] }
        }
        #expect(running == ["/srv/prices.toml"])
        #expect(files { $0.daemon.connectionErrors = [.notRunning(socket: "/s")] } == ["/etc/alertd/alertd.toml"])
        #expect(files { $0.daemon.connectionErrors = [.socketDenied(socket: "/s")] } == ["/etc/alertd/alertd.toml"])
    }

    @Test func aFolderOfRulesIsComparedWithTheSourcesOfTheDaemon() throws {
        let fixture = SettingsFixture()
        try fixture.write("[[rule]]\nsymbol = \"btcinr\"\nmax = 7_500_000\n", to: "rules.d/a.toml")
        let run = Run()
        run.daemon.replies[.listOverrides] = ListOverridesReply(overrides: [])
        run.daemon.replies[.status] = Sample.status { status in
            status.sources[0].type = "simulator"
        }
        for path in ["rules.d", "rules.d/", "rules.d/a.toml"] {
            run.environment.checkFiles = { SettingsLoader().check($0.map { "\(fixture.path)/\($0)" }) }
            #expect(run("check \(path)") == 9)
            #expect(run.output.contains("warning: `max` is already reached on btcinr") && run.errors.isEmpty)
        }
    }

    @Test func aChangedLimitIsNoted() throws {
        let change = OverrideStatus(
            rule: "btc band", source: "wazirx", symbol: "btcinr", bound: .max, limit: "8000000", currency: "INR",
            by: "alice", user: 1,
            since: "t", state: .inEffect)
        var sleeping = change
        sleeping.state = .otherCurrency
        let run = run(try Self.loaded(max: "7600000"), overrides: [sleeping, change])
        #expect(run("check a.toml") == 9)
        #expect(
            run.output.contains(
                "a.toml:3:7: warning: `max` is not in effect for btcinr: alice changed it to ₹80,00,000.00")
        )
        #expect(run.output.hasSuffix("1 warning\n"))
    }

    /// Only the daemon knows its credentials, and only those of its own settings have to be there.
    @Test func aMissingCredentialIsNamed() throws {
        var check = try Self.loaded(max: "7600000")
        check.loaded?.files = ["/w/a.toml"]
        check.loaded?.credentials = [("phone", 7), ("mail", 9)].map { name, line in
            CredentialPlace(name: name, position: SourcePosition(file: "a.toml", line: line, column: 14))
        }
        let output = { (file: String, known: [String]?) in
            let run = self.run(check)
            run.daemon.replies[.status] = Sample.status { status in
                status.configuration.files = [file]
                status.configuration.credentials = known
            }
            run("check a.toml")
            return run.output
        }
        #expect(output("/w/other.toml", ["mail"]) == "a.toml: no errors\n")
        #expect(
            output("/w/a.toml", ["mail"]) == """
                a.toml:7:14: warning: the daemon has no credential "phone"; store it with `alertctl credential \
                set phone`; or, if it is already stored, restart the daemon
                1 warning

                """)
        #expect(output("/w/a.toml", ["phone", "mail"]) == "a.toml: no errors\n")
        #expect(output("/w/a.toml", nil) == "a.toml: no errors\n")
    }

    @Test func aCurrencyWithoutAWayIsFound() throws {
        let run = run(try Self.loaded(max: "7600000", currency: "XYZ"))
        run.daemon.errors[.convert] = .unconvertible(Unconvertible(message: "no"))
        #expect(run("check a.toml") == 9)
        #expect(run.output.contains("a.toml:4:7: warning: no conversion path INR → XYZ for btcinr"))
    }

    /// Before the first response the daemon knows no symbol, so nothing can be missing.
    @Test func withoutPricesNothingIsCompared() throws {
        let run = run(try Self.loaded())
        run.daemon.replies[.listTickers] = ListTickersReply(
            simulated: false, source: "wazirx", stale: false, symbols: [])
        #expect(run("check a.toml") == 0)
        #expect(run.output == "a.toml: no errors\n")
        #expect(run.errors == "alertctl: the daemon has no prices yet; skipped the comparison with the market\n")
    }

    @Test func withoutADaemonItSaysWhatWasLeftOut() throws {
        let run = run(try Self.loaded())
        run.daemon.connectionErrors = [.notRunning(socket: "/s")]
        #expect(run("check a.toml") == 0)
        #expect(run.errors == "alertctl: the daemon is not running; skipped the comparison with the market\n")
        #expect(run.output == "a.toml: no errors\n")
        let asked = self.run(try Self.loaded())
        #expect(asked("check a.toml --no-market") == 0 && asked.errors.isEmpty && asked.daemon.asked.isEmpty)
        #expect(self.run(try Self.loaded()).output("check a.toml --json --no-market").contains(#""market":false"#))
    }

    @Test func theMarketOfAnotherSourceIsNotAsked() throws {
        let run = run(try Self.loaded(.simulator))
        #expect(run("check a.toml") == 0)
        #expect(run.errors.contains("the daemon's source is wazirx, but the settings say simulator"))
    }

    @Test func errorsComeFirstAndAlone() {
        let error = Finding(.error, at: nil, "wrong")
        let run = run(SettingsCheck(findings: [error]))
        #expect(run("check a.toml") == 6)
        #expect(run.daemon.asked.isEmpty)
        #expect(run.output.contains("error: wrong"))
    }

    @Test func whatMakesNoSenseIsFoundWithoutADaemon() throws {
        var check = try Self.loaded()
        check.loaded?.settings.rules[0].expires = WallTime(milliseconds: 0)
        let run = run(check)
        #expect(run("check a.toml --no-market") == 9)
        #expect(run.output.contains("`expires` is in the past: the rule is never evaluated"))
    }

    @Test func withoutAFileItIsThatOfTheDaemon() throws {
        let run = Run()
        var asked: [String] = []
        run.environment.checkFiles = { paths in
            asked = paths
            return []
        }
        run("check --no-market")
        #expect(asked == ["/etc/alertd/alertd.toml"])
    }
}
