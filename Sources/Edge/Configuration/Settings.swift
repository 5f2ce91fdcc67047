package import Market
package import PriceSources
package import Receivers
package import Rules
package import Time

/// The contents of the settings files, checked.
package struct Settings: Equatable, Sendable {
    /// The source of rules that name none.
    package var feed = FeedSettings()
    /// The other sources, in the order of the file.
    package var otherSources: [FeedSettings] = []
    package var rates = RateSettings()
    package var display = DisplaySettings()
    package var history = HistorySettings()
    package var events = EventSettings()
    package var sinks = SinkSettings()
    package var metrics = MetricsSettings()
    package var heartbeat = HeartbeatSettings()
    package var lease = LeaseSettings()
    /// In the order of the file.
    package var receivers: [Receiver] = []
    /// The prices of two sources that are compared, in the order of the file.
    package var checks: [PriceCheck] = []
    /// In the order of the files and of their place in them.
    package var rules: [Rule] = []

    /// The defaults, without rules.
    package init() {}

    /// All sources, in the order of the file; each has a name of its own.
    package var sources: [FeedSettings] { [feed] + otherSources }

    /// The rules of a source, in their order.
    package func rules(of source: SourceName) -> [Rule] {
        rules.filter { ($0.source ?? feed.name) == source }
    }

    /// The source of a rule.
    package func source(of rule: Rule) -> SourceName { rule.source ?? feed.name }

    /// The time between two polls of the source of a rule.
    package func interval(_ rule: Rule) -> Milliseconds {
        (sources.first { $0.name == rule.source } ?? feed).interval
    }
}

/// `[feed]`, or a table `[[source]]`
package struct FeedSettings: Equatable, Sendable {
    /// What events, commands and rules call it.
    package var name = SourceName(unchecked: PriceSource.standard.rawValue)
    /// Whether it is a table `[[source]]`.
    package var isListed = false
    /// Where prices come from.
    package var source = PriceSource.standard
    /// Without a trailing slash; unused by a source that makes no requests.
    package var url = PriceSource.standard.profile.url ?? ""
    /// The time between two polls.
    package var interval = Milliseconds.seconds(30)
    /// `max_gap`; three intervals when nil.
    package var givenMaximumGap: Milliseconds?
    /// A market without trades or price changes for this long is frozen.
    package var frozenAfter = Milliseconds.seconds(30 * 60)
    /// Whether what prices did in a gap is looked up in candles, where the source has them.
    package var catchesUp = true
    /// A file with certificate authorities that replace the system's.
    package var authorityFile: String?
    /// Whether plain http to another machine is allowed.
    package var allowsPlainHTTP = false
    /// The seed of the simulated market; the same seed gives the same prices.
    package var simulatorSeed: UInt64 = 1
    /// The markets to keep; empty to keep all.
    package var symbols: [SymbolPattern] = []
    /// How many coins to ask CoinRanking for.
    package var count: Int = 100
    /// The name of the systemd credential with CoinRanking's key.
    package var credential = "coinranking"
    /// Where prices are in responses of ``PriceSource/json``; nil for other sources.
    package var layout: JSONLayout?

    /// The defaults, without rules.
    package init() {}

    /// Where its keys are, for advice: `[feed]`, or `[[source]] "kraken"`
    package var section: String { isListed ? "[[source]] \"\(name)\"" : "[feed]" }

    /// Two samples further apart than this have a gap between them.
    package var maximumGap: Milliseconds { givenMaximumGap ?? interval.times(3) }
}

/// `[rates]`
package struct RateSettings: Equatable, Sendable {
    /// Whether there are rates.
    package var isEnabled = true
    /// Whether they are made up: for a simulated market, unless the settings ask for real ones.
    package var isSimulated = false
    /// The file of the European Central Bank with the rates of the last day.
    package var url = "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml"
    /// A file with certificate authorities that replace the system's.
    package var authorityFile: String?

    /// The defaults, without rules.
    package init() {}
}

/// `[history]`
package struct HistorySettings: Equatable, Sendable {
    /// How long prices are kept.
    package var keep = Milliseconds.seconds(30 * 24 * 3_600)
    /// The most memory that kept prices may take, in bytes.
    package var memoryBytes = 64 << 20

    /// The defaults, without rules.
    package init() {}
}

/// `[events]`: how many events are kept.
package struct EventSettings: Equatable, Sendable {
    /// How long events are kept.
    package var keep = Milliseconds.seconds(365 * 86_400)
    /// The most events that are kept; at some 400 bytes each, a million take 400 MB.
    package var count = 1_000_000

    /// The defaults, without rules.
    package init() {}
}
