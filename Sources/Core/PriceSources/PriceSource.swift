/// The supported price sources. The raw values are the values of `[feed] source`, and alertd.toml(5) lists them.
package enum PriceSource: String, CaseIterable, Sendable {
    case wazirx
    case binance
    case kraken
    case coinranking
    case json
    case simulator

    /// The default source.
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

    /// The names of all sources: `wazirx, binance, kraken, coinranking, json or simulator`.
    package static var names: String {
        let names = allCases.map(\.rawValue)
        return names.dropLast().joined(separator: ", ") + (names.count > 1 ? " or " : "") + (names.last ?? "")
    }

    /// The documentation after the summary, in whole sentences: the data of the source, and its limits.
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
