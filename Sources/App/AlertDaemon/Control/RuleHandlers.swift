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
        let page = try await query.lanes.map(query.of).page(from: try pageStart(parameters.next)) {
            source, start throws(VarlinkError) in
            let page = try await source.rules(&slices, from: start)
            return (page.rules, page.next)
        }
        call.reply(ListRulesReply(rules: page.elements, next: page.next))
    }

    private func listAlerts(_ call: VarlinkCall) async throws(VarlinkError) {
        let parameters = try call.decodeParameters(as: ListAlertsParameters.self)
        let sources = try query.sources(parameters.source ?? parameters.symbol.flatMap { SourcedText($0).source })
        // The source of the found symbol does not matter: a symbol has the same name in all sources.
        let symbol = try parameters.symbol.map { name throws(VarlinkError) in try query.known(name).symbol }
        var slices = WorkSlices(for: call)
        let page = try await sources.page(from: try pageStart(parameters.next)) {
            source, start throws(VarlinkError) in
            let page = try await source.alerts(
                &slices, of: symbol, firingOnly: parameters.firingOnly ?? false, from: start)
            return (page.alerts, page.next)
        }
        call.reply(ListAlertsReply(simulated: query.isSimulated, alerts: page.elements, next: page.next))
    }

    private func explain(_ call: VarlinkCall) async throws(VarlinkError) {
        let parameters = try call.decodeParameters(as: ExplainParameters.self)
        let rule = try query.rule(parameters.rule)
        let query = query.on(rule: rule.name)
        let number = try query.number(ofRule: rule.name)
        let symbol = try parameters.symbol.map { name throws(VarlinkError) in try query.symbol(name, of: rule) }
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
