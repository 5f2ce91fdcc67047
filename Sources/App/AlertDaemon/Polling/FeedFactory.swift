internal import Configuration
internal import Control
internal import Delivery
internal import EventLoop
internal import Feeds
internal import HTTP
internal import Market
internal import PriceSources
internal import ReferenceRateFiles
internal import ServiceManager
internal import Time

/// Creates the feed of prices for the settings.
///
/// - Parameters:
///   - settings: the settings of the source.
///   - lane: the lane of the source, with the names of its coins; nil for a feed that is used once.
///   - credentials: the credentials, with the key of a source that needs one.
///   - proxy: the proxy for requests.
///   - machine: the clock, and the client for requests.
/// - Returns: the feed.
@LoopActor
func makeFeed(
    _ settings: FeedSettings, of lane: Lane? = nil, credentials: Credentials, proxy: ProxyAddress?, _ machine: Machine
) -> any Feed {
    var parameters = FeedParameters(settings.source, url: settings.url)
    parameters.section = settings.section
    parameters.symbols = settings.symbols
    parameters.seed = settings.simulatorSeed
    parameters.count = settings.count
    parameters.layout = settings.layout
    parameters.key = { () throws(FeedFailure) in try key(settings.credential, in: credentials) }
    parameters.coinNames = { [weak lane] in lane.map { Array($0.coins.names.all.values) } ?? [] }
    return makeFeed(
        parameters,
        client: {
            var configuration = HTTPConfiguration(userAgent: userAgent)
            configuration.authorityFile = settings.authorityFile
            configuration.allowsPlainHTTP = settings.allowsPlainHTTP
            configuration.proxy = proxy
            return machine.client(configuration)
        }, time: machine.clock)
}

/// Creates the poller of a source, which also looks up gaps.
@LoopActor
func makePoller(
    _ settings: FeedSettings, of lane: Lane, _ pipeline: Pipeline, _ log: Log, _ context: ServiceManagerContext,
    _ machine: Machine
) -> Poller {
    let feed = makeFeed(settings, of: lane, credentials: context.credentials, proxy: context.proxy, machine)
    let poller = Poller(
        feed, settings, lane: lane, pipeline: pipeline, log: log, clock: machine.clock, random: machine.random)
    poller.catchUp { makeCandleFeed(settings, proxy: context.proxy, machine) }
    return poller
}

/// Creates the feed of candles; returns nil for a source without candles, or if the settings disable candles.
@LoopActor
func makeCandleFeed(_ settings: FeedSettings, proxy: ProxyAddress?, _ machine: Machine) -> CandleFeed? {
    guard settings.catchesUp else { return nil }
    var parameters = FeedParameters(settings.source, url: settings.url)
    parameters.section = settings.section
    return CandleFeed(
        parameters,
        client: {
            var configuration = HTTPConfiguration(userAgent: userAgent)
            configuration.authorityFile = settings.authorityFile
            configuration.allowsPlainHTTP = settings.allowsPlainHTTP
            configuration.proxy = proxy
            configuration.bodyLimitBytes = CandleReader.bodyLimit
            return machine.client(configuration)
        }, time: machine.clock)
}

/// Returns the key for a source; nil if there is no such credential. It is read each time, because it may be renewed.
private func key(_ name: String, in credentials: Credentials) throws(FeedFailure) -> String? {
    do {
        return try credentials.secret(name)?.reveal()
    } catch {
        throw FeedFailure(.settings, error.description)
    }
}

/// Creates the feed of exchange rates for the settings; returns nil if fetching is disabled.
@LoopActor
func makeRateFeed(_ settings: RateSettings, proxy: ProxyAddress?, _ machine: Machine) -> (any RateFeed)? {
    guard settings.isEnabled else { return nil }
    if settings.isSimulated { return SimulatedRateFeed(time: machine.clock) }
    var configuration = HTTPConfiguration(userAgent: userAgent)
    configuration.authorityFile = settings.authorityFile
    configuration.proxy = proxy
    // The file with the rates of one day has about 2 kB.
    configuration.bodyLimitBytes = 64 << 10
    return ReferenceRateFeed(url: settings.url, client: machine.client(configuration), time: machine.clock)
}

/// Where reference rates of the past come from according to the settings.
@LoopActor
func makeHistorySource(_ settings: RateSettings, proxy: ProxyAddress?, _ machine: Machine) -> HistorySource {
    let other = "or use 'alertctl convert --rates FILE'"
    if !settings.isEnabled {
        return .none("exchange rates are not fetched; set `enabled = true` in [rates] of the settings, \(other)")
    }
    if settings.isSimulated {
        return .none(
            "the exchange rates of a simulated market are made up and have no past; set `enabled = true` in [rates] of "
                + "the settings, \(other)")
    }
    guard let address = settings.historyURL else {
        return .none(
            "the rates of past dates are not known, because `url` in [rates] is not the European Central Bank's; set "
                + "`history_url` in [rates] to the file with all dates, \(other)")
    }
    var configuration = HTTPConfiguration(userAgent: userAgent)
    configuration.authorityFile = settings.authorityFile
    configuration.proxy = proxy
    configuration.bodyLimitBytes = RateHistoryFeed.limits.byteCount
    configuration.totalLimit = RateHistoryFeed.totalLimit
    return .feed(RateHistoryFeed(address, client: machine.client(configuration), time: machine.clock))
}

let userAgent = "alertd/\(Version.current)"

extension FeedSettings {
    /// Returns true if the same feed can continue, because the settings differ only in keys that the feed does not
    /// use.
    func hasSameSource(as other: FeedSettings) -> Bool {
        var same = other
        (same.name, same.interval, same.catchesUp) = (name, interval, catchesUp)
        (same.givenMaximumGap, same.frozenAfter) = (givenMaximumGap, frozenAfter)
        return self == same
    }
}
