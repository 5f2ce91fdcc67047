internal import EventLoop
package import Events
internal import Notifications
package import Receivers
internal import Time

extension Pipeline {
    /// The longest time that a drill waits for a receiver to answer.
    private static let drillLimit = Duration.seconds(20)

    func delivery(of number: Int64, to receiver: String) async -> AttemptOutcome? {
        await receivers?.outcome(of: number, at: receiver, within: Self.drillLimit)
    }

    func retryReceivers(_ name: String?) { receivers?.retry(name) }

    func dropQueue(of name: String, by user: UserIdentity) -> Int {
        let count = receivers?.drop(name, by: user) ?? 0
        commit()
        return count
    }
}

extension Pipeline: NotificationRecorder {
    package func save(_ changes: QueueChanges) { stateStore.save(queues: changes, at: clock.now()) }

    package func report(_ kind: EventKind, of receiver: String, _ text: String) {
        var details = DecisionDetails()
        details.receiver = receiver
        commit([
            Occurrence(
                time: clock.now().wall, kind: kind, severity: kind == .receiverFailed ? .warning : .info,
                details: details, text: text)
        ])
    }
}
