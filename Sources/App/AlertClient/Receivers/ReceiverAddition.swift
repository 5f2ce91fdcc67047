internal import Arguments
internal import Configuration
internal import Control
internal import Diagnostics
internal import Receivers
internal import Time

/// `alertctl receivers add`
struct ReceiverAddition {
    private let choice: ReceiverChoice
    private let file: ReceiverFile
    private var draft: ReceiverDraft

    private var context: Context { file.change.context }
    private var place: SettingsPlace { file.change.place }
    private var forces: Bool { context.arguments.has("force") }

    /// The maximum length of a receiver's name in bytes. The name of its credential is `receiver-NAME`, which may have
    /// up to 64 bytes.
    private static let longestName = 64 - ReceiverFile.credential(of: "").utf8.count

    init(_ context: Context) throws(ClientError) {
        let operands = context.arguments.operands
        choice = try ReceiverChoice(named: operands.first ?? "")
        let name = operands.dropFirst().first ?? choice.standardName
        guard isPlainName(name), name.utf8.count <= Self.longestName else {
            throw .usage(
                "'\(visible(name))' is not the name of a receiver; use up to \(Self.longestName) letters, digits, '-', "
                    + "'_' and '.', with a letter, a digit or '_' first")
        }
        file = ReceiverFile(change: RuleChange(context: context, place: try SettingsPlace(context)), name: name)
        draft = choice.draft(name, comment: file.comment)
    }

    mutating func run() throws(ClientError) -> ExitCode {
        try checkPlace()
        try setOptions()
        let answers = ReceiverAnswers(choice, file)
        let secret = try answers.complete(&draft)
        let bytes = Array(draft.text.utf8)
        let loaded = try file.change.settings(with: file.path, as: bytes)
        let warnings = loaded.warnings.filter { $0.position?.file == file.path }
        if !warnings.isEmpty { context.environment.warn(FindingRenderer(context.formatter).render(warnings)) }
        if context.arguments.has("dry-run") {
            show(["Nothing was changed (--dry-run)."], nil)
            return .success
        }
        let messages = try apply(bytes, secret)
        return test(messages)
    }

    // MARK: Checks before the first question

    /// Checks that a receiver of this name can be added.
    private func checkPlace() throws(ClientError) {
        let present = try file.contents()
        let loaded: LoadedSettings
        do throws(ClientError) {
            loaded = try file.change.settings()
        } catch {
            // The errors may be in the file that will be replaced, so load the settings without its content.
            loaded = try file.change.settings(with: file.path, as: [])
        }
        if let position = ReceiverFile.position(of: file.name, in: loaded), position.file != file.path {
            throw .usage(
                "there is already a receiver '\(file.name)', in \(position.file):\(position.line); choose another NAME")
        }
        guard present == nil || forces else {
            throw .usage("\(file.path) already exists; choose another NAME, or replace it with --force")
        }
        if loaded.settings.receivers.count >= Receiver.limit, present == nil {
            throw .refused(Refused(message: "there are \(Receiver.limit) receivers already, which is the most"))
        }
        if let fault = ReceiverAnswers(choice, file).fault(of: "name", in: draft) { throw .usage(fault) }
    }

    /// Sets the keys of `--set` options.
    private mutating func setOptions() throws(ClientError) {
        for word in context.arguments.values("set") {
            let key = String(word.prefix { $0 != "=" })
            guard key.utf8.count < word.utf8.count, !key.isEmpty else {
                throw .usage("--set takes KEY=VALUE, but got '\(visible(word))'")
            }
            let known = SettingsReference.names(in: .receiver).filter { !["name", "type"].contains($0) }
            let isFixed = if case .preset = choice { ["body", "content_type", "method"].contains(key) } else { false }
            guard !isFixed else {
                throw .usage("\(choice.name) has a \(key) of its own; add a receiver of the type webhook instead")
            }
            guard known.contains(key), draft.set(key, String(word.dropFirst(key.count + 1))) else {
                let guess = nearest(to: key, among: known).map { "did you mean '\($0)'?" }
                throw .usage(
                    known.contains(key)
                        ? "--set cannot set \(key), which is a table; edit the file afterwards"
                        : "there is no key '\(visible(key))' of a receiver; "
                            + (guess ?? "alertd.toml(5) lists all keys in [[receiver]]"))
            }
        }
        // Check the complete receiver, because a key may require another key or the credential.
        var probe = draft
        if let secret = choice.secret(draft), !draft.has(secret.key) { _ = probe.set(secret.key, file.credential) }
        for key in probe.keys {
            if let fault = ReceiverAnswers(choice, file).fault(of: key, in: probe) { throw .usage(fault) }
        }
    }

