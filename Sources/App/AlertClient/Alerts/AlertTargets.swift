internal import Control

/// The rules that have alerts on a symbol, for commands that take a symbol in place of a rule.
struct AlertTargets {
    let symbol: String
    let alerts: [AlertStatus]

    /// Finds them.
    ///
    /// - Parameters:
    ///   - name: What may be the name of a symbol.
    ///   - connection: The daemon.
    ///   - error: What to throw if there is no such symbol, or no rule has alerts on it.
    /// - Throws: That error.
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

    /// In file order, each once.
    var rules: [String] {
        var seen: Set<String> = []
        return alerts.map(\.rule).filter { seen.insert($0).inserted }
    }

    /// Of these, the rules with a firing alert.
    var firingRules: [String] {
        let firing = Set(alerts.filter(\.isFiring).map(\.rule))
        return rules.filter(firing.contains)
    }
}

extension ControlConnection {
    /// Throws an error that names similar rules unless there is a rule of that name.
    func requireRule(_ name: String) throws(ClientError) {
        _ = try call(.explain, ExplainParameters(rule: name, symbol: nil), returning: ExplainReply.self)
    }
}
