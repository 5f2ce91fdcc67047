internal import Control
internal import Delivery
internal import EventLoop
internal import Events
internal import Varlink

/// The call `Drill`.
@LoopActor
struct DrillHandlers: CallGroup {
    private let query: PipelineQuery
    private let drills: any DrillController
    private let access: ControlAccess

    init(_ query: PipelineQuery, _ drills: any DrillController, _ access: ControlAccess) {
        self.query = query
        self.drills = drills
        self.access = access
    }

    var handlers: [(ControlInterface.Method, VarlinkMethod)] {
        [
            (.drill, .single { call throws(VarlinkError) in try self.drill(call) })
        ]
    }

    private func drill(_ call: VarlinkCall) throws(VarlinkError) {
        let user = try access.changer(call)
        let parameters = try call.decodeParameters(as: DrillParameters.self)
        let names = query.sinks.map(\.name)
        if let name = parameters.sink, !names.contains(name) {
            throw .noSuchThing(.sink, name, among: names, areFew: true)
        }
        guard let event = drills.drill(sink: parameters.sink, by: user) else { return }
        let results = query.sinks.filter { parameters.sink == nil || $0.name == parameters.sink }
            .map { DrillResult($0.name, $0.outcome(of: event.number)) }
        call.reply(
            DrillReply(event: EventRecord(event), results: results, saved: query.isSaving))
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
