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

    /// Used only on the loop's thread: only code of ``LoopActor`` creates, changes and frees event sources.
    nonisolated(unsafe) let event: OpaquePointer

    private struct Inbox {
        var jobs: [UnownedJob] = []
        /// True while the loop's thread waits in the kernel, or is about to, so that a job from another thread must
        /// wake it. A job from the loop's own thread comes from an event source being dispatched, and runs right
        /// after that.
        var isWaiting = false
        var thread: pthread_t?
    }

    /// Virtual time for a simulation, which replaces the kernel's timers; nil otherwise. Set it before any timer is
    /// armed.
    @LoopActor package var virtualTime: VirtualTime? {
        get { unsafe virtual }
        set { unsafe virtual = newValue }
    }
    /// Used only on the loop's thread, like ``event``.
    private nonisolated(unsafe) var virtual: VirtualTime?

    private let inbox = Mutex(Inbox())
    private let wakeDescriptor: Int32

    /// Jobs that wait until nothing more important is ready. Used only on the loop's thread.
    private struct Waiting {
        var administration = JobQueue()
        var client = JobQueue()
        /// The priority of the event source that the last turn dispatched, or `client` if it dispatched none.
        var dispatched = LoopPriority.client

        var isEmpty: Bool { administration.isEmpty && client.isEmpty }
    }

    nonisolated(unsafe) private var waiting = Waiting()
    /// The jobs of this turn; empty between turns. At the start of a turn, the array is swapped with the inbox's
    /// jobs, so that the memory of both is reused.
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
                // Reading resets the descriptor; the count does not matter.
                _ = unsafe read(descriptor, &count, MemoryLayout<UInt64>.size)
                Loop.shared.didDispatch(.standard)
                return 0
            }, nil)
        precondition(added >= 0, "sd_event_add_io: \(describe(errorNumber: -added))")
    }

    /// Runs `body`, and everything it starts, on the calling thread until `body` returns, and returns its value.
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
            // Run one job, and only if nothing more important was ready: whatever clients request, the daemon's own
            // work waits for at most one of their jobs.
            if unsafe waiting.dispatched == .client { runWaitingJob() }
        }
    }

    /// Dispatches the most important event source that is ready. If there are no jobs, waits until a source is ready,
    /// except in virtual time.
    ///
    /// - Returns: 0 if no source was ready.
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

    /// Records the priority of the event source being dispatched. The handler of every source calls this.
    func didDispatch(_ priority: LoopPriority) {
        unsafe waiting.dispatched = priority
    }

    /// Starts a task that stays on the loop's thread.
    ///
    /// - Parameters:
    ///   - priority: the priority of the task's jobs, regardless of the task that starts it.
    ///   - operation: the code to run.
    /// - Returns: the task.
    ///
    /// A task created in any other way resumes from a continuation on a thread of the concurrency library's pool
    /// before it returns to the loop. Those threads would be started for nothing, and a busy pool would delay the
    /// loop.
    @discardableResult
    package func start<Success: Sendable>(
        _ priority: LoopPriority = .standard, _ operation: @escaping @LoopActor @Sendable () async -> Success
    ) -> Task<Success, Never> {
        Task(executorPreference: self, priority: priority.taskPriority, operation: operation)
    }

    /// Runs the jobs that are queued now. Jobs that they add wait until descriptors and timers have been dispatched.
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
        // The write can fail only if the count is at its maximum, in which case the loop wakes up anyway.
        _ = unsafe write(wakeDescriptor, &one, MemoryLayout<UInt64>.size)
    }

    @usableFromInline
    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        unsafe UnownedSerialExecutor(ordinary: self)
    }

    /// Traps unless called on the loop's thread.
    @usableFromInline
    package func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "not on the thread of the event loop")
    }

    /// Returns true on the loop's thread.
    @usableFromInline
    package func isIsolatingCurrentContext() -> Bool? {
        inbox.withLock { $0.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }
}
