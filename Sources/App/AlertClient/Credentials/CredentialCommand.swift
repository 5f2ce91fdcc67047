internal import Arguments
internal import Configuration
internal import Control
internal import Diagnostics

/// `alertctl credential set|list|remove`: manages the secrets of the system service.
enum CredentialCommand: Command {
    static let specification = CommandLineSpecification(
        "credential", summary: "Store, list or remove the secrets of the service",
        discussion: [
            "Tokens, passwords and secret addresses are systemd credentials of the service. Settings only name them, "
                + "as in credential = \"phone-token\". The credential 'proxy' is the address of a proxy for all "
                + "requests.",
            "Secrets are in /etc/alertd/credentials, encrypted with systemd-creds(1) where the machine can do that, or "
                + "else in files that only root can read. Each is passed to the service by a drop-in "
                + "credential-NAME.conf in /etc/systemd/system/alertd.service.d. An encrypted secret can be used on "
                + "this machine only.",
            "This is for the system service. If you run alertd with 'systemctl --user', use 'systemctl --user edit "
                + "alertd', [Service], LoadCredential=NAME:FILE.",
        ],
        examples: [
            Example("sudo alertctl credential set phone-token", "Asks for the secret without showing it."),
            Example("pass show ntfy | sudo alertctl credential set phone-token", "From another program."),
            Example("alertctl credential list", "Is any missing?"),
        ], commands: [set, list, remove], requiresCommand: true,
        hints: ["add": "alertctl credential set", "show": "alertctl credential list"])

    private static let name = OperandSpecification("NAME", kind: .any, help: "The name of the credential")

    private static let set = CommandLineSpecification(
        "set", summary: "Store a secret, pass it to the service, and restart the service",
        discussion: [
            "Reads the secret from standard input, or asks for it without showing it. It is one line of text of at "
                + "most \(SecretText.limitBytes) bytes; one line end and a byte order mark are removed. A secret of "
                + "the same name is replaced. A service that is not running is not started, except after a failure.",
            "This needs root.",
        ], operands: [name])

    private static let list = CommandLineSpecification(
        "list", aliases: ["ls"], summary: "List credentials, never their contents",
        discussion: [
            "Lists the credentials that drop-ins pass to the service, and those that the settings name but that it "
                + "does not get. The service does not start without a file that a drop-in names."
        ])

