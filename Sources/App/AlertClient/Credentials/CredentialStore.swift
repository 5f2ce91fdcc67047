internal import Configuration
internal import Diagnostics
internal import Glibc

/// The form in which a credential is stored.
enum CredentialKind: String {
    /// A file that systemd-creds encrypted; `LoadCredentialEncrypted=`.
    case encrypted
    /// A file or socket that provides the plain secret; `LoadCredential=`.
    case plain
    /// The drop-in itself; `SetCredential=` or `SetCredentialEncrypted=`.
    case inline
}

/// A credential that a drop-in passes to the service.
struct CredentialEntry: Equatable {
    var name: String
    var kind: CredentialKind
    /// The path of the file; nil for an inline credential, or if the drop-in leaves it to the service manager to
    /// search its own folders.
    var file: String?
    /// The path of the drop-in.
    var dropIn: String
    /// True if `alertctl credential set` wrote the drop-in.
    var isOwn = false
    /// False only if the file certainly does not exist.
    var isPresent = true
}

/// The folders that contain the secrets and the drop-ins that pass them to the service.
package struct CredentialFolders: Equatable, Sendable {
    /// In the settings folder, so that purging the package also removes the secrets.
    package var secrets = "/etc/alertd/credentials"
    package var dropIns = "/etc/systemd/system/alertd.service.d"
    /// The main settings file of the service: other daemons have credentials of their own.
    package var settings = "/etc/alertd/alertd.toml"

    package init() {}
}

/// The credentials of the service: a file for each secret, and a drop-in that passes it to the service.
struct CredentialStore {
    /// The start of the first line of each drop-in. The package recognizes its drop-ins by this text when it is
    /// purged.
    static let mark = "# Written by 'alertctl credential set'"

    /// The largest drop-in that is read. Drop-ins written by `systemctl edit` have a few hundred bytes.
    private static let limitBytes = 256 << 10

    private let environment: ClientEnvironment
    private var folders: CredentialFolders { environment.credentialFolders }

    init(_ environment: ClientEnvironment) {
        self.environment = environment
    }

    // MARK: Reading

    /// Returns the credentials of all drop-ins, sorted by name. If several drop-ins set the same name, the last one
    /// wins.
    func entries() throws(ClientError) -> [CredentialEntry] {
        let names: [String]
        switch LocalFiles().names(in: folders.dropIns) {
        case .found(let found): names = found
        case .missing: return []
        case .failed(let reason, _): throw .file("\(folders.dropIns): cannot be read: \(reason)")
        }
        var entries: [String: CredentialEntry] = [:]
        for name in names.sorted() where name.hasSuffix(".conf") && !name.hasPrefix(".") {
            let path = "\(folders.dropIns)/\(name)"
            switch LocalFiles().contents(of: path, limit: Self.limitBytes) {
            case .found(let bytes):
                let text = String(decoding: bytes, as: UTF8.self)
                for entry in UnitText(text).credentials(path) { entries[entry.name] = entry }
            case .missing: continue
            case .failed(let reason, _): throw .file("\(path): cannot be read: \(reason)")
            }
        }
        return entries.values.sorted { $0.name < $1.name }.map { entry in
            var entry = entry
            if let file = entry.file { entry.isPresent = !Self.isMissing(file) }
            return entry
        }
    }

    private static func isMissing(_ file: String) -> Bool {
        var found = stat()
        return unsafe stat(file, &found) != 0 && [ENOENT, ENOTDIR].contains(errno)
    }

    // MARK: Changing

    struct Stored {
        var file: String
        var isEncrypted: Bool
        /// The reason that the secret is not encrypted; nil if it is.
        var reason: String?
    }

