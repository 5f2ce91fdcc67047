internal import Engine
internal import EventLoop
internal import Events
internal import Market
internal import Storage
internal import Time

extension Pipeline {
    /// Begins a silence, and saves it if that can be done now.
    ///
    /// - Throws: ``SilenceRefusal``, and then nothing has changed.
    func addSilence(
        _ request: SilenceRequest, by user: UserIdentity
    ) throws(SilenceRefusal) -> SilenceRecord {
        let now = clock.now()
        updateSilences(at: now)
        let record = try silences.add(request, by: user, at: now)
        putInForce(at: now)
        return record
    }

    /// Ends silences before their time; all that are in force when no numbers are given.
    ///
    /// - Throws: ``SilenceRefusal``, and then nothing has changed.
    func expireSilences(
        _ numbers: Set<Int64>?, by user: UserIdentity
    ) throws(SilenceRefusal) -> [SilenceRecord] {
        let now = clock.now()
        updateSilences(at: now)
        let all = Set(silences.records.filter(\.isInForce).map(\.number))
        let expired = try silences.expire(numbers ?? all, by: user, at: now)
        putInForce(at: now)
        return expired
    }

    /// Notes what is over by now; what changed is saved with what comes next.
    func updateSilences(at now: Instant) {
        guard silences.update(at: now) else { return }
        engine.silences = silences.inForce(at: now)
        stateStore.stage(silences: silences)
    }

    /// Gives the engine the silences before it tells anything.
    func restoreSilences(_ past: StoredState) {
        let now = clock.now()
        silences = past.silences.restored(at: now, isSameBoot: stateStore.isSameBoot(as: past))
        _ = silences.update(at: now)
        engine.silences = silences.inForce(at: now)
        stateStore.stage(silences: silences)
    }

    /// Takes over those of a file that could not be read before.
    ///
    /// - Returns: by how much the numbers of those that were begun meanwhile are greater now.
    func adoptSilences(_ past: StoredState) -> Int64 {
        let own = silences
        restoreSilences(past)
        let offset = silences.append(own)
        engine.silences = silences.inForce(at: clock.now())
        stateStore.stage(silences: silences)
        return offset
    }

    private func putInForce(at now: Instant) {
        engine.silences = silences.inForce(at: now)
        stateStore.stage(silences: silences)
        persist()
    }
}
