internal import Arguments
internal import Configuration
internal import Control
internal import Diagnostics
internal import Market
internal import PriceSources
internal import Rules
internal import Time

/// The result of a change that was written.
struct Applied {
    /// What the daemon says; nil if none was asked.
    var reload: ReloadResult?
    /// The errors that the settings still have, so that no daemon can load them.
    var errors: [Finding] = []
}

extension ClientError {
    /// The errors in settings files.
    fileprivate var fileErrors: [Finding] {
        guard case .badFiles(let findings) = self else { return [] }
        return findings.filter { $0.severity == .error }
    }
}

/// A change of one settings file: checked as a whole, written, and loaded by the daemon, or undone.
struct RuleChange {
    let context: Context
    let place: SettingsPlace

    /// The settings as they are.
    ///
    /// - Throws: ``ClientError/badFiles(_:)`` if they have errors.
    func settings() throws(ClientError) -> LoadedSettings {
        try load(context.environment.settingsFiles([place.mainFile]))
    }

    /// The settings as they would be if a file had another content.
    ///
    /// - Throws: ``ClientError/badFiles(_:)`` if they have errors.
    func settings(with file: String, as bytes: [UInt8]) throws(ClientError) -> LoadedSettings {
        try load(ReplacedFile(file, with: bytes, in: context.environment.settingsFiles([place.mainFile])))
    }

    /// The errors that are left if a file gets another content, so that several can be corrected one by one.
    ///
    /// - Returns: errors that there are now, but not all of them; none if the settings are good then.
    /// - Throws: ``ClientError/badFiles(_:)`` if the change makes an error, or corrects none.
    func errorsLeft(with file: String, as bytes: [UInt8]) throws(ClientError) -> [Finding] {
        do throws(ClientError) {
            _ = try settings(with: file, as: bytes)
            return []
        } catch {
            let former = presentErrors
            let left = error.fileErrors
            // Lines move: what stays is the text that is wrong.
            let known = Set(former.map(Self.wrongText))
            guard !left.isEmpty, left.count < former.count, left.allSatisfy({ known.contains(Self.wrongText($0)) })
            else { throw error }
            return left
        }
    }

    private var presentErrors: [Finding] {
        do throws(ClientError) {
            _ = try settings()
            return []
        } catch {
            return error.fileErrors
        }
    }

    private static func wrongText(_ finding: Finding) -> [String] {
        [finding.position?.file ?? "", finding.sourceLine ?? finding.message]
    }

    private func load(_ files: any SettingsFiles) throws(ClientError) -> LoadedSettings {
        do throws(SettingsError) {
            return try SettingsLoader(files: files).load(place.mainFile)
        } catch {
            throw .badFiles(error.findings)
        }
    }

    /// The content of a settings file; nil if it does not exist.
    ///
    /// - Throws: ``ClientError`` if it cannot be read, or the user may not change it.
    func contents(of file: String) throws(ClientError) -> [UInt8]? {
        guard context.environment.exists(place.mainFile) else {
            throw .file("\(place.mainFile): no such file; name the main settings file with --config")
        }
        let writes = !context.arguments.has("dry-run")
        guard let folder = try folder(of: file, creates: false, writes: writes) else { return nil }
        return try folder.contents(of: Self.name(of: file), limit: SettingsLoader.maximumFileBytes)
    }

    /// The folder of a settings file. The one for rules is created on demand.
    private func folder(of file: String, creates: Bool, writes: Bool = true) throws(ClientError) -> SettingsFolder? {
        let path = String(SettingsPlace.folder(of: file).dropLast())
        let folder = path.isEmpty ? (file.hasPrefix("/") ? "/" : ".") : path
        if folder == place.ruleFolder, !context.environment.exists(folder) {
            let main = SettingsPlace.folder(of: place.mainFile)
            let parent = main.isEmpty ? "." : main
            // Also says at once that the user may not create it.
            let bare = parent.count > 1 && parent.hasSuffix("/") ? String(parent.dropLast()) : parent
            _ = try SettingsFolder(bare, writes: writes)
            guard creates else { return nil }
            try SettingsFolder.create(folder, in: parent)
        }
        return try SettingsFolder(folder, writes: writes)
    }

