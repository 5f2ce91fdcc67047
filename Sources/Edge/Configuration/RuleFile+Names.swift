internal import Rules

extension RuleFile {
    /// Finds the line of a rule's header. The rule may be invalid, so that a faulty rule can be removed by its name.
    ///
    /// - Parameter name: The name of the rule. A rule without a name is identified by its symbol and its conditions,
    ///   like a valid rule.
    /// - Returns: The number of the line, counted from 1, or nil if there is no such rule or the file is not TOML.
    package func line(of name: String) -> Int? {
        guard case .table(let entries) = TOMLDocument(parsing: bytes),
            let rules = entries.first(where: { $0.key == SettingsReference.Table.rule.rawValue }),
            case .array(let elements) = rules.node.value
        else { return nil }
        return elements.first { Self.names(of: $0).contains(name) }?.position.line
    }

    private static func names(of rule: TOMLNode) -> [String] {
        guard case .table(let entries) = rule.value else { return [] }
        if let name = entries.first(where: { $0.key == "name" })?.node {
            if case .string(let text) = name.value { return [text] }
            return []
        }
        guard let symbol = entries.first(where: { $0.key == "symbol" })?.node.firstText else { return [] }
        let keys = ConditionKey.allCases.map(\.rawValue).filter { key in entries.contains { $0.key == key } }
        let market = entries.first { $0.key == "source" }?.node.firstText.map { "\($0):\(symbol)" }
        return [symbol, market].compactMap(\.self).map { ([$0] + keys).joined(separator: " ") }
    }
}

extension TOMLNode {
    /// The text, or the first text of a list.
    fileprivate var firstText: String? {
        switch value {
        case .string(let text): text
        case .array(let elements): elements.first?.firstText
        default: nil
        }
    }
}
