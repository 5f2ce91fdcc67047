internal import Arguments
internal import Configuration
internal import Control
internal import Diagnostics
internal import Rules

/// `alertctl rule edit`: opens rules in the user's editor.
struct RuleEditing {
    private let change: RuleChange
    private var context: Context { change.context }

    init(_ change: RuleChange) {
        self.change = change
    }

    func run() throws(ClientError) -> ExitCode {
        let target = try target()
        let present = try change.contents(of: target.file)
        let copy = try EditedCopy(of: target.file, present ?? Array("# Rules; see alertd.toml(5).\n".utf8))
        var line = target.line
        while true {
            guard context.environment.edit(copy.path, line) else {
                throw .file("the editor failed; set EDITOR to another one")
            }
            let new = try copy.contents()
            guard new != copy.original else {
                context.show(Report(parts: [.text("Nothing was changed.", .none)] + facts(target.file, nil)))
                return .success
            }
            do throws(ClientError) {
                return try commit(new, in: target.file, instead: present)
            } catch {
                line = try lineToFix(error, target.file, copy)
            }
        }
    }

    /// Returns the file to open and the line to open it at.
    private func target() throws(ClientError) -> (file: String, line: Int?) {
        guard let name = context.arguments.operands.first else { return (change.place.ruleFile, nil) }
        do throws(ClientError) {
            let place = try change.position(of: name, in: try change.settings())
            return (place.file, place.line > 0 ? place.line : nil)
        } catch {
            guard case .badFiles(let findings) = error, let place = findings.lazy.compactMap(\.position).first else {
                throw error
            }
            context.environment.warn(FindingRenderer(context.formatter).render(findings))
            context.warn("alertctl: the rules are not known until this is fixed; opening the first error")
            return (place.file, place.line > 0 ? place.line : nil)
        }
    }

    /// Checks the new content and writes it.
    private func commit(_ new: [UInt8], in file: String, instead old: [UInt8]?) throws(ClientError) -> ExitCode {
        let left = try change.errorsLeft(with: file, as: new)
        guard left.isEmpty else {
            // The user edits this file again if some of the errors are in it.
            guard !left.contains(where: { $0.position?.file == file }) else { throw .badFiles(left) }
            return try write(new, to: file, instead: old, [])
        }
        let loaded = try change.settings(with: file, as: new)
        let former = Dictionary(
            ((try? change.settings())?.settings.rules ?? []).map { ($0.name, $0) }
        ) { first, _ in first }
        let rules = loaded.settings.rules.filter { former[$0.name] != $0 }
        let names = Set(rules.map(\.name))
        var parts = findingParts(try change.findings(in: loaded) { names.contains($0) }, context)
        if !rules.isEmpty { parts += try change.rehearsal(rules, of: loaded) }
        return try write(new, to: file, instead: old, parts)
    }

    /// Writes the content, unless this is a dry run, and reports the result.
    private func write(
        _ new: [UInt8], to file: String, instead old: [UInt8]?, _ parts: [Part]
    ) throws(ClientError) -> ExitCode {
        let isDryRun = context.arguments.has("dry-run")
        let applied =
            isDryRun
            ? nil
            : try change.apply(to: file) { (bytes) throws(ClientError) in
                guard bytes == old else {
                    throw .refused(Refused(message: "\(file) was changed by somebody else in the meantime"))
                }
                return new
            }
        let summary = isDryRun ? "Nothing was changed (--dry-run)." : "Changed \(file)."
        context.show(Report(parts: [.text(summary, .strong)] + facts(file, applied) + parts))
        return change.conclude(applied)
    }

    private func facts(_ file: String, _ applied: Applied?) -> [Part] {
        let reload = applied?.reload
        let isAlone = applied.map { $0.reload == nil && $0.errors.isEmpty } ?? false
        return [
            .fields(
                key: nil,
                [
                    Field("file", .text(file)), Field("written", .flag(applied != nil)),
                    Field("reloaded", .flag(reload != nil)),
                ]),
            .lines(key: "added", title: "Added", reload?.added ?? []),
            .lines(key: "removed", title: "Removed", reload?.removed ?? []),
            .lines(key: "changed", title: "Changed", reload?.changed ?? []),
            .lines(
                key: "needs_restart", title: "Takes effect after 'systemctl restart alertd'",
                reload?.needsRestart ?? []),
        ] + (isAlone ? [.text(change.place.withoutDaemon, .none)] : [])
    }

    /// Shows an error and asks whether to edit again.
    ///
    /// - Returns: the line of the first error that is in this file, or nil if no error is.
    /// - Throws: ``ClientError/refused(_:)`` if the user gives up; the copy is then kept.
    private func lineToFix(_ error: ClientError, _ file: String, _ copy: EditedCopy) throws(ClientError) -> Int? {
        context.environment.warn("alertctl: \(error.message)\n")
        guard context.environment.ask("Edit again? [y/N] ") == true else {
            copy.isKept = true
            throw .refused(Refused(message: "nothing was changed; your version is in \(copy.path)"))
        }
        guard case .badFiles(let findings) = error else { return nil }
        return findings.lazy.compactMap(\.position).first { $0.file == file && $0.line > 0 }?.line
    }
}
