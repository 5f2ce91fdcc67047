internal import Delivery
internal import Engine
internal import EventLoop
internal import Events
internal import ExchangeRates
internal import History
internal import Market
internal import Notifications
package import Storage
internal import Time

extension Pipeline {
    /// The maximum number of events that are delivered to a sink that catches up: more than a day with an event in
    /// each poll.
    private static let catchUpLimit: Int64 = 10_000
    /// The number of events after which the cursors of sinks that catch up are saved. If the daemon is killed
    /// meanwhile, at most this many events are delivered again.
    private static let pageCount = 100

    /// Continues where the last process ended. Call it once, before the first response.
    ///
    /// - Throws: ``StorageError`` `in_use` if another daemon uses the folder.
    package func start() throws(StorageError) {
        let past = try stateStore.open(at: clock.now())
        let occurrences = past.map(restore) ?? []
        if let past, let kept = past.rates.latest {
            shared.unsaved.insert(.rates)
            rates?.restore(kept.rates, former: past.rates.former(lackingIn: kept.rates), fetched: kept.fetched)
        }
        catchUp(past?.cursors ?? [:])
        commit(occurrences)
        receivers?.wake()
        for lane in lanes { armStaleTimer(of: lane) }
        for sink in sinks { sink.start(after: events.lastNumber) { [weak self] in self?.saveCursors() } }
    }

    /// Returns the reference rates that were in effect at a past time: the rates of the last known date that had been
    /// published by then.
    func rates(at time: WallTime) -> ReferenceRates? {
        let present = (rates?.ratesForRules?.table).flatMap { $0.date <= time.ratesDate ? $0 : nil }
        let stored = stateStore.rates(on: time.ratesDate)
        let table = [stored, present].compactMap(\.self).max { $0.date < $1.date }
        return table.map { ReferenceRates($0, isStale: $0.isStale(on: time.date)) }
    }

    private func restore(_ past: StoredState) -> [Occurrence] {
        stateStore.reportUnreadable(past.leftOut)
        events.restore(last: past.lastNumber, past.events)
        restoreReceivers(past)
        restoreHistory(past)
        restoreSilences(past)
        restoreChecks(past)
        restore(overrides: past.overrides)
        return restoreAlerts(past)
    }

    private func restoreReceivers(_ past: StoredState) {
        events.instance = past.instance ?? events.instance
        receivers?.restore(past.queues)
    }

    private func restoreHistory(_ past: StoredState) {
        for source in past.sources {
            guard let lane = lane(source.name) else { continue }
            stateStore.reportUnreadable(lane.restoreHistory(source))
        }
        stateStore.didRestore()
    }

    /// Delivers to each sink the events after the last one that it got.
    private func catchUp(_ stored: [String: Int64]) {
        var behind: [(sink: any Sink, after: Int64)] = []
        for sink in sinks where sink.cursor != nil || sink.inheritedCursor != nil {
            let after = min(sink.inheritedCursor ?? stored[sink.name] ?? events.lastNumber, events.lastNumber)
            sink.resume(after: max(after, events.lastNumber - Self.catchUpLimit))
            if after < events.lastNumber { behind.append((sink, after)) }
        }
        guard var position = behind.map(\.after).min() else { return }
        position = max(position, events.lastNumber - Self.catchUpLimit)
        while position < events.lastNumber {
            let page = self.events(after: position, limit: Self.pageCount).events
            for event in page {
                for (sink, after) in behind where event.number > after { sink.deliver(event) }
            }
            for (sink, _) in behind { sink.flush() }
            saveCursors()
            position = page.last?.number ?? events.lastNumber
        }
    }

    /// Adopts the content of a file that could not be read before. Events that occurred since then get higher numbers
    /// than those in the file.
    ///
    /// - Returns: the occurrences: the ends of firings whose limit has changed.
    func adopt(_ past: StoredState) -> [Occurrence] {
        let first = stateStore.unsaved.first?.number ?? events.lastNumber + 1
        let shift = NumberShift(
            first: first, offset: max(0, past.lastNumber + 1 - first), silenceOffset: adoptSilences(past))
        stateStore.renumber(shift, lacking: events.kept)
        events.restore(last: past.lastNumber, past.events, shift: shift)
        if shift.offset > 0 {
            for sink in sinks {
                if let cursor = sink.cursor { sink.resume(after: shift.applied(cursor + 1) - 1) }
            }
            monitors.renumber(shift)
            receivers?.renumber(shift.applied)
        }
        guard !stateStore.wasRead else { return [] }
        restoreReceivers(past)
        restoreChecks(past)
        restoreHistory(past)
        return adoptOverrides(past.overrides)
    }

    /// Returns at most `limit` events after the given number. `missed` is the number of events in between that are no
    /// longer kept.
    func events(after number: Int64, limit: Int) -> (missed: Int64, events: [Event]) {
        let position = max(0, number)
        if let kept = events.events(after: position, limit: limit) { return (0, Array(kept)) }
        let stored = stateStore.events(after: position, limit: limit)
        var found = stored ?? []
        if found.isEmpty, let first = events.kept.first?.number {
            found = Array(events.events(after: first - 1, limit: limit) ?? [])
        }
        // If no event after the position is kept, all of them were dropped, unless the file cannot be read: then it
        // may still have them, and none counts as missed.
        let next = found.first?.number ?? (stored == nil ? position : events.lastNumber) + 1
        return (max(0, next - position - 1), found)
    }
}
