internal import Configuration
internal import Engine
internal import EventLoop
internal import Events
internal import ExchangeRates
internal import Glibc
internal import HTTP
internal import Market
internal import Notifications
internal import Receivers
internal import Rules
internal import ServiceManager
internal import Storage
internal import Time

/// The read-only view of the pipeline that receivers use.
@LoopActor
final class ReceiverHost: NotificationHost {
    private let query: PipelineQuery
    private let rates: any RuleRates
    /// The currency in which people see amounts; nil for each market's own.
    var displayCurrency: Currency?

    init(_ query: PipelineQuery, rates: any RuleRates, settings: Settings) {
        self.query = query
        self.rates = rates
        displayCurrency = settings.display.currency
    }

    var composer: NotificationComposer {
        var composer = NotificationComposer(
            instance: query.instance, source: query.source, hasSeveralSources: query.lanes.count > 1,
            time: localDateTime)
        guard let target = displayCurrency else { return composer }
        let tickers = query.lanes.compactMap(\.batch).flatMap(\.tickers)
        let coins = Set(tickers.compactMap(\.quote)).map(\.currency) + [target]
        let converter = CurrencyConverter(
            rates.ratesForRules?.table, pegs: query.engine.settings.pegs,
            markets: coins.compactMap(query.market))
        composer.displayCurrency = target
        composer.convert = { amount, currency in
            try? converter.convert(Money(amount, currency), to: target).result.amount
        }
        return composer
    }

    /// Reads the events in pages, because the numbers of a queue may be far apart.
    func events(numbered numbers: [Int64]) -> [Event] {
        guard let last = numbers.last else { return [] }
        let wanted = Set(numbers)
        var found: [Event] = []
        var position = (numbers.first ?? 1) - 1
        while position < last {
            let page = query.events(after: position, limit: 500).events
            guard let end = page.last?.number else { break }
            found += page.filter { wanted.contains($0.number) }
            // Continue at the next number in the queue, which may be much higher.
            position = max(end, (numbers.first { $0 > end } ?? last + 1) - 1)
        }
        return found
    }

    func firingEvents() -> [Event] {
        var found: [Occurrence] = []
        for lane in query.lanes {
            found += lane.marked(reminders(of: lane.engine, limit: Self.reminderLimit - found.count))
        }
        let isSimulated = query.isSimulated
        return openReports() + found.map { Event(number: 0, occurrence: isSimulated ? $0.simulated : $0) }
    }

    private func reminders(of engine: RuleEngine, limit: Int) -> [Occurrence] {
        let now = query.clock.now()
        var walk = AlertWalk()
        var found: [Occurrence] = []
        while found.count < limit {
            let hasMore = engine.advance(&walk, budget: Self.walkBudget) { place in
                if engine.isFiring(place), let reminder = engine.reminder(of: place, at: now) { found.append(reminder) }
            }
            if !hasMore { break }
        }
        return found
    }

    /// The maximum number of reminders at a time. A thousand alerts make a megabyte of requests, once a minute.
    private static let reminderLimit = 1_000
    private static let walkBudget = 4_096

    /// Returns the reports about the feed, markets, the state file and receivers that have not ended.
    private func openReports() -> [Event] {
        var open: [AlertIdentity: Event] = [:]
        for event in query.events.kept where event.occurrence.notified {
            guard event.occurrence.kind.subject?.lasts == true else { continue }
            open[AlertIdentity(event.occurrence)] = event.occurrence.kind.isEnd ? nil : event
        }
        return open.values.sorted { $0.number < $1.number }
    }

    func ends(since time: WallTime) -> [Event] {
        query.events.kept.filter { $0.occurrence.notified && $0.occurrence.kind.isEnd && $0.occurrence.time >= time }
    }

    func suppressedEnds() -> [Event] {
        let now = query.clock.now()
        let oldest = now.wall.milliseconds - Self.firingLength.count
        var ends: [EventLog.AlertKey: Event] = [:]
        for event in query.events.kept where event.occurrence.time.milliseconds >= oldest {
            let what = event.occurrence
            guard [.fired, .repeated, .resolved].contains(what.kind), let key = EventLog.AlertKey(what) else {
                continue
            }
            if what.notified {
                ends[key] = nil
            } else if what.kind == .resolved, what.reason != .firedSuppressed {
                ends[key] = event
            }
        }
        return ends.filter { !isSilenced($0.key, $0.value.occurrence.severity, at: now) }.values
            .sorted { $0.number < $1.number }.map { event in
                var what = event.occurrence
                what.notified = true
                return Event(number: event.number, occurrence: what)
            }
    }

    /// The time after which an Alertmanager resolves a firing alert by itself.
    private static let firingLength = Milliseconds.seconds(86_400)

