package import Diagnostics

/// The name of a credential in the settings, and its position.
package struct CredentialPlace: Equatable, Sendable {
    package var name: String
    package var position: SourcePosition
    /// The line with the name, or nil if it may contain a secret.
    package var line: String?

    package init(name: String, position: SourcePosition, line: String? = nil) {
        (self.name, self.position, self.line) = (name, position, line)
    }

    /// A warning that the running daemon lacks the credential.
    package var missing: Finding {
        Finding(
            .warning, at: position, "the daemon has no credential \"\(name)\"",
            advice: "store it with `alertctl credential set \(name)`; or, if it is already stored, restart the daemon",
            sourceLine: line)
    }

    /// Returns every credential named in the tables of a file, in file order.
    static func all(in entries: [TOMLEntry], _ context: FileContext) -> [CredentialPlace] {
        entries.flatMap { entry -> [CredentialPlace] in
            switch entry.node.value {
            // Rules name no credentials, and there may be 10,000 of them.
            case _ where entry.key == SettingsReference.Table.rule.rawValue: return []
            case .table(let content): return all(in: content, context) + implied(in: content, of: entry.key, context)
            case .array(let elements):
                return elements.flatMap { element -> [CredentialPlace] in
                    guard case .table(let content) = element.value else { return [] }
                    return all(in: content, context) + implied(in: content, of: entry.key, context)
                }
            case .string(let name) where ["credential", "url_credential", "proxy_credential"].contains(entry.key):
                return [CredentialPlace(name, at: entry.node.position, context)]
            default: return []
            }
        }
    }

    /// Returns the default credential of a CoinRanking source whose table names none.
    private static func implied(
        in entries: [TOMLEntry], of table: String, _ context: FileContext
    ) -> [CredentialPlace] {
        let isNamed = entries.contains { $0.key == "credential" }
        guard ["feed", "source"].contains(table), !isNamed else { return [] }
        return entries.compactMap { entry in
            guard ["source", "type"].contains(entry.key), case .string("coinranking") = entry.node.value else {
                return nil
            }
            return CredentialPlace(FeedSettings().credential, at: entry.node.position, context)
        }
    }

    private init(_ name: String, at position: TextPosition, _ context: FileContext) {
        self.init(name: name, position: context.position(position), line: context.shownLine(at: position))
    }
}
