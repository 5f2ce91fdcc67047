/// Completion candidates for the current word.
package enum CompletionOffer: Equatable, Sendable {
    /// Fixed words, with optional explanations.
    case words([Word])
    case files
    case directories
    /// Words that are not known until run time, such as symbols or rules, plus some fixed words. The string is the
    /// kind, see ``ValueKind/live(_:)``.
    case live(String, or: [Word] = [])

    /// A candidate for completion.
    package struct Word: Equatable, Sendable {
        /// The word without quoting.
        package var text: String
        /// A short explanation, which some shells show; nil if there is none.
        package var meaning: String?

        /// Makes a candidate. The explanation is one short line, or nil.
        package init(_ text: String, _ meaning: String? = nil) {
            self.text = text
            self.meaning = meaning
        }
    }
}

/// The result of reading an unfinished command line.
package struct Completion: Equatable, Sendable {
    /// The candidates for the last word.
    package var offer = CompletionOffer.words([])
    /// The part of the last word before its value, which stays unchanged, such as `--color=`.
    package var prefix = ""
    /// The commands and valid options before the last word. Operands are not included.
    package var arguments = ParsedArguments()
}

extension CommandLineSpecification {
    /// Returns the candidates for the last word, which may be empty or incomplete.
    ///
    /// The words before it need not be valid, because the line is not finished. The candidates are not filtered by the
    /// beginning of the last word; each shell does that in its own way.
    ///
    /// - Parameter words: the words after the program name. An equals sign may be a separate word, as in bash.
    /// - Returns: the candidates, and the arguments read so far.
    package func completion(for words: [String]) -> Completion {
        var reader = LineReader(chain: [self])
        for word in words.dropLast() { reader.read(word) }
        return reader.completion(of: words.last ?? "")
    }

    /// All commands with their paths and valid options. This command is first, with an empty path.
    var flattened: [FlatCommand] { flattened(path: [], inherited: []) }

    private func flattened(path: [String], inherited: [OptionSpecification]) -> [FlatCommand] {
        let options = self.options + inherited
        return [FlatCommand(path: path, command: self, options: options)]
            + commands.flatMap { $0.flattened(path: path + [$0.name], inherited: options) }
    }
}

struct FlatCommand {
    var path: [String]
    var command: CommandLineSpecification
    /// The options of the command and of all commands above it.
    var options: [OptionSpecification]
}

/// A reader of an unfinished command line. It works like the parser, but ignores mistakes.
private struct LineReader {
    var chain: [CommandLineSpecification]
    private var operandCount = 0
    private var areOptionsOver = false
    /// The option whose value is the next word; nil if there is none.
    private var awaited: OptionSpecification?
    private var arguments = ParsedArguments()

    init(chain: [CommandLineSpecification]) {
        self.chain = chain
    }

    private var current: CommandLineSpecification { chain[chain.count - 1] }
    private var options: [OptionSpecification] { chain.reversed().flatMap(\.options) }

    mutating func read(_ word: String) {
        if let option = awaited {
            guard word != "=" else { return }
            arguments.add(option, value: word)
            awaited = nil
        } else if areOptionsOver || word == "-" || !word.hasPrefix("-") {
            readOperand(word)
        } else if word == "--" {
            areOptionsOver = true
        } else {
            readOption(word)
        }
    }

    private mutating func readOperand(_ word: String) {
        if operandCount == 0, let command = current.command(word) {
            chain.append(command)
            arguments.path.append(word)
        } else {
            operandCount += 1
        }
    }

    private mutating func readOption(_ word: String) {
        guard word.hasPrefix("--") else { return readLetters(word.dropFirst()) }
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let option = longOption(parts[0]) else { return }
        if option.valueName == nil {
            arguments.add(option, value: nil)
        } else if parts.count > 1 {
            arguments.add(option, value: String(parts[1]))
        } else {
            awaited = option
        }
    }

    private func longOption(_ word: Substring) -> OptionSpecification? {
        options.first { ([$0.name] + $0.aliases).contains(String(word.dropFirst(2))) }
    }

    /// Reads the letters of short options. The first option that takes a value ends the letters: its value is the
    /// rest of the text, or the next word if nothing is left.
    private mutating func readLetters(_ text: Substring) {
        var letters = text
        while let letter = letters.popFirst() {
            guard let option = options.first(where: { $0.short == letter }) else { continue }
            guard option.valueName != nil else {
                arguments.add(option, value: nil)
                continue
            }
            if letters.isEmpty { awaited = option } else { arguments.add(option, value: String(letters)) }
            return
        }
    }

    func completion(of word: String) -> Completion {
        var completion = Completion(arguments: arguments)
        if let awaited {
            completion.offer = offer(awaited.kind)
        } else if !areOptionsOver, word.hasPrefix("--"), let end = word.firstIndex(of: "=") {
            let option = longOption(word[..<end])
            completion.offer = option?.valueName.map { _ in offer(option?.kind ?? .any) } ?? .words([])
            completion.prefix = String(word[...end])
        } else if !areOptionsOver, word.hasPrefix("-") {
            completion.offer = .words(optionWords(isLong: word.hasPrefix("--")))
        } else {
            completion.offer = operandOffer
        }
        return completion
    }

    private func optionWords(isLong: Bool) -> [CompletionOffer.Word] {
        options.flatMap { option in
            let short = option.short.map { [CompletionOffer.Word("-\($0)", option.help)] } ?? []
            return (isLong ? [] : short) + [CompletionOffer.Word("--\(option.name)", option.help)]
        }
    }

    private var operandOffer: CompletionOffer {
        if operandCount == 0, !current.commands.isEmpty {
            let words = current.commands.map { CompletionOffer.Word($0.name, $0.summary) }
            guard case .live(let kind) = current.operands.first?.kind else { return .words(words) }
            return .live(kind, or: words)
        }
        let operands = current.operands
        let last = operands.last.flatMap { $0.isRepeated ? $0 : nil }
        let operand = operandCount < operands.count ? operands[operandCount] : last
        return operand.map { offer($0.kind) } ?? .words([])
    }

    private func offer(_ kind: ValueKind) -> CompletionOffer {
        switch kind {
        case .any: .words([])
        case .oneOf(let words): .words(words.map { CompletionOffer.Word($0) })
        case .file: .files
        case .directory: .directories
        case .live(let kind): .live(kind)
        }
    }
}
