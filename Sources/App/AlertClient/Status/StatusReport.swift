internal import Control
internal import Market
internal import Time

/// The report of `alertctl status`.
struct StatusReport {
    enum Length {
        case full
        /// Without details that are rarely of interest, for a small screen.
        case compact
        /// The output of alertctl without a command.
        case short
    }

    private let status: DaemonStatus
    private let formatter: HumanFormatter
    private let length: Length
    private let health: Health
    /// The display currency as text; nil if unknown.
    private let shownIn: String?
    /// The most important firing alerts, one per line.
    private let firing: [String]
    private let mostHealthLines: Int

    init(
        _ status: DaemonStatus, _ health: Health, _ rates: RatesReply?, _ context: Context, firing: [String],
        mostHealthLines: Int, length: Length
    ) {
        self.firing = firing
        self.mostHealthLines = mostHealthLines
        self.status = status
        formatter = context.formatter
        shownIn = context.choice.text(rates)
        self.length = length
        self.health = health
    }

    var report: Report {
        var parts = [
            Part.text(headline, trouble == nil ? .good : .alarm), .fields(key: nil, daemonFields),
            .fields(key: "feed", feedFields), .table(sourceTable), .table(checkTable),
            .fields(key: nil, countFields),
        ]
        parts += status.lease.map { [.fields(key: "lease", fields(of: $0))] } ?? []
        parts += [
            .fields(key: "history", historyFields), .fields(key: "store", storeFields),
            .fields(key: "configuration", settingsFields), .table(sinkTable),
            .lines(key: "firing_alerts", title: "Firing", firing),
            .lines(key: "health", title: "Health", healthLines),
        ]
        let hint = "'alertctl status' shows more; 'alertctl help' lists all commands."
        if length == .short { parts.append(.text(hint, .muted)) }
        return Report(simulated: status.simulated, parts: parts)
    }

    /// The most serious problems, and a line with the number of problems that are not shown.
    private var healthLines: [String] {
        let rest = health.causes.count - mostHealthLines
        guard rest > 0 else { return health.lines }
        return health.lines.prefix(mostHealthLines)
            + [formatter.more("\(grouped(rest)) more; 'alertctl status --no-pager' shows them")]
    }

    private var hasSeveralSources: Bool { status.sources.count > 1 }
    private var isSaved: Bool { status.store.state == .ok }

    /// The headline: `● alertd 0.1.0 running since Sat 2026-11-21 07:12:03 CET; 2m10s ago`, or the most serious
    /// problem and when it began.
    private var headline: String {
        let dot = formatter.hasUnicode ? "●" : "*"
        let (state, time) = trouble.map { ("running, \($0.state)", $0.since) } ?? ("running", status.started)
        let since = time.map { " since \(formatter.longTime($0))" } ?? ""
        let age = formatter.age(time).map { "; \($0) ago" } ?? ""
        return "\(dot) alertd \(status.version) \(state)\(since)\(age)"
    }

    /// The most serious problem and when it began. A single failed poll is enough, because the data is already
    /// getting old.
    private var trouble: (state: String, since: String?)? {
        if let worst = health.worst, let short = worst.short { return (short, worst.since) }
        guard let failing = status.sources.first(where: { $0.consecutiveFailures > 0 }) else { return nil }
        let state = "no data" + (hasSeveralSources ? " from \(failing.source)" : "")
        return (state, failing.lastSuccess ?? status.started)
    }

    /// Returns the title, or nil in the short form, which does not show the field.
    private func long(_ title: String) -> String? {
        length == .short ? nil : title
    }

    /// Returns the title, or nil unless this is the full form.
    private func full(_ title: String) -> String? {
        length == .full ? title : nil
    }

    private var daemonFields: [Field] {
        [
            Field("version", .text(status.version)),
            Field("pid", full("Main PID"), .count(status.pid), human: "\(status.pid)"),
            // If there is trouble, the headline shows another time.
            Field("started", trouble == nil ? nil : "Started", .time(status.started), human: ago(status.started)),
        ]
    }

