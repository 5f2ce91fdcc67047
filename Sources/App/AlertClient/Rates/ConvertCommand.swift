internal import Arguments
internal import Control
internal import Diagnostics
internal import Market

/// `alertctl convert AMOUNT FROM TO`: an amount in another currency.
enum ConvertCommand: Command {
    static let specification = CommandLineSpecification(
        "convert", summary: "Convert an amount into another currency",
        discussion: [
            "Currencies are converted by the reference rates of one date, over the euro; crypto-currencies by the last "
                + "price of their market in INR, else in USDT. People see amounts as they are written where the "
                + "currency is spent; programs (--json, --plain) get 12 significant digits where a result is not exact."
        ],
        examples: [
            Example("alertctl convert 100 SEK INR", "How many rupees are a hundred Swedish kronor?"),
            Example("alertctl convert 0.5 btc USD", "What is half a bitcoin worth?"),
        ],
        operands: [
            OperandSpecification("AMOUNT", help: "A number with a decimal point"),
            OperandSpecification("FROM", kind: .live("currencies"), help: "The currency that it is in: SEK, usdt, btc"),
            OperandSpecification("TO", kind: .live("currencies"), help: "The currency that it is to be in"),
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let parameters = try parameters(context.arguments.operands)
        let reply = try context.connect().call(.convert, parameters, returning: ConvertReply.self)
        context.show(
            Report(
                simulated: reply.simulated,
                parts: warnings(of: reply) + [.words(result(of: reply, context.formatter), .strong)]
                    + reply.steps.map { .words(words(for: $0, context.formatter), .muted) }
                    + [.fields(key: nil, fields(of: reply))]))
        return .success
    }

    /// `1 000,00 kr ≈ ₹10,011.66`
    private static func result(of reply: ConvertReply, _ formatter: HumanFormatter) -> String {
        let sign = reply.exact ? "=" : formatter.hasUnicode ? "≈" : "~"
        let marks = (reply.pegged ? [PriceDisplay.Mark.peg] : []) + (reply.stale ? [.stale] : [])
        let amount = text(reply.amount, reply.from, isRounded: false, formatter)
        let result = text(reply.result, reply.to, isRounded: !reply.exact, formatter)
        return "\(amount) \(sign) \(result)\(marks.map(\.rawValue).joined())"
    }

    private static func text(
        _ amount: String, _ code: String, isRounded: Bool, _ formatter: HumanFormatter
    ) -> String {
        guard let price = try? Price(amount), let currency = Currency(code) else { return "\(amount) \(code)" }
        return moneyText(price, currency, isRounded: isRounded, hasUnicode: formatter.hasUnicode)
    }

    private static func parameters(_ words: [String]) throws(ClientError) -> ConvertParameters {
        guard words.count == 3 else { throw .usage("convert takes an amount and two currencies: 100 SEK INR") }
        guard (try? Price(words[0])) != nil else {
            throw .usage("'\(visible(words[0]))' is no number; write it like 1234.5, without spaces or commas")
        }
        for name in words[1...] where Currency(name) == nil {
            throw .usage("'\(visible(name))' is no currency; write it like SEK, usdt or btc")
        }
        return ConvertParameters(amount: words[0], from: words[1], to: words[2])
    }

    private static func warnings(of reply: ConvertReply) -> [Part] {
        let stale =
            reply.stale
            ? "\(PriceDisplay.Mark.stale.rawValue) STALE rates of \(reply.date ?? "?"): 'alertctl rates' tells why"
            : nil
        return stale.map { [.words($0, .alarm)] } ?? []
    }

    /// What programs get.
    private static func fields(of reply: ConvertReply) -> [Field] {
        [
            Field("amount", .decimal(reply.amount)), Field("from", .text(reply.from)), Field("to", .text(reply.to)),
            Field("result", .decimal(reply.result)), Field("exact", .flag(reply.exact)),
            Field("date", .text(reply.date)), Field("stale", .flag(reply.stale)), Field("pegged", .flag(reply.pegged)),
        ]
    }

    /// `1 EUR = 10,892 kr (European Central Bank, 2026-04-13)`
    private static func words(for step: RateStep, _ formatter: HumanFormatter) -> String {
        let basis =
            switch step.basis {
            case .reference: [step.source, step.date].compactMap(\.self).joined(separator: ", ")
            case .market: "last price of \(step.source ?? "?")"
            case .peg: "by declaration"
            case .unknown(let word): word
            }
        let mark = step.basis == .peg ? "\(PriceDisplay.Mark.peg.rawValue) " : ""
        let rate = text(step.rate, step.quote, isRounded: false, formatter)
        return "\(mark)1 \(step.base) = \(rate) (\(basis))"
    }
}
