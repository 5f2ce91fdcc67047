import Arguments
import Control
import Foundation
import Testing

@testable import AlertClient

struct TerminalTests {
    private let escape: Character = "\u{1B}"

    @Test(
        arguments: [
            (80, "", "TERM=xterm", true), (80, "", "TERM=dumb", false), (80, "", "NO_COLOR=1", false),
            (80, "", "NO_COLOR= TERM=xterm", true), (80, "", "TERM=", false), (80, "", "", false),
            (nil, "", "TERM=xterm", false), (nil, "", "CLICOLOR_FORCE=1", true),
            (nil, "", "FORCE_COLOR=0", false), (80, "", "NO_COLOR=1 FORCE_COLOR=1", false),
            (80, "--color never", "FORCE_COLOR=1", false), (nil, "--color always", "NO_COLOR=1", true),
        ] as [(Int?, String, String, Bool)])
    func colours(width: Int?, option: String, settings: String, expected: Bool) {
        var variables: [String: String] = [:]
        for setting in settings.split(separator: " ") {
            let parts = setting.split(separator: "=", omittingEmptySubsequences: false)
            variables[String(parts[0])] = String(parts[1])
        }
        let output = Run(width: width, variables: variables).output("list \(option)")
        #expect(output.contains(escape) == expected)
    }

    @Test(arguments: [
        ("COLORFGBG=0;15", true), ("COLORFGBG=0;default;7", true), ("COLORFGBG=15;0", false), ("COLORFGBG=0;8", false),
        ("COLORFGBG=x", false), ("COLORFGBG=0;99", false), ("ALERTCTL_BACKGROUND=light COLORFGBG=15;0", true),
        ("ALERTCTL_BACKGROUND=dark COLORFGBG=0;15", false), ("ALERTCTL_BACKGROUND=x", false),
    ])
    func aLightBackgroundHasDarkerColours(settings: String, isLight: Bool) {
        var variables = ["TERM": "xterm"]
        for setting in settings.split(separator: " ") {
            let parts = setting.split(separator: "=").map(String.init)
            variables[parts[0]] = parts[1]
        }
        let output = Run(width: 80, variables: variables).output("list")
        #expect(output.contains("\u{1B}[1;38;5;130mFIRING") == isLight, "\(output)")
        #expect(output.contains("\u{1B}[1;38;5;208mFIRING") != isLight, "\(output)")
    }

