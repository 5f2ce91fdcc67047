internal import EventLoop

/// Runs its action once after the current turn of the loop, however often it is scheduled.
@LoopActor
final class DeferredFlush {
    private let action: @LoopActor () -> Void
    private var isScheduled = false

    init(action: @escaping @LoopActor () -> Void) {
        self.action = action
    }

    func schedule() {
        guard !isScheduled else { return }
        isScheduled = true
        Loop.shared.start { [weak self] in self?.run() }
    }

    private func run() {
        isScheduled = false
        action()
    }
}
