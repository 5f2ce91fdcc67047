internal import Configuration
internal import Diagnostics
internal import Engine
internal import Market
internal import Rules
internal import Time
internal import Trials

extension FuzzEntry {
    /// A settings file with rules.
    package static let ruleFile = FuzzEntry(name: "rule-file", seeds: ruleFiles, longest: 1_024) { bytes in
        do throws(SettingsError) {
            let loaded = try SettingsLoader(files: OneFile(bytes: bytes)).load(OneFile.name)
            check(loaded.warnings, in: bytes)
            use(loaded.settings.rules)
            return true
        } catch {
            precondition(error.findings.contains { $0.severity == .error }, "refused without an error")
            check(error.findings, in: bytes)
            return false
        }
    }

    /// A file of rule tests.
    package static let ruleTests = FuzzEntry(name: "rule-tests", seeds: testFiles, longest: 1_024) { bytes in
        do throws(SettingsError) {
            let loaded = try SettingsLoader(files: OneFile(bytes: bytes)).loadRuleTests(OneFile.name)
            // The cost of the engine is not the reader's.
            let polls = loaded.trials.reduce(0) { $0 + $1.markets.reduce(0) { $0 + $1.series.steps.count } }
            guard polls <= 200 else { return true }
            for trial in loaded.trials.prefix(4) { _ = trial.outcome(loaded.settings).hasPassed }
            return true
        } catch {
            check(error.findings, in: bytes)
            return false
        }
    }
}

/// The only file there is.
private struct OneFile: SettingsFiles {
    static let name = "rules.toml"
    let bytes: [UInt8]

    func contents(of path: String, limit: Int) -> FileAnswer<[UInt8]> {
        path == Self.name ? .found(bytes) : .missing
    }

    func names(in folder: String) -> FileAnswer<[String]> { .missing }
}

/// Checks that every position is in the file and can be shown.
private func check(_ findings: [Finding], in bytes: [UInt8]) {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    for finding in findings {
        guard let position = finding.position, position.file == OneFile.name, position.line > 0 else { continue }
        precondition(position.line <= lines.count, "\(finding) after the last line")
        let length = lines[position.line - 1].count
        precondition((1...length + 1).contains(position.column), "\(finding) behind the end of its line")
    }
    _ = FindingRenderer().render(findings)
}

/// Checks that accepted rules have unique names and a meaning, and can be evaluated.
private func use(_ rules: [Rule]) {
    precondition(Set(rules.map(\.name)).count == rules.count, "two rules of one name")
    _ = rules.map(\.meaning)
    let times = EngineSettings(
        maximumGap: .seconds(90), frozenAfter: .seconds(1_800), staleAfter: .seconds(90))
    let start = Instant(boot: BootTime(milliseconds: 0), wall: WallTime(milliseconds: 1_767_225_600_000))
    var engine = RuleEngine(rules: rules, settings: times, start: start)
    for (number, mantissa) in [Int64(1), 700_000, .max, 1, 7_500_001].enumerated() {
        let tickers = ["btcinr", "ethusdt"].compactMap { Symbol($0) }.map { symbol in
            Ticker(symbol: symbol, quote: symbol.presumedQuote, last: Price(mantissa: mantissa, scale: 2))
        }
        let passed = Milliseconds.seconds(Int64(number) * 30)
        let received = Instant(
            boot: start.boot.advanced(by: passed),
            wall: WallTime(milliseconds: start.wall.milliseconds + passed.count))
        _ = engine.evaluate(TickerBatch(tickers: tickers, received: received))
    }
    _ = engine.alerts().map(\.distancePercent)
}

@Sendable
private func ruleFiles() -> [[UInt8]] {
    [
        """
        [feed]
        source = "simulator"
        interval = "30s"
        max_gap = "90s"

        [history]
        keep = "30d"
        memory = "64MiB"

        [[rule]]
        name = "bitcoin band"
        symbol = ["btcinr", "eth*"]
        min = 4_800_000
        max = 7.5e6
        hysteresis = "0.5%"
        for = "1m30s"
        repeat = "1h"
        cooldown = "10m"
        once = true
        expires = 2027-01-01T00:00:00Z
        price = "mid"
        severity = "critical"
        message = "{symbol} at {price} {currency}, {bound} {limit} {{}}"
        """,
        """
        [[rule]]
        symbol = "*usdt"
        currency = 'SEK'
        within = ["120", "135.50"]
        [[rule]]
        name = "drop" # a comment
        symbol = "*"
        move = "5%"
        window = "15m"
        [[rule]]
        symbol = "btcinr"
        cross_up = 0.00000041
        [[rule]]
        symbol = "btcinr"
        min = 1
        keep_firing_for = "5m"
        only_while = "drop"
        """,
        """
        [[rule]]
        symbol = "BTC/INR"
        mim = 5
        max = "-1"
        [rule2]
        """,
    ].map { Array($0.utf8) }
}

@Sendable
private func testFiles() -> [[UInt8]] {
    [
        """
        interval = "30s"
        [[rule]]
        name = "r"
        symbol = "btcinr"
        max = 110
        [[test]]
        name = "t"
        series = { btcinr = "100x5 101[100/102] gap 1m 97+1x3 100..106x4 quiet frozen unusable missing" }
        rates = { USD = 1.1, SEK = "11" }
        silences = [{ at = "1m", for = "10m", symbol = "btc*", rule = "r" }]
        only = ["fired", "resolved"]
        expect = [
            { at = "1m", kind = "fired", price = 110, limit = "1..2", notified = true, reason = "silenced" },
        ]
        """,
        """
        rules = ["other.toml"]
        start = 2026-01-01T00:00:00Z
        [[test]]
        name = "t"
        series.btcinr = \"\"\"
        100 101
        x\"\"\"
        """,
    ].map { Array($0.utf8) }
}
