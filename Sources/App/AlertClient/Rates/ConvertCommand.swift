internal import Arguments
internal import Configuration
internal import Control
internal import Diagnostics
internal import Market

/// `alertctl convert AMOUNT FROM TO`: an amount in another currency.
enum ConvertCommand: Command {
    static let specification = CommandLineSpecification(
        "convert", summary: "Convert an amount into another currency",
        discussion: [
            "Currencies are converted at the reference rates of one date, through the euro; cryptocurrencies at the "
                + "last price of their INR market, else of their USDT market. The result is rounded to the decimals "
                + "of its currency; --json and --plain print all digits, or 12 if it is not exact."
        ],
        examples: [
            Example("alertctl convert 100 SEK INR", "How many rupees are 100 Swedish kronor?"),
            Example("alertctl convert '₹75,00,000' SEK", "Amounts can be written as they are shown."),
            Example("alertctl convert 0.5 btc USD", "How much is half a bitcoin worth?"),
        ],
        operands: [
            OperandSpecification("AMOUNT", help: "An amount such as 1234.5, '1 000,50 kr' or ₹75,00,000"),
            OperandSpecification(
                "FROM", kind: .live("currencies"), isOptional: true,
                help: "The currency of the amount, unless it names one: SEK, usdt, btc"),
            OperandSpecification(
                "TO", kind: .live("currencies"), isOptional: true, isRepeated: true,
                help: "The currency to convert to"),
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let parameters = try parameters(context.arguments.operands, context)
        let reply = try reply(to: parameters, context)
        context.show(
            Report(
                simulated: reply.simulated,
                parts: warnings(of: reply) + [.text(result(of: reply, context.formatter), .strong)]
                    + reply.steps.map { .text(text(for: $0, context.formatter), .muted) }
                    + [.fields(key: nil, fields(of: reply))]))
        return .success
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

    /// With all digits, or as a sum of money.
    private static func text(
        _ amount: String, _ code: String, isSum: Bool = false, _ formatter: HumanFormatter
    ) -> String {
        guard let price = try? Price(amount), let currency = Currency(code) else { return "\(amount) \(code)" }
        let format = MoneyFormat(currency, hasUnicode: formatter.hasUnicode)
        return isSum ? format.sum(price) : format.text(price, isRounded: false)
    }

    private static func reply(
        to parameters: ConvertParameters, _ context: Context
    ) throws(ClientError) -> ConvertReply {
        let connection = try context.connect()
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

    /// What was probably meant by a currency that nobody knows; nil if that cannot be said.
    private static func advice(_ name: String, _ context: Context) -> String? {
        if let asset = context.assetNames().asset(named: name) { return "did you mean \(asset.uppercased())?" }
        let advice = currencyAdvice(name)
        return advice.hasPrefix("did you mean") ? advice : nil
    }

    /// Reads `1000 SEK INR`, `'1000,50 kr' INR`, `12 000 SEK INR`, `1,000 USD in INR`.
    private static func parameters(
        _ operands: [String], _ context: Context
    ) throws(ClientError) -> ConvertParameters {
        guard operands.count >= 2, let target = operands.last else {
            throw .usage("convert takes an amount and two currencies, such as 100 SEK INR")
        }
        var words = operands.dropLast()
        if words.count > 1, ["in", "to", "into"].contains(words.last) { words.removeLast() }
        var source: Currency?
        // Digits and signs belong to the amount.
        if words.count > 1, let last = words.last, last.utf8.allSatisfy({ $0 | 0x20 &- 0x61 < 26 }) || isCoin(last) {
            source = try currency(last, context)
            words.removeLast()
        }
        let text = words.joined(separator: " ")
        if let source, let plain = try? Price(written: text) {
            return ConvertParameters(
                amount: "\(plain)", from: "\(source)", to: "\(try currency(target, context))")
        }
        let amount: WrittenAmount
        do throws(WrittenAmountError) {
            // With its currency, it is known how its digits are grouped: 1,000 USD is a thousand.
            let named = source.flatMap { $0.isNational ? try? WrittenAmount("\(text) \($0)") : nil }
            amount = if let named { named } else { try context.amount(text, preferring: source) }
        } catch {
            throw .usage("'\(visible(text))' is not an amount that can be converted; \(error.advice)")
        }
        guard let from = source ?? amount.currency, amount.currency == nil || amount.currency == from else {
            let other = target.uppercased() == "USD" ? "EUR" : "USD"
            throw .usage(
                source == nil
                    ? "two currencies are needed, that of the amount first: 'convert \(visible(text)) "
                        + "\(visible(target)) \(other)'"
                    : "'\(visible(text))' is not in \(visible(operands[operands.count - 2]))")
        }
        return ConvertParameters(
            amount: "\(amount.number)", from: "\(from)", to: "\(try currency(target, context))")
    }

    /// Whether a word with digits, such as `1INCH`, is the name of a coin.
    private static func isCoin(_ word: String) -> Bool {
        word.utf8.contains { $0 | 0x20 &- 0x61 < 26 } && Currency(word) != nil
    }

    /// A currency by its code, or by a sign that only one currency or that of the display has.
    private static func currency(_ text: String, _ context: Context) throws(ClientError) -> Currency {
        let sharing = CurrencyStyle.currencies(written: text)
        if sharing.count == 1 { return sharing[0] }
        if sharing.count > 1, let display = context.displayCurrency, sharing.contains(display) { return display }
        guard sharing.isEmpty, let currency = Currency(text) else {
            throw .usage("'\(visible(text))' is not a currency; \(currencyAdvice(text))")
        }
        return currency
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
