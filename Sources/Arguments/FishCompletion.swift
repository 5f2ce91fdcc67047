extension CommandLineSpecification {
    /// One `complete` line for each option, command and operand.
    var fishScript: String {
        let lines = flattened.flatMap { fishLines($0) }
        return "# fish completion for \(name)\ncomplete -c \(name) -f\n" + lines.joined(separator: "\n") + "\n"
    }

    private func fishLines(_ flat: FlatCommand) -> [String] {
        let condition = fishCondition(flat)
        let isHere = condition.map { " -n \(shellQuoted($0))" } ?? ""
        let options = flat.command.options.map { "complete -c \(name)\(fishScope(flat.path))" + fishOption($0) }
        let commands = flat.command.commands.map {
            "complete -c \(name)\(isHere) -a \(shellQuoted($0.name)) -d \(shellQuoted($0.summary))"
        }
        let operands = flat.command.operands.compactMap { operand in
            fishWords(operand.kind).map { "complete -c \(name)\(isHere)\($0) -d \(shellQuoted(operand.help))" }
        }
        return options + commands + operands
    }

    /// When the options of the command count: as soon as all commands of its path were typed.
    private func fishScope(_ path: [String]) -> String {
        let seen = path.map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ")
        return path.isEmpty ? "" : " -n \(shellQuoted(seen))"
    }

    /// When the next word is an operand or a command of this command.
    private func fishCondition(_ flat: FlatCommand) -> String? {
        var parts = flat.path.map { "__fish_seen_subcommand_from \($0)" }
        if !flat.command.commands.isEmpty {
            let names = flat.command.commands.map(\.name).joined(separator: " ")
            parts.append("not __fish_seen_subcommand_from \(names)")
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; and ")
    }

    private func fishOption(_ option: OptionSpecification) -> String {
        var line = option.short.map { " -s \($0)" } ?? ""
        line += " -l \(option.name) -d \(shellQuoted(option.help))"
        guard option.valueName != nil else { return line }
        return line + " -r" + (fishWords(option.kind) ?? "")
    }

    private func fishWords(_ kind: ValueKind) -> String? {
        switch kind {
        case .any: nil
        case .oneOf(let words): " -a \(shellQuoted(words.joined(separator: " ")))"
        case .file: " -F"
        case .directory: " -a '(__fish_complete_directories)'"
        case .live(let words): " -a \(shellQuoted("(\(name) __complete \(words) 2>/dev/null)"))"
        }
    }
}
