internal import Arguments
internal import Control
internal import Market

/// `alertctl import FILE…`: adds recorded prices to the history.
enum ImportCommand: Command {
    static let specification = CommandLineSpecification(
        "import", summary: "Import past prices from files",
        discussion: [
            "Reads exports of 'alertctl export' (JSON lines and CSV), CSV with times and prices, and klines as "
                + "published by exchanges, with or without a header. Fields are separated by commas, semicolons or "
                + "tabs; prices may have a decimal comma. Lines of text before the header and Excel's 'sep=;' are "
                + "skipped. Times are numbers since 1970, in seconds, milliseconds or microseconds, or dates with the "
                + "year first, in UTC unless they have a zone; the format is detected for each file and reported. "
                + "Lines may be in any order. '-' is standard input.",
            "The symbol of a file that does not name it is taken from the file name (BTCUSDT-1m-2026-11.csv) or "
                + "--symbol.",
            "The close of a kline is imported at the last millisecond of the kline: from 08:00 to 09:00 it is the "
                + "price at 08:59:59.999. An unfinished kline is skipped.",
            "All files are read before anything is imported: if a line is bad, nothing is imported, unless --skip-bad "
                + "is given. Importing twice changes nothing. Existing prices are kept, and prices older than 'keep' "
                + "in [history] are not imported.",
            accessText,
        ],
        examples: [
            Example("alertctl import btcinr.jsonl", "An export from another machine."),
            Example("alertctl import BTCUSDT-1m-2026-11.csv", "Klines of an exchange."),
            Example("zcat klines.csv.gz | alertctl import --symbol btcusdt -", "A compressed file."),
            Example("alertctl import --dry-run --symbol btcusdt klines.csv", "Show what would be imported."),
        ],
        options: [
            OptionSpecification(
                "source", value: "NAME", kind: .live("sources"),
                help: "The source to import for, if there are several and the file does not name one"),
            OptionSpecification(
                "symbol", value: "NAME", kind: .live("symbols"),
                help: "The symbol, if a file does not name it or names it differently"),
            OptionSpecification(
                "interval", value: "DURATION", help: "The length of a kline, if it cannot be detected"),
            OptionSpecification("skip-bad", help: "Skip bad lines and import the rest"),
            OptionSpecification("dry-run", help: "Read the files, but import nothing"),
        ],
        operands: [
            OperandSpecification("FILE", kind: .file, isRepeated: true, help: "Files to import; - is standard input")
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let options = try ImportOptions(context)
        let scanned = try ScannedFiles(context.arguments.operands, options, context)
        let (files, faults) = (scanned.all, scanned.faults)
        if faults.count > 0 {
            guard context.arguments.has("skip-bad") else { throw .badLines(faults.shown, count: faults.count) }
            for line in faults.shown { context.warn("alertctl: skipped: \(plain(.text(line)))") }
        }
        let result = context.arguments.has("dry-run") ? nil : try send(files, options, context)
        context.show(ImportReport(files: files, badLines: faults.count, result: result).report(context.formatter))
        return .success
    }

    private static func send(
        _ files: [ScannedFile], _ options: ImportOptions, _ context: Context
    ) throws(ClientError) -> ImportPricesReply {
        let connection = try context.connect()
        let status = try connection.status()
        if !status.simulated, let file = files.first(where: { $0.header?.simulated == true }) {
            throw .file(
                "\(file.file.name): contains simulated prices, but the daemon watches a real market; nothing was "
                    + "imported")
        }
        var result = ImportPricesReply(added: 0, duplicates: 0, conflicting: 0, tooOld: 0)
        for (source, own) in bySource(files, context, status) {
            if let symbol = options.symbol { try check(symbol, of: source, connection) }
            for file in own {
                if let symbol = file.presumedSymbol { try check(symbol, of: source, connection, namedBy: file) }
            }
            var sender = SampleSender(connection, source: source, result)
            for file in own {
                try file.forEachSample { (sample) throws(ClientError) in try sender.add(sample) }
            }
            try sender.finish()
            result = sender.result
        }
        return result
    }

    /// Groups the files by source: the source that `--source` names, or else, if the daemon has several sources, the
    /// source that an export names. Nil means the daemon's only source.
    private static func bySource(
        _ files: [ScannedFile], _ context: Context, _ status: DaemonStatus
    ) -> [(source: String?, files: [ScannedFile])] {
        var groups: [(source: String?, files: [ScannedFile])] = []
        for file in files {
            let named = status.hasSeveralSources ? file.header?.source : nil
            let source = context.arguments.value("source") ?? named
            if let place = groups.firstIndex(where: { $0.source == source }) {
                groups[place].files.append(file)
            } else {
                groups.append((source, [file]))
            }
        }
        return groups
    }

    /// Checks that the source lists the symbol, to detect a mistyped name. Until the daemon has received prices, every
    /// name passes.
    private static func check(
        _ symbol: Symbol, of source: String?, _ connection: any ControlConnection, namedBy file: ScannedFile? = nil
    ) throws(ClientError) {
        let name = (source.map { "\($0):" } ?? "") + symbol.description
        let listed = try connection.all(
            .listTickers, ListTickersParameters(match: name), returning: ListTickersReply.self)
        guard listed.received != nil, listed.symbols.isEmpty else { return }
        if let file {
            throw .usage(
                "\(file.file.name): does not name its symbol, and '\(symbol)', taken from the file name, is not a "
                    + "symbol of the source; specify it with --symbol")
        }
        _ = try connection.call(.getSymbol, GetSymbolParameters(symbol: name), returning: GetSymbolReply.self)
    }
}

/// The report of an import: the content of the files and the result.
private struct ImportReport {
    let files: [ScannedFile]
    let badLines: Int
    /// The result of the import; nil for a dry run.
    let result: ImportPricesReply?

    func report(_ formatter: HumanFormatter) -> Report {
        let unfinished = files.reduce(0) { $0 + $1.unfinished }
        let fields = [
            Field("prices", .count(files.reduce(0) { $0 + $1.content.prices })), Field("bad_lines", .count(badLines)),
            Field("unfinished_klines", .count(unfinished)), Field("added", .count(result?.added)),
            Field("duplicates", .count(result?.duplicates)), Field("conflicting", .count(result?.conflicting)),
            Field("too_old", .count(result?.tooOld)),
        ]
        let lines = files.map { $0.text(formatter) } + resultText(unfinished: unfinished, formatter)
        return Report(
            parts: lines.map { .text($0, .none) } + [.fields(key: nil, fields), .table(importedFilesTable(files))])
    }

    private func resultText(unfinished: Int, _ formatter: HumanFormatter) -> [String] {
        var notes: [String] = []
        if badLines > 0 { notes.append("\(counted(badLines, "bad line")) skipped") }
        if unfinished > 0 { notes.append("\(counted(unfinished, "unfinished kline")) skipped") }
        guard let result else { return ["Nothing was imported (dry run)."] + notes }
        if result.conflicting > 0 { notes.append("conflicting prices were not changed") }
        if result.tooOld > 0 { notes.append("prices older than 'keep' in [history] are not imported") }
        return [
            "Imported: \(result.added) added, \(result.duplicates) already present, \(result.conflicting) conflicting, "
                + "\(result.tooOld) too old" + notes.map { "; \($0)" }.joined()
        ]
    }
}
