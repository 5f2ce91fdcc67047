/// What a shell is to offer for the word that is being typed.
package enum CompletionOffer: Equatable, Sendable {
    /// These words; each may have a text that explains it.
    case words([Word])
    case files
    case directories
    /// Words that only the running program knows, of that kind, and these; see ``ValueKind/live(_:)``.
    case live(String, or: [Word] = [])

    /// A word to offer.
    package struct Word: Equatable, Sendable {
        /// The word as it is typed, without quoting.
        package var text: String
        /// A short explanation, which some shells show; nil when there is none.
        package var meaning: String?

        /// Makes a word to offer; the explanation is one short line, or nil.
        package init(_ text: String, _ meaning: String? = nil) {
            self.text = text
            self.meaning = meaning
        }
    }
}

/// How far a line that is being typed was understood.
package struct Completion: Equatable, Sendable {
    /// What to offer for the last word.
    package var offer = CompletionOffer.words([])
    /// The part of the word before the value, which is kept: `--color=`.
    package var prefix = ""
    /// What was typed before, as far as it was understood.
    package var arguments = ParsedArguments()
}

extension CommandLineSpecification {
    /// What can complete the last of the words, which may be empty or the beginning of one.
    ///
    /// What was typed before need not be valid, because the line is not finished. The offer is not filtered by the
    /// beginning of the last word; each shell does that in its own way.
    ///
    /// - Parameter words: what was typed after the program; an equals sign may be a word of its own, as with bash.
    /// - Returns: what to offer, and what is known of the line so far.
    package func completion(for words: [String]) -> Completion {
        var reader = LineReader(chain: [self])
        for word in words.dropLast() { reader.take(word) }
        return reader.completion(of: words.last ?? "")
    }

    /// Every command with its path of names, this one first with an empty path, and the options it may be given.
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
    /// Its own and those of the commands above it.
    var options: [OptionSpecification]
}

/// Goes through a line as the parser does, but ignores mistakes.
private struct LineReader {
    var chain: [CommandLineSpecification]
    private var operandCount = 0
    private var areOptionsOver = false
    /// The option whose value is next.
    private var awaited: OptionSpecification?
    private var arguments = ParsedArguments()

    init(chain: [CommandLineSpecification]) {
        self.chain = chain
    }

    private var current: CommandLineSpecification { chain[chain.count - 1] }
    private var options: [OptionSpecification] { chain.reversed().flatMap(\.options) }

    mutating func take(_ word: String) {
        if let option = awaited {
            guard word != "=" else { return }
            arguments.add(option, value: word)
            awaited = nil
        } else if areOptionsOver || word == "-" || !word.hasPrefix("-") {
            takeOperand(word)
        } else if word == "--" {
            areOptionsOver = true
        } else {
            takeOption(word)
        }
    }

    private mutating func takeOperand(_ word: String) {
        if operandCount == 0, let command = current.command(word) {
            chain.append(command)
            arguments.path.append(word)
        } else {
            operandCount += 1
        }
    }

    private mutating func takeOption(_ word: String) {
        guard word.hasPrefix("--") else { return takeLetters(word.dropFirst()) }
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

    /// Letters of options. One that takes a value is the last: its value is the rest, or the next word.
    private mutating func takeLetters(_ text: Substring) {
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
