internal import Delivery
internal import Engine
internal import EventLoop
internal import Events
internal import ExchangeRates
internal import History
internal import Market
package import Storage
internal import Time

extension Pipeline {
    /// How many events a sink that was behind gets at most: as many as a day with an event a poll and more.
    private static let catchUpLimit: Int64 = 10_000
    private static let pageCount = 500

    /// Goes on where the last process ended: to be called once, before the first response.
    ///
    /// - Throws: ``StorageError`` `in_use` when another daemon keeps its state in the folder.
    package func start() throws(StorageError) {
        let past = try stateStore.open(at: clock.now())
        let occurrences = past.map(restore) ?? []
        if let kept = past?.rates.latest {
            stateStore.stage(rates: kept.rates.stored(fetched: kept.fetched))
            onStoredRates(kept.rates, kept.fetched)
        }
        catchUp(past?.cursors ?? [:])
        commitAndDeliver(occurrences)
        armFeedTimer()
        for case let sink as StdoutSink in sinks {
            sink.onLateWrite = { [weak self] in self.map { $0.stateStore.save(cursors: $0.cursors, at: $0.clock.now()) }
            }
        }
    }

    private func restore(_ past: StoredState) -> [Occurrence] {
        log.restore(last: past.lastNumber, past.events)
        restoreHistory(past)
        restoreSilences(past)
        engine.restore(overrides: past.overrides)
        stateStore.stage(overrides: past.overrides, areSaved: true)
        guard let snapshot = past.engine else { return [] }
        let restoration = engine.restore(snapshot, at: clock.now(), isSameBoot: stateStore.isSameBoot(as: past))
        stateStore.sayUnreadable(restoration.unreadable)
        for need in engine.windowNeeds(at: clock.now()) {
            var samples: [(price: Price, time: WallTime)] = []
            history.forEachSample(of: need.symbol, since: need.since) { samples.append(($0.price, $0.time)) }
            engine.seedWindows(of: need.symbol, with: samples, at: clock.now())
        }
        return restoration.occurrences
    }

    private func restoreHistory(_ past: StoredState) {
        let readable = ReadableHistory(past)
        stateStore.sayUnreadable(readable.damaged)
        history.restore(sealed: readable.sealed, parts: readable.parts)
        stateStore.didRestore(history, blocks: Set(past.blocks.map(\.id)))
    }

    /// Hands each sink the events behind the last one that it was given.
    private func catchUp(_ stored: [String: Int64]) {
        var behind: [(sink: any Sink, after: Int64)] = []
        for sink in sinks where sink.cursor != nil || sink.inheritedCursor != nil {
            let after = min(sink.inheritedCursor ?? stored[sink.name] ?? log.lastNumber, log.lastNumber)
            sink.resume(after: max(after, log.lastNumber - Self.catchUpLimit))
            if after < log.lastNumber { behind.append((sink, after)) }
        }
        guard var position = behind.map(\.after).min() else { return }
        position = max(position, log.lastNumber - Self.catchUpLimit)
        while position < log.lastNumber {
            let events = self.events(after: position, limit: Self.pageCount).events
            for event in events {
                for (sink, after) in behind where event.number > after { sink.deliver(event) }
            }
            for (sink, _) in behind { sink.flush() }
            position = events.last?.number ?? log.lastNumber
        }
    }

    /// Takes over what a file holds that could not be read before: what was notified meanwhile gets numbers behind it.
    ///
    /// - Returns: what is to be notified of it: firings whose limit is another one now.
    func adopt(_ past: StoredState) -> [Occurrence] {
        let first = stateStore.unsaved.first?.number ?? log.lastNumber + 1
        let shift = NumberShift(
            first: first, offset: max(0, past.lastNumber + 1 - first), silenceOffset: adoptSilences(past))
        stateStore.renumber(shift, lacking: log.kept)
        log.restore(last: past.lastNumber, past.events, shift: shift)
        if shift.offset > 0 {
            for sink in sinks {
                if let cursor = sink.cursor { sink.resume(after: shift.applied(cursor + 1) - 1) }
            }
            onRenumbered(shift)
        }
        guard !stateStore.wasRead else { return [] }
        let own = history
        history = History(own.capacity)
        restoreHistory(past)
        history.append(contentsOf: own)
        return adoptOverrides(past.overrides)
    }

    /// Events after the given number, at most so many, and how many before them are not kept any more.
    func events(after number: Int64, limit: Int) -> (missed: Int64, events: [Event]) {
        let position = max(0, number)
        if let events = log.events(after: position, limit: limit) { return (0, Array(events)) }
        var found = stateStore.events(after: position, limit: limit)
        if found.isEmpty, let first = log.kept.first?.number {
            found = Array(log.events(after: first - 1, limit: limit) ?? [])
        }
        return (max(0, (found.first?.number ?? position + 1) - position - 1), found)
    }
}
