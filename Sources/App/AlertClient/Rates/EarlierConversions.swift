internal import Arguments
internal import Control
internal import Diagnostics
internal import Market
internal import Time

/// `alertctl convert --history`, `--again` and `--forget`.
enum EarlierConversions {
    static func list(_ context: Context) throws(ClientError) {
        let kept = try KeptConversions(context.environment).conversions
        let table = table(of: kept, context.formatter)
        context.show(Report(parts: [.table(table)] + legend(of: kept)))
    }

    /// Repeats a kept conversion at current rates, and shows the old and the new result.
    static func again(_ context: Context) throws(ClientError) {
        let number = try number(context.arguments.value("again") ?? "", of: "again")
        let kept = try KeptConversions(context.environment).conversion(number)
        let reply = try context.connect().call(.convert, kept.parameters, returning: ConvertReply.self)
        let text = ConversionText(reply, context.formatter)
        context.show(
            Report(
                simulated: reply.simulated,
                parts: text.parts + [
                    .fields(key: nil, text.fields + comparison(of: kept, with: reply, context.formatter)),
                    .fields(
                        key: "then",
                        zip(columns(of: []), row(of: kept, context.formatter)).map { Field($0.key, $1.value) }),
                ]))
        ConvertCommand.keep([reply], context)
    }

    static func forget(_ context: Context) throws(ClientError) {
        let text = context.arguments.value("forget") ?? ""
        let forgotten: [KeptConversion]
        if text.lowercased() == "all" {
            forgotten = try KeptConversions.forgetAll(context.environment)
        } else {
            var numbers: Set<Int> = []
            for word in text.split(separator: ",", omittingEmptySubsequences: false) {
                numbers.insert(try number(String(word), of: "forget"))
            }
            forgotten = try KeptConversions.forget(numbers, context.environment)
        }
        let line =
            forgotten.isEmpty
            ? "There was no conversion to forget."
            : "Forgot \(counted(forgotten.count, "conversion"))."
        let table = table(of: forgotten, context.formatter)
        context.show(Report(parts: [.text(line, .none), .table(table.forPrograms)]))
    }

    private static func number(_ text: String, of option: String) throws(ClientError) -> Int {
        if let number = Int(text), number > 0 { return number }
        let all = option == "forget" ? ", or 'all'" : ""
        throw .usage("--\(option) takes a number that 'alertctl convert --history' shows\(all), not '\(visible(text))'")
    }
}

extension EarlierConversions {
    private static func columns(of conversions: [KeptConversion]) -> [Column] {
        let hasSimulated = conversions.contains(where: \.isSimulated)
        return [
            Column("number", "NUMBER", isNumeric: true), Column("time", "TIME", rank: 2),
            Column("amount", "AMOUNT", isNumeric: true), Column("from", nil),
            Column("result", "RESULT", isNumeric: true), Column("to", nil), Column("exact", nil),
            Column("date", "RATES OF", rank: 1), Column("stale", nil), Column("pegged", nil),
            Column("simulated", hasSimulated ? "SIMULATED" : nil),
        ]
    }

    private static func row(of kept: KeptConversion, _ formatter: HumanFormatter) -> [Cell] {
        var result = Cell(
            .decimal(kept.result),
            human: ConversionText.money(kept.result, kept.to, isSum: true, formatter), .strong)
        result.mark = ConversionText.marks(isPegged: kept.isPegged, isStale: kept.isStale)
        return [
            Cell(.count(kept.number)), Cell(.time(kept.time.description)),
            Cell(.decimal(kept.amount), human: ConversionText.money(kept.amount, kept.from, formatter)),
            Cell(.text(kept.from)), result, Cell(.text(kept.to)), Cell(.flag(kept.isExact)),
            Cell(.text(kept.date)), Cell(.flag(kept.isStale)), Cell(.flag(kept.isPegged)),
            Cell(.flag(kept.isSimulated), human: kept.isSimulated ? "yes" : "", .alarm),
        ]
    }

    private static func table(of conversions: [KeptConversion], _ formatter: HumanFormatter) -> Table {
        Table(
            key: "conversions", columns: columns(of: conversions),
            rows: conversions.map { row(of: $0, formatter) },
            whenEmpty: "No conversions are kept; 'alertctl convert 100 SEK INR' makes one.")
    }

    /// Explains the marks that the table uses.
    private static func legend(of conversions: [KeptConversion]) -> [Part] {
        let pegged = conversions.contains(where: \.isPegged) ? ["\(PriceDisplay.Mark.peg.rawValue) includes a peg"] : []
        let stale =
            conversions.contains(where: \.isStale) ? ["\(PriceDisplay.Mark.stale.rawValue) the rates were stale"] : []
        return (pegged + stale).map { .text($0, .muted) }
    }
}

extension EarlierConversions {
    /// Returns the kept result, the new result and their difference.
    static func comparison(
        of kept: KeptConversion, with reply: ConvertReply, _ formatter: HumanFormatter
    ) -> [Field] {
        let rates = { (date: String?) in date.map { ", rates of \($0)" } ?? "" }
        let marks = ConversionText.marks(isPegged: kept.isPegged, isStale: kept.isStale)
        let simulated = kept.isSimulated == reply.simulated ? "" : kept.isSimulated ? ", SIMULATED" : ", not simulated"
        let old = ConversionText.money(kept.result, kept.to, isSum: true, formatter)
        let new = ConversionText.money(reply.result, reply.to, isSum: true, formatter)
        var then = Field(
            "then", "Then", .text(old + marks),
            human: "\(old)\(marks) (\(formatter.time(kept.time.description))\(rates(kept.date))\(simulated))")
        let basis = reply.date.map { "rates of \($0)" } ?? "last price"
        var now = Field("now", "Now", .text(new), human: "\(new) (\(basis))")
        (then.isForPeople, now.isForPeople) = (true, true)
        let difference = kept.difference(to: reply)
        let percent = kept.percentChange(to: reply)
        return [
            then, now,
            Field(
                "difference", "Difference", .decimal(difference?.description),
                human: differenceText(difference, percent, kept.to, formatter), .strong),
            Field("difference_percent", .decimal(percent?.description)),
        ]
    }

    /// `+₹211.66 (+2.16%)`
    private static func differenceText(
        _ difference: Price?, _ percent: Price?, _ code: String, _ formatter: HumanFormatter
    ) -> String? {
        guard let difference else { return nil }
        if difference.isZero { return "none" }
        let sign = difference.isPositive ? "+" : ""
        let amount = sign + ConversionText.money("\(difference)", code, isSum: true, formatter)
        return amount + (percent.map { " (\(formatter.text(formatter.change("\($0)")))%)" } ?? "")
    }
}
