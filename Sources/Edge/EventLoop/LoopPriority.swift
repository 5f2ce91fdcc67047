/// The order of event sources and jobs that are ready at the same time.
///
/// Descriptors, timers and signals are dispatched in this order. Jobs with one of the last two priorities wait in
/// separate queues, and one of them runs when nothing more important is ready.
package enum LoopPriority: Int, CaseIterable, Sendable {
    /// Signals, which end or reload the daemon whatever else is ready.
    case signal
    /// The daemon's own work: timers, requests, the watchdog, and everything that leads to an event.
    case standard
    /// Readers of events that have room again.
    case delivery
    /// New connections, and calls of users who may change something.
    case administration
    /// Calls of everyone else.
    case client

    /// The priority for sd-event, where lower values come first.
    var eventPriority: Int64 {
        switch self {
        case .signal: -100
        case .standard: 0
        case .delivery: 10
        case .administration: 20
        case .client: 30
        }
    }

    /// The task priority that marks the jobs of a task; ``init(_:)`` recognizes it.
    var taskPriority: TaskPriority {
        switch self {
        case .signal, .standard, .delivery: .medium
        case .administration: .utility
        case .client: .background
        }
    }

    /// Returns the priority of a job. A job without a mark is the daemon's own work.
    init(_ job: JobPriority) {
        switch job.rawValue {
        case ...TaskPriority.background.rawValue: self = .client
        case ...TaskPriority.utility.rawValue: self = .administration
        default: self = .standard
        }
    }
}

/// A queue of jobs, oldest first.
struct JobQueue {
    private var jobs: [UnownedJob] = []
    private var head = 0

    var isEmpty: Bool { head == jobs.count }

    mutating func append(_ job: UnownedJob) {
        jobs.append(job)
    }

    mutating func popFirst() -> UnownedJob? {
        guard head < jobs.count else { return nil }
        defer { compact() }
        head += 1
        return jobs[head - 1]
    }

    /// Discards the jobs that were removed. On average, each job is moved at most once.
    private mutating func compact() {
        guard head == jobs.count || (head > 64 && head > jobs.count / 2) else { return }
        jobs.removeFirst(head)
        head = 0
    }
}
