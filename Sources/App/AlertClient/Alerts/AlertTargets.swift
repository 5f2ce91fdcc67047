internal import Control

/// The rules that have alerts on a symbol, for commands that accept a symbol in place of a rule.
struct AlertTargets {
    let symbol: String
    let alerts: [AlertStatus]

    /// Requests the alerts on a symbol.
    ///
    /// - Parameters:
    ///   - name: The name that the user gave, which may be a symbol.
    ///   - connection: The connection to the daemon.
    ///   - error: The error to throw if no such symbol exists or no rule has alerts on it.
    /// - Throws: `error`.
    init(
        named name: String, _ connection: any ControlConnection, otherwise error: ClientError
    ) throws(ClientError) {
        symbol = name.lowercased()
        let parameters = ListAlertsParameters(symbol: symbol)
        guard let reply = try? connection.all(.listAlerts, parameters, returning: ListAlertsReply.self),
            !reply.alerts.isEmpty
        else { throw error }
        alerts = reply.alerts
    }

    /// The names of the rules in file order, without duplicates.
    var rules: [String] {
        var seen: Set<String> = []
        return alerts.map(\.rule).filter { seen.insert($0).inserted }
    }

    /// The names of the rules with a firing alert, in file order.
    var firingRules: [String] {
        let firing = Set(alerts.filter(\.isFiring).map(\.rule))
        return rules.filter(firing.contains)
    }
}

extension ControlConnection {
    /// Throws an error that names similar rules if the rule does not exist.
    func requireRule(_ name: String) throws(ClientError) {
        _ = try call(.explain, ExplainParameters(rule: name, symbol: nil), returning: ExplainReply.self)
    }
}
