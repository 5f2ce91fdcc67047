internal import Control
internal import Engine
internal import EventLoop
internal import Market
internal import Rules
internal import Varlink

/// The calls `ListRules`, `ListAlerts` and `Explain`.
@LoopActor
struct RuleHandlers: CallGroup {
    private let query: PipelineQuery

    init(_ query: PipelineQuery) {
        self.query = query
    }

    var handlers: [(ControlInterface.Method, VarlinkMethod)] {
        [
            (.listRules, .query { call throws(VarlinkError) in try await self.listRules(call) }),
            (.listAlerts, .query { call throws(VarlinkError) in try await self.listAlerts(call) }),
            (.explain, .query { call throws(VarlinkError) in try await self.explain(call) }),
        ]
    }

    private func listRules(_ call: VarlinkCall) async throws(VarlinkError) {
        let parameters = try call.decodeParameters(as: ListRulesParameters.self)
        var slices = WorkSlices(for: call)
        let page = try await query.rules(&slices, from: try pageStart(parameters.next))
        call.reply(ListRulesReply(rules: page.rules, next: page.next))
    }

    private func listAlerts(_ call: VarlinkCall) async throws(VarlinkError) {
        let parameters = try call.decodeParameters(as: ListAlertsParameters.self)
        let symbol: Symbol? = if let name = parameters.symbol { try query.known(name) } else { nil }
        var slices = WorkSlices(for: call)
        let page = try await query.alerts(
            &slices, of: symbol, firingOnly: parameters.firingOnly ?? false, from: try pageStart(parameters.next))
        call.reply(ListAlertsReply(simulated: query.isSimulated, alerts: page.alerts, next: page.next))
    }

    private func explain(_ call: VarlinkCall) async throws(VarlinkError) {
        let parameters = try call.decodeParameters(as: ExplainParameters.self)
        let number = try query.number(ofRule: parameters.rule)
        let symbol: Symbol? = if let name = parameters.symbol { try query.known(name) } else { nil }
        var slices = WorkSlices(for: call)
        let page = try await query.explanations(
            &slices, ofRule: number, symbol, from: try pageStart(parameters.next), limit: PageLimits.explanations)
        guard let state = try await query.rules(&slices, number..<number + 1).first else {
            throw .noSuchRule(parameters.rule, among: [])
        }
        call.reply(
            ExplainReply(simulated: query.isSimulated, rule: state, alerts: page.explanations, next: page.next))
    }
}
