internal import Arguments
internal import Configuration
internal import Control
internal import Diagnostics
internal import Market
internal import Time

/// `alertctl convert AMOUNT FROM TO...`: converts an amount to other currencies, and lists earlier conversions.
enum ConvertCommand: Command {
    static let specification = CommandLineSpecification(
        "convert", summary: "Convert an amount into other currencies",
        discussion: [
            "Currencies are converted at the reference rates of one date, through the euro; cryptocurrencies at the "
                + "last price of their INR market, else of their USDT market. The result is rounded to the decimals "
                + "of its currency; --json and --plain print all digits, or 12 if it is not exact.",
            "With --on, currencies are converted at the reference rates of a past day, or of the last day before it "
                + "that has rates, as there are none on weekends; coins have no past rates. The daemon fetches the "
                + "history of the rates when it is first needed; with --rates, no daemon is needed.",
            "Your last \(KeptConversions.limit) conversions are kept in ~/.config/alertctl/conversions, which only you "
                + "can read: --history lists them, --again converts one at the rates of now and shows the difference, "
                + "and --forget removes them. Conversions printed with --json, --plain, --csv or --quiet are not kept, "
                + "so scripts leave no trace.",
        ],
        examples: [
            Example("alertctl convert 100 SEK INR", "How many rupees are 100 Swedish kronor?"),
            Example("alertctl convert '₹75,00,000' SEK", "Amounts can be written as they are shown."),
            Example("alertctl convert 100 EUR SEK USD", "In two currencies; --json prints an object per line."),
            Example("alertctl convert 0.5 btc USD", "How much is half a bitcoin worth?"),
            Example("alertctl convert 100 SEK INR --on 2023-05-12", "What was it worth on that day?"),
            Example(
                "alertctl convert 100 SEK INR --on 2010-01-04 --rates eurofxref-hist.xml",
                "The same without a daemon or a network, by the file of the European Central Bank."),
            Example("alertctl convert --history", "What did I convert lately, and at which rates?"),
            Example("alertctl convert --again 3", "What is it worth now, and how much more or less is that?"),
        ],
        options: options,
        operands: [
            OperandSpecification(
                "AMOUNT", isOptional: true, help: "An amount such as 1234.5, '1 000,50 kr' or ₹75,00,000"),
            OperandSpecification(
                "FROM", kind: .live("currencies"), isOptional: true,
                help: "The currency of the amount, unless it names one: SEK, usdt, btc"),
            OperandSpecification(
                "TO", kind: .live("currencies"), isOptional: true, isRepeated: true,
                help: "The currencies to convert to"),
        ])

    private static var options: [OptionSpecification] {
        [
            OptionSpecification(
                "on", value: "DATE", help: "At the reference rates of that day: 2023-05-12, yesterday",
                details:
                    "From 1999-01-04 on. If the day has no rates, those of the last day before it apply, and the "
                    + "output names it."
            ),
            OptionSpecification(
                "rates", value: "FILE", kind: .file,
                help: "By this file of the European Central Bank, XML or CSV, instead of the daemon's rates",
                details: "Without --on, the last rates of the file are used."),
            OptionSpecification("history", help: "List your conversions, newest last"),
            OptionSpecification(
                "again", value: "NUMBER", kind: .live("conversions"),
                help: "Convert again what has this number in --history, and compare"),
            OptionSpecification(
                "forget", value: "NUMBER", kind: .live("conversions"),
                help: "Remove the conversion with this number, several as in 3,5, or 'all'"),
            OptionSpecification("no-keep", help: "Do not keep this conversion"),
        ]
    }

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let arguments = context.arguments
        let chosen = ["history", "again", "forget"].filter(arguments.has)
        guard chosen.count < 2 else {
            throw .usage("\(chosen.map { "--\($0)" }.joined(separator: " and ")) cannot be combined")
        }
        if let option = chosen.first, let other = ["on", "rates"].first(where: arguments.has) {
            throw .usage("--\(option) and --\(other) cannot be combined")
        }
        if let option = chosen.first, let operand = arguments.operands.first {
            throw .usage("--\(option) takes no amount, but got '\(visible(operand))'")
        }
        switch chosen.first {
        case "history": try EarlierConversions.list(context)
        case "again": try EarlierConversions.again(context)
        case "forget": try EarlierConversions.forget(context)
        default: try convert(context)
        }
        return .success
    }

    private static func convert(_ context: Context) throws(ClientError) {
        let request = try ConversionRequest(context.arguments.operands, context)
        // All or nothing: results are shown only if every conversion succeeds.
        let replies = try replies(to: request, context)
        for reply in replies {
            let text = ConversionText(reply, context.formatter)
            context.show(Report(simulated: reply.simulated, parts: text.parts + [.fields(key: nil, text.fields)]))
        }
        keep(replies, context)
    }

    /// The daemon may have to fetch the history of the rates, for up to a minute.
    private static let longestSearch = Milliseconds.seconds(90)

    private static func replies(
        to request: ConversionRequest, _ context: Context
    ) throws(ClientError) -> [ConvertReply] {
        do throws(ClientError) {
            if let file = try RatesFile(context) {
                return try FileConversion.replies(to: request, by: file, context)
            }
            let connection =
                request.date == nil ? try context.connect() : try context.connect(waiting: longestSearch)
            var replies: [ConvertReply] = []
            for parameters in request.parameters { replies.append(try reply(to: parameters, connection, context)) }
            return replies
        } catch {
            throw advised(error, of: [request.source] + request.targets, context)
        }
    }

    /// Keeps conversions that were shown to a person. If this fails, the command only warns, because the conversions
    /// themselves succeeded.
    static func keep(_ replies: [ConvertReply], _ context: Context) {
        let arguments = context.arguments
        guard context.format.isHuman, !arguments.has("quiet"), !arguments.has("no-keep") else { return }
        do throws(ClientError) {
            try KeptConversions.keep(replies, context.environment)
        } catch {
            context.warn("alertctl: the conversion was not kept: \(error.message)")
        }
    }

    /// Calls the daemon for one target of a request.
    static func reply(
        to parameters: ConvertParameters, _ connection: any ControlConnection, _ context: Context
    ) throws(ClientError) -> ConvertReply {
        do throws(ClientError) {
            return try connection.call(.convert, parameters, returning: ConvertReply.self)
        } catch {
            throw advised(error, of: [parameters.from, parameters.to].compactMap { Currency($0) }, context)
        }
    }

    /// Returns the error; for an unknown currency, an error that suggests a known one.
    private static func advised(
        _ error: ClientError, of currencies: [Currency], _ context: Context
    ) -> ClientError {
        switch error {
        case .unconvertible, .refused: break
        default: return error
        }
        for name in currencies.filter({ !$0.isKnown }).map(\.description) where name.utf8.count > 3 {
            guard let advice = advice(name, context) else { continue }
            let typed = context.arguments.operands.first { $0.uppercased() == name } ?? name
            return .usage("'\(visible(typed))' is not a known currency; \(advice)")
        }
        return error
    }

    /// Suggests a currency for an unknown name; nil without a suggestion.
    private static func advice(_ name: String, _ context: Context) -> String? {
        if let asset = context.assetNames().asset(named: name) { return "did you mean \(asset.uppercased())?" }
        let advice = currencyAdvice(name)
        return advice.hasPrefix("write a code") ? nil : advice
    }
}
