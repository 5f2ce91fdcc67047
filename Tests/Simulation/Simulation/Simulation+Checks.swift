internal import AlertDaemon
internal import EventLoop
internal import Events
internal import ExchangeRates
internal import Glibc
internal import Market
internal import NaiveRules
internal import TestSupport
internal import Time

// What came out, against what had to.
extension Simulation {
    /// Compares the events that were seen with those that each hypothesis expects, and keeps those that hold.
    ///
    /// - Parameters:
    ///   - after: each hypothesis after the input, with its events.
    ///   - isCommitted: whether the daemon saves its state after such an input.
    ///   - isUnchanged: for a poll, whether perhaps no price changed, so that the daemon need not wait for the disk.
    /// - Throws: ``Broken`` when none of them holds.
    func settle(
        _ after: [(Hypothesis, [NaiveEvent])], isCommitted: Bool, isUnchanged: Bool? = nil
    ) async throws(Broken) {
        if isKilledNext, !isDead { die() }
        try checkBlocking()
        let seen = observed
        observed = []
        try check(sequence: seen)
        let before = alive
        var left: [Hypothesis] = []
        var closest: String?
        for (state, events) in after {
            var state = state
            let (isRight, count, difference) = compare(seen, &state, events)
            if isRight, isDead {
                left += [state, withDaemonGaps(state) ?? state]
            } else if isRight, let known = withDaemonGaps(state) {
                left.append(known)
            } else if isRight {
                closest = "the gaps are \(daemonGaps)\n  expected \(state.rules.gaps)"
            }
            if !isRight || count == 0 { closest = closest ?? difference }
        }
        if isDead {
            // What is delivered is saved, unless nothing could be saved.
            let isSure = !wasDegraded && seen.contains { $0.number > (before.map(\.lastNumber).max() ?? 0) }
            var candidates = isSure ? left : left + trail.flatMap(\.self)
            if candidates.isEmpty { candidates = trail.flatMap(\.self) }
            if power != nil, !isSure { candidates += unsynced.flatMap(\.self) }
            for event in seen { remember(event) }
            return try await bury(candidates: candidates)
        }
        guard !left.isEmpty else { throw broken("\(closest ?? "?")") }
        for event in seen { remember(event) }
        if let first = seen.first, !isDegraded { beforeLast = first.number - 1 }
        alive = distinct(left)
        noteTrail(isCommitted)
        if let isUnchanged, !isDegraded { unsynced = isUnchanged ? unsynced.suffix(40) + [before] : [] }
        try await checkDeliveries()
    }

    /// Whether what was done since the last input never waited, but for the disk, and for that a few times only.
    func checkBlocking() throws(Broken) {
        if let found = BlockingWatch.found { throw broken("a step blocks: \(found)") }
        let syncs = vfs.syncs - earlierSyncs
        earlierSyncs = vfs.syncs
        tally.syncs = max(tally.syncs, syncs)
        if syncs > Self.mostSyncs { throw broken("the state file was synced \(syncs) times at once") }
    }

    /// Some commits, a copy of the log into the file, and a start: 10 are the most that was seen in millions of polls.
    private static let mostSyncs: Int64 = 20

    /// Notes the events of a process that was killed while it stopped.
    func takeDelivered() throws(Broken) {
        let seen = observed
        observed = []
        try check(sequence: seen)
        for event in seen { remember(event) }
    }

    /// Compares the events of an orderly stop, after which there are no more.
    func takeLastEvents() throws(Broken) {
        let seen = observed
        observed = []
        try check(sequence: seen)
        var left: [Hypothesis] = []
        var closest: String?
        for var state in alive {
            let (isRight, _, difference) = compare(seen, &state, [])
            if isRight { left.append(state) } else { closest = closest ?? difference }
        }
        guard !left.isEmpty else { throw broken("\(closest ?? "?")") }
        for event in seen { remember(event) }
        alive = left
    }

