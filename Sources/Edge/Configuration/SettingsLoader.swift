package import Diagnostics
internal import Market
internal import Time

/// Settings that hold, and what there is to say about them.
package struct LoadedSettings: Sendable {
    package var settings: Settings
    /// What does no harm but was hardly meant, in the order of the files.
    package var warnings: [Finding]
    /// The files that were read, the main file first.
    package var files: [String]
    /// Where each of the settings' rules stands, in the same order.
    package var ruleSources: [RuleSource]
    /// Whether a main file was read, so that the other settings are those of a file as well.
    package var hasMainFile: Bool

    /// Where each of the settings' rules begins, in the same order.
    package var rulePositions: [SourcePosition] { ruleSources.map(\.begin.position) }

    package init(
        settings: Settings, warnings: [Finding], files: [String], ruleSources: [RuleSource], hasMainFile: Bool = true
    ) {
        self.settings = settings
        self.warnings = warnings
        self.files = files
        self.ruleSources = ruleSources
        self.hasMainFile = hasMainFile
    }
}

/// Why settings cannot be used: at least one error, and the warnings between.
package struct SettingsError: Error, Sendable {
    /// In the order of the files and of the places in them.
    package var findings: [Finding]
    /// The files that were read, the main file first.
    package var files: [String]
}

/// Reads the settings files and checks them: all or nothing, and everything that is wrong at once.
package struct SettingsLoader: Sendable {
    /// The most bytes of one file: 10,000 rules of 100 bytes.
    package static let maximumFileBytes = 1 << 20
    /// The most files below `rules.d`; they are held one at a time, so that it bounds the time and not the memory.
    static let maximumFileCount = 1_000

    let files: any SettingsFiles

    package init(files: any SettingsFiles = LocalFiles()) {
        self.files = files
    }

    /// Reads the main file, and `rules.d/*.toml` beside it in the order of their names, hidden files left out.
    ///
    /// A folder `rules.d` that does not exist, and settings without a rule, are no errors.
    ///
    /// - Throws: ``SettingsError``, when any of it cannot be read or is wrong.
    package func load(_ path: String) throws(SettingsError) -> LoadedSettings {
        var load = SettingsLoad(files: files)
        load.readMain(path)
        for file in load.ruleFiles(in: folder(of: path) + "rules.d") { load.readRules(file) }
        return try load.finish(mainFile: path)
    }

    /// Reads files that hold rules only, without a main file.
    func loadRules(_ paths: [String]) throws(SettingsError) -> LoadedSettings {
        var load = SettingsLoad(files: files)
        for path in paths { load.readRules(path) }
        var loaded = try load.finish(mainFile: paths.first ?? "")
        loaded.hasMainFile = false
        return loaded
    }
}

/// The folder that a path lies in, with the slash at its end; empty for one without a folder.
func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
}

/// One run of the loader.
struct SettingsLoad {
    private let files: any SettingsFiles
    let collector = FindingCollector()
    private(set) var settings = Settings()
    private(set) var rules = RuleReader()
    private(set) var paths: [String] = []
    /// What a window may be, whatever the files say of intervals and history.
    var windows: ClosedRange<Milliseconds>?
    /// The file with settings that ``readEither(_:)`` has met.
    private var mainFile: String?

    init(files: any SettingsFiles) {
        self.files = files
    }

    mutating func readMain(_ path: String) {
        guard let (entries, context) = parse(path, isMain: true) else { return }
        takeMain(entries, context)
    }

    private mutating func takeMain(_ entries: [TOMLEntry], _ context: FileContext) {
        let known = Set(SettingsReference.Table.allCases.map(\.rawValue))
        for entry in entries where !known.contains(entry.key) { context.unknownTable(entry) }
        settings.feed = FeedSettings(reading: table(.feed, of: entries, in: context))
        settings.rates = RateSettings(
            reading: table(.rates, of: entries, in: context), source: settings.feed.source)
        settings.display = DisplaySettings(reading: table(.display, of: entries, in: context))
        settings.history = HistorySettings(
            reading: table(.history, of: entries, in: context), interval: settings.feed.interval)
        settings.events = EventSettings(reading: table(.events, of: entries, in: context))
        settings.sinks = SinkSettings(reading: table(.sinks, of: entries, in: context))
        takeRules(entries, context)
    }

    /// Reads the `[[rule]]` tables among the entries of a file.
    mutating func takeRules(_ entries: [TOMLEntry], _ context: FileContext) {
        let shortest = settings.feed.interval.times(2)
        rules.windows = windows ?? shortest...max(settings.history.keep, shortest)
        rules.tetherCountsAs = settings.display.tetherCountsAs
        for entry in entries where entry.key == SettingsReference.Table.rule.rawValue { rules.read(entry, in: context) }
    }

