internal import AlertDaemon
internal import Arguments
internal import EventLoop
internal import Glibc
internal import Market
internal import NaiveRules
internal import TestSupport
internal import Time

// The steps of a plan.
extension Simulation {
    func perform(_ step: Plan.Step) async throws(Broken) {
        switch step {
        case .pass(let length): try await pass(length)
        case .failures(let count, let seed): failures = (count, seed, plan.isWide ? source(seed >> 8) : nil)
        case .market(let seed):
            for source in source(seed >> 8).map({ [$0] }) ?? settings.sources.map(\.name) {
                var market = market(of: source)
                market.change(seed)
                markets[source] = market
            }
        case .reload(let seed, let isWrong): try await reload(seed, isWrong)
        case .call(let seed): try await call(seed)
        case .restart(let pause, let rules): try await restart(pause, rules)
        case .kill(let operation): try await kill(operation)
        case .killAtDelivery(let count): deliveriesLeft = count
        case .power(let operation, let seed):
            armPower(seed)
            try await kill(operation)
        case .reboot(let pause): try await reboot(pause)
        case .startWithBadDisk(let disk, let pause):
            try await end()
            clock.advance(to: clock.now().boot.advanced(by: pause))
            try await startAgain(isSameBoot: true, with: disk)
        case .suspend(let length):
            clock.suspend(for: length)
            isSuspendPending = true
        case .stepWall(let length):
            clock.stepWall(by: length)
            wasClockStepped = true
        case .disk(let disk, let operation, let isLasting): fail(disk, operation, isLasting: isLasting)
        case .diskIsWell: heal()
        case .journal(let isWell): journal.isWell = isWell
        case .reader(let seed): try await read(seed)
        case .receiver(let seed):
            guard let name = settings.receivers.map(\.name).sorted().dropFirst(Int(seed % 3)).first else { return }
            receivers.failures[name] = Int(seed >> 8 & 15) + 1
        }
    }

    /// One of the sources; nil for all of them.
    private func source(_ seed: UInt64) -> SourceName? {
        let place = Int(seed % UInt64(settings.sources.count + 1))
        return place < settings.sources.count && plan.isWide ? settings.sources[place].name : nil
    }

    private func kill(_ operation: Int64) async throws(Broken) {
        isKillArmed = true
        isDiskFaulty = false
        guard operation > 0 else {
            die()
            return try await settle(alive.map { ($0, []) }, isCommitted: false)
        }
        vfs.armKill([.write, .sync, .truncate, .delete, .open], which: operation)
    }

    func fail(_ disk: Plan.Disk, _ operation: Int64, isLasting: Bool) {
        guard !isKillArmed else { return }
        isDiskFaulty = true
        wasDiskFaulty = true
        switch disk {
        case .full: vfs.arm([.write, .truncate], which: operation, .noRoom, isLasting: isLasting)
        case .half: vfs.arm([.write], which: operation, .half, isLasting: isLasting)
        case .broken: vfs.arm([.write, .sync, .truncate], which: operation, .device, isLasting: isLasting)
        case .unsynced: vfs.arm([.sync], which: operation, .device, isLasting: isLasting)
        case .readOnly:
            vfs.arm([.open, .write, .truncate, .delete], which: operation, .readOnly, isLasting: true)
        case .unreadable: vfs.arm([.read, .open], which: operation, .device, isLasting: isLasting)
        }
    }

    private func heal() {
        guard !isKillArmed else { return }
        vfs.disarm()
        isDiskFaulty = false
    }

    private func restart(_ pause: Milliseconds, _ rules: UInt64?) async throws(Broken) {
        try await end()
        clock.advance(to: clock.now().boot.advanced(by: pause))
        if let rules { replaceSettings(newSettings(rules)) }
        try await startAgain(isSameBoot: true)
    }

    private func reboot(_ pause: Milliseconds) async throws(Broken) {
        try await end()
        clock.reboot(after: pause, bootTime: 7_000 + Int64(random.next() % 5_000_000))
        try await startAgain(isSameBoot: false)
    }

    /// An orderly end, in which a kill that is armed may happen.
    private func end() async throws(Broken) {
        let before = trail.flatMap(\.self)
        let wasDegraded = isDegraded
        try await stop()
        if isDead {
            // What it delivered while it was stopping is saved, or nothing was.
            try takeDelivered()
            // A loss of power takes polls in which no price changed.
            try await bury(candidates: before + (power == nil ? [] : unsynced.flatMap(\.self)))
            return try await end()
        }
        try takeLastEvents()
        guard wasDegraded || isDiskFaulty else { return }
        alive = before + alive
        repeatsAfter = min(repeatsAfter, before.map(\.lastNumber).min() ?? 0)
    }

    private func newSettings(_ seed: UInt64) -> SimulatedRules {
        SimulatedRules(seed: seed, wall: clock.now().wall, former: settings, plan)
    }

    private func replaceSettings(_ new: SimulatedRules) {
        formerSettings = formerSettings.suffix(9) + [settings]
        settings = new
    }

