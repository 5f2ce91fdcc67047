internal import Arguments
internal import Configuration
internal import Control
internal import Diagnostics
internal import Market

/// `alertctl convert AMOUNT FROM TO...`: converts an amount to other currencies.
enum ConvertCommand: Command {
    static let specification = CommandLineSpecification(
        "convert", summary: "Convert an amount into other currencies",
        discussion: [
            "Currencies are converted at the reference rates of one date, through the euro; cryptocurrencies at the "
                + "last price of their INR market, else of their USDT market. The result is rounded to the decimals "
                + "of its currency; --json and --plain print all digits, or 12 if it is not exact."
        ],
        examples: [
            Example("alertctl convert 100 SEK INR", "How many rupees are 100 Swedish kronor?"),
            Example("alertctl convert '₹75,00,000' SEK", "Amounts can be written as they are shown."),
            Example("alertctl convert 100 EUR SEK USD", "In two currencies; --json prints an object per line."),
            Example("alertctl convert 0.5 btc USD", "How much is half a bitcoin worth?"),
        ],
        operands: [
            OperandSpecification("AMOUNT", help: "An amount such as 1234.5, '1 000,50 kr' or ₹75,00,000"),
            OperandSpecification(
                "FROM", kind: .live("currencies"), isOptional: true,
                help: "The currency of the amount, unless it names one: SEK, usdt, btc"),
            OperandSpecification(
                "TO", kind: .live("currencies"), isOptional: true, isRepeated: true,
                help: "The currencies to convert to"),
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let request = try ConversionRequest(context.arguments.operands, context)
        let connection = try context.connect()
        // All or nothing: results are shown only if every conversion succeeds.
        var replies: [ConvertReply] = []
        for parameters in request.parameters { replies.append(try reply(to: parameters, connection, context)) }
        for reply in replies { context.show(report(of: reply, context.formatter)) }
        return .success
    }

    private static func report(of reply: ConvertReply, _ formatter: HumanFormatter) -> Report {
        Report(
            simulated: reply.simulated,
            parts: warnings(of: reply) + [.text(result(of: reply, formatter), .strong)]
                + reply.steps.map { .text(text(for: $0, formatter), .muted) }
                + [.fields(key: nil, fields(of: reply))])
    }

    /// `1 000,00 kr ≈ ₹10,011.66`
    private static func result(of reply: ConvertReply, _ formatter: HumanFormatter) -> String {
        let marks = (reply.pegged ? [PriceDisplay.Mark.peg] : []) + (reply.stale ? [.stale] : [])
        let amount = text(reply.amount, reply.from, formatter)
        let full = text(reply.result, reply.to, formatter)
        let result = text(reply.result, reply.to, isSum: true, formatter)
        let sign = reply.exact && result == full ? "=" : formatter.hasUnicode ? "≈" : "~"
        return "\(amount) \(sign) \(result)\(marks.map(\.rawValue).joined())"
    }

    /// Formats an amount with all its digits, or as a sum of money.
    private static func text(
        _ amount: String, _ code: String, isSum: Bool = false, _ formatter: HumanFormatter
    ) -> String {
        guard let price = try? Price(amount), let currency = Currency(code) else { return "\(amount) \(code)" }
        let format = MoneyFormat(currency, hasUnicode: formatter.hasUnicode)
        return isSum ? format.sum(price) : format.text(price, isRounded: false)
    }

    private static func reply(
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
        return advice.hasPrefix("did you mean") ? advice : nil
    }

    private static func warnings(of reply: ConvertReply) -> [Part] {
        let stale =
            reply.stale
            ? "\(PriceDisplay.Mark.stale.rawValue) STALE rates of \(reply.date ?? "?"); 'alertctl rates' shows why"
            : nil
        return stale.map { [.text($0, .alarm)] } ?? []
    }

    /// The fields for programs.
    private static func fields(of reply: ConvertReply) -> [Field] {
        [
            Field("amount", .decimal(reply.amount)), Field("from", .text(reply.from)), Field("to", .text(reply.to)),
            Field("result", .decimal(reply.result)), Field("exact", .flag(reply.exact)),
            Field("date", .text(reply.date)), Field("stale", .flag(reply.stale)), Field("pegged", .flag(reply.pegged)),
        ]
    }

    /// `1 EUR = 10,8920 kr (European Central Bank, 2026-04-13)`
    private static func text(for step: RateStep, _ formatter: HumanFormatter) -> String {
        let basis =
            switch step.basis {
            case .reference: [step.source, step.date].compactMap(\.self).joined(separator: ", ")
            case .fixed: "fixed since \(step.date ?? "?") by \(step.source ?? "?")"
            case .market: "last price of \(step.source ?? "?")"
            case .peg: "pegged in the settings"
            case .unknown(let word): word
            }
        let mark = step.basis == .peg ? "\(PriceDisplay.Mark.peg.rawValue) " : ""
        let rate = text(step.rate, step.quote, formatter)
        return "\(mark)1 \(step.base) = \(rate) (\(basis))"
    }
}
