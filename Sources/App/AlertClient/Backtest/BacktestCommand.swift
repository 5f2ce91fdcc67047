internal import Arguments
internal import Configuration
internal import Control
internal import Diagnostics
internal import Market
internal import Time
internal import Trials

/// `alertctl backtest RULES --data FILE…`: runs rules on recorded prices and reports what they would have notified.
enum BacktestCommand: Command {
    static let specification = CommandLineSpecification(
        "backtest", summary: "Run rules on recorded prices",
        discussion: [
            "RULES is a settings file, read as the daemon reads it, or a directory of rule files. " + dataText,
            "For each alert it shows how often it fired, how many of its events would have been notified, how long its "
                + "limit was breached (from each price beyond the limit to the next that is not, without gaps), and "
                + "how often it flapped: fired again soon after it resolved (--flap). For rules that flap and can have "
                + "a hysteresis, it computes the smallest one that prevents flapping, and verifies it with another "
                + "run.",
            "A rule that has prices but cannot be evaluated, for example without exchange rates for its currency, is "
                + "an error.",
            "Recordings do not show missing or frozen markets or feed failures, so there are no events about them. "
                + "They have last prices only: rules on bid, ask or mid have no prices.",
            "All prices belong to one source. If the settings have several, only the rules of the source that an "
                + "export or --source names are run.",
        ],
        examples: [
            Example("alertctl backtest /etc/alertd --data BTCUSDT-1m-2026-10.csv", "Would the rules have been noisy?"),
            Example("alertctl backtest rules.toml --events --data btc.csv eth.csv", "All events, from two files."),
            Example(
                "zcat btc.csv.gz | alertctl backtest rules.toml --symbol btcusdt --data -", "A compressed file."),
        ],
        options: dataOptions + [
            OptionSpecification(
                "flap", value: "DURATION",
                help: "An alert flaps if it fires again within this time (default: 10m or three steps)"),
            OptionSpecification("events", help: "Also show the events"),
            OptionSpecification("chart", help: "Also draw the prices with limits and events"),
        ],
        operands: [
            OperandSpecification("RULES", kind: .file, help: "A settings file or a directory of rules"),
            OperandSpecification(
                "FILE", kind: .file, isOptional: true, isRepeated: true, help: "More price files"),
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let all = try context.loadRules(context.arguments.operands[0])
        let maximumGap = try context.length("max-gap")
        let flap = try context.length("flap")
        let data = try RecordedData(context, behind: 1)
        let loaded = try context.rules(all, for: data)
        let times = BacktestTimes(loaded, data, maximumGap: maximumGap)
        let flapLength = flap ?? max(.seconds(600), data.step?.times(3) ?? .zero)
        var study = BacktestStudy(
            rules: loaded.settings.rules, data: data, times: times, flapLength: flapLength,
            keepsEvents: context.arguments.has("events") || context.arguments.has("chart"))
        try study.run(rates: try RatesFile(context).map(PastRates.file))
        var report = BacktestReport(
            study: study, data: data, formatter: context.formatter, hasEvents: context.arguments.has("events")
        ).report
        if context.arguments.has("chart"), context.format.isHuman {
            report.parts += try RuleCharts(context, rules: study.rules).parts(study, data)
        }
        context.show(report)
        guard study.problems.isEmpty else { throw .file(study.problems.joined(separator: "; ")) }
        return .success
    }

    /// The formats of price files, for the help of all commands that read them.
    static let dataText =
        "Prices are read from CSV with times and prices, klines as published by exchanges, or exports of 'alertctl "
        + "export'; see 'alertctl help import' for time formats. Several files are merged by time. The symbol of a "
        + "file that does not name it is taken from the file name (BTCUSDT-1m-2026-10.csv) or --symbol. A kline "
        + "contributes its close, at its last millisecond; with --bars ohlc, all four prices, in this order: "
        + "open, low, high, close if it rises, and open, high, low, close if it falls. Bad lines are reported, "
        + "counted and skipped."

    static let dataOptions = [
        recordedSourceOption,
        OptionSpecification("data", value: "FILE", kind: .file, help: "A price file; - is standard input"),
        OptionSpecification(
            "symbol", value: "NAME", kind: .live("symbols"),
            help: "The symbol, if a file does not name it or names it differently"),
        OptionSpecification("interval", value: "DURATION", help: "The length of a kline, if it cannot be detected"),
        OptionSpecification(
            "bars", value: "PRICES", kind: .oneOf(["close", "ohlc"]),
            help: "Which prices of a kline to use", details: "The default is close."),
        OptionSpecification(
            "max-gap", value: "DURATION",
            help: "Prices further apart than this have a gap between them (default: max_gap of the settings, or three "
                + "times the usual interval between a symbol's prices)"),
        OptionSpecification(
            "rates", value: "FILE", kind: .file,
            help: "Reference rates of the European Central Bank, for rules in another currency"),
    ]
}

extension Context {
    /// Loads rules from a file or folder; warnings go to standard error.
    func loadRules(_ path: String) throws(ClientError) -> LoadedSettings {
        do throws(SettingsError) {
            let loaded = try SettingsLoader(files: environment.files).loadRules(path)
            warn(lines: FindingRenderer().render(loaded.warnings).split(separator: "\n").map(String.init))
            return loaded
        } catch {
            throw .badFiles(error.findings)
        }
    }

    /// Returns the value of an option that takes a duration; nil without the option.
    func length(_ option: String) throws(ClientError) -> Milliseconds? {
        guard let text = arguments.value(option) else { return nil }
        return try Self.duration(text, of: option, such: "10m or 1h")
    }
}
