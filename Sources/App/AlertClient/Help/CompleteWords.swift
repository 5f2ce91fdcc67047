internal import Arguments
internal import Control
internal import Market
internal import Time

/// `alertctl __complete WORD...`: called by the completion scripts while the user types. It prints one candidate per
/// line, followed by a tab and its description; `:files` and `:directories` tell the shell to complete names itself.
/// Candidates from the daemon are omitted if the daemon cannot be reached.
enum CompleteWords {
    static let name = "__complete"
    /// The response timeout. It is short because a person is waiting.
    static let patience = Milliseconds.seconds(1)

    /// The kinds of values that are looked up while the user types. All but `commands` and `conversions` come from
    /// the daemon. The raw values are the arguments of ``ValueKind/live(_:)``.
    enum Kind: String, CaseIterable {
        case symbols
        case sources
        case rules
        case silences
        case sinks
        case receivers
        case currencies
        case quotes
        case commands
        case conversions
    }

    static func run(_ words: [String], in environment: ClientEnvironment) {
        let completion = ClientCommandLine.specification.completion(for: words)
        let offers =
            switch completion.offer {
            case .words(let words): words
            case .files: [CompletionOffer.Word(":files")]
            case .directories: [CompletionOffer.Word(":directories")]
            case .live(let kind, let words):
                words + ((try? live(kind, completion.arguments, in: environment)) ?? [])
            }
        environment.write(offers.filter(isTypeable).map { line($0, completion.prefix) }.joined())
    }

    /// Returns false for a word that contains a control character: it could not be typed, and could harm the terminal.
    private static func isTypeable(_ word: CompletionOffer.Word) -> Bool {
        plain(.text(word.text)) == word.text
    }

    private static func line(_ word: CompletionOffer.Word, _ prefix: String) -> String {
        let isForShell = word.text.hasPrefix(":")
        let meaning = word.meaning.map { "\t" + plain(.text($0)) } ?? ""
        return (isForShell ? "" : prefix) + word.text + meaning + "\n"
    }

    private static func live(
        _ kind: String, _ arguments: ParsedArguments, in environment: ClientEnvironment
    ) throws(ClientError) -> [CompletionOffer.Word] {
        guard let kind = Kind(rawValue: kind) else { return [] }
        if kind == .commands {
            return ClientCommandLine.specification.commands.map { CompletionOffer.Word($0.name, $0.summary) }
        }
        if kind == .conversions { return try conversions(in: environment) }
        var target = try Context(arguments, in: environment).target
        target.timeout = min(target.timeout, patience)
        return try words(kind, from: try environment.connect(target))
    }

    private static func words(
        _ kind: Kind, from connection: any ControlConnection
    ) throws(ClientError) -> [CompletionOffer.Word] {
        switch kind {
        case .symbols: return try symbols(of: connection)
        case .sources: return try connection.status().sources.map { CompletionOffer.Word($0.source, $0.type) }
        case .rules:
            return try connection.all(.listRules, ListRulesParameters(), returning: ListRulesReply.self)
                .rules.map { CompletionOffer.Word($0.name, $0.condition) }
        case .silences:
            return try connection.all(.listSilences, ListSilencesParameters(), returning: ListSilencesReply.self)
                .silences.map { CompletionOffer.Word(String($0.number), $0.text) }
        case .sinks:
            let sinks = try connection.status().sinks.map { CompletionOffer.Word($0.name) }
            return sinks + (try words(.receivers, from: connection))
        case .receivers:
            return try connection.call(.listReceivers, Nothing(), returning: ListReceiversReply.self)
                .receivers.map { CompletionOffer.Word($0.name, $0.type) }
        case .currencies:
            let rates = try connection.call(.rates, Nothing(), returning: RatesReply.self)
            let fiat = [rates.base] + rates.rates.map(\.currency) + rates.pegs.map(\.currency)
            return distinct(fiat + (try tickers(of: connection).compactMap(\.base)), meaning: currencyName)
        case .quotes: return distinct(try tickers(of: connection).compactMap(\.quote))
        case .commands, .conversions: return []
        }
    }

    /// The user's own conversions, newest first.
    private static func conversions(in environment: ClientEnvironment) throws(ClientError) -> [CompletionOffer.Word] {
        try KeptConversions(environment).conversions.reversed().map {
            CompletionOffer.Word("\($0.number)", "\($0.amount) \($0.from) = \($0.result) \($0.to)")
        }
    }

    /// Returns the symbols, each with its source if there are several sources.
    private static func symbols(
        of connection: any ControlConnection
    ) throws(ClientError) -> [CompletionOffer.Word] {
        let tickers = try tickers(of: connection)
        let hasSeveral = Set(tickers.map(\.source)).count > 1
        return tickers.map { CompletionOffer.Word((hasSeveral ? "\($0.source):" : "") + $0.symbol, $0.last) }
    }

    private static func tickers(of connection: any ControlConnection) throws(ClientError) -> [SymbolStatus] {
        try connection.all(.listTickers, ListTickersParameters(), returning: ListTickersReply.self).symbols
    }

    private static func distinct(
        _ words: [String], meaning: (String) -> String? = { _ in nil }
    ) -> [CompletionOffer.Word] {
        var seen: Set<String> = []
        return words.filter { seen.insert($0).inserted }.map { CompletionOffer.Word($0, meaning($0)) }
    }
}
