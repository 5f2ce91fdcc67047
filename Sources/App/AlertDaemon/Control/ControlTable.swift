internal import Control
internal import EventLoop
internal import Varlink

/// Creates all calls of the interface `org.alertd.Control`, by group. This is the only place where they are
/// registered.
///
/// - Parameters:
///   - pipeline: answers queries through a ``PipelineQuery``, and makes changes through one protocol per group.
///   - rates: the exchange rates.
///   - refresher: fetches the reference rates on request.
///   - pastRates: finds the reference rates of past dates.
///   - daemon: status and settings.
///   - poller: polls on request.
///   - coins: past prices of coins.
///   - access: the permission to change something.
/// - Returns: the groups; each call is in exactly one group.
@LoopActor
func controlGroups(
    _ pipeline: Pipeline, rates: RateQuery, refresher: any RateRefresher, pastRates: any PastRateSource,
    daemon: any StatusProvider & SettingsController,
    poller: any PollController, coins: any CoinHistorySource,
    access: ControlAccess
) -> [any CallGroup] {
    let query = PipelineQuery(pipeline)
    return [
        StatusHandlers(daemon, daemon, poller, access, query),
        MarketHandlers(query),
        PriceHandlers(query),
        CoinHandlers(query, coins, access.permission),
        ImportHandlers(query, pipeline, access),
        RateHandlers(rates, refresher, pastRates, access),
        RuleHandlers(query),
        AlertHandlers(query, pipeline, access),
        LimitHandlers(query, pipeline, rates, access),
        SilenceHandlers(query, pipeline, access),
        EventHandlers(query),
        MonitorHandlers(query, pipeline.monitors),
        DrillHandlers(query, pipeline, pipeline, access),
        ReceiverHandlers(query, pipeline, access),
        BackupHandlers(pipeline.stateStore, access),
    ]
}

/// Creates the interface for the server.
@LoopActor
func controlInterface(_ groups: [any CallGroup]) -> VarlinkInterface {
    let methods = groups.flatMap(\.handlers).map { ($0.0.rawValue, $0.1) }
    return VarlinkInterface(
        name: ControlInterface.name, description: ControlInterface.description,
        methods: Dictionary(methods) { first, _ in first })
}