    /// Stores a secret, encrypted if possible, and adds the drop-in that passes it to the service.
    func set(_ name: String, _ secret: [UInt8]) throws(ClientError) -> Stored {
        let (encrypted, reason) = encrypt(secret, name)
        let secrets = try open(folders.secrets)
        let (file, other) = encrypted == nil ? (plain(name), cipher(name)) : (cipher(name), plain(name))
        try secrets.replace(file, with: encrypted ?? secret, mode: 0o600)
        let path = "\(folders.secrets)/\(file)"
        let dropIn = """
            \(Self.mark); 'alertctl credential remove \(name)' removes it.
            [Service]
            \(encrypted == nil ? "LoadCredential" : "LoadCredentialEncrypted")=\(name):\(path)

            """
        try open(folders.dropIns).replace(dropInName(name), with: Array(dropIn.utf8), mode: 0o644)
        try secrets.remove(other)
        return Stored(file: path, isEncrypted: encrypted != nil, reason: reason)
    }

    /// Removes a credential. The drop-in is removed first, because the service does not start while a drop-in names a
    /// missing file.
    func remove(_ name: String) throws(ClientError) {
        try open(folders.dropIns).remove(dropInName(name))
        _ = unsafe rmdir(folders.dropIns)
        try removeSecrets(name)
        _ = unsafe rmdir(folders.secrets)
    }

    /// Removes the secret files. The folder's lock file disappears when this function returns, so that the caller can
    /// then remove the folder if it is empty.
    private func removeSecrets(_ name: String) throws(ClientError) {
        let secrets = try open(folders.secrets)
        for file in [plain(name), cipher(name)] { try secrets.remove(file) }
    }

    private func plain(_ name: String) -> String { "\(name).secret" }
    private func cipher(_ name: String) -> String { "\(name).cred" }
    private func dropInName(_ name: String) -> String { "credential-\(name).conf" }

    /// Opens and locks a folder, and creates it if necessary. Secret files have restrictive permissions of their own,
    /// so the folder does not need them.
    private func open(_ path: String) throws(ClientError) -> SettingsFolder {
        let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        try SettingsFolder.create(path, in: parent)
        let folder = try SettingsFolder(path)
        try folder.lock(pause: environment.pause)
        return folder
    }

    /// Encrypts a secret with systemd-creds, which embeds the name in the result. If that fails, returns the reason.
    private func encrypt(_ secret: [UInt8], _ name: String) -> (bytes: [UInt8]?, reason: String?) {
        guard let result = environment.runProgram("systemd-creds", ["encrypt", "--name=\(name)", "-", "-"], secret)
        else { return (nil, "this machine has no systemd-creds to encrypt the secret with") }
        guard result.code == 0, !result.output.isEmpty else {
            let said = result.errors.split(separator: "\n").last.map(String.init) ?? "exit code \(result.code)"
            return (nil, "systemd-creds cannot encrypt the secret here (\(visible(said)))")
        }
        return (Array(result.output.utf8), nil)
    }
}

/// The text of a unit or drop-in file.
struct UnitText {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    /// Returns the credentials that this text passes to the service, as entries of the drop-in with this path.
    func credentials(_ path: String) -> [CredentialEntry] {
        let isOwn = text.hasPrefix(CredentialStore.mark)
        return text.split(whereSeparator: \.isNewline).compactMap { line in
            guard let sign = line.firstIndex(of: "=") else { return nil }
            let parts = Self.trimmed(line[line.index(after: sign)...]).split(separator: ":", maxSplits: 1)
            guard let name = parts.first else { return nil }
            var entry = CredentialEntry(name: String(name), kind: .plain, dropIn: path, isOwn: isOwn)
            switch Self.trimmed(line[..<sign]) {
            case "LoadCredential": break
            case "LoadCredentialEncrypted": entry.kind = .encrypted
            case "SetCredential", "SetCredentialEncrypted":
                entry.kind = .inline
                return entry
            default: return nil
            }
            entry.file = parts.dropFirst().first.map(String.init).flatMap { $0.hasPrefix("/") ? $0 : nil }
            return entry
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        var text = text.drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        return text
    }
}
