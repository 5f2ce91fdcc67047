internal import EventLoop
internal import Glibc
internal import VarlinkMessages

/// A client's connection to a server. It reads calls, passes them on one after the other, and writes the replies.
@LoopActor
final class VarlinkConnection {
    /// The input that the timer waits for.
    private enum Wait {
        case nothing
        case restOfCall
        case nextCall
    }

    let peer: PeerCredentials
    let rank: PeerRank
    private(set) var isClosed = false

    private let descriptor: Int32
    private let limits: VarlinkLimits
    private weak let server: VarlinkServer?
    private var input = MessageBuffer()
    private var hasInputEnded = false
    private var output = OutputQueue()
    /// True while a call is being answered, or waits for its turn.
    private var isBusy = false
    private var watch: DescriptorWatch?
    private var timer: LoopTimer?
    private var wait = Wait.nothing
    private var closeActions: [@LoopActor @Sendable () -> Void] = []
    /// Tasks that wait until the client has read its replies.
    private var roomWaiters: [CheckedContinuation<Void, Never>] = []

    /// Adopts a non-blocking descriptor.
    init(_ descriptor: Int32, peer: PeerCredentials, rank: PeerRank, limits: VarlinkLimits, server: VarlinkServer) {
        self.descriptor = descriptor
        self.peer = peer
        self.rank = rank
        self.limits = limits
        self.server = server
        timer = LoopTimer(accuracy: .milliseconds(100), priority: rank.priority) { [weak self] in
            self?.waitedTooLong()
        }
        watch = DescriptorWatch(descriptor, for: .readable, priority: rank.priority) { [weak self] in
            self?.becameReady($0)
        }
        proceed()
    }

    /// Bytes that are queued for the client.
    var queued: Int { output.count }

    /// Sends one message. Never calls the close actions itself; the loop calls them later.
    func send(_ message: [UInt8], ofStream isStream: Bool) {
        guard !isClosed else { return }
        guard !message.contains(0) else { return close() }
        output.append(message: message)
        guard output.write(to: descriptor) else { return close() }
        let limit = isStream ? limits.streamQueue : limits.queue
        guard output.count <= limit, output.isEmpty || server?.hasRoom(for: self) ?? false else {
            server?.counters.overflowed += 1
            return close()
        }
        watchForWhatMatters()
    }

    /// True if so little is queued for the client that a stream may continue. With another page of 140 KiB for each
    /// of 64 clients, the queues stay below the limit for all clients.
    private var hasRoom: Bool { isClosed || output.count <= limits.streamQueue / 16 }

    /// Waits until the client has read most of its queue or is gone, at least for a turn of the loop.
    func untilRoom() async {
        await Task.yield()
        guard !hasRoom else { return }
        await withCheckedContinuation { roomWaiters.append($0) }
    }

    private func resumeWaiters() {
        guard hasRoom else { return }
        let waiters = roomWaiters
        roomWaiters = []
        for waiter in waiters { waiter.resume() }
    }

    /// Closes the connection. Queued messages are not sent, and the loop calls the close actions later.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        watch?.end()
        timer?.disarm()
        Glibc.close(descriptor)
        (input, output) = (MessageBuffer(), OutputQueue())
        server?.didClose(self)
        resumeWaiters()
        let actions = closeActions
        closeActions = []
        for action in actions { Loop.shared.start(rank.priority) { action() } }
    }

    func onClose(_ action: @escaping @LoopActor @Sendable () -> Void) {
        if isClosed {
            Loop.shared.start(rank.priority) { action() }
        } else {
            closeActions.append(action)
        }
    }

    private func becameReady(_ readiness: Readiness) {
        guard !isClosed else { return }
        if readiness.contains(.writable) {
            guard output.write(to: descriptor) else { return close() }
            resumeWaiters()
            watchForWhatMatters()
        }
        if !readiness.isDisjoint(with: [.hungUp, .failed]) { return hangUp() }
        if readiness.contains(.readable) { receive() }
        proceed()
    }

    /// Drops the calls of a client that is gone. One-way calls of a user who may change something are still executed,
    /// because their client may close immediately after sending them.
    private func hangUp() {
        defer { close() }
        guard rank > .reader else { return }
        while input.count <= limits.message, case .moved = receiveBytes(from: descriptor, { input.append($0) }) {}
        var calls: [CallHead] = []
        while let message = input.dequeue(), let call = CallHead(message, limit: limits.message) { calls.append(call) }
        Loop.shared.start(rank.priority) { [server] in
            for call in calls where call.oneway { await server?.answer(call, on: self) }
        }
    }

    /// Reads once, so that a client that never stops writing leaves turns to other clients.
    private func receive() {
        guard mayReceive else { return }
        let received = receiveBytes(from: descriptor) { input.append($0) }
        hasInputEnded = received == .ended
        guard !input.isPartial || input.count <= limits.message else { return closeAsMalformed() }
    }

    /// True if more may be read: every earlier call is answered, and the client has read the replies.
    private var mayReceive: Bool { !isBusy && !hasInputEnded && !input.hasMessage && output.isEmpty }

    /// True if there is a call, and the client has read all replies to earlier ones.
    private var mayAnswer: Bool { input.hasMessage && output.isEmpty }

    /// Requests a turn for the next call, or waits for a call.
    private func proceed() {
        guard !isClosed, !isBusy else { return }
        if mayAnswer {
            isBusy = true
            wait = .nothing
            timer?.disarm()
            server?.askForTurn(self)
        } else if hasInputEnded, output.isEmpty {
            return close()
        } else {
            armTimer()
        }
        watchForWhatMatters()
    }

    /// Answers one call.
    func answerNextCall() {
        guard !isClosed, let message = input.dequeue() else { return }
        guard let head = CallHead(message, limit: limits.message) else { return closeAsMalformed() }
        Loop.shared.start(rank.priority) {
            if !self.isClosed || (head.oneway && self.rank > .reader) { await self.server?.answer(head, on: self) }
            self.isBusy = false
            self.proceed()
        }
    }

    private func closeAsMalformed() {
        server?.counters.malformed += 1
        close()
    }

    private func watchForWhatMatters() {
        guard !isClosed else { return }
        var interest: Readiness = []
        if mayReceive { interest.insert(.readable) }
        if !output.isEmpty { interest.insert(.writable) }
        watch?.interest = interest
    }

    /// Arms the timer. The time for the rest of a call begins with its first bytes; further bytes do not extend it.
    private func armTimer() {
        if !input.isPartial {
            wait = .nextCall
            timer?.arm(after: limits.idleTime)
        } else if wait != .restOfCall {
            wait = .restOfCall
            timer?.arm(after: limits.messageTime)
        }
    }

    private func waitedTooLong() {
        server?.counters.timedOut += 1
        close()
    }
}
