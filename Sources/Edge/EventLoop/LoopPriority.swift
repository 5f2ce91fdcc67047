/// What comes first when several things are ready at once.
///
/// Descriptors, timers and signals are dispatched in this order. Tasks of the last two wait in queues of their own: one
/// job runs when nothing more important is ready.
package enum LoopPriority: Int, CaseIterable, Sendable {
    /// Signals, which end or reload the daemon whatever else happens.
    case signal
    /// The daemon's own work: timers, requests, the watchdog, and everything that leads to an event.
    case standard
    /// Readers of events that have room again.
    case delivery
    /// New connections, and the calls of those who may change something.
    case administration
    /// The calls of everyone else.
    case client

    /// The priority of sd-event: lower values come first.
    var eventPriority: Int64 {
        switch self {
        case .signal: -100
        case .standard: 0
        case .delivery: 10
        case .administration: 20
        case .client: 30
        }
    }

    /// The priority that marks the jobs of a task, by which ``init(_:)`` recognizes them.
    var taskPriority: TaskPriority {
        switch self {
        case .signal, .standard, .delivery: .medium
        case .administration: .utility
        case .client: .background
        }
    }

    /// The priority of a job; all that are not marked are the daemon's own work.
    init(_ job: JobPriority) {
        switch job.rawValue {
        case ...TaskPriority.background.rawValue: self = .client
        case ...TaskPriority.utility.rawValue: self = .administration
        default: self = .standard
        }
    }
}

/// Jobs that wait for their turn, oldest first.
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

    /// Moves each job at most once on average.
    private mutating func compact() {
        guard head == jobs.count || (head > 64 && head > jobs.count / 2) else { return }
        jobs.removeFirst(head)
        head = 0
    }
}
