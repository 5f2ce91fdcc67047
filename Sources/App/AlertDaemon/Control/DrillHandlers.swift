internal import Control
internal import Delivery
internal import EventLoop
internal import Events
internal import Notifications
internal import Receivers
internal import Varlink

/// The call `Drill`.
@LoopActor
struct DrillHandlers: CallGroup {
    private let query: PipelineQuery
    private let drills: any DrillController
    private let receivers: any ReceiverController
    private let access: ControlAccess

    init(
        _ query: PipelineQuery, _ drills: any DrillController, _ receivers: any ReceiverController,
        _ access: ControlAccess
    ) {
        self.receivers = receivers
        self.query = query
        self.drills = drills
        self.access = access
    }

    var handlers: [(ControlInterface.Method, VarlinkMethod)] {
        [
            (.drill, .single { call throws(VarlinkError) in try await self.drill(call) })
        ]
    }

    private func drill(_ call: VarlinkCall) async throws(VarlinkError) {
        let user = try access.changer(call)
        let parameters = try call.decodeParameters(as: DrillParameters.self)
        let receiverNames = query.receivers.map(\.receiver.name)
        let names = query.sinks.map(\.name) + receiverNames
        if let name = parameters.sink, !names.contains(name) {
            throw .noSuchThing(.sink, name, among: names, areFew: true)
        }
        guard let event = drills.drill(sink: parameters.sink, by: user) else { return }
        var results = query.sinks.filter { parameters.sink == nil || $0.name == parameters.sink }
            .map { DrillResult($0.name, $0.outcome(of: event.number)) }
        for name in receiverNames where parameters.sink == nil || parameters.sink == name {
            guard let outcome = await receivers.delivery(of: event.number, to: name) else { continue }
            results.append(DrillResult(name, outcome))
        }
        call.reply(
            DrillReply(event: EventRecord(event), results: results, saved: query.isSaving))
    }
}

extension DrillResult {
    fileprivate init(_ receiver: String, _ outcome: AttemptOutcome) {
        switch outcome {
        case .delivered: self.init(sink: receiver, result: .delivered, detail: "accepted")
        case .waiting(let detail): self.init(sink: receiver, result: .waiting, detail: detail)
        case .failed(let detail): self.init(sink: receiver, result: .failed, detail: detail)
        }
    }

    fileprivate init(_ sink: String, _ outcome: DeliveryOutcome) {
        switch outcome {
        case .delivered(let detail): self.init(sink: sink, result: .delivered, detail: detail)
        case .waiting(let detail): self.init(sink: sink, result: .waiting, detail: detail)
        case .failed(let detail): self.init(sink: sink, result: .failed, detail: detail)
        }
    }
}
