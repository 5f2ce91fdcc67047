internal import Diagnostics
internal import Market
internal import Text

extension FileContext {
    /// Reports an unknown key of a table, with a suggestion.
    func unknownKey(_ entry: TOMLEntry, in table: SettingsReference.Table) {
        if refuseProxy(entry) || refuseSecret(entry) { return }
        error(
            entry.keyPosition, "unknown key `\(entry.key)` in \(table.header)",
            advice: advice(for: entry.key, in: table))
    }

    private func advice(for key: String, in table: SettingsReference.Table) -> String {
        let names = SettingsReference.allNames(in: table)
        if table == .source, key == "source" { return "write `type`" }
        if let home = SettingsReference.tables(with: key).first { return "it belongs to \(home.header)" }
        if let guess = nearestIgnoringCase(to: key, among: names) { return "did you mean `\(guess)`?" }
        return "its keys are: " + names.joined(separator: ", ")
    }

    /// Reports an unknown source, with a suggestion.
    func unknownSource(_ source: Located<SourceName>, among sources: [SourceName]) {
        let names = sources.map(\.description)
        error(
            source.position, "there is no source \"\(source.value)\"",
            advice: nearest(to: source.value.description, among: names).map { "did you mean \"\($0)\"?" }
                ?? "the sources are: \(names.joined(separator: ", "))")
    }

    /// Reports an unknown key of a table outside the settings files.
    func unknownKey(_ entry: TOMLEntry, in header: String, among names: [String]) {
        if refuseSecret(entry) { return }
        let guess = nearestIgnoringCase(to: entry.key, among: names).map { "did you mean `\($0)`?" }
        error(
            entry.keyPosition, "unknown key `\(entry.key)` in \(header)",
            advice: guess ?? "its keys are: " + names.joined(separator: ", "))
    }

    /// Reports a top-level entry that is not a table of settings.
    func unknownTable(_ entry: TOMLEntry) {
        if refuseProxy(entry) || refuseSecret(entry) { return }
        let tables = SettingsReference.Table.allCases
        let isTable = entry.node.value.isTable || entry.node.value.isListOfTables
        let homes = SettingsReference.tables(with: entry.key)
        let advice: String
        if !isTable, let home = homes.first {
            advice = "put it in \(home.header)"
        } else if let guess = nearestIgnoringCase(to: entry.key, among: tables.map(\.rawValue)),
            let table = SettingsReference.Table(rawValue: guess)
        {
            advice = "did you mean \(table.header)?"
        } else {
            advice = "the tables are: " + tables.map(\.header).joined(separator: ", ")
        }
        let what = isTable ? "unknown table [\(entry.key)]" : "unknown key `\(entry.key)` outside of any table"
        error(entry.keyPosition, what, advice: advice)
    }

    /// Reports a table with the wrong brackets, or something that is not a table.
    func wrongShape(_ entry: TOMLEntry, of table: SettingsReference.Table) {
        let what =
            switch entry.node.value {
            case .table: "[\(entry.key)] has single brackets"
            case let other where other.isListOfTables: "[[\(entry.key)]] has double brackets"
            case let other: "`\(entry.key)` must be a table, but is \(other.kindName)"
            }
        error(entry.keyPosition, what, advice: "write \(table.header) on a line of its own, followed by its keys")
    }

    /// Reports a key that looks like a secret, and returns true if it does. Findings never show its line.
    private func refuseSecret(_ entry: TOMLEntry) -> Bool {
        guard looksSecret(entry.key) else { return false }
        error(
            entry.keyPosition, "`\(entry.key)` looks like a secret; settings files must not contain secrets",
            advice: "store it with `alertctl credential set NAME`")
        return true
    }

    /// Reports a key for a proxy, and returns true if it is one. The address of a proxy often contains a password, so
    /// it is not a setting.
    private func refuseProxy(_ entry: TOMLEntry) -> Bool {
        guard entry.key.lowercased().includes("proxy") else { return false }
        error(
            entry.keyPosition, "`\(entry.key)` is not a setting: the proxy comes from the credential `proxy`",
            advice: "store it with `alertctl credential set proxy`")
        return true
    }

    private func nearestIgnoringCase(to word: String, among names: [String]) -> String? {
        let lower = word.lowercased()
        return names.contains(lower) ? lower : nearest(to: lower, among: names)
    }
}