    // MARK: The change

    private func apply(_ bytes: [UInt8], _ secret: [UInt8]?) throws(ClientError) -> [String] {
        guard let secret else {
            let messages = try file.replace(with: bytes, replaces: forces) { () throws(ClientError) in
                try file.reload()
            }
            return ["Wrote \(file.path)."] + messages
        }
        let store = CredentialStore(context.environment)
        let isNew = try !store.entries().contains { $0.name == file.credential }
        let stored = try store.set(file.credential, secret)
        if let reason = stored.reason { context.warn("alertctl: \(reason), so it is stored as it is") }
        do throws(ClientError) {
            _ = try file.replace(with: bytes, replaces: forces) { () throws(ClientError) in [] }
        } catch {
            if isNew { try store.remove(file.credential) }
            throw error
        }
        return [
            stored.isEncrypted
                ? "Stored '\(file.credential)' in \(stored.file), encrypted for this machine."
                : "Stored '\(file.credential)' in \(stored.file), which only root can read.",
            "Wrote \(file.path).", try ServiceUnit(context.environment).restart(),
        ]
    }

    // MARK: The test

    /// The maximum number of attempts to find the receiver while the service restarts: 150 × 100 ms = 15 s.
    private static let attempts = 150

    private func test(_ messages: [String]) -> ExitCode {
        var messages = messages
        let hint = "'alertctl receivers test \(file.name)' sends a test."
        if !file.isOfService, let missing = missingCredential {
            messages.append(
                "These are not the settings of the system service: pass the credential '\(missing)' to their daemon "
                    + "yourself, as with LoadCredential=\(missing):FILE, and restart it. Then \(hint)")
            show(messages, nil)
            return .success
        }
        guard !context.arguments.has("no-test"), !choice.sendsPrices, place.connection != nil else {
            show(messages + (choice.sendsPrices ? [] : [hint]), nil)
            return .success
        }
        do throws(ClientError) {
            try waitForReceiver()
            let reply = try context.connect(waiting: .seconds(25)).call(
                .drill, DrillParameters(sink: file.name), returning: DrillReply.self)
            show(messages, reply)
            return reply.results.contains { $0.result == .failed } ? .failure : .success
        } catch {
            show(messages + ["The test was not sent: \(error.message)"], nil)
            return .failure
        }
    }

    /// The name of the receiver's credential if the draft uses it and the daemon does not report it; otherwise nil.
    private var missingCredential: String? {
        let known = place.status?.configuration.credentials ?? []
        let isNamed = draft.has("credential") || draft.has("url_credential")
        return isNamed && draft.text.includesLine(naming: file.credential) && !known.contains(file.credential)
            ? file.credential : nil
    }

    private func waitForReceiver() throws(ClientError) {
        for attempt in 1...Self.attempts {
            do throws(ClientError) {
                let reply = try context.connect().call(.listReceivers, Nothing(), returning: ListReceiversReply.self)
                if reply.receivers.contains(where: { $0.name == file.name }) { return }
            } catch {
                if attempt == Self.attempts { throw error }
            }
            context.environment.pause(Milliseconds(100))
        }
    }

    private func show(_ messages: [String], _ reply: DrillReply?) {
        let isDryRun = context.arguments.has("dry-run")
        let hasCredential = draft.text.includesLine(naming: file.credential)
        var parts: [Part] = isDryRun ? [.verbatim(visibleLines(draft.text))] : []
        parts += messages.map { .text(visible($0), .none) }
        parts.append(
            .fields(
                key: nil,
                [
                    Field("receiver", .text(file.name)), Field("type", .text(choice.name)),
                    Field("file", .text(file.path)), Field("credential", .text(hasCredential ? file.credential : nil)),
                    Field("written", .flag(!isDryRun)), Field("text", .text(draft.text)),
                    Field("messages", .list(messages)),
                ]))
        let table = DrillCommand.table(reply?.results ?? [])
        parts.append(.table(reply == nil ? table.forPrograms : table))
        context.show(Report(parts: parts))
    }
}

extension String {
    /// Returns true if a line of the settings names the credential.
    fileprivate func includesLine(naming credential: String) -> Bool {
        split(separator: "\n").contains { line in
            ["credential", "url_credential"].contains { line == "\($0) = \"\(credential)\"" }
        }
    }
}
