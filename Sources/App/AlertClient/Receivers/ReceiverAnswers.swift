internal import Arguments
internal import Configuration
internal import Control
internal import Diagnostics

/// The answers that complete a draft, from options or from questions at a terminal. Each answer is validated as part of
/// the settings before the next question.
struct ReceiverAnswers {
    private let choice: ReceiverChoice
    private let file: ReceiverFile

    private var context: Context { file.change.context }
    private var environment: ClientEnvironment { context.environment }
    private var readsSecret: Bool { context.arguments.has("secret-stdin") }

    init(_ choice: ReceiverChoice, _ file: ReceiverFile) {
        (self.choice, self.file) = (choice, file)
    }

    /// Asks for the missing settings and the secret.
    ///
    /// - Returns: the secret to store; nil if there is none.
    /// - Throws: ``ClientError``. If the user cannot be asked, ``ClientError/usage(_:)`` lists everything that is
    ///   missing.
    func complete(_ draft: inout ReceiverDraft) throws(ClientError) -> [UInt8]? {
        try checkSecretOption(draft)
        let isAsking = !readsSecret && !context.arguments.has("quiet") && context.format.isHuman
        var missing: [ReceiverChoice.Question] = []
        var isFirst = true
        for question in choice.questions where !isAnswered(question, draft) {
            if isAsking {
                if isFirst { context.warn(lines: choice.advice) }
                isFirst = false
                if try ask(question, &draft) { continue }
            }
            if question.isRequired { missing.append(question) }
        }
        guard missing.isEmpty else { throw missingError(missing, draft) }
        return try secret(&draft, isAsking: isAsking, isFirst: isFirst)
    }

    /// Returns true if the draft has the key or, for `url`, another key with the address.
    private func isAnswered(_ question: ReceiverChoice.Question, _ draft: ReceiverDraft) -> Bool {
        draft.has(question.key) || question.key == "url" && (draft.has("urls") || draft.has("url_credential"))
    }

    private func missingError(_ missing: [ReceiverChoice.Question], _ draft: ReceiverDraft) -> ClientError {
        let needed = missing.map { "--set \($0.key)=… (\($0.text))" }
        let secret = choice.secret(draft).flatMap { secret in
            secret.isRequired && !readsSecret && !draft.has(secret.key)
                ? "\(secret.content) on standard input (--secret-stdin)" : nil
        }
        return .usage(
            "\(choice.name) needs \((needed + [secret].compactMap(\.self)).joined(separator: ", ")). "
                + choice.advice.joined(separator: " "))
    }

    // MARK: Settings

    /// Asks a question until the answer is valid. Returns false if there is no terminal.
    private func ask(
        _ question: ReceiverChoice.Question, _ draft: inout ReceiverDraft
    ) throws(ClientError) -> Bool {
        while true {
            switch environment.askLine(question.prompt) {
            case .noTerminal: return false
            case .cancelled: throw .usage("cancelled; nothing was changed")
            case .entered(let bytes):
                let text = Self.trimmed(String(decoding: bytes, as: UTF8.self))
                if text.isEmpty {
                    guard question.isRequired else { return true }
                    context.warn("An answer is required; Ctrl+C cancels.")
                    continue
                }
                var next = draft
                _ = next.set(question.key, text)
                if question.key == "url" { allowPlainHTTP(text, &next) }
                if let fault = fault(of: question.key, in: next) {
                    context.warn(fault)
                    continue
                }
                draft = next
                return true
            }
        }
    }

