package import Diagnostics
internal import Engine
internal import Market
internal import Time
package import Trials

/// A valid file of rule tests.
package struct LoadedRuleTests: Sendable {
    package var file: String
    /// The rules and times that the tests share.
    package var settings: TrialSettings
    /// The tests, in file order; may be empty.
    package var trials: [RuleTrial]
    /// The positions of ``trials``, in the same order.
    package var positions: [SourcePosition]
    /// The warnings, in the order of the files.
    package var warnings: [Finding]
}

extension SettingsLoader {
    /// Reads a file of rule tests, and the files of rules that it names.
    ///
    /// - Throws: ``SettingsError`` if any of the files cannot be read or is wrong.
    package func loadRuleTests(_ path: String) throws(SettingsError) -> LoadedRuleTests {
        var load = SettingsLoad(files: files)
        guard let (entries, source) = load.parse(path, isNamed: true) else { throw load.failure }
        let context = FileContext(sources: [source], collector: load.collector)
        let table = TableReader(
            entries, called: RuleTestReference.Table.file.header, keys: RuleTestReference.names(in: .file), in: context)
        let given = table.duration("interval").flatMap { $0.checked(in: table, "interval") }
        if let given { load.windows = given.times(2)...max(load.settings.history.keep, given.times(2)) }
        for source in table.ruleSources() { load.readSource(folder(of: path) + source) }
        load.readRuleTables(entries, context)
        load.checkOnlyWhile()
        let settings = load.settings(interval: given, table)
        let reader = RuleTestReader(context: context, settings: settings)
        let tests = reader.tests(table)
        if load.rules.rules.isEmpty {
            context.error(.whole, "no rules to test", advice: "name a file in `rules`, or add a [[rule]]")
        }
        guard !load.collector.hasErrors else { throw load.failure }
        return LoadedRuleTests(
            file: path, settings: settings, trials: tests.map(\.value),
            positions: tests.map { context.position($0.position) },
            warnings: load.collector.sorted(by: load.paths))
    }
}

extension SettingsLoad {
    /// All findings, as an error to throw.
    fileprivate var failure: SettingsError {
        SettingsError(findings: collector.sorted(by: paths), files: paths)
    }

    /// Reads a file, or all files of a directory.
    fileprivate mutating func readSource(_ path: String) {
        let trimmed = String(path.reversed().drop { $0 == "/" }.reversed())
        let files = ruleFiles(in: trimmed, isOptional: true)
        if files.isEmpty { readEither(path) }
        for file in files { readEither(file) }
    }

    fileprivate func settings(interval given: Milliseconds?, _ table: TableReader) -> TrialSettings {
        var settings = settings
        if let given { (settings.feed.interval, settings.feed.givenMaximumGap) = (given, nil) }
        if let gap = table.duration("max_gap") { settings.feed.givenMaximumGap = gap.checked(in: table, "max_gap") }
        if let frozen = table.duration("frozen_after")?.checked(in: table, "frozen_after") {
            settings.feed.frozenAfter = frozen
        }
        // 2026-01-01T00:00:00Z
        let start = table.time("start")?.value ?? WallTime(milliseconds: 1_767_225_600_000)
        return TrialSettings(
            rules: rules.rules, interval: settings.feed.interval, start: start, engine: EngineSettings(settings))
    }
}

extension Located<Milliseconds> {
    /// Returns the length. If it is zero, reports a finding and returns nil.
    fileprivate func checked(in table: TableReader, _ key: String) -> Milliseconds? {
        if value > .zero { return value }
        table.context.error(position, "`\(key)` is zero", advice: "use a longer time, such as \"30s\"")
        return nil
    }
}

extension TableReader {
    /// Reads the paths in `rules`.
    fileprivate func ruleSources() -> [String] {
        guard let node = node("rules") else { return [] }
        guard case .array(let elements) = node.value else {
            wrongType("rules", node, .texts, advice: "write rules = [\"rules.toml\"]")
            return []
        }
        return elements.compactMap { element in
            guard case .string(let path) = element.value else {
                wrongType("rules", element, .text)
                return nil
            }
            return plain(path, of: "rules", at: element.position)?.value
        }
    }
}
