internal import Arguments
internal import Configuration
internal import Control
internal import Diagnostics
internal import Rules

/// `alertctl rule remove`: removes a rule that alertctl added.
struct RuleRemoval {
    private let change: RuleChange
    private var context: Context { change.context }
    private var file: String { change.place.ruleFile }

    init(_ change: RuleChange) {
        self.change = change
    }

    func run() throws(ClientError) -> ExitCode {
        let name = context.arguments.operands[0]
        var present = RuleFile(try change.contents(of: file) ?? [])
        let text = try remove(name, from: &present)
        _ = try change.errorsLeft(with: file, as: present.bytes)
        let preview = Report(parts: [
            .verbatim(visibleLines(String(text.drop { $0.isNewline }))),
            .fields(key: nil, [Field("text", .text(text))]),
        ])
        let isWanted = try change.confirm(preview, "Remove this rule from \(file)?")
        let applied =
            !isWanted
            ? nil
            : try change.apply(to: file) { (bytes) throws(ClientError) in
                var rules = RuleFile(bytes ?? [])
                _ = try remove(name, from: &rules)
                return rules.bytes
            }
        change.show("Removed '\(name)' from \(file).", name, file, applied, after: preview)
        return change.conclude(applied)
    }

    /// Returns the line of the rule, even if this rule is the reason why the settings are invalid.
    private func line(of name: String, in rules: RuleFile) throws(ClientError) -> Int {
        do throws(ClientError) {
            return try change.line(of: name, in: try change.settings(), file)
        } catch {
            guard case .badFiles = error, let line = rules.line(of: name) else { throw error }
            return line
        }
    }

    /// Removes the rule from the content of the file.
    ///
    /// - Returns: the text of the rule.
    private func remove(_ name: String, from rules: inout RuleFile) throws(ClientError) -> String {
        let line = try line(of: name, in: rules)
        if let text = rules.remove(headerInLine: line) { return text }
        throw .refused(
            Refused(
                message: "\(file):\(line): the rule is not a [[rule]] table of its own; edit the file with "
                    + "'alertctl rule edit'"))
    }
}

extension RuleChange {
    /// Returns the position of the rule with this name.
    ///
    /// - Throws: ``ClientError/noSuchRule(_:)``.
    func position(of name: String, in loaded: LoadedSettings) throws(ClientError) -> SourcePosition {
        let rules = loaded.settings.rules
        guard let index = rules.firstIndex(where: { $0.name == name }), loaded.ruleSources.indices.contains(index)
        else {
            throw .noSuchRule(NoSuchRule(rule: name, suggestion: nearest(to: name, among: rules.map(\.name))))
        }
        return loaded.ruleSources[index].begin.position
    }

    /// Returns the line of a rule in the file that alertctl adds rules to.
    ///
    /// - Throws: ``ClientError`` if the rule is in another file, or does not exist.
    fileprivate func line(of name: String, in loaded: LoadedSettings, _ file: String) throws(ClientError) -> Int {
        let place = try position(of: name, in: loaded)
        guard place.file == file else {
            throw .refused(
                Refused(
                    message: "'\(name)' is in \(place.file):\(place.line), where 'alertctl rule edit' opens it; only "
                        + "rules in \(file) can be removed"))
        }
        return place.line
    }
}
