internal import Control
internal import Market

/// The alerts that people are shown by default: out of hundreds, the few that matter now.
struct AlertSelection {
    /// An alert is near while the price is at most this far from the limit, in percent of the price, or beyond the
    /// limit without firing. A crossing, which never stays firing, is not near beyond that distance on either side.
    static let nearPercent = 5
    /// The most near alerts that are shown of each rule.
    static let nearCount = 10

    let shown: [AlertStatus]
    /// The number of alerts that are not shown.
    let hiddenCount: Int

    /// All alerts, firing ones first.
    static func all(of alerts: [AlertStatus]) -> AlertSelection {
        AlertSelection(shown: alerts.filter(\.isFiring) + alerts.filter { !$0.isFiring }, hiddenCount: 0)
    }

    private init(shown: [AlertStatus], hiddenCount: Int) {
        self.shown = shown
        self.hiddenCount = hiddenCount
    }

    /// All alerts that are firing, all that are pending, and of each rule those nearest to their limits.
    init(from alerts: [AlertStatus]) {
        let active = alerts.filter(\.isFiring) + alerts.filter { $0.state == .pending }
        shown = active + Self.near(alerts.filter { !$0.isFiring && $0.state != .pending })
        hiddenCount = alerts.count - shown.count
    }

    private static func near(_ alerts: [AlertStatus]) -> [AlertStatus] {
        let near = alerts.enumerated().compactMap { index, alert in
            alert.distance.flatMap { isNear(alert, $0) ? (key: ($0.magnitude, index), alert: alert) : nil }
        }
        var counts: [String: Int] = [:]
        return near.sorted { $0.key < $1.key }.map(\.alert).filter { alert in
            counts[alert.rule, default: 0] += 1
            return counts[alert.rule, default: 0] <= nearCount
        }
    }

    private static func isNear(_ alert: AlertStatus, _ distance: Price) -> Bool {
        let limit = Price(unchecked: Int64(nearPercent), scale: 0)
        guard alert.state != .expired else { return false }
        return [.crossUp, .crossDown].contains(alert.bound) ? distance.magnitude <= limit : distance <= limit
    }
}

extension AlertStatus {
    var isFiring: Bool { state == .firing }

    /// How far the price is from the limit in percent of the price; negative beyond the limit, nil while not known.
    var distance: Price? { distancePercent.flatMap { try? Price($0) } }

    /// Whether the price is between the limits of a zone, where the distance from either says nothing.
    var isInsideZone: Bool { bound == .within && distancePercent?.hasPrefix("-") == true }
}

extension Price {
    fileprivate var magnitude: Price { Price(unchecked: Int64(clamping: mantissa.magnitude), scale: scale) }
}
