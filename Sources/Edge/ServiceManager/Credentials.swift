// This import defines stat for the whole module.
internal import CSystemd.Daemon
internal import Glibc

/// A text that must not be shown: it is available only through ``reveal()``, and prints as `(secret)` everywhere.
package struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    /// Wraps a text that no description, message or dump shows.
    package init(_ text: String) {
        self.text = text
    }

    /// Returns the secret itself. Use it to pass the secret on, never for messages.
    package func reveal() -> String { text }

    /// A placeholder, never the secret.
    package var description: String { "(secret)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The reason why a credential cannot be used. The message never contains the secret.
package struct CredentialError: Error, Equatable, CustomStringConvertible {
    package var name: String
    /// The reason, without a full stop.
    package var reason: String

    package var description: String {
        "the credential '\(name)' cannot be used: \(reason); replace it with 'alertctl credential set \(name)'"
    }

    package init(name: String, reason: String) {
        (self.name, self.reason) = (name, reason)
    }
}

/// The secrets that the service manager passes to this process, each in a file in a private folder:
/// `LoadCredential=`, `LoadCredentialEncrypted=`, `SetCredential=`.
package struct Credentials: Sendable {
    /// The maximum length of a credential in bytes. An address with a user and a password has about 100 bytes, a
    /// token fewer than 1,000.
    package static let limitBytes = 4_096

    /// The folder of the credentials; nil if the service has none.
    private let folder: String?

    /// - Parameter folder: the value of `CREDENTIALS_DIRECTORY`.
    package init(folder: String?) {
        self.folder = folder.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Reads one credential.
    ///
    /// - Parameter name: the name of the file.
    /// - Returns: the text without the final newline; nil if there is no such credential.
    /// - Throws: ``CredentialError`` if it is empty, too long, not a single line of text, not a regular file, or if
    ///   everyone can read or write it.
    package func secret(_ name: String) throws(CredentialError) -> Secret? {
        guard let folder else { return nil }
        let descriptor = unsafe open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else {
            let number = errno
            guard number != ENOENT else { return nil }
            throw CredentialError(name: name, reason: unsafe String(cString: strerror(number)))
        }
        defer { close(descriptor) }
        do throws(Refusal) {
            return Secret(try Self.text(of: descriptor))
        } catch {
            throw CredentialError(name: name, reason: error.reason)
        }
    }

    /// The names of all credentials, sorted; at most 200.
    package var names: [String] {
        guard let folder, let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while names.count < 200, let entry = unsafe readdir(stream) {
            let bytes = unsafe withUnsafeBytes(of: entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
            let name = String(decoding: bytes, as: UTF8.self)
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    private struct Refusal: Error {
        var reason: String
    }

    private static func text(of descriptor: Int32) throws(Refusal) -> String {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Refusal(reason: "it is not a regular file")
        }
        // systemd makes the file readable only for the user of the service, on some systems with an access control
        // list.
        guard status.st_mode & (S_IROTH | S_IWOTH) == 0 else {
            throw Refusal(reason: "everyone can read or write it; restrict its permissions")
        }
        var bytes = [UInt8](repeating: 0, count: limitBytes + 1)
        let count = unsafe read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw Refusal(reason: unsafe String(cString: strerror(errno))) }
        guard count <= limitBytes else { throw Refusal(reason: "it is longer than \(limitBytes) bytes") }
        var line = bytes.prefix(count)
        // Some editors begin a file with a byte order mark, which is not part of any key.
        if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        if line.last == UInt8(ascii: "\n") { line.removeLast() }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        guard !line.isEmpty else { throw Refusal(reason: "it is empty") }
        guard line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), let text = String(validating: line, as: UTF8.self) else {
            throw Refusal(reason: "it is not one line of text")
        }
        return text
    }
}
