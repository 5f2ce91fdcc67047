package import Diagnostics
internal import Market
internal import Receivers
internal import Rules
internal import Time

/// Valid settings, and the warnings about them.
package struct LoadedSettings: Sendable {
    package var settings: Settings
    /// Likely mistakes, in the order of the files.
    package var warnings: [Finding]
    /// The files that were read, the main file first.
    package var files: [String]
    /// The places of the settings' rules, in the same order.
    package var ruleSources: [RuleSource]
    /// The positions of the settings' checks, in the same order.
    package var checkPlaces: [SourcePosition] = []
    /// The credentials that the settings name.
    package var credentials: [CredentialPlace] = []
    /// The origin of each value, table by table in the order of the files, without rules.
    package var origins: [SettingOrigin] = []
    /// True if a main file was read, so that the settings other than rules come from a file as well.
    package var hasMainFile: Bool

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

/// The findings that make settings unusable: at least one error, and any warnings.
package struct SettingsError: Error, Sendable {
    /// The findings, in the order of the files and of their positions.
    package var findings: [Finding]
    /// The files that were read, the main file first.
    package var files: [String]

    package init(findings: [Finding], files: [String]) {
        (self.findings, self.files) = (findings, files)
    }
}

/// A loader that reads and checks all settings files. It returns all settings or none, and reports all errors
/// together.
package struct SettingsLoader: Sendable {
    /// The maximum size of a file in bytes: 10,000 rules of 100 bytes.
    package static let maximumFileBytes = 1 << 20
    /// The maximum number of files in `rules.d`. Only one of them is in memory at a time, so this limits time rather
    /// than memory.
    static let maximumFileCount = 1_000
    /// The maximum number of files in `conf.d`, which are in memory together with the main file.
    static let maximumDropInCount = 100
    /// The maximum size of the main file and `conf.d` together, in bytes: twice that of one file.
    static let maximumMainBytes = 2 * maximumFileBytes

    let files: any SettingsFiles

    /// - Parameter files: The file system to read from.
    package init(files: any SettingsFiles = LocalFiles()) {
        self.files = files
    }

    /// Reads the main file, then `conf.d/*.toml` and `rules.d/*.toml` next to it, each sorted by name and without
    /// hidden files.
    ///
    /// Neither a missing directory nor settings without a rule are an error.
    ///
    /// - Throws: ``SettingsError`` if any of the files cannot be read or is wrong.
    package func load(_ path: String) throws(SettingsError) -> LoadedSettings {
        var load = SettingsLoad(files: files)
        load.readMain(path, dropIns: load.dropIns(in: folder(of: path) + "conf.d"))
        for file in load.ruleFiles(in: folder(of: path) + "rules.d") { load.readRules(file) }
        return try load.finish(mainFile: path)
    }

    /// Reads files that have only rules, without a main file.
    func loadRules(_ paths: [String]) throws(SettingsError) -> LoadedSettings {
        var load = SettingsLoad(files: files)
        for path in paths { load.readRules(path, isNamed: true) }
        return try load.finish(mainFile: paths.first ?? "")
    }
}

/// Returns the directory of a path with a slash at its end, or an empty string for a bare file name.
func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
}

/// One run of the loader.
struct SettingsLoad {
    private let files: any SettingsFiles
    let collector = FindingCollector()
    private(set) var settings = Settings()
    private var checkPlaces: [SourcePosition] = []
    private var credentials: [CredentialPlace] = []
    private var origins: [SettingOrigin] = []
    private var receiverPlaces: [SourcePosition] = []
    private(set) var rules = RuleReader()
    private(set) var paths: [String] = []
    /// The allowed range of `window` for all sources, or nil to derive it from their intervals and the history.
    var windows: ClosedRange<Milliseconds>?
    /// The path of the settings file that ``readEither(_:)`` has read.
    private var mainFile: String?
    /// True if the sources are known because a settings file was read.
    private(set) var hasMain = false

    init(files: any SettingsFiles) {
        self.files = files
    }

    /// Reads the main file and its drop-ins as one.
    ///
    /// If one of the files is not TOML, no file is checked, because the other files may depend on it.
    mutating func readMain(_ path: String, dropIns: [String]) {
        var merged = MergedSettings()
        var isComplete = true
        for file in [path] + dropIns {
            guard let (entries, source) = parse(file, isNamed: file == path) else {
                isComplete = false
                continue
            }
            merged.add(entries, from: source)
            if merged.byteCount > SettingsLoader.maximumMainBytes {
                let limit = SettingsLoader.maximumMainBytes
                let place = SourcePosition(file: file, line: 0, column: 0)
                collector.add(
                    Finding(
                        .error, at: place, "with this file, the main file and conf.d are larger than \(limit) bytes",
                        advice: "move rules to rules.d"))
                return
            }
        }
        if isComplete { readTables(merged) }
    }

