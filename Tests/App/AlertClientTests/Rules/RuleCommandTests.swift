import Control
import Foundation
import Market
import Testing
import Time

@testable import AlertClient

@Suite(.timeLimit(.minutes(10)))
struct RuleCommandTests {
    private let place = SettingsFixture()

    private func written(_ run: Run) -> Bool { run.daemon.asked.contains(.reload) }

    @Test func aRuleIsAddedCheckedAndLoaded() throws {
        let run = place.run()
        #expect(
            run(["rule", "add", "btcinr", "--max", "7600000", "--hysteresis", "1%", "--yes"]) == 0, "\(run.errors)")
        let text = try #require(place.rules)
        #expect(text.hasPrefix("# Rules added with 'alertctl rule add'."))
        #expect(
            text.hasSuffix(
                """

                [[rule]]
                name = "btcinr max"
                symbol = "btcinr"
                max = "7600000"
                hysteresis = "1%"

                """))
        #expect(run.daemon.asked.last == .reload)
        #expect(run.output.contains("Added 'btcinr max' to \(place.ruleFile).\n"))
        #expect(try place.mode(place.ruleFile) == 0o640 && place.mode(place.path + "/rules.d") == 0o755)
        #expect(place.leftovers == ["alertctl.toml"])
        let again = place.run()
        #expect(again(["rule", "add", "BTCINR", "--max", "7700000", "-y", "--json"]) == 0)
        #expect(again.output.contains(#""rule":"btcinr max 2""#) && again.output.contains(#""reloaded":true"#))
        #expect(try #require(place.rules).hasPrefix(text))
    }

    @Test func everyOptionIsAKeyOfTheRule() throws {
        let run = place.run()
        let words = [
            "rule", "add", "solusdt", "eth*", "--within", "120..135 SEK", "--hysteresis", "1", "--for", "1m",
            "--keep-firing-for", "5min", "--repeat", "1h", "--cooldown", "10m", "--once", "--expires", "2027-01-01",
            "--price", "mid", "--severity",
            "critical",
            "--message", "{symbol}!", "--name", "zone", "--currency", "SEK", "--yes",
        ]
        #expect(run(words) == 0, "\(run.errors)")
        let text = try #require(place.rules)
        for line in [
            "name = \"zone\"", "symbol = [\"solusdt\", \"eth*\"]", "currency = \"SEK\"", "price = \"mid\"",
            "within = [\"120\", \"135 SEK\"]", "hysteresis = \"1\"", "for = \"1m\"", "keep_firing_for = \"5m\"",
            "repeat = \"1h\"",
            "cooldown = \"10m\"", "once = true", "expires = 2026-12-31T23:00:00.000Z", "severity = \"critical\"",
            "message = \"{symbol}!\"",
        ] {
            #expect(text.contains("\n\(line)\n"), "\(line)")
        }
        for (option, value) in [("cross-up", "5"), ("fall", "5%")] {
            let more = option == "fall" ? ["--window", "15m"] : []
            #expect(place.run()(["rule", "add", "x", "--\(option)", value, "--yes"] + more) == 0)
        }
        #expect(try #require(place.rules).contains("name = \"x cross_up\"\nsymbol = \"x\"\ncross_up = \"5\"\n"))
    }

    @Test(
        arguments: [
            ("-10%", "fall = \"10%\"", "10% or more below its highest price of the last 1d"),
            ("−10%", "fall = \"10%\"", "10% or more below its highest price of the last 1d"),
            ("+2.5%", "rise = \"2.5%\"", "2.5% or more above its lowest price of the last 1d"),
            ("10%", "move = \"10%\"", "10% or more above its lowest or below its highest price of the last 1d"),
            ("±10%", "move = \"10%\"", "10% or more above its lowest or below its highest price of the last 1d"),
            ("-500 USD", "fall = \"500 USD\"", "500 USD or more below its highest price of the last 1d"),
        ])
    func aChangeInATimeIsAMove(change: String, line: String, sentence: String) throws {
        let run = place.run()
        #expect(run(["rule", "add", "btcinr", "--change", change, "--in", "24h", "--yes"]) == 0, "\(run.errors)")
        let text = try #require(place.rules)
        #expect(text.contains("\n\(line)\nwindow = \"1d\"\n"), "\(text)")
        let words = "You will be notified when btcinr is \(sentence), and when it no longer is."
        #expect(run.output.replacing("\n", with: " ").contains(words), "\(run.output)")
    }

    @Test(
        arguments: [
            (["--change", "-10%"], "--change needs the time in which the price moves, such as --in 24h"),
            (["--fall", "10%", "--in", "1h"], "--in is the time of --change; use --window"),
            (["--change", "-10%", "--fall", "10%", "--in", "1h"], "--change and --fall mean the same"),
            (["--change", "-10%", "--in", "1h", "--window", "1h"], "--in and --window mean the same"),
            (["--change", "-100%", "--in", "1h"], "--change is 100% or more, and no price can fall that far"),
            (["--change", "ten", "--in", "1h"], "--change"),
            (["--change", "-1%", "--in", "1s"], "--in is 1s, shorter than"),
        ])
    func aChangeThatMakesNoSenseIsRefused(options: [String], message: String) {
        let run = place.run()
        #expect(run(["rule", "add", "btcinr", "-y"] + options) == 2)
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(place.rules == nil)
    }

    @Test func anAssetMeansItsMarket() throws {
        let run = place.run()
        run.daemon.replies[.listTickers] = ListTickersReply(
            simulated: false, source: "wazirx", received: Sample.received, stale: false,
            symbols: ["btcusdt", "btcinr", "btcstinr"].map { name in
                var symbol = Sample.symbols[0]
                (symbol.symbol, symbol.base) = (name, name == "btcstinr" ? "btcst" : "btc")
                return symbol
            })
        #expect(run(["rule", "add", "BTC", "*usdt", "--change", "-10%", "--in", "1h", "-y"]) == 0, "\(run.errors)")
        #expect(run.errors.contains("alertctl: 'btc' is traded as btcinr, btcusdt; the rule is for btcinr\n"))
        let text = try #require(place.rules)
        #expect(text.contains("name = \"btcinr fall\"\nsymbol = [\"btcinr\", \"*usdt\"]\n"), "\(text)")
        #expect(
            run.output.replacing("\n", with: " ").contains("when a market of btcinr, *usdt is 10%"), "\(run.output)")
    }

    /// The file has the code, so that it means the same whoever reads it.
    @Test func aSharedSignIsThatOfTheDisplay() throws {
        let run = place.run()
        run.environment.variables["ALERTCTL_CURRENCY"] = "SEK"
        let words = [
            "rule", "add", "ethinr", "--within", "13 000 kr..14 000,50 kr", "--hysteresis", "100 kr", "--name", "zone",
            "-y",
        ]
        #expect(run(words) == 0, "\(run.errors)")
        let text = try #require(place.rules)
        #expect(text.contains("within = [\"13000 SEK\", \"14000.50 SEK\"]\nhysteresis = \"100 SEK\"\n"), "\(text)")
        let rupees = place.run()
        #expect(rupees(["rule", "add", "ethinr", "--max", "13 000 kr", "-y"]) == 2)
        #expect(rupees.errors.contains("write the code: DKK, ISK, NOK, SEK"), "\(rupees.errors)")
    }

    @Test func itIsRunOnRecordedPrices() throws {
        let run = place.run()
        run.daemon.replies[.exportPrices] = ExportPricesReply(
            simulated: false, source: "wazirx",
            rows: [100, 111, 100, 90, 112, 100].enumerated().map { index, price in
                PriceRow(time: Sample.minute(index), symbols: ["btcinr"], prices: ["\(price)"])
            })
        #expect(run(["rule", "add", "btcinr", "--max", "110", "--dry-run"]) == 0, "\(run.errors)")
        #expect(
            run.output.contains(
                "On the recorded prices since 2026-11-21 06:00:00, it would have fired twice and notified 4 times."),
            "\(run.output)")
        #expect(run.output.contains("max = \"110\"\n\n") && !run.output.contains("\n\n\n"), "\(run.output)")
        #expect(run.output.contains("1 warning\n\nOn the recorded"))
        #expect(run.output.contains("btcinr  max") && !run.output.contains("FIRST"), "\(run.output)")
        #expect(run.output.hasSuffix("Nothing was changed (--dry-run).\n"))
        #expect(place.rules == nil && !written(run))
        let asked = run.daemon.parameters.compactMap { $0 as? ExportPricesParameters }
        #expect(asked.map(\.match) == [["btcinr"]] && asked.first?.since == "2026-10-22T06:20:00.000Z")
        let mid = place.run()
        mid.daemon.replies[.exportPrices] = run.daemon.replies[.exportPrices]
        mid(["rule", "add", "btcinr", "--max", "110", "--dry-run", "--price", "mid", "--name", "m"])
        #expect(mid.output.contains("'m' uses mid prices, which are not recorded.\n"), "\(mid.output)")
        let json = place.run()
        json.daemon.replies[.exportPrices] = run.daemon.replies[.exportPrices]
        json(["rule", "add", "btcinr", "--max", "110", "--dry-run", "--json"])
        #expect(
            json.output.contains(
                #""dry_run":{"since":"2026-11-21T05:00:00.000Z","prices":6,"fired":2,"notified":4}"#), "\(json.output)")
        #expect(json.output.contains(#""written":false,"reloaded":false"#))
    }

    /// The rule that it depends on is run with it, but not counted.
    @Test func aRuleThatDependsOnAnotherIsRunWithIt() throws {
        let first = place.run()
        #expect(first(["rule", "add", "btcinr", "--min", "100", "--name", "dip", "-y"]) == 0, "\(first.errors)")
        let run = place.run()
        run.daemon.replies[.exportPrices] = ExportPricesReply(
            simulated: false, source: "wazirx",
            rows: [120, 111, 99, 95, 120].enumerated().map { index, price in
                PriceRow(time: Sample.minute(index), symbols: ["btcinr"], prices: ["\(price)"])
            })
        let words = ["rule", "add", "btcinr", "--min", "112", "--only-while", "dip", "--name", "low", "--dry-run"]
        #expect(run(words) == 0, "\(run.errors)")
        #expect(run.output.contains("only_while = \"dip\"\n"), "\(run.output)")
        // Fired suppressed, notified late, resolved.
        #expect(run.output.contains("it would have fired once and notified twice."), "\(run.output)")
        #expect(!run.output.contains("btcinr  dip"), "\(run.output)")
        let wrong = place.run()
        #expect(wrong(["rule", "add", "btcinr", "--min", "1", "--only-while", "dop", "-y"]) == 2)
        #expect(wrong.errors.contains("there is no rule named \"dop\"; did you mean \"dip\"?"), "\(wrong.errors)")
    }

    /// Only if they were: dollars of a USDT market come from a peg.
    @Test(arguments: [("ethusdt", "$110", false), ("ethusdt", "110 EUR", true), ("btcinr", "110 USD", true)])
    func theRatesOfConvertedPricesAreSaid(symbol: String, limit: String, isConverted: Bool) {
        let run = place.run()
        run.daemon.replies[.exportPrices] = ExportPricesReply(
            simulated: false, source: "wazirx",
            rows: (0..<3).map { PriceRow(time: Sample.minute($0), symbols: [symbol], prices: ["100"]) })
        #expect(run(["rule", "add", symbol, "--max", limit, "--dry-run"]) == 0, "\(run.errors)")
        #expect(run.output.contains("On the recorded prices since"), "\(run.output)")
        #expect(run.output.contains("Prices were converted at the exchange rates of") == isConverted, "\(run.output)")
    }

    /// As many polls are asked for as fit in memory with all the symbols.
    @Test func aPatternIsRunOnAShorterTime() throws {
        let run = place.run()
        var symbols = Sample.symbols[0]
        run.daemon.replies[.listTickers] = ListTickersReply(
            simulated: false, source: "wazirx", received: Sample.received, stale: false,
            symbols: (0..<500).map { number in
                symbols.symbol = "x\(number)inr"
                return symbols
            })
        #expect(run(["rule", "add", "*inr", "--max", "110", "--dry-run"]) == 0, "\(run.errors)")
        let asked = run.daemon.parameters.compactMap { $0 as? ExportPricesParameters }.first
        #expect(asked?.match?.count == 500)
        // 2,000 polls of 30 s
        #expect(asked?.since == "2026-11-20T13:40:00.000Z")
        #expect(run.output.contains("No dry run: there are no recorded prices of its symbols yet."))
    }

    @Test func likelyMistakesAreShown() throws {
        let run = place.run()
        #expect(run(["rule", "add", "btcinr", "--max", "7500000", "-y"]) == 0)
        #expect(run.output.contains("warning: `max` is already reached on btcinr"), "\(run.output)")
        let other = place.run()
        #expect(other(["rule", "add", "ethusdt", "--min", "1", "-y"]) == 0)
        #expect(!other.output.contains("already reached on btcinr"), "\(other.output)")
    }

    @Test func somebodyHasToConfirmIt() throws {
        let words = ["rule", "add", "btcinr", "--max", "7600000"]
        let silent = place.run()
        #expect(silent(words) == 2)
        #expect(silent.errors == "alertctl: cannot ask for confirmation here; use --yes to make the change\n")
        let json = place.run()
        json.environment.ask = { _ in true }
        #expect(json(words + ["--json"]) == 2)
        let no = place.run()
        var asked = ""
        no.environment.ask = { question in
            asked = question
            return false
        }
        #expect(no(words) == 1)
        #expect(asked == "Add this rule to \(place.ruleFile)? [y/N] ")
        #expect(no.errors == "alertctl: nothing was changed\n" && no.output.contains("max = \"7600000\""))
        #expect(place.rules == nil && !written(no))
        let yes = place.run()
        yes.environment.ask = { _ in true }
        #expect(yes(words) == 0 && place.rules != nil)
    }

    @Test func whatIsWrongIsSaidInTermsOfTheOptions() throws {
        let faults: [([String], Int32, String)] = [
            (["--max", "7oo"], 2, "alertctl: --max is in OO, which is not a known currency; "),
            (["--max", "-5"], 2, "alertctl: --max is -5, but a limit must be greater than 0; use a positive number\n"),
            (["--max", "1", "--for", "x"], 2, "alertctl: --for "),
            (
                [], 2,
                "alertctl: the rule has no condition; add --min, --max or both, or one of --within, --rise, --fall, "
                    + "--move, --cross, --cross-up, --cross-down\n"
            ),
            (
                ["--max", "+5%"], 2,
                "alertctl: --max is a percentage without --from; add --from price, a date such as \"2026-11-01\", or "
                    + "an amount such as \"72046\"\n"
            ),
            (["--fall", "5%"], 2, "alertctl: --fall without --window; add one, such as --window 15m\n"),
            (["--min", "5", "--max", "4"], 2, "alertctl: --min is not below --max; swap them"),
            (["--within", "5"], 2, "alertctl: --within takes two amounts, such as 120..135\n"),
            (["--max", "1", "--expires", "soon"], 2, "alertctl: --expires takes a time"),
            (["--max", "1", "--currency", "quote"], 2, "alertctl: --currency takes the currency of the amounts"),
            (["--max", "1", "--cross", "2"], 2, "alertctl: --cross cannot be combined with --max"),
            (["--max", "1x", "--for", "x"], 6, "2 errors"),
            (
                ["--max", "12", "000", "kr"], 2,
                "alertctl: '000' is not a symbol; put quotes around an amount with spaces"
            ),
            (["--max", "900", "kr"], 2, "alertctl: 'kr' is not a symbol; put quotes around an amount with spaces"),
            (["--max", "900", "SEK"], 2, "alertctl: 'SEK' is not a symbol"),
            (["--max", "1", "--name", "there"], 2, "alertctl: there is already a rule 'there', in "),
        ]
        try place.write("[[rule]]\nname = \"there\"\nsymbol = \"btcinr\"\nmax = 5\n", to: "rules.d/other.toml")
        for (words, code, text) in faults {
            let run = place.run()
            #expect(run(["rule", "add", "btcinr", "--yes"] + words) == code, "\(words) \(run.errors)")
            #expect(run.errors.contains(text), "\(words) \(run.errors)")
            #expect(place.rules == nil && !written(run))
        }
        try place.write("[[rule]]\nmax = 5\n", to: "rules.d/other.toml")
        let run = place.run()
        #expect(run(["rule", "add", "btcinr", "--max", "1", "--yes"]) == 6)
        #expect(run.errors.contains("rules.d/other.toml:1:1: error: the rule has no `symbol`"), "\(run.errors)")
    }

    @Test func aReloadThatFailsLeavesTheFileAsItWas() throws {
        let failures: [(ClientError, Int32, Int)] = [
            (.reloadFailed(ReloadFailed(findings: ["bad"])), 6, 1), (.callDenied, 77, 1), (.closed, 1, 2),
            (.timedOut(.seconds(30)), 8, 2),
        ]
        for before in [nil, "# mine\n"] {
            for (error, code, reloads) in failures {
                if let before { try place.write(before, to: "rules.d/alertctl.toml") }
                let run = place.run()
                run.daemon.errors[.reload] = error
                #expect(run(["rule", "add", "btcinr", "--max", "7600000", "--yes"]) == code)
                #expect(run.errors.contains("the change was undone because the daemon did not load it"))
                #expect(place.rules == before)
                #expect(run.daemon.asked.count { $0 == .reload } == reloads, "\(error)")
            }
        }
    }

    @Test func withoutTheDaemonItTakesEffectAtTheNextStart() throws {
        let run = place.run()
        run.daemon.connectionErrors = [.notRunning(socket: "/s")]
        #expect(run(["rule", "add", "btcinr", "--max", "1", "-y", "--config", place.settings]) == 0, "\(run.errors)")
        #expect(run.output.contains("No dry run: only a running daemon has the recorded prices."))
        #expect(run.output.hasSuffix("The daemon is not running: this takes effect when it starts.\n"))
        #expect(place.rules?.contains("btcinr max") == true && run.daemon.asked.isEmpty)
        let denied = place.run()
        denied.daemon.connectionErrors = [.socketDenied(socket: "/s")]
        #expect(denied(["rule", "add", "btcinr", "--max", "1", "-y"]) == 77)
    }

    @Test func aDaemonWithOtherSettingsIsNotReloaded() throws {
        let other = SettingsFixture()
        let run = place.run()
        #expect(run(["rule", "add", "btcinr", "--max", "1", "-y", "--config", other.settings]) == 0, "\(run.errors)")
        #expect(run.output.hasSuffix("The running daemon uses \(place.settings), so it was not reloaded.\n"))
        #expect(place.rules == nil && other.rules != nil && !written(run))
        let missing = place.run()
        #expect(missing(["rule", "add", "btcinr", "--max", "1", "-y", "--config", "/no/such.toml"]) == 1)
        #expect(missing.errors.contains("/no/such.toml: no such file; name the main settings file with --config"))
    }

    @Test func theDaemonsPathMayBeRelative() throws {
        let run = place.run(settings: "alertd.toml")
        #expect(run(["rule", "add", "btcinr", "--max", "1", "-y"]) == 1)
        #expect(run.errors.contains("has a relative path; name it with --config FILE"))
        run.environment.workingFolder = { [place] process in process == 4_711 ? place.path : nil }
        #expect(run(["rule", "add", "btcinr", "--max", "1", "-y"]) == 0 && place.rules != nil)
    }

    @Test func onlyRegularFilesOfTheFolderAreReplaced() throws {
        try place.write("", to: "rules.d/real.txt")
        let file = place.ruleFile
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "real.txt")
        let run = place.run()
        #expect(run(["rule", "add", "btcinr", "--max", "1", "-y"]) == 1)
        #expect(run.errors.contains("\(file): is a symbolic link, which is not followed"), "\(run.errors)")
        try FileManager.default.removeItem(atPath: file)
        let made = unsafe mkfifo(file, 0o600)
        #expect(made == 0)
        let pipe = place.run()
        #expect(pipe(["rule", "add", "btcinr", "--max", "1", "-y"]) == 1)
        #expect(pipe.errors.contains("is not a regular file"), "\(pipe.errors)")
        try FileManager.default.removeItem(atPath: place.path + "/rules.d")
        let outside = SettingsFixture()
        try FileManager.default.createSymbolicLink(
            atPath: place.path + "/rules.d", withDestinationPath: outside.path)
        let folder = place.run()
        #expect(folder(["rule", "add", "btcinr", "--max", "1", "-y"]) == 1)
        #expect(folder.errors.contains("rules.d: is a symbolic link, which is not followed"), "\(folder.errors)")
        #expect(outside.leftovers == [] && place.rules == nil)
    }

    @Test func oneChangeAtATime() throws {
        try place.write("", to: "rules.d/alertctl.toml")
        let path = place.path + "/rules.d/.alertctl.lock"
        let descriptor = unsafe open(path, O_RDWR | O_CREAT, 0o600 as mode_t)
        #expect(flock(descriptor, LOCK_EX) == 0)
        let run = place.run()
        #expect(run(["rule", "add", "btcinr", "--max", "1", "-y"]) == 1)
        #expect(run.errors.contains("rules.d: is locked by another alertctl; try again when it has finished"))
        #expect(run.pauses == 100 && place.rules == "")
        close(descriptor)
        let free = place.run()
        #expect(free(["rule", "add", "btcinr", "--max", "1", "-y"]) == 0, "a file that was left behind is no lock")
        #expect(place.leftovers == ["alertctl.toml"])
    }

    /// Whoever has the lock removes its file: another one has to be made then, even if the old one is locked at last.
    @Test func aLockFileThatWasRemovedIsNoLock() throws {
        try place.write("", to: "rules.d/alertctl.toml")
        let path = place.path + "/rules.d/.alertctl.lock"
        let descriptor = unsafe open(path, O_RDWR | O_CREAT, 0o600 as mode_t)
        #expect(flock(descriptor, LOCK_EX) == 0)
        let run = place.run()
        run.environment.pause = { _ in
            try? FileManager.default.removeItem(atPath: path)
        }
        #expect(run(["rule", "add", "btcinr", "--max", "1", "-y"]) == 0)
        close(descriptor)
        #expect(place.leftovers == ["alertctl.toml"])
    }

    @Test func whatIsGoneNeedNotBeRemovedAndWhatExistsNotBeMade() throws {
        try place.write("a", to: "rules.d/a.toml")
        let folder = try SettingsFolder(place.path + "/rules.d")
        try folder.remove("a.toml")
        try folder.remove("a.toml")
        #expect(place.leftovers == [])
        try SettingsFolder.create(place.path + "/rules.d/sub", in: place.path)
        #expect(throws: ClientError.self) { try folder.remove("sub") }
        try SettingsFolder.create(place.path + "/rules.d/sub", in: place.path)
    }

    /// Everyone who may read a folder may lock it.
    @Test func aReaderOfTheFolderHindersNobody() throws {
        try place.write("", to: "rules.d/alertctl.toml")
        let descriptor = unsafe open(place.path + "/rules.d", O_RDONLY)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX) == 0)
        let run = place.run()
        #expect(run(["rule", "add", "btcinr", "--max", "1", "-y"]) == 0 && run.pauses == 0)
    }

    @Test func aRuleIsRemoved() throws {
        let text =
            "# mine\n\n# high\n[[rule]]\nname = \"high\"\nsymbol = \"btcinr\"\nmax = 9\n\n"
            + "[[rule]]\nsymbol = \"x\"\nmin = 1\n"
        try place.write(text, to: "rules.d/alertctl.toml")
        let trial = place.run()
        #expect(trial(["rule", "remove", "high", "--dry-run"]) == 0)
        #expect(trial.output.hasPrefix("# high\n[[rule]]\nname = \"high\"\n") && place.rules == text)
        let last = place.run()
        #expect(last(["rule", "remove", "x min", "--dry-run"]) == 0 && last.output.hasPrefix("[[rule]]\nsymbol"))
        let run = place.run()
        #expect(run(["rule", "remove", "high", "--yes"]) == 0, "\(run.errors)")
        #expect(place.rules == "# mine\n\n[[rule]]\nsymbol = \"x\"\nmin = 1\n")
        #expect(run.daemon.asked.last == .reload)
        #expect(run.output.hasSuffix("Removed 'high' from \(place.ruleFile).\n\(place.others)"))
        #expect(place.run()(["rule", "remove", "x min", "--yes"]) == 0)
        #expect(place.rules == "# mine\n")
    }

    /// Removing the rule that is wrong is what corrects the settings.
    @Test func aRuleThatIsWrongIsRemoved() throws {
        let good = "[[rule]]\nsymbol = \"x\"\nmin = 1\n"
        for (name, rule) in [
            ("high", "name = \"high\"\nsymbol = \"btcinr\"\nmax = \"9 EURO\"\n"),
            ("btcinr min max", "symbol = [\"btcinr\", \"e*\"]\nmax = 1\nmin = 2\n"),
            ("kraken:btcusd cross", "source = \"kraken\"\nsymbol = \"btcusd\"\ncross = \"x\"\n"),
        ] {
            try place.write("[[rule]]\n\(rule)\n\(good)", to: "rules.d/alertctl.toml")
            let trial = place.run()
            #expect(trial(["rule", "remove", name, "--dry-run"]) == 0, "\(trial.errors)")
            let run = place.run()
            #expect(run(["rule", "rm", name, "--yes"]) == 0, "\(run.errors)")
            #expect(place.rules == good && run.daemon.asked.last == .reload)
        }
    }

    /// Of several errors, one after the other can be removed; no daemon is asked to load the rest.
    @Test func errorsAreRemovedOneByOne() throws {
        let rules = ["a", "b", "c"].map {
            "[[rule]]\nname = \"\($0)\"\nsymbol = \"x\"\nmax = \($0 == "c" ? "1" : "-1")\n"
        }
        try place.write(rules.joined(separator: "\n"), to: "rules.d/alertctl.toml")
        let other = place.run()
        #expect(other(["rule", "remove", "c", "--yes"]) == 6, "it corrects nothing")
        #expect(other.errors.contains("nothing was done because the files contain errors"))
        let first = place.run()
        #expect(first(["rule", "remove", "a", "--yes"]) == 6)
        #expect(place.rules == rules[1...].joined(separator: "\n") && !written(first))
        #expect(first.output.hasSuffix("Removed 'a' from \(place.ruleFile).\n"), "\(first.output)")
        #expect(first.errors.contains("alertctl.toml:4:7: error: "), "\(first.errors)")
        #expect(first.errors.contains("so the daemon has not loaded the change; 'alertctl rule edit' opens"))
        let json = place.run()
        #expect(json(["rule", "remove", "b", "--yes", "--json"]) == 0, "\(json.errors)")
        #expect(json.output.contains(#""written":true,"reloaded":true"#) && place.rules == rules[2])
    }

    @Test func aFileThatIsNotTOMLIsEdited() throws {
        try place.write("[[rule]\nname = \"high\"\n", to: "rules.d/alertctl.toml")
        let run = place.run()
        #expect(run(["rule", "remove", "high", "--yes"]) == 6)
        #expect(run.errors.contains("alertctl.toml:1:"), "\(run.errors)")
    }

    @Test func aRuleElsewhereIsNamedWithItsPlace() throws {
        try place.write("\n[[rule]]\nname = \"high\"\nsymbol = \"btcinr\"\nmax = 9\n", to: "rules.d/other.toml")
        let run = place.run()
        #expect(run(["rule", "remove", "high", "--yes"]) == 1)
        #expect(
            run.errors
                == "alertctl: 'high' is in \(place.path)/rules.d/other.toml:2, where 'alertctl rule edit' opens it; "
                + "only rules in \(place.ruleFile) can be removed\n")
        let misspelled = place.run()
        #expect(misspelled(["rule", "remove", "hihg", "--yes"]) == 4)
        #expect(misspelled.errors == "alertctl: there is no rule 'hihg'; did you mean 'high'?\n")
        try place.write("rule = [{ name = \"in\", symbol = \"x\", max = 1 }]\n", to: "rules.d/alertctl.toml")
        let inline = place.run()
        #expect(inline(["rule", "remove", "in", "--yes"]) == 1)
        #expect(inline.errors.contains("is not a [[rule]] table of its own"), "\(inline.errors)")
    }
}
