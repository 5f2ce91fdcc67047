internal import Control
internal import Engine
internal import EventLoop
internal import Events
internal import Market
internal import Rules
internal import Storage
internal import Time
internal import Varlink

/// What the commands `ack` and `arm` ask for.
extension ControlService {
    func acknowledge(_ call: VarlinkCall) async throws(VarlinkError) {
        let user = try changer(call)
        let parameters = try call.decodeParameters(as: AcknowledgeParameters.self)
        let target = try await target(parameters)
        let isUndone = parameters.undo ?? false
        let notified = try acknowledgeable(target, isUndone: isUndone)
        let pipeline = daemon.pipeline
        let new = isUndone ? nil : Acknowledgement(by: user, at: daemon.clock.now().wall)
        let count = pipeline.acknowledge(target, new)
        log("\(target.words) \(isUndone ? "is repeated again" : "acknowledged") by \(user)")
        let keys = Set(notified.map(AlertTarget.init))
        let alerts = pipeline.views(of: target).filter { keys.contains(AlertTarget($0)) }
        call.reply(
            AcknowledgeReply(alerts: alerts.map(pipeline.state), changed: count, saved: !pipeline.stateStore.isDegraded)
        )
    }

    func arm(_ call: VarlinkCall) throws(VarlinkError) {
        let user = try changer(call)
        let parameters = try call.decodeParameters(as: ArmParameters.self)
        let target = try target(rule: parameters.rule, symbol: parameters.symbol)
        let pipeline = daemon.pipeline
        let views = pipeline.views(of: target)
        guard try inForce(target.rule).notification.once else {
            throw refused("rule “\(target.rule)” has no 'once': it is always armed")
        }
        let disarmed = views.filter(\.isDisarmed)
        guard !disarmed.isEmpty else {
            throw refused("nothing to arm: \(target.words) has notified nothing since it was armed")
        }
        guard !disarmed.allSatisfy({ $0.condition == .expired }) else {
            throw refused("rule “\(target.rule)” has expired: armed or not, it tells nothing")
        }
        pipeline.arm(target)
        log("\(target.words) armed by \(user)")
        let keys = Set(disarmed.map(AlertTarget.init))
        let alerts = pipeline.views(of: target).filter { keys.contains(AlertTarget($0)) }
        call.reply(ArmReply(alerts: alerts.map(pipeline.state), saved: !pipeline.stateStore.isDegraded))
    }
}

/// The alerts of a rule, on one symbol and bound or on all.
struct AlertTarget: Hashable {
    var rule: String
    var symbol: Symbol?
    var bound: Bound?

    init(rule: String, symbol: Symbol? = nil, bound: Bound? = nil) {
        self.rule = rule
        self.symbol = symbol
        self.bound = bound
    }

    init(_ view: AlertView) {
        self.init(rule: view.rule.name, symbol: view.symbol, bound: view.bound)
    }

    /// `rule “band” on btcinr (max)`
    var words: String {
        "rule “\(rule)”" + (symbol.map { " on \($0)" } ?? "") + (bound.map { " (\($0.rawValue))" } ?? "")
    }
}

extension ControlService {
    /// The alerts of a rule that there is, on a symbol that there is.
    ///
    /// - Throws: `NoSuchRule`, `NoSuchSymbol`, or `Refused` when the rule does not watch the symbol.
    func target(rule: String, symbol: String?) throws(VarlinkError) -> AlertTarget {
        let pipeline = daemon.pipeline
        _ = try inForce(rule)
        let symbol: Symbol? = if let symbol { try known(symbol) } else { nil }
        let target = AlertTarget(rule: rule, symbol: symbol)
        guard !pipeline.views(of: target).isEmpty else {
            throw refused(symbol.map { "rule “\(rule)” does not watch \($0)" } ?? "rule “\(rule)” matches nothing")
        }
        return target
    }

    private func target(_ parameters: AcknowledgeParameters) async throws(VarlinkError) -> AlertTarget {
        switch (parameters.event, parameters.rule) {
        case (nil, let rule?): return try target(rule: rule, symbol: parameters.symbol)
        case (let number?, nil):
            guard parameters.symbol == nil else { throw .invalidParameter("symbol") }
            return try await target(event: Int64(number))
        default: throw .invalidParameter("event")
        }
    }

    /// The alert that an event tells of, if it still fires as it did then.
    private func target(event number: Int64) async throws(VarlinkError) -> AlertTarget {
        let (low, isFirst) = number.subtractingReportingOverflow(1)
        let found = isFirst ? [] : await daemon.pipeline.events(EventQuery(after: low), limit: 1).events
        guard let event = found.first, event.number == number else { throw noSuchThing(.event, "\(number)") }
        let facts = event.occurrence
        guard let rule = facts.rule, let symbol = facts.symbol, let bound = facts.bound else {
            throw refused("event \(number) is “\(facts.kind.rawValue)”: it tells of no alert")
        }
        let target = AlertTarget(rule: rule, symbol: symbol, bound: bound)
        if facts.kind == .resolved { throw refused("event \(number) says that \(target.words) is over") }
        if let end = await daemon.pipeline.end(of: target, after: number) {
            throw refused("that firing is over: event \(end.number) resolved it at \(end.occurrence.time)")
        }
        return target
    }

    /// The firings that were notified, of which there has to be one.
    private func acknowledgeable(_ target: AlertTarget, isUndone: Bool) throws(VarlinkError) -> [AlertView] {
        let views = daemon.pipeline.views(of: target)
        let firing = views.filter { $0.condition == .firing }
        guard !firing.isEmpty else { throw refused("nothing to acknowledge: \(target.words) does not fire") }
        let notified = firing.filter { $0.suppressedBy == nil }
        guard let held = firing.first?.suppressedBy, notified.isEmpty else {
            guard isUndone, notified.allSatisfy({ $0.acknowledgement == nil }) else { return notified }
            throw refused("\(target.words) is not acknowledged")
        }
        throw refused(
            "\(target.words) fires, but has not been notified yet (\(held.rawValue)): there is nothing to repeat")
    }
}

extension Pipeline {
    func views(of target: AlertTarget) -> [AlertView] {
        engine.alerts(of: target.symbol).filter {
            $0.rule.name == target.rule && (target.bound == nil || $0.bound == target.bound)
        }
    }

    /// Stops the repeats of firings, or with nil lets them go on, and saves that if it can be done now.
    ///
    /// - Returns: how many that changed.
    func acknowledge(_ target: AlertTarget, _ acknowledgement: Acknowledgement?) -> Int {
        let count = engine.acknowledge(
            rule: target.rule, symbol: target.symbol, bound: target.bound, acknowledgement)
        persist()
        return count
    }

    /// Arms alerts that have notified their once, and saves that if it can be done now.
    func arm(_ target: AlertTarget) {
        _ = engine.arm(rule: target.rule, symbol: target.symbol)
        persist()
    }

    /// The first event after that number that says that the alert is over.
    func end(of target: AlertTarget, after number: Int64) async -> Event? {
        let pattern = target.symbol.flatMap { SymbolPattern("\($0)") }
        var query = EventQuery(after: number, rule: target.rule, symbol: pattern, kind: .resolved)
        while true {
            let page = await events(query, limit: Self.endPage)
            if let end = page.events.first(where: { $0.occurrence.bound == target.bound }) { return end }
            guard page.more, let last = page.events.last?.number else { return nil }
            query.after = last
        }
    }

    private static let endPage = 500
}