    private mutating func readTables(_ merged: MergedSettings) {
        let context = FileContext(sources: merged.sources, collector: collector)
        let entries = merged.entries(context)
        origins = SettingOrigin.all(in: entries, context)
        readSources(entries, context)
        settings.rates = RateSettings(
            reading: table(.rates, of: entries, in: context), source: settings.feed.source)
        settings.display = DisplaySettings(reading: table(.display, of: entries, in: context))
        settings.history = HistorySettings(
            reading: table(.history, of: entries, in: context),
            interval: settings.sources.map(\.interval).max() ?? settings.feed.interval)
        settings.events = EventSettings(reading: table(.events, of: entries, in: context))
        settings.sinks = SinkSettings(reading: table(.sinks, of: entries, in: context))
        settings.metrics = MetricsSettings(reading: table(.metrics, of: entries, in: context))
        settings.heartbeat = HeartbeatSettings(reading: table(.heartbeat, of: entries, in: context))
        settings.lease = LeaseSettings(reading: table(.lease, of: entries, in: context))
        let receivers = ReceiverReader.receivers(in: entries, context, files: files)
        settings.receivers = receivers.map(\.value)
        receiverPlaces = receivers.map { context.position($0.position) }
        let checks = CheckReader(settings, context).checks(in: entries)
        settings.checks = checks.map(\.value)
        checkPlaces = checks.map { context.position($0.position) }
        credentials = CredentialPlace.all(in: entries, context)
        rules.receivers = Set(settings.receivers.map(\.name))
        readRuleTables(entries, context)
    }

    /// Reads `[feed]`, or the tables `[[source]]`.
    private mutating func readSources(_ entries: [TOMLEntry], _ context: FileContext) {
        hasMain = true
        guard let list = entries.first(where: { $0.key == SettingsReference.Table.source.rawValue }) else {
            settings.feed = FeedSettings(reading: table(.feed, of: entries, in: context))
            return
        }
        if let feed = entries.first(where: { $0.key == SettingsReference.Table.feed.rawValue }), !feed.isEmptyTable {
            context.error(
                feed.keyPosition,
                "both [feed] and [[source]] are present; [[source]] is at \(context.name(of: list.keyPosition))",
                advice: "[feed] is the short form for a single source; write it as another [[source]]")
        }
        let sources = SourceReader(context: context).sources(list)
        guard let first = sources.first else { return }
        settings.feed = first
        settings.otherSources = Array(sources.dropFirst())
    }

    /// Reads the `[[rule]]` tables among the entries of a file.
    mutating func readRuleTables(_ entries: [TOMLEntry], _ context: FileContext) {
        rules.sources = mainFile == nil && !hasMain ? nil : settings.sources.map(\.name)
        rules.windows = Dictionary(
            settings.sources.map { feed in
                let shortest = feed.interval.times(2)
                return (feed.name, windows ?? shortest...max(settings.history.keep, shortest))
            }
        ) { first, _ in first }
        rules.firstSource = settings.feed.name
        rules.tetherCountsAs = settings.display.tetherCountsAs
        rules.displayCurrency = settings.display.currency
        for entry in entries where entry.key == SettingsReference.Table.rule.rawValue { rules.read(entry, in: context) }
    }

    /// Reads a file that has either settings or only rules, depending on its tables.
    mutating func readEither(_ path: String) {
        guard let (entries, source) = parse(path, isNamed: true) else { return }
        let context = FileContext(sources: [source], collector: collector)
        let others = SettingsReference.Table.allCases.filter { $0 != .rule }.map(\.rawValue)
        guard let table = entries.first(where: { others.contains($0.key) }) else {
            for entry in entries where entry.key != SettingsReference.Table.rule.rawValue {
                context.unknownTable(entry)
            }
            return readRuleTables(entries, context)
        }
        if let mainFile {
            context.error(
                table.keyPosition, "\(mainFile) is already the main settings file",
                advice: "name one file with settings; the others may contain rules only")
        }
        mainFile = path
        var merged = MergedSettings()
        merged.add(entries, from: source)
        readTables(merged)
    }

    /// Returns the files of rules in a directory, sorted by name.
    ///
    /// - Parameters:
    ///   - folder: The directory, which may be missing.
    ///   - isOptional: True if the path may also be something other than a directory.
    /// - Returns: The paths of the files.
    func ruleFiles(in folder: String, isOptional: Bool = false) -> [String] {
        settingsFiles(in: folder, limit: SettingsLoader.maximumFileCount, isOptional: isOptional)
    }

    /// Returns the drop-ins in a directory, sorted by name.
    func dropIns(in folder: String) -> [String] {
        settingsFiles(in: folder, limit: SettingsLoader.maximumDropInCount)
    }

    private func settingsFiles(in folder: String, limit: Int, isOptional: Bool = false) -> [String] {
        switch files.names(in: folder) {
        case .missing: return []
        case .failed where isOptional: return []
        case .failed(let reason, let advice):
            unreadable(folder, reason, advice: advice)
            return []
        case .found(let names):
            let chosen = names.filter { $0.hasSuffix(".toml") && !$0.hasPrefix(".") }.sorted()
            for name in names.sorted() where looksLikeSettings(name) { warnOfIgnored("\(folder)/\(name)") }
            if chosen.count > limit {
                unreadable(folder, "it has more than \(limit) files", advice: "combine some of them")
            }
            return chosen.prefix(limit).map { "\(folder)/\($0)" }
        }
    }

