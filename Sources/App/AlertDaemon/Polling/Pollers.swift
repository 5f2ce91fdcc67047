internal import Configuration
internal import EventLoop
internal import Feeds
internal import Market
internal import Time

/// The pollers of all sources, in the order of the settings. None of them waits for another.
@LoopActor
final class Pollers {
    private(set) var all: [Poller]
    private var tasks: [SourceName: Task<Void, Never>] = [:]
    /// Called after each poll; nil before polling has begun.
    private var afterPoll: (@LoopActor () -> Void)?

    /// - Parameter pollers: at least one.
    init(_ pollers: [Poller]) {
        all = pollers
    }

    /// The poller of the first source in the settings.
    var first: Poller { all[0] }

    subscript(name: SourceName) -> Poller? {
        all.first { $0.lane.name == name }
    }

    /// Polls all sources, beginning immediately.
    func start(afterPoll: @escaping @LoopActor () -> Void) {
        self.afterPoll = afterPoll
        for poller in all { start(poller) }
    }

    private func start(_ poller: Poller) {
        guard let afterPoll else { return }
        tasks[poller.lane.name] = Loop.shared.start { await poller.run(afterPoll: afterPoll) }
    }

    /// Continues with the pollers of these sources, in this order.
    ///
    /// - Parameters:
    ///   - lanes: the sources, at least one.
    ///   - make: creates the poller of a source that had none.
    func set(_ lanes: [Lane], _ make: (Lane) -> Poller) {
        let old = all
        all = lanes.map { lane in old.first { $0.lane === lane } ?? make(lane) }
        for poller in old where !all.contains(where: { $0 === poller }) {
            tasks.removeValue(forKey: poller.lane.name)?.cancel()
        }
        for poller in all where !old.contains(where: { $0 === poller }) { start(poller) }
    }

    func pollNow(_ source: SourceName, force: Bool) async throws(PollRequestError) -> PollSummary {
        guard let poller = self[source] else { throw .stopping }
        return try await poller.pollNow(force: force)
    }

    /// Ends all polling.
    func stop() async {
        for task in tasks.values { task.cancel() }
        for task in tasks.values { await task.value }
        tasks = [:]
        // The closure refers to the daemon.
        afterPoll = nil
    }
}