    private var countFields: [Field] {
        let alarm: Emphasis = status.firing > 0 ? .alarm : .none
        return [
            Field("symbols", "Symbols", .count(status.symbols), human: grouped(status.symbols)),
            Field(
                "rules", "Rules", .count(status.rules),
                human: "\(grouped(status.rules)), \(grouped(status.firing)) firing", alarm),
            Field("firing", .count(status.firing)),
            Field(
                "silences", status.silences > 0 ? "Silences" : nil, .count(status.silences),
                human: grouped(status.silences)),
            Field("problems", .list(status.problems.map(text))), displayField,
            Field(
                "last_event", long("Events"), .count(status.lastEvent),
                human:
                    "\(grouped(status.lastEvent)) so far, \(grouped(status.eventReaders)) of "
                    + "\(grouped(status.eventReadersLimit)) readers connected"
            ),
            Field("event_readers", .count(status.eventReaders)),
            Field("event_readers_limit", .count(status.eventReadersLimit)),
            Field("event_readers_refused", .count(status.eventReadersRefused)),
            Field("clients", .count(status.clients)),
            Field("clients_limit", .count(status.clientsLimit)),
            Field("clients_refused", .count(status.clientsRefused)), refusedField,
        ]
    }

    /// Connections that were refused. One client may be using up all places.
    private var refusedField: Field {
        let counts = [(status.clientsRefused, "client"), (status.eventReadersRefused, "event reader")]
        let texts = counts.filter { $0.0 > 0 }.map { counted($0.0, $0.1) }
        let text = texts.isEmpty ? nil : "\(texts.joined(separator: " and ")), because the limit was reached"
        var field = Field("refused", text.map { _ in "Refused" }, .text(text), human: text)
        field.isForPeople = true
        return field
    }

    private var displayField: Field {
        var field = Field("display", shownIn.flatMap { _ in long("Prices in") }, .text(shownIn))
        field.isForPeople = true
        return field
    }

    private var settingsFields: [Field] {
        let settings = status.configuration
        return [
            Field("files", long("Settings"), .list(settings.files)),
            Field("loaded", full("Loaded"), .time(settings.loaded)),
            Field("last_reload_failed", .time(settings.lastReloadFailed)),
            Field("last_reload_message", .text(settings.lastReloadMessage)),
        ]
    }

    private var historyFields: [Field] {
        let history = status.history
        let keep = Milliseconds(Int64(history.keepMilliseconds)).approximate
        let since = history.oldest.map { " since \(formatter.time($0))" } ?? ""
        let human =
            "\(counted(history.polls, "poll"))\(since), kept for \(keep); \(formatter.bytes(history.bytes))"
            + " of \(formatter.bytes(history.limitBytes))"
        return [
            Field("keep_ms", .count(history.keepMilliseconds)), Field("capacity", .count(history.capacity)),
            Field("polls", long("History"), .count(history.polls), human: human), Field("bytes", .count(history.bytes)),
            Field("limit_bytes", .count(history.limitBytes)), Field("oldest", .time(history.oldest)),
        ]
    }

    private var storeFields: [Field] {
        let store = status.store
        let saved = formatter.age(store.lastSaved).map { ", saved \($0) ago" } ?? ""
        let human =
            isSaved
            ? "\(counted(store.events, "event")), \(formatter.bytes(store.bytes))\(saved)"
            : "\(store.state), \(counted(store.unsaved, "event")) not saved"
        return [
            Field("path", .text(store.path)),
            Field(
                "state", long("Store"), .text(store.state), human: human, isSaved ? .none : .alarm),
            Field("message", .text(store.message)), Field("since", .time(store.since)),
            Field("unsaved", .count(store.unsaved)), Field("bytes", .count(store.bytes)),
            Field("events", .count(store.events)), Field("last_saved", .time(store.lastSaved)),
        ]
    }

    private func fields(of lease: LeaseStatus) -> [Field] {
        let text =
            switch lease.state {
            case .held: "held as \(lease.name); this daemon notifies"
            case .standby: "\(lease.holder ?? "another daemon") notifies; standing by as \(lease.name)"
            default: "not known which daemon notifies; waiting as \(lease.name)"
            }
        return [
            Field("name", .text(lease.name)),
            Field("state", long("Lease"), .text(lease.state), human: text, lease.message == nil ? .none : .alarm),
            Field("holder", .text(lease.holder)), Field("message", .text(lease.message)),
        ]
    }

