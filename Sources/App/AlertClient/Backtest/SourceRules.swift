internal import Arguments
internal import Configuration
internal import Diagnostics
internal import Market
internal import Rules

/// The `--source` option of commands that run rules on recorded prices.
let recordedSourceOption = OptionSpecification(
    "source", value: "NAME", kind: .live("sources"),
    help: "Run the rules of this source only (default: the source that an export names, else all rules)")

extension Context {
    /// Returns the settings with only the rules that apply to the source of the prices: the rules of this source, and
    /// rules without a source. `--source` names the source; without it, the exports do, if all files are exports from
    /// the same source. If the source is unknown, or the source of the exports has no rules, all rules are run, and a
    /// message says so if they belong to several sources.
    ///
    /// - Throws: ``ClientError`` if no rule applies to the source that `--source` names.
    func rules(_ loaded: LoadedSettings, for data: RecordedData) throws(ClientError) -> LoadedSettings {
        let settings = loaded.settings
        let owner = { (rule: Rule) in rule.source ?? (loaded.hasMainFile ? settings.feed.name : nil) }
        let owners = Set(settings.rules.compactMap(owner))
        let wanted = try source(of: data, among: owners, hasOwnerless: settings.rules.contains { owner($0) == nil })
        guard let wanted else {
            if owners.count > 1 {
                let names = owners.sorted().map(\.description).joined(separator: ", ")
                warn(lines: ["alertctl: running the rules of \(names) on these prices; --source selects one"])
            }
            return loaded
        }
        var chosen = loaded
        let kept = zip(settings.rules, loaded.ruleSources).filter { owner($0.0) ?? wanted == wanted }
        chosen.settings.rules = kept.map(\.0)
        chosen.ruleSources = kept.map(\.1)
        if let feed = settings.sources.first(where: { $0.name == wanted }) { chosen.settings.feed = feed }
        chosen.settings.otherSources = []
        return chosen
    }

    private func source(
        of data: RecordedData, among owners: Set<SourceName>, hasOwnerless: Bool
    ) throws(ClientError) -> SourceName? {
        if let text = arguments.value("source") {
            guard let name = SourceName(text), owners.contains(name) || hasOwnerless else {
                let names = owners.sorted().map(\.description).joined(separator: ", ")
                throw .usage("no rule belongs to the source '\(visible(text))'; the rules belong to \(names)")
            }
            return name
        }
        let exported = Set(data.files.map { $0.header.flatMap { SourceName($0.source) } })
        guard exported.count == 1, let name = exported.first ?? nil, owners.contains(name) else { return nil }
        return name
    }
}
