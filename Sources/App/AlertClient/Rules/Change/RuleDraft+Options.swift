internal import Arguments
internal import Configuration
internal import Diagnostics
internal import Events
internal import Market
internal import Rules
internal import Text
internal import Time

extension RuleDraft {
    /// The options of `alertctl rule add`, one for each key of a rule.
    static var options: [OptionSpecification] {
        ConditionKey.allCases.map { key in
            OptionSpecification(
                optionName(key.rawValue), value: valueName(key), help: help(key))
        } + [
            OptionSpecification(
                "from", value: "BASE", help: "What --min and --max in percent are relative to",
                details: "price for the first usable price, a date such as 2026-11-01 for the last one before that day "
                    + "(UTC), or an amount, such as the price you paid."),
            OptionSpecification("window", value: "DURATION", help: "How far back --rise, --fall and --move look"),
            OptionSpecification(
                "change", value: "CHANGE", help: "How far the price has to move in the time of --in",
                details: "Short for --fall (-10%), --rise (+10%) or --move (10% or ±10%)."),
            OptionSpecification("in", value: "DURATION", help: "The time of --change, such as 24h: its --window"),
            OptionSpecification(
                "hysteresis", value: "CHANGE", help: "How far the price must come back before the alert resolves"),
            OptionSpecification("for", value: "DURATION", help: "How long the condition must hold before it fires"),
            OptionSpecification(
                "keep-firing-for", value: "DURATION", help: "How long the price must be back for it to resolve"),
            OptionSpecification("repeat", value: "DURATION", help: "Notify again at this interval while it is firing"),
            OptionSpecification("cooldown", value: "DURATION", help: "Minimum time between two notified firings"),
            OptionSpecification(
                "only-while", value: "RULE", kind: .live("rules"),
                help: "Notify only while this rule is firing on the same symbol"),
            OptionSpecification("once", help: "Notify only once, until it is re-armed"),
            OptionSpecification("expires", value: "TIME", help: "When the rule stops being evaluated"),
            OptionSpecification(
                "price", value: "KIND", kind: .oneOf(PriceKind.allCases.map(\.rawValue)), help: "Which price decides"),
            OptionSpecification(
                "severity", value: "LEVEL", kind: .oneOf(Severity.allCases.map(\.rawValue)),
                help: "How much it matters"),
            OptionSpecification(
                "notify", value: "NAME", kind: .live("receivers"),
                help: "A receiver for its events; can be repeated"),
            OptionSpecification(
                "message", value: "TEXT", help: "The text of its events, such as '{symbol} at {price}'"),
            OptionSpecification(
                "message-repeated", value: "TEXT", help: "Their text when an alert repeats (default: --message)"),
            OptionSpecification(
                "message-resolved", value: "TEXT", help: "Their text when an alert resolves (default: --message)"),
            OptionSpecification("name", value: "NAME", help: "The name (default: generated from symbol and condition)"),
        ]
    }

    /// Returns the help text of a key in the settings, with each key that it mentions replaced by the option.
    private static func help(_ key: ConditionKey) -> String {
        let names = ["from"] + ConditionKey.allCases.map(\.rawValue)
        let written = names.reduce(key.help) { $0.replacingAll("`\($1)`", with: "--\(optionName($1))") }
        return written.replacingAll(" with --from a change", with: ", with --from, a change")
    }

    static func optionName(_ key: String) -> String { key.replacingAll("_", with: "-") }

    private static func valueName(_ key: ConditionKey) -> String {
        switch key.value {
        case .amount: "AMOUNT"
        case .twoAmounts: "LOW..HIGH"
        case .amountOrPercent: "CHANGE"
        }
    }

    /// The keys whose values are written to the file unchanged.
    private static let texts = [
        "price", "severity", "message", "message_repeated", "message_resolved", "only_while", "name",
    ]
    /// The keys with durations, which are written in the syntax of the settings: `30min` as `30m`.
    private static let durations = ["window", "for", "keep_firing_for", "repeat", "cooldown"]

    /// Makes a draft from the options. It has no name unless `--name` is given.
    init(_ context: Context) throws(ClientError) {
        self.init()
        let arguments = context.arguments
        try Self.refuseAmounts(arguments.operands)
        set("symbol", arguments.operands.map { $0.lowercased() })
        if arguments.has("currency") {
            guard let currency = context.choice.named else {
                throw .usage("--currency takes the currency of the amounts, such as SEK")
            }
            set("currency", "\(currency)")
        }
        for key in ConditionKey.allCases {
            guard let text = arguments.value(Self.optionName(key.rawValue)) else { continue }
            try set(key, text, context)
        }
        try setChange(context)
        for key in Self.durations {
            arguments.value(Self.optionName(key)).map { text in
                set(key, Milliseconds.written(text).map { "\($0)" } ?? text)
            }
        }
        for key in Self.texts { arguments.value(Self.optionName(key)).map { set(key, $0) } }
        for key in ["from", "hysteresis"] { arguments.value(key).map { set(key, Self.withCode($0, context)) } }
        if arguments.has("once") { set("once") }
        if arguments.has("notify") { set("notify", arguments.values("notify"), isList: true) }
        guard let expires = arguments.value("expires") else { return }
        guard let time = context.formatter.reader.coming(expires) else {
            throw .usage("--expires takes a time, such as '2027-01-01 12:00' or +7d, but got '\(visible(expires))'")
        }
        set("expires", time)
    }

