internal import Control
internal import Engine
internal import EventLoop
internal import Events
internal import Market
internal import Rules
internal import Storage
internal import Time
internal import Varlink

/// The calls `Acknowledge` and `Arm`.
@LoopActor
struct AlertHandlers: CallGroup {
    private let query: PipelineQuery
    private let alerts: any AlertController
    private let access: ControlAccess

    init(_ query: PipelineQuery, _ alerts: any AlertController, _ access: ControlAccess) {
        self.query = query
        self.alerts = alerts
        self.access = access
    }

    var handlers: [(ControlInterface.Method, VarlinkMethod)] {
        [
            (.acknowledge, .single { call throws(VarlinkError) in try await self.acknowledge(call) }),
            (.arm, .single { call throws(VarlinkError) in try await self.arm(call) }),
        ]
    }

    private func acknowledge(_ call: VarlinkCall) async throws(VarlinkError) {
        let user = try access.changer(call)
        let parameters = try call.decodeParameters(as: AcknowledgeParameters.self)
        var slices = WorkSlices(for: call)
        let target = try await target(&slices, parameters)
        let isUndone = parameters.undo ?? false
        let notified = try acknowledgeable(try await query.views(&slices, of: target), of: target, isUndone: isUndone)
        let new = isUndone ? nil : Acknowledgement(by: user, at: query.clock.now().wall)
        let count = alerts.acknowledge(target, new)
        access.record("\(target.text) \(isUndone ? "no longer acknowledged" : "acknowledged") by \(user)")
        let keys = Set(notified.map(AlertTarget.init))
        let found = try await query.views(&slices, of: target).filter { keys.contains(AlertTarget($0)) }.prefix(
            PageLimits.alerts)
        call.reply(
            AcknowledgeReply(
                alerts: found.map(query.on(rule: target.rule).state), changed: count, saved: query.isSaving)
        )
    }

    private func arm(_ call: VarlinkCall) async throws(VarlinkError) {
        let user = try access.changer(call)
        let parameters = try call.decodeParameters(as: ArmParameters.self)
        var slices = WorkSlices(for: call)
        let target = try await query.target(&slices, rule: parameters.rule, symbol: parameters.symbol)
        let views = try await query.views(&slices, of: target)
        guard try query.rule(target.rule).notification.once else {
            throw .refused("rule '\(target.rule)' does not set 'once', so it is always armed")
        }
        let disarmed = views.filter(\.isDisarmed)
        guard !disarmed.isEmpty else {
            throw .refused("nothing to arm: \(target.text) has not notified since it was armed")
        }
        guard !disarmed.allSatisfy({ $0.condition == .expired }) else {
            throw .refused("rule '\(target.rule)' has expired: it sends nothing, armed or not")
        }
        alerts.arm(target)
        access.record("\(target.text) armed by \(user)")
        let keys = Set(disarmed.map(AlertTarget.init))
        let found = try await query.views(&slices, of: target).filter { keys.contains(AlertTarget($0)) }.prefix(
            PageLimits.alerts)
        call.reply(ArmReply(alerts: found.map(query.on(rule: target.rule).state), saved: query.isSaving))
    }

    private func target(
        _ slices: inout WorkSlices, _ parameters: AcknowledgeParameters
    ) async throws(VarlinkError) -> AlertTarget {
        switch (parameters.event, parameters.rule) {
        case (nil, let rule?): return try await query.target(&slices, rule: rule, symbol: parameters.symbol)
        case (let number?, nil):
            guard parameters.symbol == nil else { throw .invalidParameter("symbol") }
            return try await target(event: Int64(number))
        default: throw .invalidParameter("event")
        }
    }

    /// Returns the alert of an event, or throws `Refused` if the firing that the event belongs to has ended.
    private func target(event number: Int64) async throws(VarlinkError) -> AlertTarget {
        let (low, isFirst) = number.subtractingReportingOverflow(1)
        let found = isFirst ? [] : await query.events(EventQuery(after: low), limit: 1).events
        guard let event = found.first, event.number == number else { throw .noSuchThing(.event, "\(number)") }
        let facts = event.occurrence
        guard let rule = facts.rule, let symbol = facts.symbol, let bound = facts.bound else {
            throw .refused("event \(number) is '\(facts.kind.rawValue)': it does not belong to an alert")
        }
        let target = AlertTarget(rule: rule, symbol: symbol, bound: bound)
        if facts.kind == .resolved { throw .refused("event \(number) reports that \(target.text) has resolved") }
        if let end = await query.end(of: target, after: number) {
            throw .refused("that firing has ended: event \(end.number) resolved it at \(end.occurrence.time)")
        }
        return target
    }

    /// Returns the alerts that are firing and have been notified.
    ///
    /// - Throws: `Refused` if there are none, or if there is no acknowledgement to undo.
    private func acknowledgeable(
        _ views: [AlertView], of target: AlertTarget, isUndone: Bool
    ) throws(VarlinkError) -> [AlertView] {
        let firing = views.filter { $0.condition == .firing }
        guard !firing.isEmpty else { throw .refused("nothing to acknowledge: \(target.text) is not firing") }
        let notified = firing.filter { $0.suppressedBy == nil }
        guard let held = firing.first?.suppressedBy, notified.isEmpty else {
            guard isUndone, notified.allSatisfy({ $0.acknowledgement == nil }) else { return notified }
            throw .refused("\(target.text) is not acknowledged")
        }
        throw .refused(
            "\(target.text) is firing, but has not been notified yet (\(held.rawValue)): there are no repeats to stop")
    }
}
