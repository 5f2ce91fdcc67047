internal import Control
internal import Desktop
internal import Diagnostics
internal import Text

/// The texts of notifications on the desktop.
struct DesktopText {
    /// True if the server reads bodies as markup.
    var hasMarkup: Bool

    static let acknowledge = (key: "acknowledge", label: "Acknowledge")
    static let silence = (key: "silence", label: "Silence 1 h")
    /// The maximum number of events that a summary lists.
    private static let named = 5

    func notification(of event: EventRecord) -> DesktopNotification {
        var notification = DesktopNotification(
            Self.title(of: event), body([event.text]), urgency: Self.urgency(of: [event]))
        if Self.canBeChanged(event) { notification.actions = [Self.acknowledge, Self.silence] }
        return notification
    }

    /// Makes one notification of several events. `further` is the number of other events, which are only counted.
    func summary(of events: [EventRecord], and further: Int = 0) -> DesktopNotification {
        let ranked = events.enumerated().sorted { left, right in
            let (one, other) = (Self.rank(left.element), Self.rank(right.element))
            return one == other ? left.offset > right.offset : one > other
        }
        var lines = ranked.prefix(Self.named).map(\.element.text)
        let count = events.count + further
        if count > lines.count { lines.append("and \(count - lines.count) more: alertctl events") }
        return DesktopNotification("\(count) events from alertd", body(lines), urgency: Self.urgency(of: events))
    }

    func feedback(_ summary: String, _ text: String) -> DesktopNotification {
        DesktopNotification(summary, body([text]), urgency: .low)
    }

    private func body(_ lines: [String]) -> String {
        let text = lines.map(visible).joined(separator: "\n")
        guard hasMarkup else { return text }
        return text.replacingAll("&", with: "&amp;").replacingAll("<", with: "&lt;").replacingAll(">", with: "&gt;")
    }

    /// Returns `btcinr, btc band: fired`, or `alertd: feed stale` for an event without a symbol and a rule.
    private static func title(of event: EventRecord) -> String {
        let kind = event.kind.text.split(separator: "_").joined(separator: " ")
        let subject = [event.symbol, event.rule].compactMap(\.self).joined(separator: ", ")
        return visible(subject.isEmpty ? "alertd: \(kind)" : "\(subject): \(kind)")
    }

    private static func canBeChanged(_ event: EventRecord) -> Bool {
        (event.kind == .fired || event.kind == .repeated) && event.rule != nil && event.symbol != nil
    }

    static func rank(_ event: EventRecord) -> Int {
        switch event.severity {
        case .critical: 2
        case .warning: 1
        default: 0
        }
    }

    /// Returns the highest urgency of the events. Events whose firing or failure has ended are not urgent.
    private static func urgency(of events: [EventRecord]) -> DesktopNotification.Urgency {
        var ended: Set<String> = []
        let open = events.reversed().filter { event in
            if event.kind.isEnd { ended.insert(event.desktopAlert) }
            return !event.kind.isEnd && !ended.contains(event.desktopAlert)
        }
        switch open.map(rank).max() ?? 0 {
        case 2: return .critical
        case 1: return .normal
        default: return .low
        }
    }
}

extension EventRecord {
    /// The key of the notification on the desktop. The next event about the same subject has the same key, so its
    /// notification replaces this one. A `touched` event is about the time of a gap; it has a separate key, so that it
    /// does not replace a firing.
    var desktopAlert: String {
        let isOwn = rule == nil || kind == .touched
        let own = details?.check ?? kind.text.split(separator: "_").first.map(String.init)
        let subject = isOwn ? own : nil
        return [source, rule, symbol, bound?.text, subject].map { $0 ?? "" }.joined(separator: "|")
    }
}
