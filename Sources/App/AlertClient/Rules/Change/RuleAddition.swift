internal import Arguments
internal import Configuration
internal import Control
internal import Diagnostics
internal import Market
internal import PriceSources
internal import Rules

/// `alertctl rule add`: adds a rule to the settings.
struct RuleAddition {
    private let change: RuleChange
    private var context: Context { change.context }
    private var file: String { change.place.ruleFile }

    init(_ change: RuleChange) {
        self.change = change
    }

    func run() throws(ClientError) -> ExitCode {
        var draft = try RuleDraft(context)
        let symbols = markets(meantBy: context.arguments.operands.map { $0.lowercased() })
        draft.set("symbol", symbols)
        // Before anything else, check that the user may change the file, and that the settings are valid without the
        // new rule.
        let present = try change.contents(of: file)
        let former = try change.settings()
        let known = former.settings.rules.map(\.name)
        if let name = context.arguments.value("name"), known.contains(name) {
            let position = try change.position(of: name, in: former)
            throw .usage(
                "there is already a rule '\(name)', in \(position.file):\(position.line); choose another --name")
        }
        draft.setName(unlike: Set(known), symbols.first)
        let loaded = try checked(draft, present)
        guard let rule = loaded.settings.rules.first(where: { !known.contains($0.name) }) else {
            throw .file("\(file): the new rule was not read")
        }
        let preview = try preview(draft, rule, loaded)
        let isWanted = try change.confirm(preview, "Add this rule to \(file)?")
        let applied =
            !isWanted ? nil : try change.apply(to: file) { (bytes) throws(ClientError) in added(draft, bytes) }
        change.show("Added '\(rule.name)' to \(file).", rule.name, file, applied, after: preview)
        return change.conclude(applied)
    }

    /// The symbols of the rule: an asset that is no symbol itself, such as `btc`, means its shortest market. Without a
    /// daemon, assets are not known.
    private func markets(meantBy names: [String]) -> [String] {
        guard let connection = change.place.connection else { return names }
        var listed: [String?: [SymbolStatus]] = [:]
        return names.map { name in
            let written = SourcedText(name)
            guard !written.symbol.isEmpty, !written.symbol.utf8.contains(UInt8(ascii: "*")) else { return name }
            let all =
                listed[written.source]
                ?? (try? connection.all(
                    .listTickers, ListTickersParameters(source: written.source), returning: ListTickersReply.self))?
                .symbols ?? []
            listed[written.source] = all
            guard !all.contains(where: { $0.symbol == written.symbol }) else { return name }
            let markets = all.filter { $0.base == written.symbol }.map(\.symbol)
                .sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
            guard let market = markets.first else { return name }
            let traded = markets.count > 1 ? "is traded as \(markets.joined(separator: ", "))" : "is an asset"
            context.warn("alertctl: '\(visible(written.symbol))' \(traded); the rule is for \(market)")
            return (written.source.map { "\($0):" } ?? "") + market
        }
    }

    private func added(_ draft: RuleDraft, _ bytes: [UInt8]?) -> [UInt8] {
        var text = RuleFile(bytes ?? [])
        _ = text.append(draft)
        return text.bytes
    }

    /// Loads the settings with the new rule added; errors in it are reported in terms of the options.
    private func checked(_ draft: RuleDraft, _ present: [UInt8]?) throws(ClientError) -> LoadedSettings {
        var text = RuleFile(present ?? [])
        let line = text.append(draft)
        do throws(ClientError) {
            return try change.settings(with: file, as: text.bytes)
        } catch {
            guard case .badFiles(let findings) = error,
                let usage = draft.usageError(findings, in: file, atLine: line, context.arguments)
            else { throw error }
            throw usage
        }
    }

    private func preview(_ draft: RuleDraft, _ rule: Rule, _ loaded: LoadedSettings) throws(ClientError) -> Report {
        let findings = try change.findings(in: loaded) { $0 == rule.name }
        guard !findings.contains(where: { $0.severity == .error }) else { throw .badFiles(findings) }
        let sentence = rule.moveSentence.map { [Part.text($0, .strong)] } ?? []
        return Report(
            parts: sentence + [
                .verbatim(visibleLines(draft.text) + "\n"), .fields(key: nil, [Field("text", .text(draft.text))]),
            ]
                + findingParts(findings, context) + (try change.rehearsal([rule], of: loaded)))
    }
}

extension RuleChange {
    /// Runs the rules on recorded prices; returns the notifications that they would have sent, as parts of a report.
    func rehearsal(_ rules: [Rule], of loaded: LoadedSettings) throws(ClientError) -> [Part] {
        guard let connection = place.connection, let status = place.status else {
            return [.text("No dry run: only a running daemon has the recorded prices.", .muted)]
        }
        guard let source = rules.first.map(loaded.settings.source),
            status.sources.contains(where: { $0.source == source.description })
        else {
            return [.text("No dry run: the recorded prices belong to another source.", .muted)]
        }
        let own = rules.filter { loaded.settings.source(of: $0) == source }
        let rest: [Part] =
            own.count < rules.count ? [.text("Only the rules of \(source) were run.", .muted)] : []
        let result = try RuleRehearsal.run(
            own, on: source, of: loaded, connection, status, now: context.environment.now())
        return rest
            + (result?.parts(context)
                ?? [.text("No dry run: there are no recorded prices of its symbols yet.", .muted)])
    }
}

/// Escapes each line of a text for a terminal.
func visibleLines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { visible(String($0)) }.joined(separator: "\n")
}