    /// The checks, which compare prices of two sources; hidden from people if there are none.
    private var checkTable: Table {
        let checks = status.checks ?? []
        let title = { (title: String) in checks.isEmpty ? nil : title }
        let columns = [
            Column("name", title("CHECK")), Column("first", title("PRICE OF"), rank: 2),
            Column("second", title("AGAINST"), rank: 2), Column("state", title("STATE")),
            Column("difference_percent", title("DIFFERENCE %"), isNumeric: true),
            Column("within_percent", title("WITHIN %"), isNumeric: true, rank: 1), Column("for_ms", nil),
            Column("compared", title("COMPARED"), rank: 3), Column("note", title("NOTE"), rank: 1),
        ]
        let rows = checks.map { check in
            [
                Cell(.text(check.name)), Cell(.text(check.first)), Cell(.text(check.second)),
                Cell(.text(check.state), check.state == .diverged ? .alarm : .none),
                Cell(.decimal(check.differencePercent)), Cell(.decimal(check.withinPercent)),
                Cell(.count(check.forMilliseconds)), Cell(.time(check.compared), human: formatter.age(check.compared)),
                Cell(.text(check.note)),
            ]
        }
        return Table(key: "checks", columns: columns, rows: rows, whenEmpty: "")
    }

    private var sinkTable: Table {
        let isFine = status.sinks.allSatisfy { $0.dropped == 0 && $0.failed == 0 }
        let title = isFine ? full : long
        let columns = [
            Column("name", title("SINK")), Column("delivered", title("DELIVERED"), isNumeric: true),
            Column("dropped", title("DROPPED"), isNumeric: true), Column("failed", title("FAILED"), isNumeric: true),
            Column("message", nil),
        ]
        let rows = status.sinks.map { sink in
            [
                Cell(.text(sink.name)), Cell(.count(sink.delivered), human: grouped(sink.delivered)),
                Cell(.count(sink.dropped), human: grouped(sink.dropped), sink.dropped > 0 ? .alarm : .none),
                Cell(.count(sink.failed), human: grouped(sink.failed), sink.failed > 0 ? .alarm : .none),
                Cell(.text(sink.message)),
            ]
        }
        return Table(key: "sinks", columns: columns, rows: rows, whenEmpty: "")
    }
}

// MARK: Feed

extension StatusReport {
    private var feedFields: [Field] {
        let feed = status.feed
        let interval = Milliseconds(Int64(feed.intervalMilliseconds)).approximate
        let place = [feed.source, feed.url].compactMap { $0 }.joined(separator: " ")
        let long = { (title: String) in hasSeveralSources ? nil : self.long(title) }
        let full = { (title: String) in hasSeveralSources ? nil : self.full(title) }
        let shown = { (title: String) in hasSeveralSources ? nil : title }
        return [
            Field("source", shown("Feed"), .text(feed.source), human: "\(place), every \(interval)"),
            Field("url", .text(feed.url)), Field("state", shown("State"), feed.state, feedEmphasis),
            Field("message", .text(feed.message)), Field("interval_ms", .count(feed.intervalMilliseconds)),
            Field("polls", long("Polls"), .count(feed.polls), human: pollsText),
            Field("failures", .count(feed.failures)),
            Field("consecutive_failures", .count(feed.consecutiveFailures)),
            Field("bad_elements", .count(feed.badElements)),
            Field("bad_elements_message", .text(feed.badElementsMessage)),
            Field("last_success", shown("Last data"), .time(feed.lastSuccess), human: ago(feed.lastSuccess)),
            Field("last_attempt", full("Last poll"), .time(feed.lastAttempt), human: ago(feed.lastAttempt)),
            Field(
                "next_poll", feed.notBefore == nil ? long("Next poll") : shown("Next poll"), .time(nextPoll(feed)),
                human: nextText),
            Field("not_before", .time(feed.notBefore)),
            Field("reach", full("Reach"), .text(feed.reach), human: reachText), Field("stale", .flag(feed.stale)),
            Field(
                "gaps", feed.gaps > 0 ? shown("Catching up") : nil, .count(feed.gaps),
                human: "\(counted(feed.gaps, "gap")) in the prices, from candles"),
            Field("gaps_message", .text(feed.gapsMessage)),
        ]
    }