    /// After a crash while nothing could be saved, the first and the last states are the likely ones; each costs time.
    func bounded(_ states: [Hypothesis]) -> [Hypothesis] {
        guard states.count > 24 else { return states }
        var chosen: [Hypothesis] = []
        for number in Set(states.map(\.lastNumber)).sorted() {
            let same: [Hypothesis] = states.filter { $0.lastNumber == number }
            chosen += same.prefix(2)
            chosen += same.dropFirst(2).suffix(2)
        }
        return chosen
    }

    func distinct(_ states: [Hypothesis]) -> [Hypothesis] {
        guard states.count > 1 else { return states }
        return states.reduce(into: []) { known, state in
            if !known.contains(state) { known.append(state) }
        }
    }

    /// Whether the events fit; after a death, fewer are enough.
    private func compare(
        _ seen: [Event], _ state: inout Hypothesis, _ events: [NaiveEvent]
    ) -> (isRight: Bool, count: Int, difference: String?) {
        let first = state.lastNumber
        // Those about the disk depend on it alone.
        var expected = events[...]
        var count = 0
        var recent: [Int64: NaiveEvent] = [:]
        for event in seen where event.number > first {
            state.lastNumber += 1
            if event.number != state.lastNumber {
                return (false, count, "event \(event.number) instead of \(state.lastNumber)")
            }
            let naive = NaiveEvent(event.occurrence)
            recent[event.number] = naive
            if isAboutDisk(event) || isAboutReceiver(event) { continue }
            let next = expected.popFirst()
            guard let next, next == naive else {
                let wanted = next.map(\.description) ?? "nothing"
                return (false, count, "event \(event.number):\n  got      \(naive)\n  expected \(wanted)")
            }
            count += 1
        }
        for event in seen where event.number <= first {
            let naive = NaiveEvent(event.occurrence)
            if let before = state.recent[event.number], before != naive {
                return (false, count, "event \(event.number) again:\n  got      \(naive)\n  expected \(before)")
            }
        }
        if let missing = expected.first, !isDead {
            return (false, count, "got nothing\n  expected \(missing)")
        }
        for event in expected {
            state.lastNumber += 1
            recent[state.lastNumber] = event
        }
        if !recent.isEmpty { state.recent = recent }
        return (true, count, nil)
    }

    private func isAboutDisk(_ event: Event) -> Bool {
        [.storeFailed, .storeRecovered].contains(event.occurrence.kind)
            && (isDiskFaulty || wasDiskFaulty || wasDegraded)
    }

    private func isAboutReceiver(_ event: Event) -> Bool {
        [.receiverFailed, .receiverRecovered].contains(event.occurrence.kind) && !settings.receivers.isEmpty
    }

    var isDegraded: Bool { life?.isDegraded ?? true }

    private func noteTrail(_ isCommitted: Bool) {
        if isCommitted, !isDegraded {
            trail = [alive]
        } else if trail.last != alive {
            trail.append(alive)
            if trail.count > (plan.size > 50 ? 60 : 600) { trail.remove(at: trail.count / 2) }
        }
    }
}

// Deliveries.
extension Simulation {
    /// Numbers grow, and only a crash repeats an event.
    private func check(sequence: [Event]) throws(Broken) {
        for event in sequence {
            try check(textOf: event)
            if event.number > lastSeen {
                lastSeen = event.number
            } else {
                guard event.number > repeatsAfter else {
                    throw broken("event \(event.number) was delivered again; the last one was \(lastSeen)")
                }
                tally.repeats += 1
            }
        }
    }