    private func reload(_ seed: UInt64, _ isWrong: Bool) async throws(Broken) {
        guard life != nil else { return }
        if isWrong {
            write(settings.text + "[[rule]]\nname = \"wrong\"\n")
            guard life?.reload() == false else { throw broken("settings with an error are accepted") }
            write(settings.text)
            return try await apply { _ in [] }
        }
        let new = newSettings(seed)
        write(new.text)
        receivers.set(new.receivers, isSaved: !isDegraded && !isDiskFaulty)
        guard life?.reload() == true else { throw broken("settings are refused:\n\(new.text)") }
        replaceSettings(new)
        let now = clock.now()
        try await apply { $0.reload(new, at: now) }
    }

    private func read(_ seed: UInt64) async throws(Broken) {
        if seed >> 8 & 3 == 0 { return try await follow(seed >> 10) }
        switch seed % 4 {
        case 0: readers.popLast()?.end()
        case 1: for reader in readers { reader.isReading = false }
        case 2: for reader in readers { reader.isReading = true }
        default:
            guard readers.count < 5, let reader = SimulatedReader(path: options.eventSocket) else {
                guard readers.count < 5 else { return }
                throw broken("nobody can connect to the event socket")
            }
            readers.append(reader)
        }
        await time.quiet()
    }

    private func follow(_ seed: UInt64) async throws(Broken) {
        if seed % 4 == 0 {
            monitors.popLast()?.disconnect()
        } else if monitors.count < 3 {
            monitors.append(SimulatedMonitor(after: max(0, lastSeen - Int64(seed % 40))))
        }
        try connectMonitors()
        await time.quiet()
    }

    /// After the last fault, the daemon recovers: it polls, saves, and nothing waits.
    func recover() async throws(Broken) {
        if isKillArmed {
            isKillArmed = false
            deliveriesLeft = nil
        }
        vfs.disarm()
        isDiskFaulty = false
        failures.count = 0
        isRecovering = true
        receivers.failures = [:]
        journal.isWell = true
        deliveriesLeft = nil
        for reader in readers { reader.isReading = true }
        for source in settings.sources {
            var market = market(of: source.name)
            market.recover()
            markets[source.name] = market
        }
        // A receiver that refused a credential tries again after a reload.
        guard life?.reload() == true else { throw broken("the present settings are refused") }
        let now = clock.now()
        let settings = self.settings
        try await apply { $0.reload(settings, at: now) }
        try await pass(.seconds(1_800))
        try checkMemory()
        let polls = pollCounts
        try await pass(.seconds(130))
        for source in settings.sources {
            let count = pollCounts[source.name, default: 0] - polls[source.name, default: 0]
            guard count >= settings.leastPolls(of: source, in: .seconds(130)) else {
                throw broken("the daemon stopped polling \(source.name)")
            }
        }
        if isDegraded { throw broken("the daemon stopped saving") }
        // Requests that are one minute apart at most look up what is left.
        let left = daemonGaps.values.map(\.count).max() ?? 0
        try await pass(.seconds(Int64(left) * 61))
        if let gap = daemonGaps.values.joined().first(where: { _ in left > 0 }) {
            throw broken("the daemon does not look up the gap of \(gap.symbol) since \(gap.since)")
        }
        try checkJournal()
        try checkQueues()
        try checkAlertmanagers()
        try checkSize()
    }
}

// Files.
extension Simulation {
    /// The state file and its log stay small: prices of two hours, and at most a kilobyte for each event.
    private func checkSize() throws(Broken) {
        for (name, limit) in [("alertd.db", 16 << 20 + tally.events << 10), ("alertd.db-wal", 9 << 20)] {
            var status = stat()
            guard unsafe stat("\(folder)/state/\(name)", &status) == 0 else { continue }
            if status.st_size > limit { throw broken("\(name) has \(status.st_size) bytes") }
        }
    }

    /// Prices and events in memory stay within their limits.
    private func checkMemory() throws(Broken) {
        for lane in life?.pipeline.lanes ?? [] where lane.historyByteCount > 4 << 20 {
            throw broken("the prices of \(lane.name) take \(lane.historyByteCount) bytes")
        }
        // 4,096 events are kept, and then a quarter of them is dropped at once.
        if let count = life?.keptEventCount, count > 4_096 { throw broken("\(count) events are in memory") }
    }

    var options: DaemonOptions {
        let arguments = ParsedArguments()
        var options = DaemonOptions(arguments, environment: { _ in nil }, isRoot: true)
        options.configuration = "\(folder)/alertd.toml"
        options.runtimeFolder = "\(folder)/run"
        options.stateFolder = "\(folder)/state"
        return options
    }

    func write(_ text: String) {
        tell(text)
        let descriptor = unsafe open("\(folder)/alertd.toml", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        let bytes = Array(text.utf8)
        _ = unsafe Glibc.write(descriptor, bytes, bytes.count)
        close(descriptor)
    }

    func makeFolder() {
        unsafe mkdir(folder, 0o700)
        for part in ["run", "state"] { unsafe mkdir("\(folder)/\(part)", 0o700) }
    }

    func removeFolder() {
        for ending in ["db", "db-wal", "db-shm", "db-journal", "polls", "lock"] {
            unsafe unlink("\(folder)/state/alertd.\(ending)")
        }
        for name in ["events.sock", "org.alertd.Control"] { unsafe unlink("\(folder)/run/\(name)") }
        unsafe unlink("\(folder)/alertd.toml")
        for part in ["/run", "/state", ""] { unsafe rmdir(folder + part) }
    }
}
