internal import Arguments
internal import Control
internal import ExchangeRates
internal import Market
internal import Time

/// `alertctl rates`: shows the current exchange rates.
enum RatesCommand: Command {
    static let specification = CommandLineSpecification(
        "rates", summary: "Show the exchange rates, how old they are and where they come from",
        discussion: [
            "A rate is the value of one euro in the currency. All rates are from one date. New rates are published on "
                + "working days, so rates may be up to five days old.",
            "Currencies that the euro has replaced, such as BGN and HRK, are not listed: their rates are fixed by law, "
                + "and 'alertctl convert 1 EUR BGN' shows them.",
            "With --refresh, the daemon fetches the rates at once, for example after an outage of the network. "
                + accessText,
        ],
        examples: [
            Example("alertctl rates", "Are the exchange rates up to date?"),
            Example("alertctl rates --refresh", "Fetch them now."),
        ],
        options: [OptionSpecification("refresh", help: "Fetch the rates before they are shown")])

    /// A request for the rates takes at most 20 s, and another one may already be in flight: 2 × 20 s and some
    /// margin.
    private static let longestRefresh = Milliseconds.seconds(45)

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let isRefreshed = context.arguments.has("refresh")
        if isRefreshed {
            _ = try context.connect(waiting: longestRefresh)
                .call(.refreshRates, Nothing(), returning: Nothing.self)
        }
        let reply = try context.connect().call(.rates, Nothing(), returning: RatesReply.self)
        let table = Table(
            key: "rates",
            columns: [
                Column("currency", "CURRENCY"), Column("rate", "ONE \(reply.base)", isNumeric: true),
                Column("name", "NAME", rank: 1),
            ],
            rows: reply.rates.map { rate in
                let name = currencyName(rate.currency)
                return [
                    Cell(.text(rate.currency), .strong), Cell(.decimal(rate.rate)),
                    Cell(.text(name), human: name ?? ""),
                ]
            },
            whenEmpty: reply.state == .disabled
                ? "No exchange rates: fetching is turned off; set `enabled = true` in [rates] of the settings."
                : "No exchange rates yet.")
        let fields = fields(of: reply, context.formatter)
        context.show(Report(parts: warnings(of: reply) + [.fields(key: nil, fields), .table(table)]))
        return isRefreshed && reply.message != nil ? .failure : .success
    }

    private static func warnings(of reply: RatesReply) -> [Part] {
        let failure =
            (reply.message.map { [Part.text("The last fetch failed: \($0)", .alarm)] } ?? [])
            + reply.ignored.map { .text("Ignored: \($0)", .alarm) }
        guard reply.stale, let age = reply.ageDays else { return failure }
        let limit = reply.staleAfterDays
        return [.text("STALE exchange rates: \(days(age)) old, limit \(days(limit))", .alarm)] + failure
    }

    private static func fields(of reply: RatesReply, _ formatter: HumanFormatter) -> [Field] {
        let ago = formatter.age(reply.fetched).map { "\($0) ago" }
        let next = formatter.remaining(reply.nextFetch).map { "in \($0)" }
        return [
            Field("base", .text(reply.base)),
            Field("date", "Date", .text(reply.date), human: dateText(reply), .strong),
            Field("source", "Source", .text(reply.source)), Field("age_days", .count(reply.ageDays)),
            Field("stale", .flag(reply.stale)), Field("stale_after_days", .count(reply.staleAfterDays)),
            Field("state", "State", reply.state, reply.message == nil ? .none : .alarm),
            Field("message", .text(reply.message)), Field("ignored", .list(reply.ignored)),
            Field("url", "From", .text(reply.url)),
            Field("fetched", "Fetched", .time(reply.fetched), human: ago),
            Field("last_attempt", .time(reply.lastAttempt)),
            Field("next_fetch", "Next", .time(reply.nextFetch), human: next),
            Field("pegs", "Pegs", .list(reply.pegs.map { "\($0.currency) counts as \($0.countsAs)" })),
        ].map { $0.hiddenIfMissing }
    }

    private static func dateText(_ reply: RatesReply) -> String? {
        guard let date = reply.date, let age = reply.ageDays else { return nil }
        return age > 0 ? "\(date), \(days(age)) old" : date
    }
}

/// The English name of a national currency; nil for any other.
func currencyName(_ code: String) -> String? { Currency(code).flatMap { NationalCurrency.of($0)?.name } }

private func days(_ count: Int) -> String { counted(count, "day") }