    private func isSilenced(_ alert: EventLog.AlertKey, _ severity: Severity, at now: Instant) -> Bool {
        let lane = query.lanes.first { $0.name == alert.source } ?? query.lane
        return lane.engine.silence(of: alert.symbol, rule: alert.rule, severity, at: now) != nil
    }

    /// Searches only the latest events of the rule and symbol. Older events of the firing are repeats, which have the
    /// same severity as the event unless a reload has just changed it. After a restart, the previous severity comes
    /// from the stored state.
    func formerSeverities(of event: Event) -> [Severity] {
        let key = EventLog.AlertKey(event.occurrence)
        let stored = key.flatMap { key in query.lanes.lazy.compactMap { $0.storedSeverities[key] }.first }
        let former = notifiedSeverities(of: event).union(stored.map { [$0] } ?? [])
        return former.subtracting([event.occurrence.severity]).sorted { $0.rank < $1.rank }
    }

    private func notifiedSeverities(of event: Event) -> Set<Severity> {
        if event.number == 0, let last = lastEvent(of: event), last.occurrence.severity == event.occurrence.severity {
            return []
        }
        let earlier = earlierEvents(than: event, limit: Self.searchedForSeverities).filter { $0.occurrence.notified }
        return Set(earlier.prefix { $0.occurrence.kind != .resolved }.map(\.occurrence.severity))
    }

    /// Returns the last event of a reminder's alert, if that event is in memory and has notified that the alert is
    /// firing.
    private func lastEvent(of reminder: Event) -> Event? {
        guard let key = EventLog.AlertKey(reminder.occurrence), let number = query.events.lastNumber(of: key),
            let event = query.events.events(after: number - 1, limit: 1)?.first, event.occurrence.notified,
            [.fired, .repeated].contains(event.occurrence.kind)
        else { return nil }
        return event
    }

    /// Returns the earlier events of the same alert, newest first.
    private func earlierEvents(than event: Event, limit: Int) -> [Event] {
        let (what, store) = (event.occurrence, query.stateStore.store)
        guard let rule = what.rule, let symbol = what.symbol, store.isOpen else { return [] }
        let query = EventQuery(
            // A reminder has no number.
            before: event.number == 0 ? nil : event.number, rule: rule, source: what.source,
            symbol: SymbolPattern(symbol.description),
            newestFirst: true, limit: limit)
        let found = (try? store.events(query).events) ?? []
        return found.filter { $0.occurrence.bound == what.bound && $0.occurrence.kind != .touched }
    }

    /// Returns the receiver's own identifier of the previous message. It is stored as the detail of the delivery, so
    /// it survives a restart.
    func previousMessage(before event: Event, at receiver: String) -> String? {
        previousDelivery(before: event, at: receiver)?.message
    }

    private func previousDelivery(before event: Event, at receiver: String) -> (number: Int64, message: String)? {
        guard [.resolved, .repeated].contains(event.occurrence.kind) else { return nil }
        let store = query.stateStore.store
        let earlier = earlierEvents(than: event, limit: Self.searchedEvents)
        guard let previous = earlier.first(where: \.occurrence.notified), previous.occurrence.kind != .resolved
        else { return nil }
        let delivery = (try? store.deliveries(of: previous.number))?.first { $0.receiver == receiver }
        return delivery?.detail.flatMap(MessageReference.message).map { (previous.number, $0) }
    }

    func endedMessages(by events: [Event], at receiver: String) -> [String] {
        var messages: [String: Int64] = [:]
        for event in events where event.occurrence.severity == .critical {
            guard messages.count < Self.cancelledMessages else { break }
            if let delivery = previousDelivery(before: event, at: receiver) {
                messages[delivery.message] = delivery.number
            }
        }
        return messages.filter { !isOpen($0.key, near: $0.value, at: receiver) }.keys.sorted()
    }

    /// Returns true if one of the message's events is the last event of an alert that is still firing. `number` is
    /// the number of one of these events; the numbers of the rest are near it.
    private func isOpen(_ message: String, near number: Int64, at receiver: String) -> Bool {
        let range = (number - Self.spanOfMessage)...(number + Self.spanOfMessage)
        let detail = MessageReference.detail(of: message)
        let store = query.stateStore.store
        let numbers = (try? store.numbers(deliveredTo: receiver, as: detail, in: range)) ?? []
        return numbers.contains { number in
            guard let event = events(numbered: [number]).first, let key = EventLog.AlertKey(event.occurrence) else {
                return false
            }
            return event.occurrence.kind != .resolved && query.events.lastNumber(of: key) == number
        }
    }

