package import Diagnostics
internal import Market
internal import Rules

/// Settings that hold, and what there is to say about them.
package struct LoadedSettings: Sendable {
    package var settings: Settings
    /// What does no harm but was hardly meant, in the order of the files.
    package var warnings: [Finding]
    /// The files that were read, the main file first.
    package var files: [String]
    /// Where each of the settings' rules begins, in the same order.
    package var rulePositions: [SourcePosition]
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

    private let files: any SettingsFiles

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
        let folder = path.prefix(through: path.lastIndex(of: "/")) + "rules.d"
        for file in load.ruleFiles(in: folder) { load.readRules(file) }
        return try load.finish(mainFile: path)
    }
}

extension String {
    /// What comes up to and with the index; empty when there is none.
    fileprivate func prefix(through index: Index?) -> String {
        index.map { String(self[...$0]) } ?? ""
    }
}

/// One run of the loader.
private struct SettingsLoad {
    private let files: any SettingsFiles
    private let collector = FindingCollector()
    private var settings = Settings()
    private var rules = RuleReader()
    private var paths: [String] = []

    init(files: any SettingsFiles) {
        self.files = files
    }

    mutating func readMain(_ path: String) {
        guard let (entries, context) = parse(path, isMain: true) else { return }
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
        rules.windows = settings.feed.interval.times(2)...max(settings.history.keep, settings.feed.interval.times(2))
        rules.tetherCountsAs = settings.display.tetherCountsAs
        for entry in entries where entry.key == SettingsReference.Table.rule.rawValue { rules.read(entry, in: context) }
    }

    /// The files of a folder that hold rules, sorted by name.
    func ruleFiles(in folder: String) -> [String] {
        switch files.names(in: folder) {
        case .missing: return []
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
        for entry in entries {
            if entry.key == SettingsReference.Table.rule.rawValue {
                rules.read(entry, in: context)
            } else if SettingsReference.Table(rawValue: entry.key) != nil {
                context.error(
                    entry.keyPosition, "[\(entry.key)] does not belong into rules.d, where only [[rule]] may stand",
                    advice: "move it to the main file")
            } else {
                context.unknownTable(entry)
            }
        }
    }

    func finish(mainFile: String) throws(SettingsError) -> LoadedSettings {
        var settings = settings
        settings.rules = rules.rules
        if !collector.hasErrors, settings.rules.isEmpty {
            collector.add(
                Finding(
                    .warning, at: SourcePosition(file: mainFile, line: 0, column: 0), "no rules: nothing will be told",
                    advice: "add a [[rule]] to it, or a file to rules.d beside it"))
        }
        let findings = collector.sorted(by: paths)
        guard !collector.hasErrors else { throw SettingsError(findings: findings, files: paths) }
        return LoadedSettings(
            settings: settings, warnings: findings, files: paths, rulePositions: rules.positions)
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
    private mutating func parse(_ path: String, isMain: Bool) -> ([TOMLEntry], FileContext)? {
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
