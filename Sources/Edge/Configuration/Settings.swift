internal import Market
package import PriceSources
package import Rules
package import Time

/// All that the settings files say, checked.
package struct Settings: Equatable, Sendable {
    package var feed = FeedSettings()
    package var rates = RateSettings()
    package var display = DisplaySettings()
    package var history = HistorySettings()
    package var events = EventSettings()
    package var sinks = SinkSettings()
    /// In the order of the files and of their place in them.
    package var rules: [Rule] = []

    package init() {}
}

/// `[feed]`
package struct FeedSettings: Equatable, Sendable {
    package var source = PriceSource.standard
    /// Without a slash at its end; of no use to a source that makes no requests.
    package var url = PriceSource.standard.profile.url ?? ""
    package var interval = Milliseconds.seconds(30)
    /// `max_gap`; nil stands for three intervals.
    package var givenMaximumGap: Milliseconds?
    package var frozenAfter = Milliseconds.seconds(30 * 60)
    /// A file with certificates of authorities, in place of the system's.
    package var authorityFile: String?
    /// Whether plain http is good enough for a host that is not this machine.
    package var allowsPlainHTTP = false
    /// What the simulated market is made from; the same seed gives the same prices.
    package var simulatorSeed: UInt64 = 1

    package init() {}

    /// Two samples further apart than this have a gap between them.
    package var maximumGap: Milliseconds { givenMaximumGap ?? interval.times(3) }
}

/// `[rates]`
package struct RateSettings: Equatable, Sendable {
    /// Whether the source is asked; when nothing is said, unless the market is a simulated one.
    package var isEnabled = true
    /// The file of the European Central Bank with the rates of the last day.
    package var url = "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml"
    /// A file with certificates of authorities, in place of the system's.
    package var authorityFile: String?

    package init() {}
}

/// `[history]`
package struct HistorySettings: Equatable, Sendable {
    package var keep = Milliseconds.seconds(30 * 24 * 3_600)
    /// The most memory that kept prices may take, in bytes.
    package var memoryBytes = 64 << 20

    package init() {}
}

/// `[events]`: how many events are kept.
package struct EventSettings: Equatable, Sendable {
    package var keep = Milliseconds.seconds(365 * 86_400)
    /// The most events that are kept; at some 400 bytes each, a million take 400 MB.
    package var count = 1_000_000

    package init() {}
}