    /// Reads a file of settings or of rules alone: what tables it holds tells which it is.
    mutating func readEither(_ path: String) {
        guard let (entries, context) = parse(path, isMain: true) else { return }
        let others = SettingsReference.Table.allCases.filter { $0 != .rule }.map(\.rawValue)
        guard let table = entries.first(where: { others.contains($0.key) }) else {
            for entry in entries where entry.key != SettingsReference.Table.rule.rawValue {
                context.unknownTable(entry)
            }
            return takeRules(entries, context)
        }
        if let mainFile {
            context.error(
                table.keyPosition, "\(mainFile) holds settings already",
                advice: "name one file with settings, and others with rules alone")
        }
        mainFile = path
        takeMain(entries, context)
    }

    /// The files of a folder that hold rules, sorted by name.
    ///
    /// - Parameters:
    ///   - folder: where they lie; there may be none.
    ///   - isOptional: whether it may also be something else than a folder.
    /// - Returns: their paths.
    func ruleFiles(in folder: String, isOptional: Bool = false) -> [String] {
        switch files.names(in: folder) {
        case .missing: return []
        case .failed where isOptional: return []
        case .failed(let reason):
            unreadable(folder, reason)
            return []
        case .found(let names):
            let chosen = names.filter { $0.hasSuffix(".toml") && !$0.hasPrefix(".") }.sorted()
            if chosen.count > SettingsLoader.maximumFileCount {
                unreadable(folder, "it holds more than \(SettingsLoader.maximumFileCount) files")
            }
            return chosen.prefix(SettingsLoader.maximumFileCount).map { "\(folder)/\($0)" }
        }
    }

    mutating func readRules(_ path: String) {
        guard let (entries, context) = parse(path, isMain: false) else { return }
        for entry in entries where entry.key != SettingsReference.Table.rule.rawValue {
            if SettingsReference.Table(rawValue: entry.key) != nil {
                context.error(
                    entry.keyPosition, "[\(entry.key)] does not belong into rules.d, where only [[rule]] may stand",
                    advice: "move it to the main file")
            } else {
                context.unknownTable(entry)
            }
        }
        takeRules(entries, context)
    }

    func finish(mainFile: String) throws(SettingsError) -> LoadedSettings {
        var settings = settings
        settings.rules = rules.rules
        if !collector.hasErrors, settings.rules.isEmpty {
            collector.add(
                Finding(
                    .warning, at: SourcePosition(file: mainFile, line: 0, column: 0),
                    "no rules: nothing will be notified",
                    advice: "add a [[rule]] to it, or a file to rules.d beside it"))
        }
        let findings = collector.sorted(by: paths)
        guard !collector.hasErrors else { throw SettingsError(findings: findings, files: paths) }
        return LoadedSettings(
            settings: settings, warnings: findings, files: paths, ruleSources: rules.sources)
    }

    /// A table of the main file; empty when it is absent or has the wrong shape.
    private func table(
        _ table: SettingsReference.Table, of entries: [TOMLEntry], in context: FileContext
    ) -> TableReader {
        guard let entry = entries.first(where: { $0.key == table.rawValue }) else {
            return TableReader([], of: table, in: context)
        }
        guard case .table(let content) = entry.node.value else {
            context.wrongShape(entry, of: table)
            return TableReader([], of: table, in: context)
        }
        return TableReader(content, of: table, in: context)
    }

    /// Reads and parses a file; nil when that cannot be done, which is then a finding.
    mutating func parse(_ path: String, isMain: Bool) -> ([TOMLEntry], FileContext)? {
        switch files.contents(of: path, limit: SettingsLoader.maximumFileBytes) {
        case .found(let bytes):
            paths.append(path)
            let context = FileContext(source: SourceText(file: path, bytes: bytes), collector: collector)
            return context.parse(bytes).map { ($0, context) }
        case .missing where isMain:
            unreadable(path, "there is no such file", advice: "create it, or name another file")
        case .missing: unreadable(path, "there is no such file", advice: "remove the dangling link")
        case .failed(let reason): unreadable(path, reason)
        }
        return nil
    }

    private func unreadable(_ path: String, _ reason: String, advice: String? = nil) {
        let place = SourcePosition(file: path, line: 0, column: 0)
        let standard = "check what it is and who may read it"
        collector.add(Finding(.error, at: place, "cannot be read: \(reason)", advice: advice ?? standard))
    }
}
