internal import Arguments
internal import Control
internal import Market
internal import Time

/// `alertctl events`: lists past events from the store.
enum EventsCommand: Command {
    static let usualLimit = 50

    static let specification = CommandLineSpecification(
        "events", summary: "List past events, newest last",
        discussion: [
            "Lists the last \(usualLimit) events, including those from before a restart, or with --after the "
                + "first \(usualLimit) after that number. A note says if there are more.",
            "TIME can be \(TimeReader.forms).",
        ],
        examples: [
            Example("alertctl events --since 24h", "The last fifty events of the past 24 hours."),
            Example(
                "alertctl events --symbol btcinr --kind fired --limit 5",
                "The last five times that an alert fired on btcinr."),
            Example("alertctl events --after 120 --json | jq -r '.events[].text'", "What happened after event 120."),
        ],
        options: [
            OptionSpecification("since", value: "TIME", help: "Only events at or after this time"),
            OptionSpecification("until", value: "TIME", help: "Only events before this time"),
        ] + EventFilter.options + [
            OptionSpecification("after", value: "NUMBER", help: "Only events after this number, oldest first"),
            OptionSpecification(
                "limit", aliases: ["top", "last"], short: "n", value: "NUMBER",
                help: "List at most NUMBER events (default: \(usualLimit))"),
            OptionSpecification("reverse", short: "r", help: "Reverse the order"),
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let limit = try context.number("limit") ?? usualLimit
        let after = try context.number("after")
        let query = EventQuery(
            filter: try EventFilter(context.arguments), range: try TimeRange(context), after: after,
            newestFirst: after == nil)
        let connection = try context.connect()
        let found = try query.events(limit: limit, from: connection)
        // A rule that was removed may still have events, so the name of the rule is checked only if no events are
        // found.
        if let rule = query.filter.rule, found.events.isEmpty, !found.more { try connection.requireRule(rule) }
        let display = try context.display(connection)
        let isReversed = context.arguments.has("reverse") != query.newestFirst
        let events = isReversed ? found.events.reversed() : found.events
        let table = Table(
            key: "events", columns: eventColumns(display), rows: events.map { eventRow($0, display) },
            whenEmpty: found.more ? "" : context.arguments.hasFilter ? "No events match." : "No events yet.")
        if found.more, !context.format.isHuman { context.warn("alertctl: there are \(moreText(query, limit: limit))") }
        context.show(
            Report(
                simulated: found.simulated,
                parts: [.metadata([Field("more", .flag(found.more))] + display.metadata)]
                    + display.banner + [.table(table)]
                    + (found.more ? [.text("There are \(moreText(query, limit: limit)).", .muted)] : [])))
        return .success
    }

    private static func moreText(_ query: EventQuery, limit: Int) -> String {
        let next = max(limit, 1).saturatingAdding(limit)
        return "\(query.newestFirst ? "older" : "newer") events; use --limit \(next) to see more"
    }
}

extension ParsedArguments {
    fileprivate var hasFilter: Bool {
        ["since", "until", "source", "symbol", "rule", "kind", "severity", "after"].contains(where: has)
    }
}

/// A request to the daemon for events, page by page.
struct EventQuery {
    var filter: EventFilter
    var range: TimeRange
    var after: Int?
    var newestFirst: Bool

    struct Found {
        var simulated = false
        var events: [EventRecord] = []
        var more = false
    }

    /// Returns at most `limit` events, in the order of the query. `more` is true if there are more than that.
    func events(limit: Int, from connection: any ControlConnection) throws(ClientError) -> Found {
        var found = Found()
        try forEachPage(limit: limit, of: connection) { reply in
            found.simulated = reply.simulated
            found.events += reply.events
            found.more = reply.more
        }
        return found
    }

    /// Passes each page to the body, until there are no more or the limit is reached.
    func forEachPage(
        limit: Int, of connection: any ControlConnection, _ body: (ListEventsReply) throws(ClientError) -> Void
    ) throws(ClientError) {
        var parameters = ListEventsParameters(
            source: filter.source, after: after, since: range.since?.description, until: range.until?.description,
            rule: filter.rule,
            symbol: filter.pattern?.text, kind: filter.kind, severity: filter.severity, newestFirst: newestFirst)
        var rest = limit
        while true {
            parameters.limit = min(rest, PageLimits.events)
            let reply = try connection.call(.listEvents, parameters, returning: ListEventsReply.self)
            try body(reply)
            rest -= reply.events.count
            guard rest > 0, reply.more, let last = reply.events.last?.number else { return }
            if newestFirst { parameters.before = last } else { parameters.after = last }
        }
    }
}
