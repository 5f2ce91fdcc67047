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
    /// The place of each of the settings' rules, in the same order.
    package var ruleSources: [RuleSource]
    /// The place of each of the settings' checks, in the same order.
    package var checkPlaces: [SourcePosition] = []
    /// The credentials that the settings name.
    package var credentials: [CredentialPlace] = []
    /// Where each value comes from, table by table in the order of the files, without rules.
    package var origins: [SettingOrigin] = []
    /// Whether a main file was read, so that the other settings come from a file too.
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

/// Why settings cannot be used: at least one error, and any warnings.
package struct SettingsError: Error, Sendable {
    /// In the order of the files and of the places in them.
    package var findings: [Finding]
    /// The files that were read, the main file first.
    package var files: [String]

    package init(findings: [Finding], files: [String]) {
        (self.findings, self.files) = (findings, files)
    }
}

/// Reads and checks the settings files: all or nothing, reporting all errors at once.
package struct SettingsLoader: Sendable {
    /// The most bytes of one file: 10,000 rules of 100 bytes.
    package static let maximumFileBytes = 1 << 20
    /// The most files in `rules.d`; they are held one at a time, so that it bounds the time and not the memory.
    static let maximumFileCount = 1_000
    /// The most files in `conf.d`, which are held together with the main file.
    static let maximumDropInCount = 100
    /// The most bytes of the main file and `conf.d` together: twice those of one file.
    static let maximumMainBytes = 2 * maximumFileBytes

    let files: any SettingsFiles

    /// - Parameter files: Where the files are read from.
    package init(files: any SettingsFiles = LocalFiles()) {
        self.files = files
    }

    /// Reads the main file, then `conf.d/*.toml` and `rules.d/*.toml` next to it, each in the order of their names and
    /// without hidden files.
    ///
    /// A missing directory and settings without a rule are not errors.
    ///
    /// - Throws: ``SettingsError``, when any of it cannot be read or is wrong.
    package func load(_ path: String) throws(SettingsError) -> LoadedSettings {
        var load = SettingsLoad(files: files)
        load.readMain(path, dropIns: load.dropIns(in: folder(of: path) + "conf.d"))
        for file in load.ruleFiles(in: folder(of: path) + "rules.d") { load.readRules(file) }
        return try load.finish(mainFile: path)
    }

    /// Reads files with rules only, without a main file.
    func loadRules(_ paths: [String]) throws(SettingsError) -> LoadedSettings {
        var load = SettingsLoad(files: files)
        for path in paths { load.readRules(path, isNamed: true) }
        return try load.finish(mainFile: paths.first ?? "")
    }
}

/// The directory of a path, with a slash at its end; empty for a bare name.
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
    /// The allowed lengths of a window, regardless of the files' intervals and history.
    var windows: ClosedRange<Milliseconds>?
    /// The file with settings that ``readEither(_:)`` has found.
    private var mainFile: String?
    /// Whether the sources are known, as a file of settings was read.
    private(set) var hasMain = false

    init(files: any SettingsFiles) {
        self.files = files
    }

    /// Reads the main file and the files that add to it, as one.
    ///
    /// If one of them is not TOML, the others are not checked: they may depend on it.
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
        if isComplete { takeMain(merged) }
    }

    private mutating func takeMain(_ merged: MergedSettings) {
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
        let receivers = ReceiverReader.receivers(in: entries, context)
        settings.receivers = receivers.map(\.value)
        receiverPlaces = receivers.map { context.position($0.position) }
        let checks = CheckReader(settings, context).checks(in: entries)
        settings.checks = checks.map(\.value)
        checkPlaces = checks.map { context.position($0.position) }
        credentials = CredentialPlace.all(in: entries, context)
        rules.receivers = Set(settings.receivers.map(\.name))
        takeRules(entries, context)
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
    mutating func takeRules(_ entries: [TOMLEntry], _ context: FileContext) {
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

    /// Reads a file of settings or of rules only; its tables show which it is.
    mutating func readEither(_ path: String) {
        guard let (entries, source) = parse(path, isNamed: true) else { return }
        let context = FileContext(sources: [source], collector: collector)
        let others = SettingsReference.Table.allCases.filter { $0 != .rule }.map(\.rawValue)
        guard let table = entries.first(where: { others.contains($0.key) }) else {
            for entry in entries where entry.key != SettingsReference.Table.rule.rawValue {
                context.unknownTable(entry)
            }
            return takeRules(entries, context)
        }
        if let mainFile {
            context.error(
                table.keyPosition, "\(mainFile) is already the main settings file",
                advice: "name one file with settings; the others may contain rules only")
        }
        mainFile = path
        var merged = MergedSettings()
        merged.add(entries, from: source)
        takeMain(merged)
    }

    /// The files of a directory that have rules, sorted by name.
    ///
    /// - Parameters:
    ///   - folder: the directory; it may have no files.
    ///   - isOptional: whether it may also be something other than a directory.
    /// - Returns: their paths.
    func ruleFiles(in folder: String, isOptional: Bool = false) -> [String] {
        settingsFiles(in: folder, limit: SettingsLoader.maximumFileCount, isOptional: isOptional)
    }

    /// The files of a directory that add to the main file, sorted by name.
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

    /// Whether a file that is not read was probably meant to be: not a hidden file, a backup or a note.
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

    /// Reads a file with rules only.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - isNamed: whether the user has named it; otherwise it was found in a directory.
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
        takeRules(entries, context)
    }

    func finish(mainFile: String) throws(SettingsError) -> LoadedSettings {
        var settings = settings
        settings.rules = rules.rules
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

    /// A table of settings; empty when it is absent or has the wrong shape.
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