    private static func name(of file: String) -> String {
        String(file[SettingsPlace.folder(of: file).endIndex...])
    }

    /// Changes a file and makes the daemon load it. If that fails, the file is as it was.
    ///
    /// - Parameters:
    ///   - file: the settings file.
    ///   - change: makes the new content from the current one, nil for a file that does not exist.
    /// - Returns: what the daemon says, or what is still wrong with the settings.
    /// - Throws: ``ClientError``, also that of the change itself; then nothing has changed.
    func apply(
        to file: String, _ change: ([UInt8]?) throws(ClientError) -> [UInt8]
    ) throws(ClientError) -> Applied {
        guard let folder = try folder(of: file, creates: true) else { return Applied() }
        try folder.lock(pause: context.environment.pause)
        let name = Self.name(of: file)
        let old = try folder.contents(of: name, limit: SettingsLoader.maximumFileBytes)
        let new = try change(old)
        let left = try errorsLeft(with: file, as: new)
        try folder.replace(name, with: new, like: place.mainFile)
        guard left.isEmpty else { return Applied(errors: left) }
        do throws(ClientError) {
            guard let connection = try reloading() else {
                // What the service's user could not read shows only now.
                _ = try settings()
                return Applied()
            }
            return Applied(reload: try connection.call(.reload, Nothing(), returning: ReloadReply.self).result)
        } catch {
            if let old { try folder.replace(name, with: old, like: place.mainFile) } else { try folder.remove(name) }
            throw undone(error)
        }
    }

    /// Says what is still wrong after a change.
    ///
    /// - Returns: the exit code.
    func conclude(_ applied: Applied?) -> ExitCode {
        guard let errors = applied?.errors, !errors.isEmpty else { return .success }
        context.environment.warn(FindingRenderer(context.formatter).render(errors))
        context.note(
            "alertctl: the settings still contain errors, so the daemon has not loaded the change; 'alertctl rule "
                + "edit' opens the file with the next one")
        return .badSettings
    }

    private func reloading() throws(ClientError) -> (any ControlConnection)? {
        // A reload evaluates all alerts, and the first connection may have been closed while the user was thinking.
        place.connection == nil ? nil : try context.connect(waiting: .seconds(30))
    }

    /// The error to report after the file was restored. The daemon may have loaded the change without saying so.
    private func undone(_ error: ClientError) -> ClientError {
        switch error {
        case .timedOut, .closed, .connection, .malformed:
            _ = try? context.connect(waiting: .seconds(30)).call(.reload, Nothing(), returning: ReloadReply.self)
        default: break
        }
        context.note("alertctl: the change was undone because the daemon has not loaded it")
        return error
    }

    /// The findings of `alertctl check` about some of the rules.
    ///
    /// - Parameters:
    ///   - loaded: the settings.
    ///   - concerns: whether a rule is one of them.
    /// - Returns: likely mistakes.
    /// - Throws: ``ClientError`` if the daemon does not answer.
    func findings(
        in loaded: LoadedSettings, about concerns: (String) -> Bool
    ) throws(ClientError) -> [Finding] {
        let (rules, sources) = (loaded.settings.rules, loaded.ruleSources)
        let begins = sources.map(\.begin.position)
        let isConcerned = { (finding: Finding) -> Bool in
            guard let place = finding.position else { return false }
            let owner = begins.lastIndex { $0.file == place.file && $0.line <= place.line }
            return owner.map { concerns(rules[$0].name) } ?? false
        }
        let lint = RuleLint(rules, sources)
        let settingsFindings =
            loaded.warnings + lint.findings(interval: loaded.settings.interval, now: context.environment.now())
        var findings = settingsFindings.filter(isConcerned)
        if let connection = place.connection {
            let reader = try MarketReader(connection, now: context.environment.now())
            for var own in reader.hasPrices ? reader.comparable(loaded) : [] {
                let chosen = zip(own.rules, own.places).filter { concerns($0.0.name) }
                (own.rules, own.places) = (chosen.map(\.0), chosen.map(\.1))
                if own.rules.isEmpty { continue }
                let facts = try reader.facts(for: own.rules, of: own.source)
                findings += RuleLint(own.rules, own.places).findings(in: facts)
            }
        }
        return findings
    }
}
