internal import Control
internal import Market

/// The firing alerts in a few lines: the most severe first, and among equals the one furthest beyond its limit.
struct FiringLines {
    private let alerts: [AlertStatus]
    private let display: PriceDisplay
    private let formatter: HumanFormatter
    private let hasSeveralSources: Bool
    /// The maximum number of alerts to show.
    let limit: Int

    /// Requests the firing alerts. Errors are ignored so that the rest of the status is still shown.
    init(_ connection: any ControlConnection, _ context: Context, isShort: Bool, hasSeveralSources: Bool) {
        let reply = try? connection.all(
            .listAlerts, ListAlertsParameters(firingOnly: true), returning: ListAlertsReply.self)
        alerts = reply?.alerts.filter(\.isFiring) ?? []
        display = (try? context.display(connection)) ?? .own(hasUnicode: context.formatter.hasUnicode)
        formatter = context.formatter
        limit = isShort ? 3 : 10
        self.hasSeveralSources = hasSeveralSources
    }

    /// Returns a line for each of the first alerts, up to the limit, and a line with the number of alerts that are not
    /// shown.
    func lines(_ limit: Int) -> [String] {
        let order: [ControlInterface.Severity] = [.critical, .warning, .info]
        let keyed = alerts.enumerated().map { index, alert in
            let distance = alert.isInsideZone ? 0 : alert.distance?.units ?? .max
            return (key: (order.firstIndex(of: alert.severity) ?? order.count, distance, index), alert: alert)
        }
        let sorted = keyed.sorted { $0.key < $1.key }.map(\.alert)
        let rest = sorted.count - limit
        return sorted.prefix(limit).map(line)
            + (rest > 0 ? [formatter.more("\(rest) more; 'alertctl alerts --firing' shows them")] : [])
    }

    /// `critical: btcinr at ₹75,13,000.50, max ₹75,00,000.00 of rule 'btc band', 0.17% beyond`
    private func line(_ alert: AlertStatus) -> String {
        let isBeyond = alert.distancePercent?.hasPrefix("-") == true
        let beyond = isBeyond ? distanceText(alert).map { ", \($0)" } ?? "" : ""
        let marks = alert.marks.map { ", \($0)" }.joined()
        let text = alertText(alert, display, hasSeveralSources: hasSeveralSources)
        return "\(alert.severity.rawValue): \(text)\(beyond)\(marks)"
    }
}
