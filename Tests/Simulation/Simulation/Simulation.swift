internal import AlertDaemon
internal import Arguments
internal import Delivery
internal import Engine
package import EventLoop
internal import Events
internal import ExchangeRates
internal import Glibc
internal import HTTP
internal import Journal
internal import Market
internal import NaiveRules
internal import Rules
internal import TestSupport
internal import Time

/// What an invariant that does not hold looks like.
package struct Broken: Error, Sendable {
    package var message: String
    /// The place of the step in its plan.
    package var step: Int
}

/// How much was simulated.
package struct Tally: Sendable {
    package var polls = 0
    package var candles = 0
    package var restarts = 0
    package var kills = 0
    package var events = 0
    package var repeats = 0
    /// How often the state file was synced at most for one input.
    package var syncs: Int64 = 0

    package init() {}

    package static func += (left: inout Tally, right: Tally) {
        left.polls += right.polls
        left.candles += right.candles
        left.restarts += right.restarts
        left.kills += right.kills
        left.events += right.events
        left.repeats += right.repeats
        left.syncs = max(left.syncs, right.syncs)
    }
}

/// The daemon in a simulated world, and the naive rules, which say what it has to do.
@LoopActor
package final class Simulation {
    let plan: Plan
    let clock: SimulatedClock
    let time: VirtualTime
    let vfs = FaultVFS()
    let folder: String
    let exchange: SimulatedExchange
    let receivers: SimulatedReceivers
    let journal = SimulatedJournal()
    var markets: [SourceName: SimulatedMarket] = [:]
    var settings: SimulatedRules
    var random: SplitMix

    package internal(set) var tally = Tally()
    var step = 0
    private(set) var messages: [String] = []
    let isVerbose: Bool

    // The process.
    var life: DaemonLife?
    private weak var ghost: Pipeline?
    private var hasEnded = false
    private(set) var isDead = false
    private(set) var power: UInt64?
    var deliveriesLeft: Int?
    /// How often the state file was synced before the present input.
    var earlierSyncs: Int64 = 0
    /// Responses that will fail; those of all sources if it names none.
    var failures: (count: Int, seed: UInt64, source: SourceName?) = (0, 0, nil)
    var isSuspendPending = false
    var isDiskFaulty = false
    /// Whether the disk failed in the present life.
    var wasDiskFaulty = false
    /// Whether nothing could be saved when the last process ended.
    var wasDegraded = false
    /// The number before the last events: a loss of power forgets how far they were delivered.
    var beforeLast: Int64 = 0
    /// When the daemon noticed that the machine was suspended.
    var resumedAt: BootTime?

    // What has to be.
    var alive: [Hypothesis] = []
    /// What a crash may lead to: states since the last that surely survives it.
    var trail: [[Hypothesis]] = []
    /// What a loss of power may lead to as well: states before polls in which no price changed.
    var unsynced: [[Hypothesis]] = []
    /// The requests for candles of each source that failed in the present life.
    var candleFailures: [SourceName: Int] = [:]
    /// Whether there are no more faults.
    var isRecovering = false
    /// The polls of each source.
    var pollCounts: [SourceName: Int] = [:]

    // What was.
    var observed: [Event] = []
    var notified: Set<Int64> = []
    var lastSeen: Int64 = 0
    /// The last event of which it is known for which receivers it is.
    var lastRemembered: Int64 = 0
    /// The number of the last event when the process had started. What it found may be for receivers of the settings
    /// before.
    var lastAtStart: Int64 = 0
    /// The settings before the last changes, the first of which may be those of the last that was saved.
    var formerSettings: [SimulatedRules] = []
    /// After a crash, events with greater numbers may come once more.
    var repeatsAfter: Int64 = .max
    /// What was last said of each alert.
    var alertNews: [SimulatedAlertmanager.AlertKey: SimulatedAlertmanager.AlertNews] = [:]
    /// The receivers that were notified of each firing.
    var firings: [SimulatedAlertmanager.AlertKey: SimulatedFiring] = [:]
    /// Whether events were lost because nothing could be saved.
    var hasLostEvents = false
    var wasClockStepped = false
    var readers: [SimulatedReader] = []
    var monitors: [SimulatedMonitor] = []
    /// Connections of clients that wait for nothing, and when they were made.
    var idlers: [(descriptor: Int32, since: BootTime)] = []

    package init(_ plan: Plan, folder: String, isVerbose: Bool = false) {
        self.plan = plan
        self.folder = folder
        self.isVerbose = isVerbose
        random = SplitMix(seed: plan.seed &* 3)
        clock = SimulatedClock(wall: 1_767_225_600_000 + Int64(plan.seed % 1_000) * 61_000)
        time = VirtualTime(clock)
        exchange = SimulatedExchange(clock, seed: plan.seed &* 5, isSteady: plan.isSteady)
        receivers = SimulatedReceivers(clock, seed: plan.seed &* 11)
        settings = SimulatedRules(seed: plan.seed, wall: clock.now().wall, plan)
    }

    /// Runs the plan.
    ///
    /// - Throws: ``Broken`` for the first invariant that does not hold.
    package func run() async throws(Broken) {
        Loop.shared.virtualTime = time
        BlockingWatch.begin(plan.seed)
        exchange.onPoll = { [unowned self] in polled() }
        receivers.onRequest = { [unowned self] text in tell("    \(text)") }
        receivers.openEvents = { [unowned self] name in life?.openEvents(of: name) ?? [] }
        receivers.isDead = { [unowned self] in isDead }
        receivers.lastSeen = { [unowned self] in max(lastSeen, observed.last?.number ?? 0) }
        journal.onEntry = { [unowned self] in countDelivery() }
        journal.onTake = { [unowned self] number in tell("    the journal takes \(number)") }
        vfs.onHit = { [unowned self] in if isKillArmed { die() } }
        makeFolder()
        defer { removeFolder() }
        alive = [Hypothesis(rules: NaiveSources())]
        trail = [alive]
        try await start(isSameBoot: false)
        for index in plan.steps.indices {
            step = index
            if isVerbose { print("\(clock.now().boot.milliseconds): step \(index): \(plan.steps[index])") }
            try await perform(plan.steps[index])
            try checkBlocking()
        }
        step = plan.steps.count
        try await recover()
        try await stop()
        try checkBlocking()
    }

    func broken(_ message: String) -> Broken {
        Broken(message: message + "\n" + messages.suffix(12).joined(separator: "\n"), step: step)
    }

    /// Prints what is too long for the messages of a failure.
    func tell(_ text: @autoclosure () -> String) {
        if isVerbose { print(text()) }
    }

    func note(_ message: String) {
        messages.append("\(clock.now().boot.milliseconds) \(message)")
        if messages.count > 400 { messages.removeFirst(200) }
        if isVerbose { print(messages.last ?? "") }
    }

    // MARK: The process

    /// Whether the next hit of the disk ends the process.
    var isKillArmed = false

    /// The process is dead from this moment on: nothing that it does has an effect.
    func die() {
        guard !isDead else { return }
        wasDegraded = wasDegraded || isDegraded || isDiskFaulty || wasDiskFaulty
        isDead = true
        vfs.switchOff()
        tally.kills += 1
        note("killed")
        receivers.crash(isSaved: !wasDegraded && power == nil)
        for reader in readers { reader.end() }
        for monitor in monitors { monitor.disconnect() }
    }

    private func start(isSameBoot: Bool, with disk: Plan.Disk? = nil) async throws(Broken) {
        tally.restarts += 1
        isSuspendPending = false
        if let resumed = resumedAt {
            // The process may have been killed before it saved that, or after it.
            alive += alive.map { state in
                var state = state
                state.rules.resume(at: resumed)
                return state
            }
            resumedAt = nil
        }
        wasDiskFaulty = false
        if let disk { fail(disk, 1, isLasting: true) }
        candleFailures = [:]
        trail = [alive]
        write(settings.text)
        receivers.set(settings.receivers, isSaved: !wasDegraded)
        receivers.beginLife()
        let now = clock.now()
        note("start, \(alive.count) hypotheses, numbers \(Set(alive.map(\.lastNumber)).sorted())")
        let before = alive
        observed = []
        journal.beginLife()
        let last: Int64
        do {
            last = try launch()
        } catch {
            guard isDead else { throw broken("the daemon does not start: \(error)") }
            try await bury(candidates: before)
            return
        }
        if disk != nil, life?.wasRead == false {
            // What cannot be read is not known; it must not be lost.
            note("the state cannot be read")
            // Its events have numbers of their own until the file can be read, also if it was killed in the meantime.
            observed = []
            journal.discardLife()
            die()
            return try await bury(candidates: before)
        }
        lastAtStart = last
        if wasDegraded, !isDead { forgetLost(last: last) }
        var after: [(Hypothesis, [NaiveEvent])] = []
        for var state in restored(from: before) {
            let events = state.restart(settings, at: now, isSameBoot: isSameBoot)
            after.append((state, events))
        }
        if let life, !isDead, life.wasRead { after = try matching(life, after, last: last, before: before) }
        await time.quiet()
        for index in after.indices { after[index].0.isSaved = true }
        if !isDead {
            try checkStart(last: last)
            try connectMonitors()
            await time.quiet()
        }
        try await settle(after, isCommitted: true)
        if !isDead {
            repeatsAfter = .max
            wasDegraded = false
            // What came before the start makes no difference any longer.
            for index in alive.indices { alive[index].recent = [:] }
            alive = bounded(distinct(alive))
            trail = isDegraded ? [before, alive] : [alive]
        }
    }

    /// Those of the states that the daemon can have restored: with the same last poll and the same rates.
    private func restored(from states: [Hypothesis]) -> [Hypothesis] {
        // What was read is known, also while nothing can be saved.
        guard let life, !isDead, life.wasRead else { return bounded(distinct(states)) }
        let found = Digest(life, gaps: daemonGaps)
        let fitting = states.filter { state in
            guard state.isSaved else { return found.lastPolls.isEmpty && found.rates == nil }
            let lanes = life.pipeline.lanes.map(\.name)
            return lanes.allSatisfy { state.rules.lane($0)?.lastPoll == found.lastPolls["\($0)"] }
                && Digest.text(state.rates) == found.rates
        }
        return bounded(distinct(fitting))
    }

    /// Those of the states, each with the events of the start, that the process is in.
    private func matching(
        _ life: DaemonLife, _ after: [(Hypothesis, [NaiveEvent])], last: Int64, before: [Hypothesis]
    ) throws(Broken) -> [(Hypothesis, [NaiveEvent])] {
        let digest = Digest(life, gaps: daemonGaps)
        let all = after.map { (withDaemonGaps($0.0) ?? $0.0, $0.1) }.filter { Digest($0.0) == digest }
        // While nothing can be saved, the file has the number that the process found.
        let number = { (state: (Hypothesis, [NaiveEvent])) in
            life.isDegraded ? life.savedNumber + Int64(state.1.count) : last
        }
        var fitting = all.filter { $0.0.lastNumber + Int64($0.1.count) == number($0) }
        // A commit that failed may be in the file anyway, without the report that it failed.
        if fitting.isEmpty || wasDegraded { fitting += all.compactMap { self.fitting($0, last: number($0)) } }
        guard fitting.isEmpty else { return fitting }
        let expected = (all.map(\.0) + before).prefix(4).map { "\($0.lastNumber) \(Digest($0))" }
        throw broken(
            "after a start the last number is \(last), the state \(digest); expected\n"
                + expected.joined(separator: "\n"))
    }

    /// The state if it fits the last number that the process knows; nil otherwise.
    private func fitting(_ state: (Hypothesis, [NaiveEvent]), last: Int64) -> (Hypothesis, [NaiveEvent])? {
        let difference = last - state.0.lastNumber - Int64(state.1.count)
        guard difference != 0 else { return state }
        // Events about the disk may be missing, or may have been saved and not delivered.
        let mayDiffer = isDiskFaulty || wasDegraded && (-2...2).contains(difference)
        // So may those about receivers.
        guard mayDiffer || !settings.receivers.isEmpty && (0...4).contains(difference) else { return nil }
        var (moved, events) = state
        moved.lastNumber += difference
        moved.recent = [:]
        return (moved, events)
    }

    /// Makes the process; a function of its own, so that nothing else holds it.
    private func launch() throws -> Int64 {
        let life = try DaemonLife(options, log: log, machine: machine)
        self.life = life
        ghost = life.pipeline
        hasEnded = false
        Loop.shared.start { [weak self, life] in
            await life.run()
            self?.hasEnded = true
        }
        return life.lastNumber
    }

    private var machine: Machine {
        var machine = Machine()
        machine.clock = clock
        machine.bootID = clock.bootID
        machine.client = { [exchange] _ in exchange }
        machine.sender = { [receivers] _ in receivers }
        machine.random = plan.isSteady ? SteadyRandom() : SplitMix(seed: random.next())
        machine.vfs = vfs.name
        machine.journal = { [journal] entry in journal.take(entry) }
        machine.standardOutput = Self.nowhere
        machine.observer = Watcher { [unowned self] event in
            guard countDelivery() else { return }
            observed.append(event)
            let isUrgent = event.occurrence.severity == .critical || event.occurrence.kind == .test
            receivers.books.note(event.number, isUrgent: isUrgent)
            tell("    \(event.number): \(NaiveEvent(event.occurrence))")
        }
        return machine
    }

    private static let nowhere = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)

    private var log: Log {
        Log(least: .info, clock: clock) { [unowned self] entry in
            if !isDead { note(entry.message) }
            return 0
        }
    }

    /// A notification is on its way: false when the process is dead.
    private func countDelivery() -> Bool {
        guard !isDead else { return false }
        guard let left = deliveriesLeft else { return true }
        deliveriesLeft = left - 1
        guard left <= 1 else { return true }
        deliveriesLeft = nil
        // Killed before it, or right after it.
        if random.next() % 2 == 0 {
            die()
            return false
        }
        isKilledNext = true
        return true
    }

    /// Whether the process is killed after the present delivery.
    var isKilledNext = false

    /// Ends the process in good order and checks that it does.
    func stop() async throws(Broken) {
        guard life != nil else { return }
        note("stop")
        if !isDead { wasDegraded = wasDegraded || isDegraded || isDiskFaulty || wasDiskFaulty }
        life?.terminate()
        await time.quiet()
        receivers.answerAll()
        await time.quiet()
        guard hasEnded else { throw broken("the daemon does not stop") }
        self.life = nil
        await time.quiet()
        if ghost != nil { throw broken("the daemon is not freed after its end") }
        for reader in readers { reader.end() }
        readers = []
        for monitor in monitors { monitor.disconnect() }
        for idler in idlers { close(idler.descriptor) }
        idlers = []
    }

    /// Removes a dead process; what it left behind are the candidates.
    func bury(candidates: [Hypothesis]) async throws(Broken) {
        let isPower = power
        try await stop()
        isKillArmed = false
        isKilledNext = false
        deliveriesLeft = nil
        let safe = trail.flatMap(\.self).map(\.lastNumber).min() ?? 0
        repeatsAfter = min(repeatsAfter, isPower == nil ? safe : min(safe, beforeLast))
        // It writes what the disk has after the loss, which is not the daemon's work.
        if let isPower, !BlockingWatch.outside({ vfs.settle(seed: isPower) }) {
            throw broken("the disk cannot be settled")
        }
        vfs.disarm()
        isDiskFaulty = false
        power = nil
        isDead = false
        unsynced = []
        alive = candidates
        if isPower != nil {
            clock.reboot(after: .seconds(40), bootTime: 9_000 + Int64(random.next() % 3_000_000))
            try await start(isSameBoot: false)
        } else {
            clock.advance(to: clock.now().boot.advanced(by: Milliseconds(300)))
            try await start(isSameBoot: true)
        }
    }

    /// Starts again after an orderly stop.
    func startAgain(isSameBoot: Bool, with disk: Plan.Disk? = nil) async throws(Broken) {
        vfs.disarm()
        isDiskFaulty = false
        isKillArmed = false
        try await start(isSameBoot: isSameBoot, with: disk)
    }

    /// Ends what is left of a simulation that failed.
    func abandon() async {
        isDead = true
        vfs.switchOff()
        life?.terminate()
        life = nil
        await time.quiet()
        receivers.answerAll()
        await time.quiet()
        for reader in readers { reader.end() }
        for monitor in monitors { monitor.disconnect() }
        for idler in idlers { close(idler.descriptor) }
        removeFolder()
    }

    func armPower(_ seed: UInt64) { power = seed }
}
