package import Market
package import PriceSources
package import Receivers
package import Rules
package import Time

/// The validated contents of the settings files.
package struct Settings: Equatable, Sendable {
    /// The first source, which rules use unless they name another one.
    package var feed = FeedSettings()
    /// The other sources, in file order.
    package var otherSources: [FeedSettings] = []
    package var rates = RateSettings()
    package var display = DisplaySettings()
    package var history = HistorySettings()
    package var events = EventSettings()
    package var sinks = SinkSettings()
    package var metrics = MetricsSettings()
    package var heartbeat = HeartbeatSettings()
    package var lease = LeaseSettings()
    /// The receivers, in file order.
    package var receivers: [Receiver] = []
    /// The checks that compare prices of two sources, in file order.
    package var checks: [PriceCheck] = []
    /// The rules, in the order of the files and of their positions.
    package var rules: [Rule] = []

    package init() {}

    /// All sources, in file order, with unique names.
    package var sources: [FeedSettings] { [feed] + otherSources }

    /// Returns the rules of a source, in the order of ``rules``.
    package func rules(of source: SourceName) -> [Rule] {
        rules.filter { ($0.source ?? feed.name) == source }
    }

    package func source(of rule: Rule) -> SourceName { rule.source ?? feed.name }

    /// Returns the time between two polls of a rule's source.
    package func interval(_ rule: Rule) -> Milliseconds {
        (sources.first { $0.name == rule.source } ?? feed).interval
    }
}

/// The settings of a source: `[feed]`, or a `[[source]]` table.
package struct FeedSettings: Equatable, Sendable {
    /// The name of the source in events, commands and rules.
    package var name = SourceName(unchecked: PriceSource.standard.rawValue)
    /// True for a `[[source]]` table, false for `[feed]`.
    package var isListed = false
    /// The type of the source.
    package var source = PriceSource.standard
    /// The address, without a trailing slash. Not used by a source that makes no requests.
    package var url = PriceSource.standard.profile.url ?? ""
    /// The time between two polls.
    package var interval = Milliseconds.seconds(30)
    /// The value of `max_gap`, or nil for three intervals.
    package var givenMaximumGap: Milliseconds?
    /// The time without trades or price changes after which a market is frozen.
    package var frozenAfter = Milliseconds.seconds(30 * 60)
    /// True to look up in the source's candles, if it has any, which limits were reached in a gap.
    package var catchesUp = true
    /// A file with certificate authorities that replace the system's, or nil to use the system's.
    package var authorityFile: String?
    /// True if plain HTTP to another machine is allowed.
    package var allowsPlainHTTP = false
    /// The seed of the simulated market; the same seed gives the same prices.
    package var simulatorSeed: UInt64 = 1
    /// The symbols to keep; empty to keep all.
    package var symbols: [SymbolPattern] = []
    /// The number of coins to request from CoinRanking.
    package var count: Int = 100
    /// The name of the systemd credential with the CoinRanking API key.
    package var credential = "coinranking"
    /// The layout of responses of ``PriceSource/json``, or nil for other sources.
    package var layout: JSONLayout?

    package init() {}

    /// The table as advice names it: `[feed]`, or `[[source]] "kraken"`.
    package var section: String { isListed ? "[[source]] \"\(name)\"" : "[feed]" }

    /// The maximum time between two samples without a gap between them.
    package var maximumGap: Milliseconds { givenMaximumGap ?? interval.times(3) }
}

/// The settings in `[rates]`.
package struct RateSettings: Equatable, Sendable {
    /// True if exchange rates are available.
    package var isEnabled = true
    /// True if rates are made up: for a simulated market, unless the settings ask for real ones.
    package var isSimulated = false
    /// The address of the European Central Bank's file with the rates of the last day.
    package var url = "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml"
    /// The configured address of the file with the rates of all dates; nil if the key is absent.
    package var givenHistoryURL: String?
    /// A file with certificate authorities that replace the system's, or nil to use the system's.
    package var authorityFile: String?

    package init() {}

    /// The file of the European Central Bank with the rates of all dates.
    package static let europeanHistoryURL = "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.xml"

    /// The address of the file with the rates of all dates; nil for a mirror without `history_url`.
    package var historyURL: String? {
        givenHistoryURL ?? (url.hasPrefix("https://www.ecb.europa.eu/") ? Self.europeanHistoryURL : nil)
    }
}

/// The settings in `[history]`.
package struct HistorySettings: Equatable, Sendable {
    /// The time for which prices are kept.
    package var keep = Milliseconds.seconds(30 * 24 * 3_600)
    /// The maximum memory for kept prices, in bytes.
    package var memoryBytes = 64 << 20

    package init() {}
}

/// The settings in `[events]`: the limits for kept events.
package struct EventSettings: Equatable, Sendable {
    /// The time for which events are kept.
    package var keep = Milliseconds.seconds(365 * 86_400)
    /// The maximum number of kept events. A million of about 400 bytes each take 400 MB.
    package var count = 1_000_000

    package init() {}
}
