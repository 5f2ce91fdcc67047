internal import Engine
internal import EventLoop
internal import Events
internal import Market
internal import Storage
internal import Time

extension Pipeline {
    func addSilence(
        _ request: SilenceRequest, by user: UserIdentity
    ) throws(SilenceRefusal) -> SilenceRecord {
        let now = clock.now()
        updateSilences(at: now)
        let record = try shared.silences.add(request, by: user, at: now)
        applySilences(at: now)
        return record
    }

    func expireSilences(
        _ numbers: Set<Int64>?, by user: UserIdentity
    ) throws(SilenceRefusal) -> [SilenceRecord] {
        let now = clock.now()
        updateSilences(at: now)
        let all = Set(silences.records.filter(\.isActive).map(\.number))
        let expired = try shared.silences.expire(numbers ?? all, by: user, at: now)
        applySilences(at: now)
        return expired
    }

    func updateSilences() { updateSilences(at: clock.now()) }

    /// Ends the silences whose time is over. The next commit saves this.
    func updateSilences(at now: Instant) {
        let hasHours = silences.hasHours
        guard shared.silences.update(at: now) else {
            if hasHours { setSilences(at: now) }
            return
        }
        setSilences(at: now)
        shared.unsaved.insert(.silences)
    }

    /// Restores the silences, before the engine evaluates anything.
    func restoreSilences(_ past: StoredState) {
        let now = clock.now()
        shared.silences = past.silences.restored(at: now, isSameBoot: stateStore.isSameBoot(as: past))
        _ = shared.silences.update(at: now)
        setSilences(at: now)
        shared.unsaved.insert(.silences)
    }

    /// Adopts the silences of a file that could not be read before.
    ///
    /// - Returns: the increase of the numbers of silences that were added in the meantime.
    func adoptSilences(_ past: StoredState) -> Int64 {
        let own = silences
        restoreSilences(past)
        let offset = shared.silences.append(own)
        setSilences(at: clock.now())
        shared.unsaved.insert(.silences)
        return offset
    }

    /// Passes to each source the silences that may match its events.
    func setSilences(at now: Instant) {
        let all = silences.inForce(at: now, clock: { WallClock.shared.minutes(in: $0) })
        for lane in lanes { lane.engine.silences = all.filter { $0.source == nil || $0.source == lane.name } }
    }

    private func applySilences(at now: Instant) {
        setSilences(at: now)
        shared.unsaved.insert(.silences)
        commit()
    }
}