    /// Whether the text is one line that names the market and the amounts of the event.
    private func check(textOf event: Event) throws(Broken) {
        let (occurrence, text) = (event.occurrence, event.occurrence.text)
        var parts: [String] = []
        if [.fired, .repeated].contains(occurrence.kind) {
            // A move names where it came from, not its threshold.
            let isMove = [.rise, .fall].contains(occurrence.bound)
            parts = (isMove ? [] : occurrence.amounts.limits) + [occurrence.amounts.price].compactMap(\.self)
        }
        var names = [""]
        if let symbol = occurrence.symbol, occurrence.kind != .rulesChanged {
            let quote = ["inr", "usdt", "wrx"].first { "\(symbol)".hasSuffix($0) }.flatMap { Asset($0) }
            // Of a symbol that was never seen, the quote asset is not known.
            names = [symbol.marketName(quotedIn: quote), "\(symbol)"]
        }
        // The source is named where there are several.
        if let source = occurrence.source {
            names += names.map { "\(source): \($0)" } + names.map { "\(source):\($0)" }
        }
        guard !text.isEmpty, !text.contains(where: \.isNewline), parts.allSatisfy(text.contains),
            names.contains(where: text.hasPrefix)
        else { throw broken("the text of event \(event.number) lacks one of \(names + parts): \(text)") }
    }

    private func remember(_ event: Event) {
        tally.events += 1
        if event.occurrence.notified { notified.insert(event.number) }
        // What comes once more after a crash is for those that it was for the first time.
        guard event.number > lastRemembered else { return }
        lastRemembered = event.number
        noteAlert(event)
        expectAtReceivers(event, isEarlier: event.number <= lastAtStart)
    }

    /// To be called when a process has started: whether it knows all that was delivered.
    func checkStart(last: Int64) throws(Broken) {
        guard wasDegraded else {
            guard last < lastSeen else { return }
            throw broken("event \(lastSeen) was delivered before it was saved; the last one saved is \(last)")
        }
        // A crash while nothing could be saved: the numbers are used again.
        let restored = restoredNumber(last: last)
        lastSeen = min(lastSeen, restored)
        lastRemembered = min(lastRemembered, restored)
        notified = notified.filter { $0 <= restored }
        journal.forget(after: restored)
        for monitor in monitors { monitor.forget(after: restored) }
    }

    /// Clients that follow the events call again.
    func connectMonitors() throws(Broken) {
        guard !isDead else { return }
        for monitor in monitors {
            guard monitor.connect(options.controlSocket) else { throw broken("nobody can follow the events") }
        }
    }

    /// Whether clients that do nothing are disconnected in time: 300 s after their last call, 10 s after a part of one.
    func checkIdlers() throws(Broken) {
        let now = clock.now().boot
        // POLLRDHUP, which Glibc's headers have for _GNU_SOURCE only: the other end has closed.
        let isClosed = Int16(0x2000)
        for idler in idlers where !isDead && now.since(idler.since) > .seconds(302) {
            var request = pollfd(fd: idler.descriptor, events: isClosed, revents: 0)
            guard unsafe Glibc.poll(&request, 1, 0) == 1 else {
                throw broken("a client that does nothing is still connected after \(now.since(idler.since))")
            }
        }
    }

    private func checkDeliveries() async throws(Broken) {
        let last = alive.map(\.lastNumber)
        guard last.contains(lastSeen) else { throw broken("event \(last) was not delivered, only \(lastSeen)") }
        try checkReceivers()
        for repeated in journal.takeRepeats() where repeated <= repeatsAfter {
            throw broken("event \(repeated) is in the journal twice")
        }
        // While nothing can be saved, a crash may repeat all of it.
        if !isDegraded { journal.settle() }
        // What a reader's socket has no room for comes when it has read.
        while readers.reduce(false, { $1.read() || $0 }) || monitors.reduce(false, { $1.read() || $0 }) {
            await time.quiet()
        }
        for monitor in monitors {
            if let fault = monitor.fault { throw broken("a client that follows the events got \(fault)") }
            guard monitor.isConnected, monitor.last != lastSeen else { continue }
            throw broken("a client that follows the events has event \(monitor.last), not \(lastSeen)")
        }
        for reader in readers {
            if let fault = reader.fault { throw broken("a reader got \(fault)") }
            guard reader.isReading, let got = reader.last, got != lastSeen else { continue }
            throw broken("a reader has event \(got), not \(lastSeen)")
        }
    }

    /// Whether the journal has each notification.
    func checkJournal() throws(Broken) {
        let missing = notified.subtracting(journal.numbers).subtracting(journal.refused)
        if let first = missing.min() { throw broken("event \(first) is not in the journal") }
    }
}
