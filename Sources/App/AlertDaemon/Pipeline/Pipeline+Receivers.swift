internal import EventLoop
internal import Events
internal import Notifications

extension Pipeline {
    /// How long a drill waits for the answer of a receiver.
    private static let drillLimit = Duration.seconds(20)

    func delivery(of number: Int64, to receiver: String) async -> AttemptOutcome? {
        await receivers?.outcome(of: number, at: receiver, within: Self.drillLimit)
    }

    func retryReceivers(_ name: String?) { receivers?.retry(name) }

    func dropQueue(of name: String, by user: UserIdentity) -> Int {
        let count = receivers?.drop(name, by: user) ?? 0
        persist()
        return count
    }
}
