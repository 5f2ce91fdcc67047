extension CommandLineSpecification {
    /// Returns the help of the command at the path, examples first. It is at most 80 columns wide and ends with a
    /// newline.
    ///
    /// - Returns: nil if there is no such command.
    package func helpText(for path: [String] = []) -> String? {
        guard let chain = chain(path) else { return nil }
        let command = chain[chain.count - 1]
        var sections = [
            ["Usage: " + Self.usage(of: chain)] + wrapped(command.summary + ".", width: 80)
                + (command.aliases.isEmpty ? [] : ["Aliases: " + command.aliases.joined(separator: ", ")]),
            Self.exampleLines(command.examples),
        ]
        sections += command.discussion.map { wrapped($0, width: 80) }
        sections.append(Self.titled("Commands:", command.commands.map { ($0.name, $0.summary) }))
        sections.append(Self.titled("Operands:", command.operands.map { ($0.name, $0.help) }))
        sections.append(Self.titled("Options:", command.options.map(\.helpRow)))
        let common = chain.dropLast().flatMap(\.options)
        sections.append(Self.titled("Common options:", common.map(\.helpRow)))
        sections.append(Self.titled("Exit codes:", command.exitCodes.map { (String($0.code), $0.meaning) }))
        return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    /// Returns the usage line of the last command: `alertctl list [OPTION]...`.
    static func usage(of chain: [CommandLineSpecification]) -> String {
        let command = chain[chain.count - 1]
        var words = chain.map(\.name)
        if chain.contains(where: { !$0.options.isEmpty }) { words.append("[OPTION]...") }
        if !command.commands.isEmpty { words.append(command.requiresCommand ? "COMMAND" : "[COMMAND]") }
        words += command.operands.map(\.written)
        return words.joined(separator: " ")
    }

    private static func exampleLines(_ examples: [Example]) -> [String] {
        titled("Examples:", examples.map { ($0.line, $0.meaning) })
    }

    private static func titled(_ title: String, _ rows: [(String, String)]) -> [String] {
        rows.isEmpty ? [] : [title] + definitionList(rows.map { (term: $0.0, meaning: $0.1) })
    }
}

extension OptionSpecification {
    /// The row of the help: `-n, --top NUMBER` and its meaning.
    fileprivate var helpRow: (String, String) {
        let dash = short.map { "-\($0), " } ?? "    "
        let value = valueName.map { " \($0)" } ?? ""
        guard case .oneOf(let words) = kind else { return (dash + "--" + name + value, help) }
        return (dash + "--" + name + value, "\(help): \(words.joined(separator: ", "))")
    }
}
