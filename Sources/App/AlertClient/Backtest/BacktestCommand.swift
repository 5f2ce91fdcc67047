internal import Arguments
internal import Configuration
internal import Control
internal import Diagnostics
internal import Market
internal import Time
internal import Trials

/// `alertctl backtest RULES --data FILE…`: what rules would have notified.
enum BacktestCommand: Command {
    static let specification = CommandLineSpecification(
        "backtest", summary: "Run rules over recorded prices",
        discussion: [
            "RULES is a settings file, read as the daemon reads it, or a folder of files with rules. " + dataWords,
            "For each alert it shows how often it fired, how many of its events are notified, for how long its "
                + "limit was "
                + "reached (time in breach: from each price beyond the limit to the next that is not, without gaps), "
                + "and how often it flapped: fired again soon after it was over (--flap). For rules that flap and can "
                + "have a hysteresis it computes the smallest one with which nothing would have flapped, and shows by "
                + "another run that it is so.",
            "Recordings say nothing of missing and frozen markets and of a silent feed, so that nothing is notified of "
                + "these. They have last prices only: rules on bid, ask and mid see none.",
        ],
        examples: [
            Example("alertctl backtest /etc/alertd --data BTCUSDT-1m-2026-10.csv", "Would the rules have been noisy?"),
            Example("alertctl backtest rules.toml --events --data btc.csv eth.csv", "All events of two files."),
            Example(
                "zcat btc.csv.gz | alertctl backtest rules.toml --symbol btcusdt --data -", "A compressed file."),
        ],
        options: dataOptions + [
            OptionSpecification(
                "flap", value: "LENGTH", help: "An alert that fires again so soon flaps; 10m, or three steps"),
            OptionSpecification("events", help: "Show the events as well"),
        ],
        operands: [
            OperandSpecification("RULES", kind: .file, help: "A settings file, or a folder of rules"),
            OperandSpecification(
                "FILE", kind: .file, isOptional: true, isRepeated: true, help: "More files of prices"),
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let loaded = try context.loadRules(context.arguments.operands[0])
        let maximumGap = try context.length("max-gap")
        let flap = try context.length("flap")
        let data = try RecordedData(context, behind: 1)
        let times = BacktestTimes(loaded, step: data.step, maximumGap: maximumGap)
        let flapLength = flap ?? max(.seconds(600), data.step?.times(3) ?? .zero)
        var study = BacktestStudy(
            rules: loaded.settings.rules, data: data, times: times, flapLength: flapLength,
            keepsEvents: context.arguments.has("events"))
        try study.run(rates: try RatesFile(context))
        context.show(BacktestReport(study: study, formatter: context.formatter).report)
        return .success
    }

    /// What files of prices may be, for all commands that read them.
    static let dataWords =
        "The prices are CSV with a time and a price, klines as exchanges give them, or what 'alertctl export' wrote; "
        + "see 'alertctl help import' for their times. Several files are merged by time. A file that does not name its "
        + "symbol is of the one in its own name (BTCUSDT-1m-2026-10.csv), or of --symbol. Of a kline the close counts, "
        + "at its last millisecond; with --bars ohlc all four prices count, one after the other: the open, then of a "
        + "kline that rises the low and the high, of one that falls the high and the low, then the close. Bad lines "
        + "are shown, counted and left out."

    static let dataOptions = [
        OptionSpecification("data", value: "FILE", kind: .file, help: "A file of prices; - is standard input"),
        OptionSpecification(
            "symbol", value: "NAME", kind: .live("symbols"),
            help: "The symbol, where a file does not name it or calls it otherwise"),
        OptionSpecification("interval", value: "LENGTH", help: "The length of a kline, where a file does not show it"),
        OptionSpecification(
            "bars", value: "PRICES", kind: .oneOf(["close", "ohlc"]), help: "Which prices of a kline count; close"),
        OptionSpecification(
            "max-gap", value: "LENGTH", help: "Prices further apart have a gap between them; as the settings say"),
        OptionSpecification(
            "rates", value: "FILE", kind: .file,
            help: "Reference rates of the European Central Bank, for rules in another currency"),
    ]
}

extension Context {
    /// Rules of a file or folder; warnings go to the error stream.
    func loadRules(_ path: String) throws(ClientError) -> LoadedSettings {
        do throws(SettingsError) {
            let loaded = try SettingsLoader(files: environment.files).loadRules(path)
            if !loaded.warnings.isEmpty { note(String(FindingRenderer().render(loaded.warnings).dropLast())) }
            return loaded
        } catch {
            throw .badFiles(error.findings)
        }
    }

    /// A length of time that an option gives.
    func length(_ option: String) throws(ClientError) -> Milliseconds? {
        guard let text = arguments.value(option) else { return nil }
        guard let length = Milliseconds(text), length > .zero else {
            throw .usage("--\(option) takes a length of time, such as 10m or 1h")
        }
        return length
    }
}
