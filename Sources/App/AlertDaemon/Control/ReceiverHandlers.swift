internal import Control
internal import Diagnostics
internal import EventLoop
internal import Events
internal import Notifications
internal import Receivers
internal import Storage
internal import Time
internal import Varlink

/// The calls about receivers: `ListReceivers`, `ListQueue`, `ListDeliveries`, `RetryQueue` and `DropQueue`.
@LoopActor
struct ReceiverHandlers: CallGroup {
    private let query: PipelineQuery
    private let control: any ReceiverController
    private let access: ControlAccess

    init(_ query: PipelineQuery, _ control: any ReceiverController, _ access: ControlAccess) {
        self.query = query
        self.control = control
        self.access = access
    }

    var handlers: [(ControlInterface.Method, VarlinkMethod)] {
        [
            (.listReceivers, .query { call in call.reply(ListReceiversReply(receivers: self.statuses)) }),
            (.listQueue, .query { call throws(VarlinkError) in try self.listQueue(call) }),
            (.listDeliveries, .query { call throws(VarlinkError) in try self.listDeliveries(call) }),
            (.retryQueue, .single { call throws(VarlinkError) in try self.retry(call) }),
            (.dropQueue, .single { call throws(VarlinkError) in try self.drop(call) }),
        ]
    }

    private var statuses: [ReceiverStatus] {
        query.receivers.map { ReceiverStatus($0, at: query.clock.now()) }
    }

    private func listQueue(_ call: VarlinkCall) throws(VarlinkError) {
        let name = try call.decodeParameters(as: ListQueueParameters.self).receiver
        let view = try known(name)
        call.reply(
            ListQueueReply(
                count: view.queued.count,
                entries: view.queued.prefix(PageLimits.queueEntries).map {
                    QueueEntry(number: Int($0.number), time: $0.time.description)
                }))
    }

    private func listDeliveries(_ call: VarlinkCall) throws(VarlinkError) {
        let number = try call.decodeParameters(as: ListDeliveriesParameters.self).number
        let stored = query.deliveries(of: Int64(number))
        call.reply(ListDeliveriesReply(deliveries: stored.map { Delivery($0) }))
    }

    private func retry(_ call: VarlinkCall) throws(VarlinkError) {
        let user = try access.changer(call)
        let name = try call.decodeParameters(as: RetryQueueParameters.self).receiver
        if let name { _ = try known(name) }
        access.record("delivery to \(name ?? "all receivers") retried by \(user)")
        control.retryReceivers(name)
        call.reply(Nothing())
    }

    private func drop(_ call: VarlinkCall) throws(VarlinkError) {
        let user = try access.changer(call)
        let name = try call.decodeParameters(as: DropQueueParameters.self).receiver
        _ = try known(name)
        let count = control.dropQueue(of: name, by: user)
        let notifications = count == 1 ? "1 notification" : "\(count) notifications"
        access.record("\(notifications) for \(name) dropped by \(user)")
        call.reply(DropQueueReply(dropped: count))
    }

    private func known(_ name: String) throws(VarlinkError) -> ReceiverView {
        guard let view = query.receivers.first(where: { $0.receiver.name == name }) else {
            throw .noSuchThing(.receiver, name, among: query.receivers.map(\.receiver.name), areFew: true)
        }
        return view
    }
}

extension PipelineQuery {
    /// Warnings about receivers that cannot send because of their credentials, so that people notice before an alert
    /// fires.
    var receiverFaults: [Finding] {
        receivers.compactMap { view in
            view.progress.fault.map { fault in
                Finding(.warning, at: nil, "receiver \(view.receiver.name) cannot send: \(fault)")
            }
        }
    }
}

extension FailingReceiver {
    /// Returns nil for a receiver that can send and has no reported failure.
    init?(_ view: ReceiverView) {
        let (receiver, progress) = (view.receiver, view.progress)
        guard progress.isReported || view.blocker != nil else { return nil }
        self.init(
            name: receiver.name, stopped: view.blocker != nil,
            message: view.blocker ?? progress.lastFailure?.reason,
            credential: receiver.credential ?? receiver.urlCredential)
    }
}

extension ReceiverStatus {
    fileprivate init(_ view: ReceiverView, at now: Instant) {
        let progress = view.progress
        let isFailing = progress.failingSince != nil || progress.shortfall != nil
        self.init(
            name: view.receiver.name, type: view.receiver.kind.rawValue,
            state: view.blocker != nil ? .stopped : isFailing ? .failing : .ok,
            message: view.blocker ?? (isFailing ? progress.lastFailure?.reason : nil), queued: view.queued.count,
            oldest: view.queued.first?.time.description, delivered: progress.delivered, refused: progress.refused,
            expired: progress.expired, dropped: progress.dropped, lastSuccess: progress.lastSuccess?.description,
            lastFailure: progress.lastFailure?.time.description,
            nextAttempt: progress.nextAttempt.map { now.wall(at: $0).description })
    }
}

extension Delivery {
    fileprivate init(_ stored: StoredDelivery) {
        self.init(
            receiver: stored.receiver, state: .init(rawValue: stored.state.rawValue), time: stored.time?.description,
            detail: stored.detail)
    }
}