    /// Returns true for a file that is not read but was probably meant to be: not a hidden file, a backup or a note.
    private func looksLikeSettings(_ name: String) -> Bool {
        let meant = [".conf", ".tml", ".ini", ".cfg", ".rules", ".rule", ".txt", ".yaml", ".yml", ".json"]
        let lower = name.lowercased()
        return !name.hasPrefix(".") && !name.hasSuffix(".toml") && !lower.hasPrefix("readme")
            && (lower.hasSuffix(".toml") || meant.contains { lower.hasSuffix($0) })
    }

    private func warnOfIgnored(_ path: String) {
        let place = SourcePosition(file: path, line: 0, column: 0)
        collector.add(
            Finding(
                .warning, at: place, "is ignored: only files that end in .toml are read",
                advice: "rename it, or move it elsewhere"))
    }

    /// Reads a file that has only rules.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - isNamed: True if the user has named the file, false if it was found in a directory.
    mutating func readRules(_ path: String, isNamed: Bool = false) {
        guard let (entries, source) = parse(path, isNamed: isNamed) else { return }
        let context = FileContext(sources: [source], collector: collector)
        for entry in entries where entry.key != SettingsReference.Table.rule.rawValue {
            if SettingsReference.Table(rawValue: entry.key) != nil {
                context.error(
                    entry.keyPosition, "[\(entry.key)] is not allowed in rules.d, which is for [[rule]] only",
                    advice: "move it to a file in conf.d")
            } else {
                context.unknownTable(entry)
            }
        }
        readRuleTables(entries, context)
    }

    func finish(mainFile: String) throws(SettingsError) -> LoadedSettings {
        var settings = settings
        settings.rules = rules.rules
        checkOnlyWhile()
        warnOfUnknownRules(in: settings)
        if !collector.hasErrors, settings.rules.isEmpty {
            collector.add(
                Finding(
                    .warning, at: SourcePosition(file: mainFile, line: 0, column: 0),
                    "no rules: no alerts will be sent",
                    advice: "add a [[rule]] here, or a file to rules.d"))
        }
        let findings = collector.sorted(by: paths)
        guard !collector.hasErrors else { throw SettingsError(findings: findings, files: paths) }
        var loaded = LoadedSettings(
            settings: settings, warnings: findings, files: paths, ruleSources: rules.places, hasMainFile: hasMain)
        loaded.checkPlaces = checkPlaces
        loaded.credentials = credentials
        loaded.origins = origins
        return loaded
    }

    /// Checks `only_while` of all rules that were read.
    func checkOnlyWhile() {
        for finding in OnlyWhileCheck(rules, firstSource: hasMain ? settings.feed.name : nil).findings {
            collector.add(finding)
        }
    }

    private func warnOfUnknownRules(in settings: Settings) {
        guard settings.receivers.contains(where: { $0.filter.rules != nil }) else { return }
        let names = Set(settings.rules.map(\.name))
        for (receiver, place) in zip(settings.receivers, receiverPlaces) {
            for name in (receiver.filter.rules ?? []).subtracting(names).sorted() {
                collector.add(
                    Finding(
                        .warning, at: place,
                        "the receiver \"\(receiver.name)\" names the rule \"\(name)\", which does not exist",
                        advice: "correct `rules` of the receiver, or add the rule"))
            }
        }
    }

    /// Returns a table of settings, or an empty one if it is absent or has the wrong shape.
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

    /// Reads and parses a file. If that fails, reports a finding and returns nil.
    mutating func parse(_ path: String, isNamed: Bool) -> ([TOMLEntry], SourceText)? {
        switch files.contents(of: path, limit: SettingsLoader.maximumFileBytes) {
        case .found(let bytes):
            paths.append(path)
            let source = SourceText(file: path, bytes: bytes)
            return FileContext(sources: [source], collector: collector).parse(bytes).map { ($0, source) }
        case .missing where isNamed:
            unreadable(path, "no such file", advice: "create it, or name another file")
        case .missing where path.unicodeScalars.contains("\u{FFFD}"):
            unreadable(path, "its name is not UTF-8", advice: "rename it")
        case .missing: unreadable(path, "no such file", advice: "remove the dangling link")
        case .failed(let reason, let advice): unreadable(path, reason, advice: advice)
        }
        return nil
    }

    private func unreadable(_ path: String, _ reason: String, advice: String? = nil) {
        let place = SourcePosition(file: path, line: 0, column: 0)
        let standard = "check that it is a file and that the daemon's user can read it"
        collector.add(Finding(.error, at: place, "cannot be read: \(reason)", advice: advice ?? standard))
    }
}
