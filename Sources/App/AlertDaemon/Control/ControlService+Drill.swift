internal import Control
internal import Delivery
internal import EventLoop
internal import Events
internal import Market
internal import Time
internal import Varlink

/// What the command `drill` asks for.
extension ControlService {
    func drill(_ call: VarlinkCall) throws(VarlinkError) {
        let user = try changer(call)
        let parameters = try call.decodeParameters(as: DrillParameters.self)
        let pipeline = daemon.pipeline
        let names = pipeline.sinks.map(\.name)
        if let name = parameters.sink, !names.contains(name) {
            throw noSuchThing(.sink, name, among: names, areFew: true)
        }
        guard let event = pipeline.drill(sink: parameters.sink, by: user) else { return }
        let results = pipeline.sinks.filter { parameters.sink == nil || $0.name == parameters.sink }
            .map { DrillResult($0.name, $0.outcome(of: event.number)) }
        call.reply(
            DrillReply(event: EventRecord(event), results: results, saved: !pipeline.stateStore.isDegraded))
    }
}

extension Pipeline {
    /// Tells a test event to all sinks or to one of them, in the way of any other event.
    ///
    /// - Returns: the event with its number.
    func drill(sink: String?, by user: UserIdentity) -> Event? {
        let words = sink.map { " of the sink \($0)" } ?? ""
        commitAndDeliver([
            Occurrence(
                time: clock.now().wall, kind: .test, severity: .info, sink: sink,
                text: "TEST: a drill\(words) by \(user); nothing has happened")
        ])
        return events.kept.last { $0.occurrence.kind == .test }
    }
}

extension DrillResult {
    fileprivate init(_ sink: String, _ outcome: DeliveryOutcome) {
        switch outcome {
        case .delivered(let detail): self.init(sink: sink, result: .delivered, detail: detail)
        case .waiting(let detail): self.init(sink: sink, result: .waiting, detail: detail)
        case .failed(let detail): self.init(sink: sink, result: .failed, detail: detail)
        }
    }
}
