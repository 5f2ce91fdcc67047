/// The sources of prices that there are: what `[feed] source` may be, and what its documentation lists.
package enum PriceSource: String, CaseIterable, Sendable {
    case wazirx
    case binance
    case kraken
    case coinranking
    case json
    case simulator

    /// The source that is polled unless the settings name another.
    package static let standard = PriceSource.wazirx

    package var profile: SourceProfile {
        switch self {
        case .wazirx: .wazirX
        case .binance: .binance
        case .kraken: .kraken
        case .coinranking: .coinRanking
        case .json: .json
        case .simulator: .simulator
        }
    }

    /// The names of all sources: `wazirx or simulator`.
    package static var names: String {
        let names = allCases.map(\.rawValue)
        return names.dropLast().joined(separator: ", ") + (names.count > 1 ? " or " : "") + (names.last ?? "")
    }

    /// What its documentation says after the summary, in whole sentences: what it gives, and its limits.
    package var description: String {
        let limit = profile.limit.map {
            "Polled at most once every \($0.interval) at \($0.hosts.joined(separator: " and "))."
        }
        let candles = profile.candles.map {
            $0.isNewestOnly
                ? "It has candles of the last \($0.limit) minutes, from which gaps are caught up."
                : "It has candles, from which gaps are caught up."
        }
        return ([profile.notes] + [limit, candles].compactMap(\.self)).joined(separator: " ")
    }
}
