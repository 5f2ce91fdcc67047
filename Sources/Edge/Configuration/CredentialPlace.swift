package import Diagnostics

/// Where settings name a credential.
package struct CredentialPlace: Equatable, Sendable {
    /// The name of the credential.
    package var name: String
    /// Where the name is.
    package var position: SourcePosition
    /// The line with the name; nil if it may contain a secret.
    package var line: String?

    /// The place of a name, as ``all(in:_:)`` finds it.
    package init(name: String, position: SourcePosition, line: String? = nil) {
        (self.name, self.position, self.line) = (name, position, line)
    }

    /// A warning that the running daemon does not have the credential.
    package var missing: Finding {
        Finding(
            .warning, at: position, "the daemon has no credential \"\(name)\"",
            advice: "put it into a file that only root can read, and pass that to the service: `systemctl edit "
                + "alertd`, [Service], LoadCredential=\(name):/etc/alertd/\(name).secret; then restart it",
            sourceLine: line)
    }

    /// All names of credentials in the tables of a file, in the order of the text.
    static func all(in entries: [TOMLEntry], _ context: FileContext) -> [CredentialPlace] {
        entries.flatMap { entry -> [CredentialPlace] in
            switch entry.node.value {
            // Rules name none, and there may be 10,000 of them.
            case _ where entry.key == SettingsReference.Table.rule.rawValue: return []
            case .table(let content): return all(in: content, context)
            case .array(let elements):
                return elements.flatMap { element -> [CredentialPlace] in
                    guard case .table(let content) = element.value else { return [] }
                    return all(in: content, context)
                }
            case .string(let name) where ["credential", "url_credential", "proxy_credential"].contains(entry.key):
                let position = entry.node.position
                return [
                    CredentialPlace(
                        name: name, position: context.position(position), line: context.shownLine(at: position))
                ]
            default: return []
            }
        }
    }
}
