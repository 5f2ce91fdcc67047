internal import Events
internal import Market
internal import Time

/// The part of an alert's state that is kept across restarts.
struct StoredAlertState: Equatable {
    var state = AlertState.waiting
    var notification = NotificationState()
    /// The start of the alert's window, which ignores earlier prices.
    var windowStart: Instant?
    /// The conversion of a firing alert's last usable price; nil if none was needed.
    var path: RulePath?
    /// The base of its rule's relative limits; nil if there are none, and while it is unknown.
    var base: Price?
    /// The key of the input that the alert evaluates; nil for `last` in the market's currency.
    var input: String?
}

extension AlertState {
    /// The name of the state in storage and output.
    var name: String {
        switch self {
        case .waiting: "waiting"
        case .inactive, .armed: "inactive"
        case .pending: "pending"
        case .firing: "firing"
        }
    }

    fileprivate var encodedName: String {
        if case .armed = self { "armed" } else { name }
    }
}

extension StoredAlertState {
    private static let keys: Set<String> = [
        "since", "reason", "notified", "acknowledged", "suppressed", "clear", "side", "fired", "window", "via", "base",
        "of",
    ]
    private static let flags: Set<String> = ["resolve_pending", "disarmed"]

    /// The stored form, which ``init(_:clock:)`` reads.
    var text: String {
        var writer = StateTextWriter()
        writer.word(state.encodedName)
        writer.field("since", state.since)
        switch state {
        case .waiting: break
        case .inactive(_, let resolvePending):
            if resolvePending { writer.word("resolve_pending") }
        case .pending(_, let reason, let resolvePending):
            writer.field("reason", reason?.rawValue)
            if resolvePending { writer.word("resolve_pending") }
        case .firing(_, .suppressed(let reason, let resolvePending), let clearSince):
            writer.field("suppressed", reason.rawValue)
            if resolvePending { writer.word("resolve_pending") }
            writer.field("clear", clearSince)
        case .firing(_, .notified(let time, let acknowledgement), let clearSince):
            writer.field("notified", time)
            writer.field("acknowledged", acknowledgement?.encoded)
            writer.field("clear", clearSince)
        case .armed(_, let side): writer.field("side", side.rawValue)
        }
        writer.field("fired", notification.lastFired)
        if notification.isDisarmed { writer.word("disarmed") }
        writer.field("window", windowStart)
        writer.field("via", path?.encoded)
        writer.field("base", base?.description)
        writer.field("of", input)
        return writer.text
    }

    /// Parses a stored state; nil if it cannot be read.
    init?(_ text: String, clock: ClockTranslation? = nil) {
        guard var reader = StateTextReader(text, clock: clock, isKnown: Self.keys.contains),
            let name = reader.words.first
        else {
            return nil
        }
        let words = reader.words.dropFirst()
        let flags = words.isEmpty ? [] : Set(words)
        guard flags.count == words.count, flags.isSubset(of: Self.flags) else { return nil }
        guard let state = AlertState(name, flags, &reader) else { return nil }
        self.state = state
        notification.lastFired = reader.instant("fired")
        notification.isDisarmed = flags.contains("disarmed")
        windowStart = reader.instant("window")
        path = reader.value("via", RulePath.init(encoded:))
        base = reader.value("base") { text in (try? Price(text)).flatMap { $0.isPositive ? $0 : nil } }
        input = reader.value("of") { $0 }
        if reader.isFaulty { return nil }
    }
}

extension AlertState {
    fileprivate init?(_ name: String, _ flags: Set<String>, _ reader: inout StateTextReader) {
        let since = reader.instant("since")
        let notified = reader.instant("notified")
        let suppressed = reader.value("suppressed", Reason.init(rawValue:))
        let side = reader.value("side", Side.init(rawValue:))
        let reason = reader.value("reason", Reason.init(rawValue:))
        let acknowledgement = reader.value("acknowledged", Acknowledgement.init(encoded:))
        let clear = reader.instant("clear")
        let resolvePending = flags.contains("resolve_pending")
        if clear != nil, name != "firing" { return nil }
        switch (name, since, notified, suppressed, side) {
        case ("waiting", nil, nil, nil, nil): self = .waiting
        case ("inactive", let since?, nil, nil, nil): self = .inactive(since: since, resolvePending: resolvePending)
        case ("pending", let since?, nil, nil, nil):
            self = .pending(since: since, reason: reason, resolvePending: resolvePending)
        case ("firing", let since?, nil, let suppressed?, nil):
            self = .firing(
                since: since, notification: .suppressed(by: suppressed, resolvePending: resolvePending),
                clearSince: clear)
        case ("firing", let since?, let notified?, nil, nil):
            self = .firing(
                since: since, notification: .notified(at: notified, acknowledgement: acknowledgement),
                clearSince: clear)
        case ("armed", let since?, nil, nil, let side?): self = .armed(since: since, side: side)
        default: return nil
        }
    }
}
