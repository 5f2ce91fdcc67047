internal import Control
internal import Engine
internal import EventLoop
internal import Events
internal import Market
internal import Rules
internal import Time
internal import Varlink

extension PipelineQuery {
    /// Returns a page of explanations of a rule's alerts, in the order in which symbols were first seen.
    func explanations(
        _ slices: inout WorkSlices, ofRule rule: Int, _ symbol: Symbol?, from start: Int, limit: Int
    ) async throws(VarlinkError) -> (explanations: [Control.AlertExplanation], next: Int?) {
        let page = try await alertPage(&slices, of: symbol, from: start, limit: limit) { $1.rule == rule }
        var explanations: [Control.AlertExplanation] = []
        for place in page.places {
            if let found = engine.explain(place, at: clock.now()) {
                explanations.append(Control.AlertExplanation(found, state(of: found.view)))
            }
            try await slices.spend(2 * WorkSlices.view)
        }
        return (explanations, page.next)
    }
}

extension Control.AlertExplanation {
    init(_ explanation: Engine.AlertExplanation, _ alert: AlertStatus) {
        self.init(
            alert: alert, priceTime: explanation.priceTime?.description,
            facts: explanation.facts.map(Control.AlertFact.init(of:)),
            levels: explanation.levels.map(Control.AlertLevel.init),
            windowMilliseconds: explanation.window.map { Int(clamping: $0.length.count) },
            lowest: explanation.window?.lowest.description, highest: explanation.window?.highest.description,
            conversion: explanation.conversion.map(ConversionRecord.init))
    }
}

extension Control.AlertLevel {
    fileprivate init(_ level: Engine.AlertLevel) {
        self.init(
            role: .init(rawValue: level.role.rawValue), comparison: .init(rawValue: level.comparison.rawValue),
            price: level.price.description,
            reached: level.isReached, away: level.away?.description, awayPercent: level.awayPercent?.description)
    }
}

extension Control.AlertFact {
    init(of fact: Engine.AlertFact) {
        switch fact {
        case .feedStale(let since): self.init(kind: .feedStale, since: "\(since)")
        case .frozen(let since): self.init(kind: .frozen, since: "\(since)")
        case .missing(let last): self.init(kind: .missing, since: last?.description)
        case .unusable(let price): self.init(kind: .unusable, detail: price.rawValue)
        case .unconvertible(let from, let to):
            self.init(kind: .unconvertible, detail: "\(from.map { "\($0)" } ?? "?")>\(to)")
        case .staleRate: self.init(kind: .staleRate)
        case .expired(let end): self.init(kind: .expired, since: "\(end)")
        case .noBaseline: self.init(kind: .noBaseline)
        case .noBase(let why): self.init(kind: .noBase, detail: why)
        case .windowTooShort: self.init(kind: .windowTooShort)
        case .inactive(let since): self.init(kind: .inactive, since: "\(since)")
        case .pending(let since, let held, let hold):
            self.init(
                kind: .pending, since: "\(since)", heldMilliseconds: Int(clamping: held.count),
                holdMilliseconds: Int(clamping: hold.count))
        case .firing(let since): self.init(kind: .firing, since: "\(since)")
        case .clear(let since, let held, let length):
            self.init(
                kind: .clear, since: "\(since)", heldMilliseconds: Int(clamping: held.count),
                holdMilliseconds: Int(clamping: length.count))
        case .armed(.below, let since): self.init(kind: .below, since: "\(since)")
        case .armed(.at, let since): self.init(kind: .at, since: "\(since)")
        case .armed(.above, let since): self.init(kind: .above, since: "\(since)")
        case .notified(let time): self.init(kind: .notified, since: "\(time)")
        case .acknowledged(let acknowledgement):
            self.init(kind: .acknowledged, since: "\(acknowledgement.time)", by: "\(acknowledgement.user)")
        case .suppressed(let reason): self.init(kind: .suppressed, detail: reason.rawValue)
        case .repeats(let time): self.init(kind: .repeats, until: "\(time)")
        case .resolvePending: self.init(kind: .resolvePending)
        case .silenced(let number, let end):
            self.init(kind: .silenced, until: "\(end)", number: Int(clamping: number))
        case .onlyWhile(let rule, let since): self.init(kind: .onlyWhile, since: since?.description, detail: rule)
        case .cooldown(let end): self.init(kind: .cooldown, until: "\(end)")
        case .disarmed: self.init(kind: .disarmed)
        case .expires(let end): self.init(kind: .expires, until: "\(end)")
        case .gap(let start, let end): self.init(kind: .gap, since: "\(start)", until: "\(end)")
        case .notCaughtUp(let obstacle): self.init(kind: .notCaughtUp, detail: obstacle.rawValue)
        }
    }
}
