internal import Control
internal import JSON

/// A change that the page asks for.
enum WebChange: Equatable {
    case limit(rule: String, symbol: String, isMax: Bool, value: String)
    case resetLimit(rule: String, symbol: String)
    case silence(symbol: String, hours: Int)
    case endSilence(number: Int)
    case acknowledge(rule: String, symbol: String)
    case arm(rule: String, symbol: String)
    case favourite(symbol: String, isOn: Bool)

    /// Reads the body of a request to a path such as `/api/limit`.
    ///
    /// - Throws: ``ClientError/usage(_:)``; nil for another path.
    init?(_ path: String, _ body: [UInt8]) throws(ClientError) {
        do throws(JSONError) {
            var object = try JSONDocument(body, limit: WebSite.bodyLimit).root.object()
            switch path {
            case "/api/limit":
                let bound: String = try object.read("bound")
                self = .limit(
                    rule: try object.read("rule"), symbol: try object.read("symbol"), isMax: bound != "min",
                    value: try object.read("value"))
            case "/api/limit/reset":
                self = .resetLimit(rule: try object.read("rule"), symbol: try object.read("symbol"))
            case "/api/silence":
                let hours: Int = try object.read("hours")
                self = .silence(symbol: try object.read("symbol"), hours: min(max(1, hours), 24 * 30))
            case "/api/silence/end": self = .endSilence(number: try object.read("number"))
            case "/api/ack": self = .acknowledge(rule: try object.read("rule"), symbol: try object.read("symbol"))
            case "/api/arm": self = .arm(rule: try object.read("rule"), symbol: try object.read("symbol"))
            case "/api/favourite": self = .favourite(symbol: try object.read("symbol"), isOn: try object.read("on"))
            default: return nil
            }
        } catch {
            throw .usage("the request cannot be understood: \(error)")
        }
    }

    static let paths = [
        "/api/limit", "/api/limit/reset", "/api/silence", "/api/silence/end", "/api/ack", "/api/arm", "/api/favourite",
    ]
}

extension WebDaemon {
    /// Carries out a change, with the rights of the user who runs the program.
    ///
    /// - Returns: what happened.
    func perform(_ change: WebChange) throws(ClientError) -> String {
        if case .favourite(let symbol, let isOn) = change {
            try setFavourite(symbol, isOn)
            return isOn ? "\(symbol) is a favourite" : "\(symbol) is not a favourite"
        }
        return try use { connection throws(ClientError) in try perform(change, connection) }
    }

    private func perform(_ change: WebChange, _ connection: any ControlConnection) throws(ClientError) -> String {
        switch change {
        case .limit(let rule, let symbol, let isMax, let value):
            let parameters = SetLimitParameters(
                symbol: symbol, rule: rule, min: isMax ? nil : value, max: isMax ? value : nil)
            let reply = try connection.call(.setLimit, parameters, returning: SetLimitReply.self)
            let limit = reply.changes.first?.override
            let amount = PriceDisplay.own(hasUnicode: true).text(limit?.limit ?? value, in: limit?.currency)
            return "limit of '\(rule)' set to \(amount ?? value)" + (reply.saved ? "" : "; not saved yet")
        case .resetLimit(let rule, let symbol):
            let parameters = ResetLimitsParameters(symbol: symbol, rule: rule)
            let reply = try connection.call(.resetLimits, parameters, returning: ResetLimitsReply.self)
            return reply.reset.isEmpty
                ? "'\(rule)' has its configured limits" : "configured limits of '\(rule)' restored"
        case .silence(let symbol, let hours):
            let parameters = AddSilenceParameters(symbol: symbol, durationMilliseconds: hours * 3_600_000)
            let reply = try connection.call(.addSilence, parameters, returning: AddSilenceReply.self)
            return "silence \(reply.silence.number) on \(symbol) until \(formatter.time(reply.silence.ends))"
        case .endSilence(let number):
            _ = try connection.call(
                .expireSilences, ExpireSilencesParameters(numbers: [number]), returning: ExpireSilencesReply.self)
            return "silence \(number) ended"
        case .acknowledge(let rule, let symbol):
            let parameters = AcknowledgeParameters(rule: rule, symbol: symbol)
            let reply = try connection.call(.acknowledge, parameters, returning: AcknowledgeReply.self)
            return reply.changed > 0 ? "acknowledged '\(rule)'" : "'\(rule)' is not firing, or acknowledged already"
        case .arm(let rule, let symbol):
            let parameters = ArmParameters(rule: rule, symbol: symbol)
            let reply = try connection.call(.arm, parameters, returning: ArmReply.self)
            return reply.alerts.isEmpty ? "'\(rule)' was not disarmed" : "re-armed '\(rule)'"
        case .favourite: return ""
        }
    }
}
