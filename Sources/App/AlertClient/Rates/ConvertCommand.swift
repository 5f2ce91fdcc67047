internal import Arguments
internal import Configuration
internal import Control
internal import Diagnostics
internal import Market

/// `alertctl convert AMOUNT FROM TO...`: converts an amount to other currencies, and lists earlier conversions.
enum ConvertCommand: Command {
    static let specification = CommandLineSpecification(
        "convert", summary: "Convert an amount into other currencies",
        discussion: [
            "Currencies are converted at the reference rates of one date, through the euro; cryptocurrencies at the "
                + "last price of their INR market, else of their USDT market. The result is rounded to the decimals "
                + "of its currency; --json and --plain print all digits, or 12 if it is not exact.",
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
        let connection = try context.connect()
        // All or nothing: results are shown only if every conversion succeeds.
        var replies: [ConvertReply] = []
        for parameters in request.parameters { replies.append(try reply(to: parameters, connection, context)) }
        for reply in replies {
            let text = ConversionText(reply, context.formatter)
            context.show(Report(simulated: reply.simulated, parts: text.parts + [.fields(key: nil, text.fields)]))
        }
        keep(replies, context)
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

    static func reply(
        to parameters: ConvertParameters, _ connection: any ControlConnection, _ context: Context
    ) throws(ClientError) -> ConvertReply {
        do throws(ClientError) {
            return try connection.call(.convert, parameters, returning: ConvertReply.self)
        } catch {
            guard case .unconvertible = error,
                let name = [parameters.from, parameters.to].first(where: {
                    $0.utf8.count > 3 && Currency($0)?.isKnown == false
                }),
                let advice = advice(name, context)
            else { throw error }
            let typed = context.arguments.operands.first { $0.uppercased() == name } ?? name
            throw .usage("'\(visible(typed))' is not a known currency; \(advice)")
        }
    }

    /// Suggests a currency for an unknown name; nil without a suggestion.
    private static func advice(_ name: String, _ context: Context) -> String? {
        if let asset = context.assetNames().asset(named: name) { return "did you mean \(asset.uppercased())?" }
        let advice = currencyAdvice(name)
        return advice.hasPrefix("write a code") ? nil : advice
    }
}
