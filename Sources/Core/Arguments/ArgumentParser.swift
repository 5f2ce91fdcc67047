internal import Diagnostics

extension CommandLineSpecification {
    /// Parses the arguments after the program name in the manner of GNU programs: `--name value`, `--name=value`,
    /// `-n 5`, `-n5`, `-qv`, and options before, between and after operands; after `--`, all are operands. A negative
    /// number such as `-5` is an operand.
    ///
    /// Long names cannot be abbreviated. If the arguments include ``OptionSpecification/help``, missing operands and
    /// commands are not errors.
    ///
    /// - Throws: ``UsageError`` for the first mistake.
    package func parse(_ arguments: [String]) throws(UsageError) -> ParsedArguments {
        var parser = ArgumentParser(root: self, rest: arguments[...])
        return try parser.run()
    }
}

private struct ArgumentParser {
    /// The program and the commands named so far.
    var chain: [CommandLineSpecification]
    var rest: ArraySlice<String>
    var result = ParsedArguments()
    var areOptionsOver = false

    init(root: CommandLineSpecification, rest: ArraySlice<String>) {
        chain = [root]
        self.rest = rest
    }

    var current: CommandLineSpecification { chain[chain.count - 1] }
    var options: [OptionSpecification] { chain.reversed().flatMap(\.options) }

    mutating func run() throws(UsageError) -> ParsedArguments {
        while let argument = rest.popFirst() {
            if areOptionsOver || argument == "-" || !argument.hasPrefix("-") || isNegative(argument) {
                try parseOperand(argument)
            } else if argument == "--" {
                areOptionsOver = true
            } else if argument.hasPrefix("--") {
                try parseLong(argument.dropFirst(2))
            } else {
                try parseShort(argument.dropFirst())
            }
        }
        if !result.wantsHelp { try checkEnd() }
        return result
    }

    /// Returns true if operands are allowed and the argument is a negative amount, such as `-5` or `-₹100`. No short
    /// option is a digit.
    private func isNegative(_ argument: String) -> Bool {
        guard !current.operands.isEmpty, let first = argument.dropFirst().first,
            !options.contains(where: { $0.short == first })
        else { return false }
        return first != "-" && !first.isLetter && argument.contains { ("0"..."9").contains($0) }
    }

    private mutating func parseLong(_ text: Substring) throws(UsageError) {
        let name = String(text.prefix { $0 != "=" })
        let attached = name.count < text.count ? String(text.dropFirst(name.count + 1)) : nil
        guard let option = options.first(where: { $0.name == name || $0.aliases.contains(name) }) else {
            throw unknownOption(name)
        }
        guard option.valueName != nil else {
            if attached != nil { throw failure("option --\(name) takes no value") }
            return result.add(option, value: nil)
        }
        try parseValue(of: option, written: "--\(name)", attached: attached)
    }

    private mutating func parseShort(_ text: Substring) throws(UsageError) {
        var letters = text
        while let letter = letters.popFirst() {
            guard let option = options.first(where: { $0.short == letter }) else {
                throw failure("unknown option -\(shown(String(letter)))")
            }
            if option.valueName != nil {
                return try parseValue(
                    of: option, written: "-\(letter)", attached: letters.isEmpty ? nil : String(letters))
            }
            result.add(option, value: nil)
        }
    }

    private mutating func parseValue(
        of option: OptionSpecification, written: String, attached: String?
    ) throws(UsageError) {
        guard let value = attached ?? rest.popFirst() else {
            throw failure("option \(written) needs a value: \(option.valueName ?? "")")
        }
        try check(value, kind: option.kind, of: "option \(written)")
        result.add(option, value: value)
    }

    private mutating func parseOperand(_ text: String) throws(UsageError) {
        if result.operands.isEmpty, !current.commands.isEmpty {
            if let command = current.command(text) {
                chain.append(command)
                return result.path.append(command.name)
            }
            guard !current.operands.isEmpty else { throw unknownCommand(text) }
        }
        let index = result.operands.count
        let repeated = current.operands.last.flatMap { $0.isRepeated ? $0 : nil }
        guard let operand = index < current.operands.count ? current.operands[index] : repeated else {
            throw failure("unexpected argument '\(shown(text))'", excessAdvice(text))
        }
        try check(text, kind: operand.kind, of: operand.name)
        result.operands.append(text)
    }

    private func excessAdvice(_ text: String) -> String {
        // This is a likely mistake: `--max 12 000`.
        if !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
            return "put quotes around a value with spaces, such as '12 000'"
        }
        return current.operands.isEmpty
            ? "it takes no operands" : "it takes \(current.operands.map(\.name).joined(separator: " ")) only"
    }

    private func check(_ value: String, kind: ValueKind, of what: String) throws(UsageError) {
        let words: [String]
        switch kind {
        case .any: return
        case .file, .directory, .live:
            // An empty value usually results from an unset variable in a script; no file has an empty name.
            if value.isEmpty { throw failure("\(what) must not be empty") }
            return
        case .oneOf(let all): words = all
        }
        guard !words.contains(value) else { return }
        let meant = nearest(to: value, among: words).map { "did you mean \($0)?" }
        let list = words.joined(separator: ", ")
        throw failure("'\(shown(value))' is not a valid value for \(what) (\(list))", meant)
    }

    private func checkEnd() throws(UsageError) {
        if current.requiresCommand {
            throw failure("'\(current.name)' needs a command: \(commandList)")
        }
        let needed = current.operands.prefix { !$0.isOptional }
        guard result.operands.count < needed.count else { return }
        throw failure("\(needed[result.operands.count].name) is missing")
    }

    private func unknownOption(_ name: String) -> UsageError {
        let message = "unknown option --\(shown(name))"
        if let owner = current.commands.first(where: { $0.options.contains { $0.name == name } }) {
            return failure(message, "it belongs after the command '\(owner.name)'")
        }
        return failure(message, nearest(to: name, among: options.map(\.name)).map { "did you mean --\($0)?" })
    }

    private func unknownCommand(_ text: String) -> UsageError {
        let near = nearest(to: text, among: current.commands.flatMap { [$0.name] + $0.aliases })
        let meant = current.hints[text] ?? near
        let list = chain.count > 1 ? "'\(current.name)' takes \(commandList)" : nil
        return failure("unknown command '\(shown(text))'", meant.map { "did you mean '\($0)'?" } ?? list)
    }

    /// The names of the commands, as in `add, remove or edit`.
    private var commandList: String {
        let names = current.commands.map(\.name)
        return [names.dropLast().joined(separator: ", "), names.last ?? ""].filter { !$0.isEmpty }
            .joined(separator: " or ")
    }

    private func failure(_ message: String, _ advice: String? = nil) -> UsageError {
        UsageError(command: chain.map(\.name).joined(separator: " "), message: message, advice: advice)
    }
}

/// Returns the text in a form that is safe on a terminal, cut to 80 characters.
private func shown(_ text: String) -> String {
    visible(String(text.prefix(80)))
}
