internal import AlertDaemon
internal import Configuration
internal import EventLoop
package import Market
internal import Storage
package import Time

/// Leaves a state folder as a daemon does that polled once, on another boot, and was killed.
///
/// - Parameters:
///   - settings: the settings file.
///   - folder: the state folder; it must be there.
///   - tickers: the response.
///   - sources: those that gave it; the first one when it is empty.
///   - time: when it was received.
/// - Throws: when the settings are wrong, or the state cannot be saved.
@LoopActor
package func leavePastPoll(
    settings: String, folder: String, tickers: [Ticker], of sources: [SourceName] = [], at time: WallTime
) throws {
    let loaded = try SettingsLoader().load(settings)
    let clock = ReplayClock(Instant(boot: BootTime(milliseconds: 5_000_000), wall: time))
    let stateStore = StateStore(Store(folder: folder), bootID: "an earlier boot", now: clock.now())
    let pipeline = Pipeline(loaded.settings, sinks: [], isSimulated: false, stateStore: stateStore, clock: clock)
    try pipeline.start()
    for lane in sources.isEmpty ? [pipeline.first] : sources.compactMap(pipeline.lane) {
        _ = pipeline.accept(TickerBatch(tickers: tickers, received: clock.now()), of: lane)
    }
    pipeline.stop()
}
