internal import Control
internal import Market

/// The alerts that are listed by default: out of hundreds, the few that matter now.
struct AlertSelection {
    /// The largest distance from the limit at which an alert counts as near, in percent of the price. An alert beyond
    /// its limit that is not firing is near too. A crossing never stays firing, so it is near only within this
    /// distance on either side.
    static let nearPercent = 5
    /// The maximum number of near alerts listed for a rule.
    static let nearCount = 10

    let shown: [AlertStatus]
    let hiddenCount: Int

    /// Selects all alerts, firing ones first.
    static func all(of alerts: [AlertStatus]) -> AlertSelection {
        AlertSelection(shown: alerts.filter(\.isFiring) + alerts.filter { !$0.isFiring }, hiddenCount: 0)
    }

    private init(shown: [AlertStatus], hiddenCount: Int) {
        self.shown = shown
        self.hiddenCount = hiddenCount
    }

    /// Selects all firing and pending alerts, and for each rule the alerts nearest to their limits.
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

    /// Distance of the price from the limit, in percent of the price; negative beyond the limit, nil while unknown.
    var distance: Price? { distancePercent.flatMap { try? Price($0) } }

    /// True if the price is between the limits of a zone, where its distance from either limit means nothing.
    var isInsideZone: Bool { bound == .within && distancePercent?.hasPrefix("-") == true }
}

extension Price {
    fileprivate var magnitude: Price { Price(unchecked: Int64(clamping: mantissa.magnitude), scale: scale) }
}
