/// The sources of prices that there are: what `[feed] source` may be, and what its documentation lists.
package enum PriceSource: String, CaseIterable, Sendable {
    case wazirx
    case simulator

    /// The source that is polled unless the settings name another.
    package static let standard = PriceSource.wazirx

    package var profile: SourceProfile {
        switch self {
        case .wazirx: .wazirX
        case .simulator: .simulator
        }
    }

    /// Every source with its description: `wazirx (the exchange WazirX) or simulator (a simulated market)`.
    package static var list: String {
        let parts = allCases.map { "\($0.rawValue) (\($0.profile.summary))" }
        return parts.dropLast().joined(separator: ", ") + (parts.count > 1 ? " or " : "") + (parts.last ?? "")
    }

    /// The shortest interval for each source that limits it: `10s for api.wazirx.com`.
    package static var limitedHosts: String {
        allCases.compactMap { $0.profile.limit.map { "\($0.interval) for \($0.host)" } }.joined(separator: ", ")
    }
}