    private static func trimmed(_ text: String) -> String {
        var text = text.drop { $0.isWhitespace }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    /// Asks for permission to use an unencrypted address, and sets `allow_http` if the user agrees.
    private func allowPlainHTTP(_ address: String, _ draft: inout ReceiverDraft) {
        guard SecretAddress.needsPermission(address), !draft.has("allow_http") else { return }
        if environment.ask("This address is not encrypted (http). Use it anyway? [y/N] ") == true {
            _ = draft.set("allow_http", "true")
        }
    }

    /// Returns the first error about a key if the draft is loaded with the other settings; nil if there is none.
    func fault(of key: String, in draft: ReceiverDraft) -> String? {
        do throws(ClientError) {
            _ = try file.change.settings(with: file.path, as: Array(draft.text.utf8))
            return nil
        } catch {
            guard case .badFiles(let findings) = error, let line = draft.line(of: key) else { return nil }
            let finding = findings.first {
                $0.severity == .error && $0.position?.file == file.path && $0.position?.line == line
            }
            return finding.map { $0.message + ($0.advice.map { "; \($0)" } ?? "") }
        }
    }

    // MARK: The secret

    /// Checks that the secret can be stored, before the user is asked anything.
    private func checkSecretOption(_ draft: ReceiverDraft) throws(ClientError) {
        let secret = choice.secret(draft)
        let stores = readsSecret || secret.map { $0.isRequired && !draft.has($0.key) } == true
        if readsSecret {
            guard file.isOfService else {
                throw .usage(
                    "--secret-stdin stores a credential of the system service, but \(file.change.place.mainFile) "
                        + "belongs to another daemon")
            }
            guard secret != nil || choice.name == "email" else {
                throw .usage("\(choice.name) has no secret; leave out --secret-stdin")
            }
            if let secret, draft.has(secret.key) {
                throw .usage("--secret-stdin and --set \(secret.key)=… exclude each other")
            }
        }
        guard stores, file.isOfService, !context.arguments.has("dry-run") else { return }
        guard environment.isRoot else { throw .rootNeeded("only root may store the credentials of the service") }
        let entry = try CredentialStore(environment).entries().first { $0.name == file.credential }
        if let entry, !entry.isOwn {
            throw .refused(
                Refused(
                    message: "\(entry.dropIn) already passes '\(file.credential)' to the service; choose another NAME"))
        }
        guard entry == nil || context.arguments.has("force") else {
            throw .usage(
                "a credential '\(file.credential)' is stored already; choose another NAME, or replace it with --force")
        }
    }

    /// Reads the secret, and adds the name of its credential to the draft. Returns nil if there is no secret to store.
    private func secret(
        _ draft: inout ReceiverDraft, isAsking: Bool, isFirst: Bool
    ) throws(ClientError) -> [UInt8]? {
        guard let secret = choice.secret(draft), !draft.has(secret.key) else { return nil }
        let isStored = file.isOfService && !context.arguments.has("dry-run")
        if isStored, readsSecret {
            let bytes = try SecretText.fromInput(context)
            try accept(bytes, secret, &draft)
            return bytes
        }
        guard isStored else {
            if secret.isRequired { _ = draft.set(secret.key, file.credential) }
            return nil
        }
        // Only root can store a secret, so other users are not asked for an optional one.
        guard secret.isRequired || environment.isRoot else { return nil }
        if isAsking, isFirst { context.warn(lines: choice.advice) }
        while true {
            let end = secret.isRequired ? "" : "; Enter for none"
            switch isAsking ? environment.askSecret("Enter \(secret.content) (not shown\(end)): ") : .noTerminal {
            case .noTerminal:
                guard secret.isRequired else { return nil }
                throw missingError([], draft)
            case .cancelled: throw .usage("cancelled; nothing was changed")
            case .entered(let line):
                if line.isEmpty, !secret.isRequired { return nil }
                do throws(ClientError) {
                    let bytes = try SecretText.checked(line)
                    if secret.isAddress { allowPlainHTTP(String(decoding: bytes, as: UTF8.self), &draft) }
                    try accept(bytes, secret, &draft)
                    return bytes
                } catch {
                    context.warn(error.message)
                }
            }
        }
    }

    /// Checks a secret as far as possible without using it, and adds the name of its credential to the draft.
    private func accept(
        _ bytes: [UInt8], _ secret: ReceiverChoice.Secret, _ draft: inout ReceiverDraft
    ) throws(ClientError) {
        if secret.isAddress {
            let address = String(decoding: bytes, as: UTF8.self)
            if let fault = SecretAddress.fault(address) {
                throw .usage("the address \(fault); nothing was changed")
            }
            guard !SecretAddress.needsPermission(address) || draft.has("allow_http") else {
                throw .usage("the address uses plain http to another machine; use https, or --set allow_http=true")
            }
        }
        _ = draft.set(secret.key, file.credential)
    }
}
