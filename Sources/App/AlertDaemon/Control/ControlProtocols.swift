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
internal import Time
internal import Varlink

// The actions that each group of calls may take, apart from reading.

@LoopActor
protocol StatusProvider: AnyObject {
    /// Returns the reply to `Status`. The cost is counted in `slices`.
    func status(_ slices: inout WorkSlices) async throws(VarlinkError) -> DaemonStatus
}

@LoopActor
protocol SettingsController: AnyObject {
    /// Reads the settings again. If they contain any error, nothing changes.
    func reload() -> Result<ReloadResult, SettingsError>
}

@LoopActor
protocol PollController: AnyObject {
    /// Polls now, or waits for the poll in progress. With `force`, it polls even if the server asked to wait.
    func pollNow(_ source: SourceName, force: Bool) async throws(PollRequestError) -> PollSummary
}

@LoopActor
protocol RateRefresher: AnyObject {
    /// Fetches the reference rates now, or waits for the fetch in progress. A failed fetch is not an error here.
    func refresh() async throws(RateRefreshError)
}

@LoopActor
protocol PastRateSource: AnyObject {
    /// The reference rates of a past date, or of the last date before it that has rates.
    func rates(on date: CivilDate) async throws(PastRatesFailure) -> DatedRates
}

@LoopActor
protocol AlertController: AnyObject {
    /// Stops the repeat notifications of firing alerts, or resumes them if the acknowledgement is nil. The change is
    /// saved if possible.
    ///
    /// - Returns: the number of firings that changed.
    func acknowledge(_ target: AlertTarget, _ acknowledgement: Acknowledgement?) -> Int

    /// Arms alerts that a notification has disarmed, and saves the change if possible.
    func arm(_ target: AlertTarget)
}

@LoopActor
protocol LimitController: AnyObject {
    /// Applies new overrides, and commits them before it returns, if possible.
    ///
    /// - Parameters:
    ///   - overrides: all overrides from now on.
    ///   - notes: the events that report this change; they come after the events of firings that the change ends.
    func change(overrides: [LimitOverride], notes: [Occurrence])
}

@LoopActor
protocol SilenceController: AnyObject {
    /// Adds a silence, and saves it if possible.
    ///
    /// - Throws: ``SilenceRefusal``; nothing has changed in that case.
    func addSilence(_ request: SilenceRequest, by user: UserIdentity) throws(SilenceRefusal) -> SilenceRecord

    /// Ends silences early; without numbers, all active ones.
    ///
    /// - Throws: ``SilenceRefusal``; nothing has changed in that case.
    func expireSilences(_ numbers: Set<Int64>?, by user: UserIdentity) throws(SilenceRefusal) -> [SilenceRecord]

    /// Ends the silences whose time is over, so that a list shows their current state.
    func updateSilences()
}

@LoopActor
protocol PriceImporter: AnyObject {
    /// Adds prices to the history. An existing price of the same symbol and time is kept.
    func importPrices(_ samples: [SymbolSample], of lane: Lane) -> MergeCounts

    /// Saves all prices.
    ///
    /// - Throws: ``StorageError`` if saving fails; each poll tries again.
    func saveHistory() throws(StorageError)
}

@LoopActor
protocol DrillController: AnyObject {
    /// Sends a test event to one sink or receiver, or to all if `sink` is nil, the same way as any other event.
    ///
    /// - Returns: the event with its number.
    func drill(sink: String?, by user: UserIdentity) -> Event?
}

@LoopActor
protocol ReceiverController: AnyObject {
    /// Returns the result of an attempt to deliver an event to a receiver; nil if there is no such receiver.
    func delivery(of number: Int64, to receiver: String) async -> AttemptOutcome?

    /// Retries the notifications that wait for a receiver, or for all receivers if the name is nil.
    func retryReceivers(_ name: String?)

    /// Drops the notifications that wait for a receiver, and saves the change if possible.
    ///
    /// - Returns: the number of dropped events.
    func dropQueue(of name: String, by user: UserIdentity) -> Int
}

@LoopActor
protocol CoinHistorySource: AnyObject {
    /// Returns the past prices of a coin: the stored prices if they are recent, otherwise those from its source if it
    /// responds in time. Some requests are reserved for callers who may change something.
    func history(of coin: CoinKey, over period: PricePeriod, for rank: PeerRank) async -> CoinHistoryAnswer
}

@LoopActor
protocol BackupSource: AnyObject {
    /// The store that is copied while it is in use.
    var store: Store { get }
}

extension Pipeline: AlertController, LimitController, SilenceController, PriceImporter, DrillController,
    ReceiverController
{}
extension StateStore: BackupSource {}
extension Pollers: PollController {}
extension PastRates: PastRateSource {}
extension CoinHistories: CoinHistorySource {}
