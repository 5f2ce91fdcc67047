internal import CSystemd.Event
internal import Glibc
internal import Synchronization
internal import UnixSockets

/// sd-event as a serial executor: one thread that waits for descriptors, timers and signals, and runs the jobs of
/// ``LoopActor``.
///
/// ```swift
/// exit(Loop.shared.run { await serve() })
/// ```
@safe
@usableFromInline
package final class Loop: SerialExecutor, TaskExecutor {
    /// The only loop of the process.
    @usableFromInline package static let shared = Loop()

    /// It is used only on the loop's thread: sources are made, changed and freed only by code of ``LoopActor``.
    nonisolated(unsafe) let event: OpaquePointer

    private struct Inbox {
        var jobs: [UnownedJob] = []
        /// Whether the loop's thread is waiting in the kernel, or about to, so that a job of another thread has to wake
        /// it. A job of its own comes from a source that is being dispatched, and runs right after it.
        var isWaiting = false
        var thread: pthread_t?
    }

    /// Takes the place of the kernel's timers, for a simulation; nil otherwise. To be set before any timer is armed.
    @LoopActor package var virtualTime: VirtualTime? {
        get { unsafe virtual }
        set { unsafe virtual = newValue }
    }
    /// It is used only on the loop's thread, like ``event``.
    private nonisolated(unsafe) var virtual: VirtualTime?

    private let inbox = Mutex(Inbox())
    private let wakeDescriptor: Int32

    /// Jobs that wait until nothing more important is ready; used only on the loop's thread.
    private struct Waiting {
        var administration = JobQueue()
        var client = JobQueue()
        /// What the last turn dispatched.
        var dispatched = LoopPriority.client

        var isEmpty: Bool { administration.isEmpty && client.isEmpty }
    }

    nonisolated(unsafe) private var waiting = Waiting()
    /// The jobs of this turn; empty between turns, when it takes the place of the inbox's.
    nonisolated(unsafe) private var running: [UnownedJob] = []

    private init() {
        var event: OpaquePointer?
        let status = unsafe sd_event_new(&event)
        guard status >= 0, let event = unsafe event else {
            preconditionFailure("sd_event_new: \(describe(errorNumber: -status))")
        }
        unsafe self.event = unsafe event
        wakeDescriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        precondition(wakeDescriptor >= 0, "eventfd: \(describe(errorNumber: errno))")
        let added = unsafe sd_event_add_io(
            event, nil, wakeDescriptor, EPOLLIN.rawValue,
            { _, descriptor, _, _ in
                var count: UInt64 = 0
                // The count does not matter; reading resets the descriptor.
                _ = unsafe read(descriptor, &count, MemoryLayout<UInt64>.size)
                Loop.shared.didDispatch(.standard)
                return 0
            }, nil)
        precondition(added >= 0, "sd_event_add_io: \(describe(errorNumber: -added))")
    }

    /// Runs `body`, and everything it starts, on the calling thread until `body` returns; then returns its value.
    ///
    /// Only one thread can run the loop, and only once.
    package func run(_ body: @escaping @LoopActor @Sendable () async -> Int32) -> Int32 {
        inbox.withLock {
            precondition($0.thread == nil, "the loop runs already")
            $0.thread = pthread_self()
        }
        let result = Mutex<Int32?>(nil)
        start {
            let code = await body()
            result.withLock { $0 = code }
        }
        while true {
            runJobs()
            if let code = result.withLock({ $0 }) { return code }
            let status = dispatch()
            if unsafe virtual != nil, status == 0, unsafe waiting.isEmpty, inbox.withLock({ $0.jobs.isEmpty }) {
                LoopActor.assumeIsolated { virtualTime?.becameQuiet() }
            }
            // One job, and only if nothing more important was ready: whatever clients ask for, the daemon's own work
            // waits for one job of theirs at most.
            if unsafe waiting.dispatched == .client { runWaitingJob() }
        }
    }

    /// Dispatches the most important source that is ready, and waits for one if there are no jobs.
    ///
    /// - Returns: 0 when none was ready.
    private func dispatch() -> Int32 {
        let mustNotWait = unsafe virtual != nil || !waiting.isEmpty
        let mayWait = inbox.withLock {
            $0.isWaiting = $0.jobs.isEmpty && !mustNotWait
            return $0.isWaiting
        }
        unsafe waiting.dispatched = .client
        let status = unsafe sd_event_run(event, mayWait ? UInt64.max : 0)
        inbox.withLock { $0.isWaiting = false }
        precondition(status >= 0 || status == -EINTR, "sd_event_run: \(describe(errorNumber: -status))")
        return status
    }

    /// To be called by each source of a priority when it is dispatched.
    func didDispatch(_ priority: LoopPriority) {
        unsafe waiting.dispatched = priority
    }

    /// Starts a task that never leaves the loop's thread.
    ///
    /// - Parameters:
    ///   - priority: what its jobs wait for, whoever starts it.
    ///   - operation: what it does.
    /// - Returns: the task.
    ///
    /// A task made in any other way resumes from a continuation on the threads of the concurrency library's pool before
    /// it returns to the loop: those threads would be started for nothing, and a busy pool would delay the loop.
    @discardableResult
    package func start<Success: Sendable>(
        _ priority: LoopPriority = .standard, _ operation: @escaping @LoopActor @Sendable () async -> Success
    ) -> Task<Success, Never> {
        Task(executorPreference: self, priority: priority.taskPriority, operation: operation)
    }

    /// Runs the jobs that are queued now; those that they add wait until descriptors and timers have had their turn.
    private func runJobs() {
        inbox.withLock { unsafe swap(&$0.jobs, &running) }
        for job in unsafe running {
            switch LoopPriority(job.priority) {
            case .administration: unsafe waiting.administration.append(job)
            case .client: unsafe waiting.client.append(job)
            case .signal, .standard, .delivery: run(job)
            }
        }
        unsafe running.removeAll(keepingCapacity: true)
    }

    private func runWaitingJob() {
        if let job = unsafe waiting.administration.popFirst() ?? waiting.client.popFirst() { run(job) }
    }

    private func run(_ job: UnownedJob) {
        unsafe job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }

    /// Queues a job from any thread, and wakes the loop if it is waiting.
    @usableFromInline
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let mustWake = inbox.withLock {
            $0.jobs.append(job)
            guard $0.isWaiting, $0.thread.map({ pthread_equal($0, pthread_self()) }) == 0 else { return false }
            $0.isWaiting = false
            return true
        }
        if mustWake { wake() }
    }

    private func wake() {
        var one: UInt64 = 1
        // It can fail only when the count is at its maximum, and then the loop wakes up anyway.
        _ = unsafe write(wakeDescriptor, &one, MemoryLayout<UInt64>.size)
    }

    @usableFromInline
    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        unsafe UnownedSerialExecutor(ordinary: self)
    }

    /// Traps unless it is called on the thread of the loop.
    @usableFromInline
    package func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "not on the thread of the event loop")
    }

    /// Whether it is called on the thread of the loop.
    @usableFromInline
    package func isIsolatingCurrentContext() -> Bool? {
        inbox.withLock { $0.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }
}
