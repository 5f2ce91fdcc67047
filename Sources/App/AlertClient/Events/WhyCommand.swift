internal import Arguments
internal import Control
internal import Diagnostics

/// `alertctl why NUMBER`: explains what an event was decided on, and what followed.
enum WhyCommand: Command {
    /// The number of events searched before and after the event. A firing with more repeats is shown in part.
    private static let neighbours = 200

    static let specification = CommandLineSpecification(
        "why", summary: "Explain an event: what triggered it, and what followed",
        discussion: [
            "Shows the price and the previous one, the limit and where the alert resolves, who changed the limit, "
                + "how long the alert was pending, what a rise or fall was measured from, the currency conversion, and "
                + "why the event was not notified. The other events of the same firing follow, and what happened to "
                + "the event at each receiver."
        ],
        examples: [Example("alertctl why 14", "Why was I notified of this, or why not?")],
        operands: [OperandSpecification("NUMBER", help: "The number of the event")])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let text = context.arguments.operands.first ?? ""
        guard let number = Int(text.hasPrefix("#") ? String(text.dropFirst()) : text), number > 0 else {
            throw .usage("'\(visible(text))' is not an event number; 'alertctl events' shows them")
        }
        let connection = try context.connect()
        let reply = try events(
            ListEventsParameters(after: number - 1, before: number.saturatingAdding(1), limit: 1), connection)
        guard let event = reply.events.first else {
            throw .noSuchThing(NoSuchThing(kind: .event, name: "\(number)"))
        }
        let related = try related(to: event, connection)
        let display = try context.display(connection)
        let explanation = EventExplanation(event, related, display, context.formatter)
        let fields = explanation.fields
        let table = table(related, event, display)
        let deliveries = Deliveries(of: [number], connection)
        context.show(
            Report(
                simulated: reply.simulated,
                parts: display.banner + [
                    .metadata(display.metadata), .text(explanation.headline, event.notified ? .strong : .muted),
                    .fields(key: nil, fields),
                    .fields(key: "event", zip(eventColumns, eventRow(event, display)).map { Field($0.key, $1.value) }),
                    .table(table), .table(deliveries.table()),
                ]))
        return .success
    }

    private static func events(
        _ parameters: ListEventsParameters, _ connection: any ControlConnection
    ) throws(ClientError) -> ListEventsReply {
        try connection.call(.listEvents, parameters, returning: ListEventsReply.self)
    }

    /// Returns the events of the same firing or failure, including this one, in the order of their numbers.
    private static func related(
        to event: EventRecord, _ connection: any ControlConnection
    ) throws(ClientError) -> [EventRecord] {
        let kinds = event.kind.counterparts
        guard !kinds.isEmpty else { return [event] }
        var before = ListEventsParameters(
            before: event.number, rule: event.rule, symbol: event.symbol, limit: neighbours, newestFirst: true)
        var after = ListEventsParameters(
            after: event.number, rule: event.rule, symbol: event.symbol, limit: neighbours)
        if event.rule == nil, kinds.count == 1 { (before.kind, after.kind) = (kinds[0], kinds[0]) }
        let past = try events(before, connection).events.reversed()
        let future = try events(after, connection).events
        guard event.rule != nil else {
            let isOther = { (other: EventRecord) in
                kinds.contains(other.kind) && other.source == event.source
                    && other.details?.check == event.details?.check
                    && other.details?.receiver == event.details?.receiver
            }
            let other = event.kind.isEnd ? past.last(where: isOther) : future.first(where: isOther)
            return ([event] + [other].compactMap(\.self)).sorted { $0.number < $1.number }
        }
        let all = (past + [event] + future).filter { $0.bound == event.bound && kinds.contains($0.kind) }
        return firing(of: event, among: all)
    }

    /// Returns the events of the same firing, selected from the events of one alert. A `resolved` event that does not
    /// name its firing (a late notification that the firing ended) belongs to the preceding firing.
    private static func firing(of event: EventRecord, among events: [EventRecord]) -> [EventRecord] {
        var group = 0
        var since: String?
        var groups: [Int: [EventRecord]] = [:]
        var own = 0
        for other in events {
            let begins = other.details?.firingSince
            if other.kind != .resolved || begins != nil, begins == nil || begins != since { group += 1 }
            since = begins ?? (other.kind == .resolved ? since : nil)
            groups[group, default: []].append(other)
            if other.number == event.number { own = group }
        }
        return groups[own] ?? [event]
    }

    private static func table(_ events: [EventRecord], _ event: EventRecord, _ display: PriceDisplay) -> Table {
        let shown = events.count > 1
        let columns = [
            Column("number", shown ? "#" : nil, isNumeric: true), Column("time", shown ? "TIME" : nil),
            Column("kind", shown ? "KIND" : nil), Column("notified", shown ? "NOTIFIED" : nil),
            Column("reason", shown ? "REASON" : nil, rank: 1),
            Column("price", shown ? "PRICE" : nil, isNumeric: true, rank: 2),
        ]
        let rows = events.map { other in
            [
                Cell(.count(other.number), human: "\(other.number)", other.number == event.number ? .strong : .none),
                Cell(.time(other.time)), Cell(other.kind), Cell(.flag(other.notified)),
                Cell(other.reason),
                display.cell(other.price, in: other.currency),
            ]
        }
        return Table(key: "related", columns: columns, rows: rows, whenEmpty: "")
    }
}
