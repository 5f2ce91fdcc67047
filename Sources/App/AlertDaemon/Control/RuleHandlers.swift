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
            (.listRules, .query { call throws(VarlinkError) in try self.listRules(call) }),
            (.listAlerts, .query { call throws(VarlinkError) in try self.listAlerts(call) }),
            (.explain, .query { call throws(VarlinkError) in try self.explain(call) }),
        ]
    }

    private func listRules(_ call: VarlinkCall) throws(VarlinkError) {
        let parameters = try call.decodeParameters(as: ListRulesParameters.self)
        let page = query.rules(from: try pageStart(parameters.next))
        call.reply(ListRulesReply(rules: page.rules, next: page.next))
    }

    private func listAlerts(_ call: VarlinkCall) throws(VarlinkError) {
        let parameters = try call.decodeParameters(as: ListAlertsParameters.self)
        let symbol: Symbol? = if let name = parameters.symbol { try query.known(name) } else { nil }
        let page = query.alerts(
            of: symbol, firingOnly: parameters.firingOnly ?? false, from: try pageStart(parameters.next))
        call.reply(ListAlertsReply(simulated: query.isSimulated, alerts: page.alerts, next: page.next))
    }

    private func explain(_ call: VarlinkCall) throws(VarlinkError) {
        let parameters = try call.decodeParameters(as: ExplainParameters.self)
        let rule = try query.rule(parameters.rule)
        let symbol: Symbol? = if let name = parameters.symbol { try query.known(name) } else { nil }
        guard let state = query.rules(named: rule.name).first else { throw .noSuchRule(rule.name, among: []) }
        let page = query.engine.explain(
            rule: rule.name, symbol: symbol, at: query.clock.now(), from: try pageStart(parameters.next),
            limit: PageLimits.explanations)
        call.reply(
            ExplainReply(
                simulated: query.isSimulated, rule: state,
                alerts: page.explanations.map { Control.AlertExplanation($0, query.state(of: $0.view)) },
                next: page.next))
    }
}
