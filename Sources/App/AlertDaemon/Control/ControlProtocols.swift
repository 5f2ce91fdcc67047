internal import Configuration
internal import Control
internal import EventLoop
internal import Events
internal import Feeds
internal import History
internal import Market
internal import Notifications
internal import Rules
internal import Storage
internal import Varlink

// What each group of calls may do, apart from reading.

@LoopActor
protocol StatusProvider: AnyObject {
    /// The reply to `Status`; `slices` count what it costs.
    func status(_ slices: inout WorkSlices) async throws(VarlinkError) -> DaemonStatus
}

@LoopActor
protocol SettingsController: AnyObject {
    /// Reads the settings again; after any error in them everything stays as it was.
    func reload() -> Result<ReloadResult, SettingsError>
}

@LoopActor
protocol PollController: AnyObject {
    /// Polls now, or waits for the poll that is in progress; with `force` also if the server asked to wait.
    func pollNow(_ source: SourceName, force: Bool) async throws(PollRequestError) -> PollSummary
}

@LoopActor
protocol RateRefresher: AnyObject {
    /// Fetches the reference rates now, or waits for the fetch that is in progress; it may fail, as others do.
    func refresh() async throws(RateRefreshError)
}

@LoopActor
protocol AlertController: AnyObject {
    /// Stops the repeats of firings, or with nil resumes them, and saves that if possible.
    ///
    /// - Returns: how many firings this changed.
    func acknowledge(_ target: AlertTarget, _ acknowledgement: Acknowledgement?) -> Int

    /// Arms alerts that were disarmed by a notification, and saves that if possible.
    func arm(_ target: AlertTarget)
}

@LoopActor
protocol LimitController: AnyObject {
    /// Applies other overrides, and commits them before it returns, if possible.
    ///
    /// - Parameters:
    ///   - overrides: all overrides from now on.
    ///   - notes: the events of this change, after those of firings that end.
    func change(overrides: [LimitOverride], notes: [Occurrence])
}

@LoopActor
protocol SilenceController: AnyObject {
    /// Adds a silence, and saves it if possible.
    ///
    /// - Throws: ``SilenceRefusal``; then nothing has changed.
    func addSilence(_ request: SilenceRequest, by user: UserIdentity) throws(SilenceRefusal) -> SilenceRecord

    /// Ends silences early; without numbers, all active ones.
    ///
    /// - Throws: ``SilenceRefusal``; then nothing has changed.
    func expireSilences(_ numbers: Set<Int64>?, by user: UserIdentity) throws(SilenceRefusal) -> [SilenceRecord]

    /// Ends the silences whose time is over, so that a list shows their current state.
    func updateSilences()
}

@LoopActor
protocol PriceImporter: AnyObject {
    /// Adds prices of other times to the history; existing prices stay.
    func importPrices(_ samples: [SymbolSample], of lane: Lane) -> MergeCounts

    /// Saves all prices.
    ///
    /// - Throws: ``StorageError`` when that fails now; it is retried with each poll.
    func saveHistory() throws(StorageError)
}

@LoopActor
protocol DrillController: AnyObject {
    /// Sends a test event to all sinks or to one of them, like any other event.
    ///
    /// - Returns: the event with its number.
    func drill(sink: String?, by user: UserIdentity) -> Event?
}

@LoopActor
protocol ReceiverController: AnyObject {
    /// What an attempt to deliver an event to a receiver leads to; nil when there is no such receiver.
    func delivery(of number: Int64, to receiver: String) async -> AttemptOutcome?

    /// Tries to deliver what waits for a receiver, or for all of them.
    func retryReceivers(_ name: String?)

    /// Drops what waits for a receiver, and saves that if possible.
    ///
    /// - Returns: how many events.
    func dropQueue(of name: String, by user: UserIdentity) -> Int
}

@LoopActor
protocol CoinHistorySource: AnyObject {
    /// The past prices of a coin: those in the store, or else those that its source sends soon. Some requests are kept
    /// for callers who may change something.
    func history(of coin: CoinKey, over period: PricePeriod, for rank: PeerRank) async -> CoinHistoryAnswer
}

@LoopActor
protocol BackupSource: AnyObject {
    /// What is copied, while it is in use.
    var store: Store { get }
}

extension Pipeline: AlertController, LimitController, SilenceController, PriceImporter, DrillController,
    ReceiverController
{}
extension StateStore: BackupSource {}
extension Pollers: PollController {}
extension CoinHistories: CoinHistorySource {}
