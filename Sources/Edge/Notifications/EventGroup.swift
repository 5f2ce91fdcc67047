package import Events
internal import Market
internal import Time

/// Several events that become one notification. The headline gives the final state of each alert and report.
struct EventGroup {
    /// The last firing of each alert, the most severe first. Of equally severe alerts, the furthest beyond its limit
    /// is first.
    let firings: [Occurrence]
    /// The last `resolved` event of each alert, oldest first.
    let ends: [Occurrence]
    /// The firings of alerts that have not resolved since.
    private let firing: [Occurrence]
    /// The `resolved` events of alerts that have not fired since.
    private let resolved: [Occurrence]
    /// Events that do not change the state of an alert, oldest first.
    let others: [Occurrence]
    private let events: [Occurrence]

    /// True if texts name the source of a market.
    private let namesSources: Bool

    init(_ events: [Occurrence], namesSources: Bool = false) {
        self.namesSources = namesSources
        self.events = events
        firings = events.filter { $0.kind == .fired || $0.kind == .repeated }.lastOfEachAlert()
            .sorted(by: Self.isBefore)
        ends = events.filter { $0.kind == .resolved }.lastOfEachAlert()
        others = events.filter { !$0.kind.isStateOfAlert }
        let states = events.filter(\.kind.isStateOfAlert).lastOfEachAlert()
        let resolvedAlerts = Set(states.filter { $0.kind == .resolved }.map(AlertIdentity.init))
        firing = firings.filter { !resolvedAlerts.contains(AlertIdentity($0)) }
        resolved = ends.filter { resolvedAlerts.contains(AlertIdentity($0)) }
    }

    /// Returns some of the events in order of time.
    func inOrderOfTime(_ some: [Occurrence]) -> [Occurrence] {
        events.filter(some.contains)
    }

    /// The headline, such as `37 markets fell 10% or more within 15m, 2 alerts resolved`.
    var headline: String {
        var parts: [String] = []
        if !firing.isEmpty { parts.append(firingHeadline) }
        if !resolved.isEmpty { parts.append(count(resolved.count, "alert") + " resolved") }
        let reports = others.lastOfEachAlert()
        if reports.count == 1, let other = reports.first {
            let market = other.marketName(withSource: namesSources)
            parts.append(market.map { "\($0): \(other.kind.title)" } ?? other.title(withSource: namesSources))
        } else if !reports.isEmpty {
            parts.append(count(reports.count, "event"))
        }
        return parts.joined(separator: ", ")
    }

    private var firingHeadline: String {
        let markets = Set(firing.map(MarketIdentity.init))
        let bounds = Set(firing.compactMap(\.bound))
        guard let bound = bounds.first, bounds.count == 1, markets.count == firing.count else {
            return count(firing.count, "alert") + " fired"
        }
        if markets.count == 1, let event = firing.first {
            return event.marketName(withSource: namesSources).map { "\($0) fired" } ?? "1 fired"
        }
        return "\(count(markets.count, "market")) \(bound.groupText)\(move)"
    }

    /// The move that all firings have in common, such as ` 10% or more within 15m`. If they share only the window, `
    /// within 15m`. Empty if they share neither, or for other conditions.
    private var move: String {
        let windows = Set(firing.map(\.details.window))
        let distances = Set(
            firing.map { event -> Price? in
                guard let extreme = event.details.extreme, let limit = event.limit?.prices.first else { return nil }
                return limit.percentChange(from: extreme)?.reduced
            })
        guard windows.count == 1, let window = windows.first ?? nil else { return "" }
        guard distances.count == 1, let distance = distances.first ?? nil else { return " within \(window)" }
        let size = distance.mantissa < 0 ? Price.zero.subtracting(distance) ?? distance : distance
        return " \(size)% or more within \(window)"
    }

    private func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    private static func isBefore(_ left: Occurrence, _ right: Occurrence) -> Bool {
        let order = { (severity: Severity) in Severity.allCases.firstIndex(of: severity) ?? 0 }
        if left.severity != right.severity { return order(left.severity) > order(right.severity) }
        guard let first = left.excess, let second = right.excess else {
            return left.excess != nil && right.excess == nil
        }
        return first > second
    }
}

extension Occurrence {
    /// The percentage by which the price is beyond the limit, negative if it is not. A move is measured from the
    /// extreme of its window. Nil if it cannot be computed.
    fileprivate var excess: Price? {
        guard let price, let bound else { return nil }
        if let extreme = details.extreme {
            guard let change = price.percentChange(from: extreme) else { return nil }
            return bound == .fall ? Price.zero.subtracting(change) : change
        }
        guard let limit, let left = bound.distance(to: limit, { $0.percentChange(from: price) }) else { return nil }
        return Price.zero.subtracting(left)
    }
}

private struct MarketIdentity: Hashable {
    var source: SourceName?
    var symbol: Symbol?

    init(_ event: Occurrence) {
        (source, symbol) = (event.source, event.symbol)
    }
}

/// The identity of an alert, or of a report and its end. Events about the same alert or report have equal identities.
package struct AlertIdentity: Hashable {
    private let rule: String?
    private let subject: ReportSubject?
    private let market: MarketIdentity
    private let bound: Bound?
    private let receiver: String?
    private let check: String?

    package init(_ event: Occurrence) {
        (rule, market, bound) = (event.rule, MarketIdentity(event), event.bound)
        // A drill of a rule is about the rule's alert.
        subject = rule == nil ? event.kind.subject : nil
        (receiver, check) = (event.details.receiver, event.details.divergence?.check)
    }
}

extension EventKind {
    fileprivate var isStateOfAlert: Bool { [.fired, .repeated, .resolved].contains(self) }
}

extension [Occurrence] {
    /// Returns the last event of each alert, and of each report with its end.
    fileprivate func lastOfEachAlert() -> [Occurrence] {
        var seen: Set<AlertIdentity> = []
        return reversed().filter { seen.insert(AlertIdentity($0)).inserted }.reversed()
    }

    /// The events that begin or continue an alert or a report which no later event ends.
    var open: [Occurrence] {
        var ended: Set<AlertIdentity> = []
        return reversed().filter { event in
            if event.kind.isEnd { ended.insert(AlertIdentity(event)) }
            return !event.kind.isEnd && !ended.contains(AlertIdentity(event))
        }.reversed()
    }
}