    /// One row per source; shown to people only if there are several.
    private var sourceTable: Table {
        let title = { (title: String) in hasSeveralSources ? title : nil }
        let columns = [
            Column("source", title("SOURCE")), Column("type", title("TYPE"), rank: 3),
            Column("state", title("STATE")), Column("symbols", title("SYMBOLS"), isNumeric: true, rank: 2),
            Column("rules", title("RULES"), isNumeric: true, rank: 4),
            Column("firing", title("FIRING"), isNumeric: true, rank: 1),
            Column("last_success", title("LAST DATA"), rank: 1), Column("next_poll", title("NEXT POLL"), rank: 5),
            Column("reach", title("REACH"), rank: 6), Column("url", nil), Column("stale", nil), Column("message", nil),
            Column("interval_ms", nil), Column("polls", nil), Column("failures", nil),
            Column("consecutive_failures", nil), Column("bad_elements", nil),
            Column("bad_elements_message", nil), Column("last_attempt", nil), Column("not_before", nil),
            Column("gaps", nil), Column("gaps_message", nil),
        ]
        return Table(key: "sources", columns: columns, rows: status.sources.map(sourceRow), whenEmpty: "")
    }

    private func sourceRow(_ feed: FeedStatus) -> [Cell] {
        let isBad = feed.stale || feed.consecutiveFailures > 0
        let state = feed.stale ? "STALE, \(feed.state.text)" : feed.state.text
        return [
            Cell(.text(feed.source), .strong), Cell(.text(feed.type)),
            Cell(.text(feed.state), human: state, isBad ? .alarm : .none), Cell(.count(feed.symbols)),
            Cell(.count(feed.rules)), Cell(.count(feed.firing), feed.firing > 0 ? .alarm : .none),
            Cell(.time(feed.lastSuccess), human: formatter.age(feed.lastSuccess).map { "\($0) ago" }),
            Cell(.time(nextPoll(feed)), human: formatter.remaining(nextPoll(feed)).map { "in \($0)" }),
            Cell(.text(feed.reach)), Cell(.text(feed.url)), Cell(.flag(feed.stale)), Cell(.text(feed.message)),
            Cell(.count(feed.intervalMilliseconds)), Cell(.count(feed.polls)), Cell(.count(feed.failures)),
            Cell(.count(feed.consecutiveFailures)), Cell(.count(feed.badElements)),
            Cell(.text(feed.badElementsMessage)), Cell(.time(feed.lastAttempt)), Cell(.time(feed.notBefore)),
            Cell(.count(feed.gaps)), Cell(.text(feed.gapsMessage)),
        ]
    }

    /// A key that CoinRanking has refused is not used again, so there is no next poll to wait for.
    private func nextPoll(_ feed: FeedStatus) -> String? {
        feed.state == .unauthorized && feed.type == "coinranking" ? nil : feed.nextPoll
    }

    private var feedEmphasis: Emphasis {
        status.feed.stale || status.feed.consecutiveFailures > 0 ? .alarm : .none
    }

    private var pollsText: String {
        let feed = status.feed
        return "\(grouped(feed.polls)), \(grouped(feed.failures)) failed, \(counted(feed.badElements, "bad element"))"
    }

    private var nextText: String? {
        let asked = status.feed.notBefore.map { "; the source asked to wait until \(formatter.time($0))" } ?? ""
        let next = nextPoll(status.feed)
        return
            (formatter.remaining(next).map { "in \($0)" }
            ?? (next == nil ? nil : "now")).map { $0 + asked }
    }

    /// `11111101 (7 of the last 8 polls)`
    private var reachText: String {
        let reach = status.feed.reach
        return "\(reach) (\(reach.count { $0 == "1" }) of the last \(counted(reach.count, "poll")))"
    }

    private func ago(_ time: String?) -> String? {
        guard let time, let age = formatter.age(time) else { return nil }
        return "\(formatter.time(time)), \(age) ago"
    }
}