    private static let remove = CommandLineSpecification(
        "remove", aliases: ["rm"], summary: "Remove a credential that was stored with 'set', and restart the service",
        discussion: ["This needs root."], operands: [name])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let name = context.arguments.operands.first ?? ""
        switch context.arguments.path.last {
        case "set": return try set(name, context)
        case "remove": return try remove(name, context)
        default: return try show(context)
        }
    }

    private static func set(_ name: String, _ context: Context) throws(ClientError) -> ExitCode {
        let store = CredentialStore(context.environment)
        try check(name, context)
        if let other = try store.entries().first(where: { $0.name == name && !$0.isOwn }) {
            throw .refused(
                Refused(
                    message: "\(other.dropIn) already passes '\(name)' to the service; remove it there first, with "
                        + "'systemctl edit alertd' or an editor"))
        }
        let secret = try SecretText.read(named: name, context)
        let stored = try store.set(name, secret)
        if let reason = stored.reason { context.warn("alertctl: \(reason), so it is stored as it is") }
        var lines = [
            stored.isEncrypted
                ? "Stored '\(name)' in \(stored.file), encrypted for this machine."
                : "Stored '\(name)' in \(stored.file), which only root can read."
        ]
        lines.append(try ServiceUnit(context.environment).restart())
        if !(uses(context).contains { $0.name == name } || name == "proxy") {
            lines.append("No setting names it yet.")
        }
        show(lines, name, kind: stored.isEncrypted ? .encrypted : .plain, file: stored.file, context)
        return .success
    }

    private static func remove(_ name: String, _ context: Context) throws(ClientError) -> ExitCode {
        let store = CredentialStore(context.environment)
        try check(name, context)
        let known = try store.entries()
        guard known.contains(where: { $0.name == name && $0.isOwn }) else {
            if let other = known.first(where: { $0.name == name }) {
                throw .refused(
                    Refused(
                        message: "'\(name)' was not stored by alertctl; remove it from \(other.dropIn), and then run "
                            + "'systemctl daemon-reload' and 'systemctl restart alertd'"))
            }
            throw .noSuchCredential(name, known: known.filter(\.isOwn).map(\.name))
        }
        try store.remove(name)
        var lines = ["Removed '\(name)'.", try ServiceUnit(context.environment).restart()]
        for use in uses(context) where use.name == name {
            lines.append("The settings still name it at \(use.position.file):\(use.position.line).")
        }
        show(lines, name, kind: nil, file: nil, context)
        return .success
    }

    /// Checks the name and the user's permissions before anything is read or asked for.
    private static func check(_ name: String, _ context: Context) throws(ClientError) {
        guard isPlainName(name) else {
            throw .usage(
                "'\(visible(name))' is not the name of a credential; use up to 64 letters, digits, '-', '_' and '.', "
                    + "with a letter, a digit or '_' first")
        }
        guard context.environment.isRoot else {
            throw .rootNeeded("only root may change the credentials of the service")
        }
    }

    private static func show(
        _ lines: [String], _ name: String, kind: CredentialKind?, file: String?, _ context: Context
    ) {
        var fields = [Field("name", .text(name))]
        if let kind { fields += [Field("kind", .text(kind.rawValue)), Field("file", .text(file))] }
        fields.append(Field("messages", .list(lines)))
        context.show(Report(parts: lines.map { .text(visible($0), .none) } + [.fields(key: nil, fields)]))
    }

    /// Returns the places where the settings name credentials; empty if the settings contain errors.
    private static func uses(_ context: Context) -> [CredentialPlace] {
        context.environment.checkFiles([CheckCommand.usualFile(context)]).compactMap(\.loaded).flatMap(\.credentials)
    }

    private static func show(_ context: Context) throws(ClientError) -> ExitCode {
        let entries = try CredentialStore(context.environment).entries()
        let checks = context.environment.checkFiles([CheckCommand.usualFile(context)])
        if checks.contains(where: { $0.loaded == nil }) {
            context.warn("alertctl: the settings contain errors, so it is not known which credentials they name")
        }
        let uses = uses(context)
        let names = Set(entries.map(\.name))
        let rows =
            entries.map { row($0, uses, context) }
            + Set(uses.map(\.name)).subtracting(names).sorted().map { unset($0, uses) }
        let columns = [
            Column("name", "NAME"), Column("kind", "KIND"), Column("present", nil), Column("file", "FILE"),
            Column("drop_in", "DROP-IN", rank: 1), Column("named_at", "NAMED AT"),
        ]
        context.show(
            Report(parts: [
                .table(
                    Table(
                        key: "credentials", columns: columns, rows: rows,
                        whenEmpty: "The service has no credentials, and the settings name none."))
            ]))
        return .success
    }

    private static func row(_ entry: CredentialEntry, _ uses: [CredentialPlace], _ context: Context) -> [Cell] {
        [
            Cell(.text(entry.name), .strong), Cell(.text(entry.kind.rawValue)), Cell(.flag(entry.isPresent)),
            Cell(
                .text(entry.file), human: entry.isPresent ? nil : "\(entry.file ?? "") (missing)",
                entry.isPresent ? .none : .alarm),
            Cell(.text(entry.dropIn)), use(of: entry.name, uses),
        ]
    }

    /// Returns the row of a credential that the settings name and that is not set.
    private static func unset(_ name: String, _ uses: [CredentialPlace]) -> [Cell] {
        [
            Cell(.text(name), .strong), Cell(.text(nil)), Cell(.flag(false)),
            Cell(.text(nil), human: "(not set)", .alarm), Cell(.text(nil)), use(of: name, uses),
        ]
    }

    private static func use(of name: String, _ uses: [CredentialPlace]) -> Cell {
        let places = uses.filter { $0.name == name }.map { "\($0.position.file):\($0.position.line)" }
        return Cell(.list(places), human: places.joined(separator: ", "))
    }
}
