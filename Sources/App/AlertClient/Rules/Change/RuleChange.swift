internal import Arguments
internal import Configuration
internal import Control
internal import Diagnostics
internal import Market
internal import PriceSources
internal import Rules
internal import Time

/// The result of a change to a settings file that was written.
struct Applied {
    /// The daemon's reply; nil if no daemon was reloaded.
    var reload: ReloadResult?
    /// The errors that remain in the settings; a daemon cannot load them yet.
    var errors: [Finding] = []
}

extension ClientError {
    /// The errors in settings files.
    fileprivate var fileErrors: [Finding] {
        guard case .badFiles(let findings) = self else { return [] }
        return findings.filter { $0.severity == .error }
    }
}

/// A change to one settings file: it is checked together with the other files, written, and loaded by the daemon, or
/// undone.
struct RuleChange {
    let context: Context
    let place: SettingsPlace

    /// Loads the current settings.
    ///
    /// - Throws: ``ClientError/badFiles(_:)`` if they have errors.
    func settings() throws(ClientError) -> LoadedSettings {
        try load(context.environment.settingsFiles([place.mainFile]))
    }

    /// Loads the settings with another content for one file.
    ///
    /// - Throws: ``ClientError/badFiles(_:)`` if they have errors.
    func settings(with file: String, as bytes: [UInt8]) throws(ClientError) -> LoadedSettings {
        try load(ReplacedFile(file, with: bytes, in: context.environment.settingsFiles([place.mainFile])))
    }

    /// Returns the errors that remain if a file gets this content, so that several errors can be fixed one at a time.
    ///
    /// - Returns: a proper subset of the current errors; empty if the settings would be valid.
    /// - Throws: ``ClientError/badFiles(_:)`` if the change adds an error, or fixes none.
    func errorsLeft(with file: String, as bytes: [UInt8]) throws(ClientError) -> [Finding] {
        do throws(ClientError) {
            _ = try settings(with: file, as: bytes)
            return []
        } catch {
            let former = presentErrors
            let left = error.fileErrors
            // Line numbers change, so errors are identified by the text of their line.
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

    /// Reads a settings file; nil if it does not exist.
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

    /// Opens the folder of a settings file. The folder for rules is created on demand.
    private func folder(of file: String, creates: Bool, writes: Bool = true) throws(ClientError) -> SettingsFolder? {
        let path = String(SettingsPlace.folder(of: file).dropLast())
        let folder = path.isEmpty ? (file.hasPrefix("/") ? "/" : ".") : path
        if folder == place.ruleFolder, !context.environment.exists(folder) {
            let main = SettingsPlace.folder(of: place.mainFile)
            let parent = main.isEmpty ? "." : main
            // This also fails early if the user may not create the folder.
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

    /// Changes a file and makes the daemon load it. If that fails, the file is restored.
    ///
    /// - Parameters:
    ///   - file: the path of the settings file.
    ///   - change: returns the new content for the current one, which is nil if the file does not exist.
    /// - Returns: the daemon's reply, or the errors that remain in the settings.
    /// - Throws: ``ClientError``, including one from `change`; then nothing has changed.
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
                // Files that the service's user cannot read are detected only now.
                _ = try settings()
                return Applied()
            }
            return Applied(reload: try connection.call(.reload, Nothing(), returning: ReloadReply.self).result)
        } catch {
            if let old { try folder.replace(name, with: old, like: place.mainFile) } else { try folder.remove(name) }
            throw undone(error)
        }
    }

    /// Reports the errors that remain after a change.
    func conclude(_ applied: Applied?) -> ExitCode {
        guard let errors = applied?.errors, !errors.isEmpty else { return .success }
        context.environment.warn(FindingRenderer(context.formatter).render(errors))
        context.warn(
            "alertctl: the settings still contain errors, so the daemon has not loaded the change; 'alertctl rule "
                + "edit' opens the file with the next error")
        return .badSettings
    }

    private func reloading() throws(ClientError) -> (any ControlConnection)? {
        // The timeout is long because a reload evaluates all alerts. The connection is new because the first one may
        // have been closed while the user was thinking.
        place.connection == nil ? nil : try context.connect(waiting: .seconds(30))
    }

    /// Returns the error to report after the file was restored. The daemon may have loaded the change although its
    /// reply was lost, so it is reloaded.
    private func undone(_ error: ClientError) -> ClientError {
        switch error {
        case .timedOut, .closed, .connection, .malformed:
            _ = try? context.connect(waiting: .seconds(30)).call(.reload, Nothing(), returning: ReloadReply.self)
        default: break
        }
        context.warn("alertctl: the change was undone because the daemon did not load it")
        return error
    }

    /// Returns the findings of `alertctl check` about some of the rules.
    ///
    /// - Parameters:
    ///   - loaded: the settings to check.
    ///   - concerns: returns true for the names of these rules.
    /// - Returns: likely mistakes in these rules.
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