    /// The maximum number of messages that are cancelled at a time. Each attempt takes up to 15 s, and the next
    /// notification waits for it.
    private static let cancelledMessages = 10
    /// The range of event numbers to search for the events of a message, on either side. A message has at most 1,000
    /// events, with events of other receivers between them. Reading these rows takes a few milliseconds.
    private static let spanOfMessage: Int64 = 10_000

    /// Finds the receivers of all firings in one pass over the events, because a search per alert would take a few
    /// milliseconds each.
    func receiversOfFirings(endedBy ends: [Event]) -> [Int64: Set<String>] {
        let store = query.stateStore.store
        guard let first = ends.first?.number, store.isOpen else { return [:] }
        let keyed = ends.compactMap { end in EventLog.AlertKey(end.occurrence).map { ($0, end.number) } }
        var open = Dictionary(keyed) { first, _ in first }
        var found: [Int64: Set<String>] = [:]
        var query: EventQuery? = EventQuery(before: first, newestFirst: true)
        var left = Self.searchedForFirings
        while !open.isEmpty, left > 0, let page = query.flatMap({ try? store.events($0) }) {
            left -= page.events.count
            for event in page.events where event.occurrence.notified {
                let what = event.occurrence
                guard [.fired, .repeated].contains(what.kind), let key = EventLog.AlertKey(what), let end = open[key]
                else { continue }
                // A firing has one notified `fired` event, where the search for it ends. After a reload, its repeats
                // may have gone to other receivers.
                if what.kind == .fired { open[key] = nil }
                let names = ((try? store.deliveries(of: event.number)) ?? []).map(\.receiver)
                if !names.isEmpty { found[end, default: []].formUnion(names) }
            }
            query = page.next
        }
        return found
    }

    /// The maximum number of events to search. Suppressed events and events of other bounds may be in between.
    private static let searchedEvents = 50
    private static let searchedForSeverities = 500
    /// The maximum number of events to search. At 2.5 µs each, this delays a start by at most an eighth of a second.
    /// For firings that began earlier, the receivers are those of the current settings.
    private static let searchedForFirings = 50_000

    func prices(of symbols: [SymbolPattern]?, after positions: [SourceName: WallTime], limit: Int) -> PriceBatch {
        var batch = PriceBatch()
        for lane in query.lanes {
            lane.addPrices(of: symbols, after: positions[lane.name], limit: limit, to: &batch)
        }
        return batch
    }

    func polledThrough() -> [SourceName: WallTime] {
        let times = query.lanes.compactMap { lane in lane.batch.map { (lane.name, $0.received.wall) } }
        return Dictionary(times) { first, _ in first }
    }

    func openFailure(of receiver: String) -> String? {
        openReports().last { $0.occurrence.kind == .receiverFailed && $0.occurrence.details.receiver == receiver }?
            .occurrence.text
    }
}

extension ReceiverRouting {
    init(_ settings: Settings) {
        let named = settings.rules.compactMap { rule in rule.receivers.map { (rule.name, $0) } }
        self.init(receivers: settings.receivers, receiversOfRules: Dictionary(named) { first, _ in first })
    }
}

/// Creates the receivers of the settings.
@LoopActor
func makeReceivers(
    _ settings: Settings, _ context: ServiceManagerContext, _ machine: Machine, userAgent: String
) -> NotificationService {
    NotificationService(
        ReceiverRouting(settings),
        NotificationEnvironment(
            clock: machine.clock, credentials: context.credentials, proxy: context.proxy, userAgent: userAgent,
            client: machine.sender, random: machine.random,
            localMinutes: { WallClock.shared.minutes(in: $0) }))
}

/// Returns 128 random bits in hexadecimal digits: the instance while the state file that contains it cannot be read.
func randomInstance() -> String {
    (0..<2).map { _ in
        let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
        return String(repeating: "0", count: max(0, 16 - digits.utf8.count)) + digits
    }.joined()
}

/// Returns the date and time in the time zone of the machine: `2026-11-21 17:52:31`.
private func localDateTime(_ time: WallTime) -> String {
    guard let fields = unsafe localFields(time) else { return time.description }
    let date = unsafe [fields.tm_year + 1_900, fields.tm_mon + 1, fields.tm_mday]
    return date.map { ($0 < 10 ? "0" : "") + String($0) }.joined(separator: "-") + " " + localTime(time)
}

/// Returns the local time in the time zone of the machine, in minutes since 1970-01-01T00:00.
func localMinutes(_ time: WallTime) -> Int64 {
    let utc = SilenceHours.utc(time)
    guard let fields = unsafe localFields(time) else { return utc }
    return unsafe utc + Int64(fields.tm_gmtoff / 60)
}

@unsafe
private func localFields(_ time: WallTime) -> tm? {
    var seconds = time_t(time.milliseconds / 1_000)
    var fields = unsafe tm()
    return unsafe localtime_r(&seconds, &fields) == nil ? nil : fields
}