    /// Refuses symbols that look like part of an amount: `--max 12 000 kr` without quotes would mean the limit 12 for
    /// the symbols `000` and `kr`.
    private static func refuseAmounts(_ operands: [String]) throws(ClientError) {
        let isNumber = { (word: String) in !word.isEmpty && word.utf8.allSatisfy { $0 &- 0x30 < 10 } }
        let isCurrency = { (word: String) in
            !CurrencyStyle.currencies(written: word).isEmpty || Currency(word)?.isNational == true
        }
        guard let word = operands.first(where: { isNumber($0) || isCurrency($0) }) else { return }
        throw .usage("'\(visible(word))' is not a symbol; put quotes around an amount with spaces: --max '12 000 kr'")
    }

    private mutating func set(_ key: ConditionKey, _ text: String, _ context: Context) throws(ClientError) {
        guard case .twoAmounts = key.value else { return set(key.rawValue, Self.withCode(text, context)) }
        guard let ends = text.split(around: "..") else {
            throw .usage("--\(Self.optionName(key.rawValue)) takes two amounts, such as 120..135")
        }
        let amounts = [ends.before, ends.after].map { Self.withCode(String($0), context) }
        set(key.rawValue, amounts, isList: true)
    }

    /// The keys of a condition that `--change` is short for.
    private static let moves = [ConditionKey.rise, .fall, .move]

    /// Sets the condition that `--change -10% --in 24h` is short for.
    private mutating func setChange(_ context: Context) throws(ClientError) {
        let arguments = context.arguments
        guard let change = arguments.value("change") else {
            guard arguments.has("in") else { return }
            throw .usage("--in is the time of --change; use --window with --rise, --fall and --move")
        }
        if let other = Self.moves.first(where: { arguments.has($0.rawValue) }) {
            throw .usage("--change and --\(other.rawValue) mean the same; use one of them")
        }
        guard !arguments.has("window") || !arguments.has("in") else {
            throw .usage("--in and --window mean the same; use one of them")
        }
        guard arguments.has("window") || arguments.has("in") else {
            throw .usage("--change needs the time in which the price moves, such as --in 24h")
        }
        let both = ["±", "+-", "+/-"].first(where: change.hasPrefix)
        let (key, sign): (ConditionKey, String) =
            if let both { (.move, both) } else {
                switch change.first {
                case "+": (.rise, "+")
                case "-": (.fall, "-")
                case "−": (.fall, "−")
                default: (.move, "")
                }
            }
        set(key.rawValue, Self.withCode(String(change.dropFirst(sign.count)), context))
        if let length = arguments.value("in") {
            set("window", Milliseconds.written(length).map { "\($0)" } ?? length)
        }
    }

    /// Replaces an ambiguous currency sign with the code of the display currency, so that the file does not depend on
    /// who reads it: `13 000 kr` becomes `13000 SEK`. Other texts are unchanged.
    private static func withCode(_ text: String, _ context: Context) -> String {
        do throws(WrittenAmountError) {
            _ = try WrittenAmount(text)
        } catch {
            guard case .ambiguousSign = error, let amount = try? context.amount(text), let currency = amount.currency
            else { return text }
            return "\(amount.number) \(currency)"
        }
        return text
    }

    /// Names a rule without `--name` as the daemon would name it, with a number if that name exists.
    mutating func setName(unlike others: Set<String>, _ symbol: String?) {
        guard !keys.contains("name") else { return }
        let condition = ConditionKey.allCases.map(\.rawValue).filter(keys.contains)
        let base = ([symbol ?? ""] + condition).joined(separator: " ")
        let numbered = (2...).lazy.map { "\(base) \($0)" }.first { !others.contains($0) }
        set("name", others.contains(base) ? numbered ?? base : base)
    }

    /// Rewrites an error in terms of the options, if it is the only error and is in this rule.
    ///
    /// - Parameters:
    ///   - findings: what is wrong with the settings.
    ///   - file: the file that the rule is in.
    ///   - line: the line of its header.
    ///   - arguments: those that the rule was made of.
    /// - Returns: the error; nil for several errors, or one about something else.
    func usageError(
        _ findings: [Finding], in file: String, atLine line: Int, _ arguments: ParsedArguments
    ) -> ClientError? {
        let errors = findings.filter { $0.severity == .error }
        let lines = line..<line + keys.count + 1
        guard errors.count == 1, let place = errors[0].position, place.file == file, lines.contains(place.line) else {
            return nil
        }
        let sentence = Self.inOptions(FindingRenderer.sentence(errors[0]))
        guard arguments.has("change") else { return .usage(sentence) }
        let renamed = Self.moves.reduce(sentence) { $0.replacingAll("--\($1.rawValue)", with: "--change") }
        return .usage(arguments.has("in") ? renamed.replacingAll("--window", with: "--in") : renamed)
    }

    /// Replaces the keys of a rule, and examples such as `window = "15m"`, with options.
    private static func inOptions(_ sentence: String) -> String {
        SettingsReference.names(in: .rule).reduce(sentence) { text, key in
            let option = key == "symbol" ? "SYMBOL" : "--\(optionName(key))"
            let named = text.replacingAll("`\(key)`", with: option)
            guard let example = named.split(around: " \(key) = \""), let value = example.after.split(around: "\"")
            else { return named }
            return "\(example.before) \(option) \(value.before)\(value.after)"
        }
    }
}
