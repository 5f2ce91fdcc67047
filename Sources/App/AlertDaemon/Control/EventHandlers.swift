internal import Control
internal import EventLoop
internal import Events
internal import Market
internal import Storage
internal import Time
internal import Varlink

/// The call `ListEvents`.
@LoopActor
struct EventHandlers: CallGroup {
    private let query: PipelineQuery

    init(_ query: PipelineQuery) {
        self.query = query
    }

    var handlers: [(ControlInterface.Method, VarlinkMethod)] {
        [
            (.listEvents, .query { call throws(VarlinkError) in try await self.listEvents(call) })
        ]
    }

    private func listEvents(_ call: VarlinkCall) async throws(VarlinkError) {
        let parameters = try call.decodeParameters(as: ListEventsParameters.self)
        let limit = min(parameters.limit ?? PageLimits.events, PageLimits.events)
        guard limit >= 0 else { throw .invalidParameter("limit") }
        let found = await query.events(try read(parameters), limit: limit)
        call.reply(
            ListEventsReply(
                simulated: query.isSimulated, source: query.sourceNames,
                events: found.events.map { EventRecord($0) }, more: found.more))
    }

    private func read(_ parameters: ListEventsParameters) throws(VarlinkError) -> EventQuery {
        // The source is not checked against the settings: there may be events of sources that are no longer polled.
        let written = parameters.symbol.map(SourcedText.init)
        if let before = written?.source, let source = parameters.source, before != source {
            throw .invalidParameter("symbol")
        }
        return EventQuery(
            after: parameters.after.map { Int64($0) }, before: parameters.before.map { Int64($0) },
            since: try optional(parameters.since, named: "since") { WallTime(rfc3339: $0) },
            until: try optional(parameters.until, named: "until") { WallTime(rfc3339: $0) }, rule: parameters.rule,
            source: try optional(parameters.source ?? written?.source, named: "source", SourceName.init),
            symbol: try optional(written?.symbol, named: "symbol", SymbolPattern.init),
            kind: try optional(parameters.kind, named: "kind") { EventKind(rawValue: $0.rawValue) },
            severity: try optional(parameters.severity, named: "severity") { Severity(rawValue: $0.rawValue) },
            newestFirst: parameters.newestFirst ?? false)
    }
}
