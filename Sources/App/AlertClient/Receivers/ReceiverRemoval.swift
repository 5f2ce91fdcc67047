internal import Arguments
internal import Configuration
internal import Control
internal import Diagnostics
internal import Receivers

/// `alertctl receivers remove`
struct ReceiverRemoval {
    private let file: ReceiverFile

    private var context: Context { file.change.context }

    init(_ context: Context) throws(ClientError) {
        let name = context.arguments.operands.first ?? ""
        file = ReceiverFile(change: RuleChange(context: context, place: try SettingsPlace(context)), name: name)
    }

    func run() throws(ClientError) -> ExitCode {
        // The name is part of a file path, which must not lead out of `conf.d`.
        guard isPlainName(file.name) else { throw try unknown() }
        guard let bytes = try file.contents() else { throw try unknown() }
        guard bytes.starts(with: Array(ReceiverFile.mark.utf8)) else {
            throw .refused(
                Refused(
                    message: "\(file.path) was not written by 'alertctl receivers add'; edit or remove it yourself, "
                        + "and then run 'alertctl reload'"))
        }
        let credential = try ownCredential(bytes)
        // Throws if other settings, such as rules, still name the receiver.
        let left = try file.change.errorsLeft(with: file.path, as: [])
        // A restart, unlike a reload, would stop a daemon whose settings still have errors.
        if credential != nil, !left.isEmpty { throw .badFiles(left) }
        let messages: [String]
        if let credential {
            guard context.environment.isRoot else {
                throw .rootNeeded("only root may remove the credentials of the service")
            }
            _ = try file.replace(with: nil, replaces: true) { () throws(ClientError) in [] }
            try CredentialStore(context.environment).remove(credential)
            messages = ["Removed '\(credential)'.", try ServiceUnit(context.environment).restart()]
        } else {
            messages = try file.replace(with: nil, replaces: true) { () throws(ClientError) in try file.reload() }
        }
        let all = ["Removed \(file.path)."] + messages
        context.show(
            Report(
                parts: all.map { .text(visible($0), .none) } + [
                    .fields(
                        key: nil,
                        [
                            Field("receiver", .text(file.name)), Field("file", .text(file.path)),
                            Field("credential", .text(credential)), Field("messages", .list(all)),
                        ])
                ]))
        return .success
    }

    /// Returns the credential that was stored with the receiver; nil if there is none, or other settings use it, too.
    private func ownCredential(_ bytes: [UInt8]) throws(ClientError) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        let isNamed = text.split(separator: "\n").contains { line in
            ["credential", "url_credential"].contains { line == "\($0) = \"\(file.credential)\"" }
        }
        guard isNamed, file.isOfService else { return nil }
        let entries = try CredentialStore(context.environment).entries()
        guard entries.contains(where: { $0.name == file.credential && $0.isOwn }) else { return nil }
        // Without this file, which may be faulty. If other files are, they may use the credential.
        guard let others = try? file.change.settings(with: file.path, as: []) else { return nil }
        return others.credentials.contains { $0.name == file.credential } ? nil : file.credential
    }

    /// Returns the error for a receiver that does not exist, or that `alertctl receivers add` did not write.
    private func unknown() throws(ClientError) -> ClientError {
        let loaded = try file.change.settings()
        if let position = ReceiverFile.position(of: file.name, in: loaded) {
            return .refused(
                Refused(
                    message: "'\(visible(file.name))' is in \(position.file):\(position.line), which "
                        + "'alertctl receivers add' has not written; remove it there with an editor, and then run "
                        + "'alertctl reload'"
                ))
        }
        let names = loaded.settings.receivers.map(\.name)
        return .noSuchThing(
            NoSuchThing(
                kind: .receiver, name: file.name, suggestion: nearest(to: file.name, among: names), known: names))
    }
}
