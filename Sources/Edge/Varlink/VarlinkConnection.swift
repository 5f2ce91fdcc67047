internal import EventLoop
internal import Glibc
internal import VarlinkMessages

/// One client of a server: reads its calls, has them answered one after the other, writes the replies.
@LoopActor
final class VarlinkConnection {
    /// What the timer waits for.
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
    /// A call is being answered, or is about to be.
    private var isBusy = false
    private var watch: DescriptorWatch?
    private var timer: LoopTimer?
    private var wait = Wait.nothing
    private var closeActions: [@LoopActor @Sendable () -> Void] = []
    /// Who waits until the client has read.
    private var roomWaiters: [CheckedContinuation<Void, Never>] = []

    /// Takes over a descriptor that does not block.
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

    /// How many bytes wait for the client.
    var queued: Int { output.count }

    /// Sends one message. It never calls back: what has to follow comes later.
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

    /// Whether so little waits for the client that a stream may continue: with a page of 140 KiB more for each of 64
    /// clients it stays below the limit for all.
    private var hasRoom: Bool { isClosed || output.count <= limits.streamQueue / 16 }

    /// Waits until the client has read most of what waits for it, or is gone; at least for a turn of the loop.
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

    /// Ends the connection; queued messages are not sent. The close actions are called by the loop later.
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

    /// The calls of a client that is gone are dropped, except those by which someone who may change something wants no
    /// answer: whoever sends one may close at once.
    private func hangUp() {
        defer { close() }
        guard rank > .reader else { return }
        while input.count <= limits.message, case .moved = receiveBytes(from: descriptor, { input.append($0) }) {}
        var calls: [CallHead] = []
        while let message = input.take(), let call = CallHead(message, limit: limits.message) { calls.append(call) }
        Loop.shared.start(rank.priority) { [server] in
            for call in calls where call.oneway { await server?.answer(call, on: self) }
        }
    }

    /// Reads once, so that a client that writes without end leaves turns to others.
    private func receive() {
        guard mayReceive else { return }
        let received = receiveBytes(from: descriptor) { input.append($0) }
        hasInputEnded = received == .ended
        guard !input.isPartial || input.count <= limits.message else { return closeAsMalformed() }
    }

    /// Whether to read: only when everything that was read before is answered and read by the client.
    private var mayReceive: Bool { !isBusy && !hasInputEnded && !input.hasMessage && output.isEmpty }

    /// Whether the client has read all answers to its earlier calls.
    private var mayAnswer: Bool { input.hasMessage && output.isEmpty }

    /// Has the next call answered, else waits for one.
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
    func takeTurn() {
        guard !isClosed, let message = input.take() else { return }
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

    /// The time for the rest of a call runs from its first bytes on: more of them do not make it longer.
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
