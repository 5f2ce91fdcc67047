package import Diagnostics

/// A value in the settings files, and its origin.
package struct SettingOrigin: Equatable, Sendable {
    /// The name of the table, such as `feed`.
    package var table: String
    /// The name of one of several tables, or its number if it has none. Nil if there is only one table.
    package var name: String?
    package var key: String
    /// The value as TOML, on one line.
    package var value: String
    package var position: SourcePosition

    /// Returns the origins of all values except those of rules, of which there may be 10,000.
    static func all(in tables: [TOMLEntry], _ context: FileContext) -> [SettingOrigin] {
        tables.flatMap { table -> [SettingOrigin] in
            switch table.node.value {
            case _ where table.key == SettingsReference.Table.rule.rawValue: return []
            case .table(let entries): return all(in: entries, of: table.key, nil, context)
            case .array(let elements):
                return elements.enumerated().flatMap { index, element -> [SettingOrigin] in
                    guard case .table(let entries) = element.value else { return [] }
                    return all(in: entries, of: table.key, name(in: entries) ?? "\(index + 1)", context)
                }
            default: return []
            }
        }
    }

    private static func all(
        in entries: [TOMLEntry], of table: String, _ name: String?, _ context: FileContext
    ) -> [SettingOrigin] {
        entries.map { entry in
            SettingOrigin(
                table: table, name: name, key: entry.key, value: context.text(of: entry.node),
                position: context.position(entry.keyPosition))
        }
    }

    private static func name(in entries: [TOMLEntry]) -> String? {
        guard case .string(let name) = entries.first(where: { $0.key == "name" })?.node.value else { return nil }
        return visible(name)
    }
}

extension FileContext {
    /// Formats a value as TOML, on one line.
    fileprivate func text(of node: TOMLNode) -> String {
        switch node.value {
        case .string(let text): quoted(visible(text))
        case .integer(let number): "\(number)"
        case .boolean(let flag): "\(flag)"
        case .float: source(at: node.position).token(at: node.position)
        case .dateTime: source(at: node.position).dateTime(at: node.position)
        case .array(let elements): "[" + elements.map { text(of: $0) }.joined(separator: ", ") + "]"
        case .table(let entries):
            "{ " + entries.map { "\($0.key) = \(text(of: $0.node))" }.joined(separator: ", ") + " }"
        }
    }
}