    @Test(
        arguments: [("TERM is not set", nil), ("TERM is empty", ""), ("TERM is 'dumb'", "dumb")] as [(String, String?)])
    func theLiveViewRefusesATerminalThatCannotShowIt(reason: String, term: String?) {
        let run = Run(width: 80)
        run.environment.variables["TERM"] = term
        #expect(run("watch") == 2)
        #expect(run.output == "")
        #expect(
            run.errors == "alertctl: 'alertctl watch' needs a terminal with a movable cursor, but \(reason); use "
                + "'alertctl list' or 'alertctl tail'\n")
    }

    @Test func programsNeverGetColours() {
        #expect(!Run(width: 80).output("list --json --color always").contains(escape))
        #expect(!Run(width: 80).output("list --plain --color always").contains(escape))
    }

    @Test func whatColoursSayIsSaidWithoutThemToo() {
        let output = Run(width: 80).output("list --color always")
        #expect(output.contains("\u{1B}[1;38;5;208mFIRING\u{1B}[0m"))
        #expect(output.contains("\u{1B}[34m+1.53\u{1B}[0m"))
        #expect(output.contains("\u{1B}[38;5;208m-2.38\u{1B}[0m"))
    }

    @Test(arguments: ["--ascii", ""])
    func typographyBecomesASCIIInOutputAndMessages(option: String) {
        func run() -> Run {
            Run(width: 120, variables: option.isEmpty ? ["LC_ALL": "C", "LANG": "C.UTF-8"] : ["LANG": "C.UTF-8"])
        }
        let events = run()
        var event = Sample.event
        event.text = "rule “björn”: BTC/INR ≥ ₹75,00,000 → fired… (5 €)"
        events.daemon.replies[.listEvents] = ListEventsReply(
            simulated: false, source: "wazirx", events: [event], more: false)
        #expect(
            events.output("events --currency quote \(option)").contains(
                "rule \"björn\": BTC/INR >= INR 75,00,000 -> fired... (5 EUR)"))
        let refused = run()
        refused.daemon.errors[.arm] = .refused(Refused(message: "rule “eth” is always armed"))
        refused("arm eth \(option)")
        #expect(refused.errors == "alertctl: rule \"eth\" is always armed\n")
        let json = run()
        json.daemon.replies[.listEvents] = events.daemon.replies[.listEvents]
        #expect(json.output("events --json \(option)").contains("“björn”"), "data stays as it is")
    }

    @Test func longOutputIsShownInAPager() {
        func run(_ line: String, height: Int? = 5, width: Int? = 80, hasPager: Bool = true) -> (paged: String, Run) {
            let run = Run(width: width)
            run.environment.height = height
            var paged = ""
            run.environment.page = { text in
                if hasPager { paged += text }
                return hasPager
            }
            run(line)
            return (paged, run)
        }
        let long = run("list")
        #expect(long.paged.hasPrefix("SYMBOL") && long.1.output.isEmpty)
        for (line, height, width, hasPager) in [
            ("list", 50, 80, true), ("list --no-pager", 5, 80, true), ("list --json", 5, 80, true),
            ("list", 5, nil, true),
            ("list", nil, 80, true), ("list", 5, 80, false),
        ] as [(String, Int?, Int?, Bool)] {
            let short = run(line, height: height, width: width, hasPager: hasPager)
            #expect(short.paged.isEmpty && !short.1.output.isEmpty, "\(line)")
        }
    }

    /// It cannot see from a locale that is not installed that the text is UTF-8.
    @Test func lessIsNotifiedOfTheCharacterSet() throws {
        let file = NSTemporaryDirectory() + "alertctl-pager-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: file) }
        let pager = try #require(Pager(["PAGER": "sh -c 'cat >/dev/null; echo $LESS $LESSCHARSET >\(file)'"]))
        #expect(pager.show("₹"))
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "FRX utf-8\n")
    }

    @Test func aTextInTheMiddleOfARowContinuesBelow() {
        let run = Run(width: 60)
        var rule = RuleStatus(
            name: "btc band", source: "wazirx", symbols: ["btcinr"], condition: "max 1",
            conditionText: "min ₹48,00,000.00 max ₹75,00,000.00 hysteresis 0.5% for 1m", severity: .warning,
            matches: 1, firing: 1, limits: [], state: .ok, problems: [])
        var other = rule
        (rule.name, other.name, other.conditionText) = ("btc band", "short", "max ₹1.00")
        run.daemon.replies[.listRules] = ListRulesReply(rules: [rule, other])
        let lines = run.output("rules").split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 60 && !$0.hasSuffix(" ") && !$0.contains("…") }, "\(run.output)")
        #expect(lines.count == 5 && lines[2].hasPrefix("                   ₹75,00,000.00"), "\(run.output)")
        let words = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
        #expect(words.contains("hysteresis 0.5% for 1m short btcinr max ₹1.00"), "\(words)")
    }

    @Test func aTextThatDoesNotFitContinuesBelow() {
        let run = Run(width: 80)
        var event = Sample.event
        event.text =
            "BTC/INR ₹75,13,000.50 is at or above its maximum ₹75,00,000.00 (already there when first seen)"
        run.daemon.replies[.listEvents] = ListEventsReply(
            simulated: false, source: "wazirx", events: [Sample.event, event], more: false)
        let output = run.output("events --currency quote")
        let lines = output.split(separator: "\n").map(String.init)
        #expect(lines.allSatisfy { $0.count <= 80 } && lines.count > 4, "\(output)")
        let words = output.split { " \n".contains($0) }.joined(separator: " ")
        #expect(words.contains("btc band warning BTC/INR") && !output.contains("…"))
        let indent = lines[2].prefix { $0 == " " }.count
        #expect(indent > 20 && lines[1].dropFirst(indent).hasPrefix("BTC/INR"))
    }

    /// The signs of currencies become longer.
    @Test func textInASCIIFitsTheTerminal() {
        let run = Run(width: 60, variables: ["LC_ALL": "C", "NO_COLOR": "1"])
        var event = Sample.event
        event.text = "BTC/INR" + String(repeating: " ₹75,13,000.50 ₹75,00,000.00", count: 3)
        run.daemon.replies[.listEvents] = ListEventsReply(
            simulated: false, source: "wazirx", events: [event], more: false)
        run.daemon.monitored = [[MonitorEventsReply(event: event)]]
        run.daemon.connectionErrors = [nil, nil] + Array(repeating: .notRunning(socket: "/s"), count: 60)
        run("events --currency quote")
        run("tail --currency quote")
        let lines = run.output.split(separator: "\n")
        #expect(lines.count > 5 && lines.allSatisfy { $0.count <= 60 }, "\(run.output)")
        #expect(run.output.contains("INR 75,13,000.50") && !run.output.contains("..."))
    }

    @Test func aLocaleWithoutUnicodeGetsASCII() {
        for line in ["status", "show btcinr", "list"] {
            let output = Run(width: 40, variables: ["LANG": "C.UTF-8", "LC_ALL": "C", "NO_COLOR": "1"]).output(line)
            #expect(output.utf8.allSatisfy { $0 < 0x80 })
        }
    }

    @Test(arguments: [120, 80, 60, 40, 30, 20]) func noLineOfATableIsWiderThanTheTerminal(width: Int) {
        for line in ["list", "alerts", "rules", "show btcinr", "history btcinr", "events -n 2"] {
            for row in Run(width: width).output(line).split(separator: "\n") { #expect(row.count <= width, "\(line)") }
        }
    }

    @Test func hostileTextReachesNoTerminal() {
        let hostile = "x\u{1B}[2J\u{9B}31m\n\t\u{202E}\u{7F}y"
        for line in [
            "list", "list --plain", "list --json", "rules", "rules --plain", "rules --json", "status", "status --plain",
            "status --json", "alerts", "alerts --plain", "show btcinr", "reload", "reload --json", "poll", "tail",
            "tail --json", "tail --plain", "history x", "history x --json", "history x --csv", "history x --step none",
            "events", "events --json", "events --csv", "events --plain", "export", "export --format csv",
            "export events", "export events --format csv", "__complete show x", "__complete tail --rule x", "version",
            "version --json",
        ] {
            let run = hostileRun(hostile)
            run(line)
            for scalar in (run.output + run.errors).unicodeScalars {
                let isHarmless = scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) && scalar != "\u{202E}"
                #expect(isHarmless || scalar == "\n" || (scalar == "\t" && line.contains("plain")), "\(line)")
            }
        }
        #expect(hostileRun(hostile).output("__complete show x") == "")
    }

    private func hostileRun(_ text: String) -> Run {
        let run = Run(width: 80)
        run.daemon.connectionErrors = [nil] + Array(repeating: .notRunning(socket: text), count: 60)
        let symbol = SymbolStatus(
            source: "wazirx", symbol: text, last: text, changePercent: text, received: text, state: .unknown(text),
            firing: 1)
        run.daemon.replies[.listTickers] = ListTickersReply(
            simulated: false, source: text, received: text, stale: false, symbols: [symbol])
        let alert = AlertStatus(
            rule: text, source: "wazirx", symbol: text, bound: .unknown(text), state: .unknown(text),
            severity: .unknown(text),
            limit: text,
            since: text, disarmed: false)
        run.daemon.replies[.listAlerts] = ListAlertsReply(simulated: false, alerts: [alert])
        run.daemon.replies[.getSymbol] = GetSymbolReply(
            simulated: false, stale: false, symbol: symbol, alerts: [alert],
            prices: [PricePoint(time: text, price: text)])
        run.daemon.replies[.listRules] = ListRulesReply(rules: [
            RuleStatus(
                name: text, source: "wazirx", symbols: [text], condition: text,
                conditionText: text, severity: .unknown(text), matches: 0, firing: 0,
                limits: [], state: .unknown(text), problems: [])
        ])
        run.daemon.replies[.status] = Sample.status {
            $0.version = text
            $0.started = text
            $0.problems = [RuleProblem(rule: text, state: .unknown(text), problems: [])]
            $0.feed.message = text
            $0.feed.consecutiveFailures = 1
            $0.store.state = .unknown(text)
            $0.store.message = text
            $0.configuration.files = [text]
            $0.configuration.lastReloadFailed = text
        }
        fillStore(of: run.daemon, text)
        run.daemon.replies[.reload] = ReloadReply(
            result: ReloadResult(
                added: [text], removed: [text], changed: [], kept: [text], needsRestart: [text], warnings: [text]))
        run.daemon.replies[.poll] = PollReply(
            result: PollResult(
                state: .unknown(text), message: text, symbols: 0, badElements: 0, durationMilliseconds: 0, events: 0))
        run.daemon.monitored = [[MonitorEventsReply(event: event(text))]]
        return run
    }

    private func event(_ text: String) -> EventRecord {
        EventRecord(
            number: 1, time: text, kind: .unknown(text), rule: text, symbol: text, bound: .unknown(text),
            severity: .unknown(text), price: text, limit: text, currency: text,
            previous: PricePoint(time: text, price: text), notified: false, reason: .unknown(text), text: text)
    }

    private func fillStore(of daemon: FakeDaemon, _ text: String) {
        daemon.replies[.listPrices] = ListPricesReply(
            simulated: false, gapMilliseconds: 0, prices: [PricePoint(time: text, price: text)])
        daemon.replies[.listBars] = ListBarsReply(
            simulated: false,
            bars: [PriceBar(time: text, open: text, high: text, low: text, close: text, samples: 1)])
        daemon.replies[.exportPrices] = ExportPricesReply(
            simulated: false, source: text, rows: [PriceRow(time: text, symbols: [text], prices: [text])])
        daemon.replies[.listEvents] = ListEventsReply(
            simulated: false, source: text, events: [event(text)], more: false)
    }

    @Test func hostileFilesReachNoTerminal() throws {
        let hostile = "x\u{1B}[2J\u{9B}31m\u{202E}\u{7F}y"
        for text in ["1735603200,1\n\(hostile),1\n", "\(hostile)\n", "time,symbol,price\n1735603200,\(hostile),1\n"] {
            let file = try TemporaryFile(text)
            let run = Run()
            #expect(run("import --symbol btcinr \(file.path)") == 1)
            #expect(
                run.errors.unicodeScalars.allSatisfy {
                    $0 == "\n" || ($0.value >= 0x20 && $0.value < 0x7F) || $0 == "…"
                })
        }
    }

    @Test func digitsAreGroupedForPeopleOnly() {
        let terminal = HumanFormatter(ParsedArguments(), in: Run(width: 80).environment)
        #expect(terminal.number("1234567.000001") == "1 234 567.000001")
        #expect(terminal.number("-1234") == "-1 234")
        #expect(terminal.number("999") == "999")
        #expect(terminal.number("0.00000041") == "0.00000041")
        #expect(HumanFormatter(ParsedArguments(), in: Run().environment).number("1234567.5") == "1234567.5")
    }

    @Test func timesShowTheirDateUnlessItIsToday() {
        let formatter = HumanFormatter(ParsedArguments(), in: Run(width: 80).environment)
        #expect(formatter.time("2026-11-21T00:00:00Z") == "01:00:00")
        #expect(formatter.time("2026-11-20T22:59:59Z") == "2026-11-20 23:59:59")
        #expect(formatter.time("2026-11-20T23:00:00Z") == "00:00:00")
        #expect(formatter.longTime("1969-12-31T22:00:00Z") == "Wed 1969-12-31 23:00:00 CET")
        #expect(formatter.age("2026-11-21T06:20:05Z") == "0s")
        #expect(formatter.age("2026-11-21T06:18:58.9Z") == "1m1s")
    }

    @Test func bytesAreShownInTheirUnit() {
        let formatter = HumanFormatter(ParsedArguments(), in: Run().environment)
        #expect(
            [0, 1_023, 1_024, 1_536, 67_108_864, 5 << 30].map(formatter.bytes) == [
                "0 B", "1023 B", "1 KiB", "1.5 KiB", "64 MiB", "5 GiB",
            ])
    }
}
