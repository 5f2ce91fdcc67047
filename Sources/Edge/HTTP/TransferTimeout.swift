internal import EventLoop
internal import Time

/// Ends a transfer that takes too long, and then others, as to make a timer costs several times as much as to set one.
@LoopActor
final class TransferTimeout {
    private let limit: Milliseconds
    private var timer: LoopTimer?
    private var transfer: Transfer?

    /// - Parameter limit: how long transfers may take, for the text of the error.
    init(limit: Milliseconds) {
        self.limit = limit
        timer = LoopTimer { [weak self] in self?.expire() }
    }

    /// Gives a transfer this much time.
    func begin(of transfer: Transfer, after delay: Milliseconds) {
        self.transfer = transfer
        timer?.arm(after: delay.duration)
    }

    /// Notes that the transfer has ended.
    func end() {
        transfer = nil
        timer?.disarm()
    }

    private func expire() {
        transfer?.answer.finish(.failure(.timeout(after: limit)))
    }
}
