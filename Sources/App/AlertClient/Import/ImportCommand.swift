internal import Arguments
internal import Control
internal import Market

/// `alertctl import FILE…`: puts prices of elsewhere into the history.
enum ImportCommand: Command {
    static let specification = CommandLineSpecification(
        "import", summary: "Import past prices from files",
        discussion: [
            "It reads what 'alertctl export' wrote (JSON lines and CSV), CSV with a time and a price, and klines as "
                + "exchanges give them, with or without a header. Times are numbers since 1970, in seconds, "
                + "milliseconds or microseconds, or dates, in UTC where they name no zone; it finds out which, file "
                + "by file, and says so. Lines may be in any order. '-' is standard input.",
            "Of a kline the close is imported, at the last millisecond of the kline: from 08:00 to 09:00 it is the "
                + "price of 08:59:59.999. A kline that is not over yet is left out.",
            "All files are read before anything is sent: when a line is bad, nothing is imported, unless --skip-bad "
                + "leaves it out. Importing twice changes nothing. A price that is there already stays, and what is "
                + "older than [history] keep is not taken.",
            "For root, the user of the daemon and the group alertd-admin.",
        ],
        examples: [
            Example("alertctl import btcinr.jsonl", "What alertctl export wrote on another machine."),
            Example("alertctl import --symbol btcusdt BTCUSDT-1m-2026-11.csv", "Klines of an exchange."),
            Example("zcat klines.csv.gz | alertctl import --symbol btcusdt -", "A compressed file."),
            Example("alertctl import --dry-run --symbol btcusdt klines.csv", "What would be imported?"),
        ],
        options: [
            OptionSpecification(
                "symbol", value: "NAME", kind: .live("symbols"),
                help: "The symbol, where a file does not name it or calls it otherwise"),
            OptionSpecification(
                "interval", value: "LENGTH", help: "The length of a kline, where a file does not show it"),
            OptionSpecification("skip-bad", help: "Leave bad lines out and import the rest"),
            OptionSpecification("dry-run", help: "Read the files, and import nothing"),
        ],
        operands: [OperandSpecification("FILE", kind: .file, isRepeated: true, help: "Files; - is standard input")])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let options = try ImportOptions(context)
        var faults = FaultList()
        var files: [ScannedFile] = []
        for path in context.arguments.operands {
            let file = try InputFile(path, standardInput: context.environment.standardInput)
            files.append(try ScannedFile(file, options, &faults))
        }
        if faults.count > 0 {
            guard context.arguments.has("skip-bad") else { throw .badLines(faults.shown, count: faults.count) }
            for line in faults.shown { context.note("alertctl: left out: \(plain(.text(line)))") }
        }
        let result = context.arguments.has("dry-run") ? nil : try send(files, options, context)
        context.show(ImportReport(files: files, badLines: faults.count, result: result).report(context.formatter))
        return .success
    }

    private static func send(
        _ files: [ScannedFile], _ options: ImportOptions, _ context: Context
    ) throws(ClientError) -> ImportPricesReply {
        let connection = try context.connect()
        let isSimulated = try connection.status().simulated
        if !isSimulated, let file = files.first(where: { $0.header?.simulated == true }) {
            throw .file(
                "\(file.file.name): holds made-up prices of a simulated market, and the daemon watches a real one; "
                    + "nothing was imported")
        }
        if let symbol = options.symbol { try check(symbol, connection) }
        var sender = SampleSender(connection)
        for file in files {
            try file.forEachSample { (sample) throws(ClientError) in try sender.add(sample) }
        }
        try sender.finish()
        return sender.result
    }

    /// Finds a name that was mistyped, as far as the daemon knows any.
    private static func check(_ symbol: Symbol, _ connection: any ControlConnection) throws(ClientError) {
        let name = symbol.description
        let listed = try connection.call(
            .listTickers, ListTickersParameters(match: name), returning: ListTickersReply.self)
        guard listed.received != nil, listed.symbols.isEmpty else { return }
        _ = try connection.call(.getSymbol, GetSymbolParameters(symbol: name), returning: GetSymbolReply.self)
    }
}

/// What was found and what became of it.
private struct ImportReport {
    let files: [ScannedFile]
    let badLines: Int
    /// Nil when nothing was to be imported.
    let result: ImportPricesReply?

    func report(_ formatter: HumanFormatter) -> Report {
        let unfinished = files.reduce(0) { $0 + $1.unfinished }
        let fields = [
            Field("prices", .count(files.reduce(0) { $0 + $1.prices })), Field("bad_lines", .count(badLines)),
            Field("unfinished_klines", .count(unfinished)), Field("added", .count(result?.added)),
            Field("duplicates", .count(result?.duplicates)), Field("conflicting", .count(result?.conflicting)),
            Field("too_old", .count(result?.tooOld)),
        ]
        let lines = files.map { $0.words(formatter) } + resultWords(unfinished: unfinished, formatter)
        return Report(
            parts: lines.map { .words($0, .none) } + [.fields(key: nil, fields), .table(importedFilesTable(files))])
    }

    private func resultWords(unfinished: Int, _ formatter: HumanFormatter) -> [String] {
        var notes: [String] = []
        if badLines > 0 { notes.append("\(counted(badLines, "bad line")) left out") }
        if unfinished > 0 { notes.append("\(counted(unfinished, "kline")) left out that are not over yet") }
        guard let result else { return ["Nothing was imported: this was a dry run."] + notes }
        if result.conflicting > 0 { notes.append("where a price was there already, it stays") }
        if result.tooOld > 0 { notes.append("what is older than [history] keep is not taken") }
        return [
            "Imported: \(result.added) added, \(result.duplicates) there already, \(result.conflicting) conflicting, "
                + "\(result.tooOld) too old" + notes.map { "; \($0)" }.joined()
        ]
    }
}
