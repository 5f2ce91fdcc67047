internal import Arguments
internal import Market
internal import Time

extension ImportOptions {
    /// Reads `--symbol` and `--interval`.
    init(_ context: Context) throws(ClientError) {
        self.init(now: context.formatter.now)
        if let name = context.arguments.value("symbol") {
            guard let symbol = Symbol(name.lowercased()) else {
                throw .usage("--symbol takes the name of a symbol, such as btcinr")
            }
            self.symbol = symbol
        }
        if let text = context.arguments.value("interval") {
            klineLength = try Context.duration(text, of: "interval", such: "1m or 1h", atLeast: .seconds(1))
        }
    }
}

/// The price files of a command, all scanned.
struct ScannedFiles {
    private(set) var all: [ScannedFile] = []
    private(set) var faults = FaultList()

    /// Opens and scans the files. If a file does not name its symbol, the symbol is taken from the file name.
    ///
    /// Prices of unsorted files are kept in memory, because they must be sorted. Prices of sorted files are kept only
    /// while the total is within ``ScannedContent/sampleLimit``.
    init(_ paths: [String], _ options: ImportOptions, _ context: Context) throws(ClientError) {
        var kept = 0
        for path in paths {
            var options = options
            options.presumedSymbol = Symbol(presumedFrom: path)
            let input = try InputFile(path, standardInput: context.environment.standardInput)
            var file = try ScannedFile(input, options, &faults)
            kept += file.content.samples?.count ?? 0
            if kept > ScannedContent.sampleLimit, file.content.isOrdered {
                kept -= file.content.samples?.count ?? 0
                file.forgetSamples()
            }
            all.append(file)
        }
    }
}

extension ScannedFile {
    /// Describes the content of the file in one line.
    func text(_ formatter: HumanFormatter) -> String {
        let symbols =
            content.symbols.count == 1
            ? content.symbols.first?.description ?? "" : counted(content.symbols.count, "symbol")
        let range =
            content.prices == 0
            ? ""
            : ", \(formatter.stamp(time(content.oldest) ?? "")) to \(formatter.stamp(time(content.newest) ?? ""))"
                + " \(formatter.zone(formatter.now).name)"
        return "\(file.name): \(layoutText), \(timeForm.text): "
            + "\(counted(content.prices, "price")) of \(symbols)\(range)"
            + (bannerLines == 0 ? "" : "; \(counted(bannerLines, "line")) before the header skipped")
    }

    /// Returns the oldest or newest time as text; nil if the file has no prices.
    fileprivate func time(_ milliseconds: Int64) -> String? {
        (1..<Int64.max).contains(milliseconds) ? WallTime(milliseconds: milliseconds).description : nil
    }
}

/// Returns a table of the files that prices were read from, for programs.
func importedFilesTable(_ files: [ScannedFile]) -> Table {
    let keys = [
        "file", "layout", "times", "symbols", "prices", "bad_lines", "unfinished_klines", "oldest", "newest",
    ]
    let rows = files.map { file in
        [
            Cell(.text(file.file.name)), Cell(.text(file.layoutText)), Cell(.text(file.timeForm.text)),
            Cell(.count(file.content.symbols.count)), Cell(.count(file.content.prices)),
            Cell(.count(file.content.badLines)),
            Cell(.count(file.unfinished)), Cell(.time(file.time(file.content.oldest))),
            Cell(.time(file.time(file.content.newest))),
        ]
    }
    return Table(key: "files", columns: keys.map { Column($0, nil) }, rows: rows, whenEmpty: "")
}
