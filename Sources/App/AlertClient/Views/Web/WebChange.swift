internal import Control
internal import Diagnostics
internal import JSON
internal import Market

/// A change requested by the page.
enum WebChange: Equatable {
    case limit(rule: String, symbol: String, isMax: Bool, value: Price)
    case resetLimit(rule: String, symbol: String)
    case silence(symbol: String, hours: Int)
    case endSilence(number: Int)
    case acknowledge(rule: String, symbol: String)
    case arm(rule: String, symbol: String)
    case favourite(symbol: String, isOn: Bool)
    case keepConversion(WebConversion)
    case forgetConversion(number: Int)
    case forgetConversions

    /// Decodes the body of a request to a path such as `/api/limit`; nil for a path that is not for changes.
    ///
    /// - Throws: ``ClientError/usage(_:)`` if the body is invalid.
    init?(_ path: String, _ body: [UInt8]) throws(ClientError) {
        var body = try WebBody(body)
        switch path {
        case "/api/limit":
            self = .limit(
                rule: try body.text("rule"), symbol: try body.text("symbol"),
                isMax: try body.text("bound", oneOf: ["min", "max"]) == "max",
                value: try Self.limit(try body.text("value")))
        case "/api/limit/reset": self = .resetLimit(rule: try body.text("rule"), symbol: try body.text("symbol"))
        case "/api/silence":
            self = .silence(symbol: try body.text("symbol"), hours: try body.number("hours", in: 1...(24 * 30)))
        case "/api/silence/end": self = .endSilence(number: try body.number("number", in: 1...Int(Int32.max)))
        case "/api/ack": self = .acknowledge(rule: try body.text("rule"), symbol: try body.text("symbol"))
        case "/api/arm": self = .arm(rule: try body.text("rule"), symbol: try body.text("symbol"))
        case "/api/favourite": self = .favourite(symbol: try body.text("symbol"), isOn: try body.flag("on"))
        case "/api/conversion/keep":
            let targets = try body.text("to").split(separator: " ").map(String.init)
            self = .keepConversion(
                try WebConversion(amount: try body.text("amount"), from: try body.text("from"), to: targets))
        case "/api/conversion/forget":
            self = .forgetConversion(number: try body.number("number", in: 1...Int(Int32.max)))
        case "/api/conversion/forget/all": self = .forgetConversions
        default: return nil
        }
    }

    /// Parses the value of a limit.
    ///
    /// - Throws: ``ClientError/usage(_:)`` unless it is a number above 0.
    static func limit(_ text: String) throws(ClientError) -> Price {
        guard let price = try? Price(text), price.isPositive else {
            throw .usage("value: a limit is a number above 0, not '\(visible(text))'")
        }
        return price
    }

    static let paths = [
        "/api/limit", "/api/limit/reset", "/api/silence", "/api/silence/end", "/api/ack", "/api/arm", "/api/favourite",
        "/api/conversion/keep", "/api/conversion/forget", "/api/conversion/forget/all",
    ]
}

/// The JSON body of a change. Errors name the invalid member.
private struct WebBody {
    private var object: JSONObject

    init(_ bytes: [UInt8]) throws(ClientError) {
        object = try Self.read { () throws(JSONError) in
            try JSONDocument(bytes, limit: WebSite.bodyLimit).root.object()
        }
        var names: Set<String> = []
        for (name, _) in object.members where !names.insert(name).inserted {
            throw .usage("\(visible(name)): given more than once")
        }
    }

    mutating func text(_ name: StaticString) throws(ClientError) -> String {
        let text: String = try Self.read { () throws(JSONError) in try object.read(name) }
        guard !text.isEmpty else { throw .usage("\(name) is empty") }
        return text
    }

    mutating func text(_ name: StaticString, oneOf words: [String]) throws(ClientError) -> String {
        let text = try text(name)
        guard words.contains(text) else {
            throw .usage("\(name): '\(visible(text))' is none of \(words.joined(separator: ", "))")
        }
        return text
    }

    mutating func number(_ name: StaticString, in range: ClosedRange<Int>) throws(ClientError) -> Int {
        let number: Int = try Self.read { () throws(JSONError) in try object.read(name) }
        guard range.contains(number) else {
            throw .usage("\(name): \(number) is not from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    mutating func flag(_ name: StaticString) throws(ClientError) -> Bool {
        try Self.read { () throws(JSONError) in try object.read(name) }
    }

    private static func read<Value>(_ body: () throws(JSONError) -> Value) throws(ClientError) -> Value {
        do throws(JSONError) { return try body() } catch { throw .usage("the request cannot be understood: \(error)") }
    }
}

extension WebDaemon {
    /// Performs a change with the permissions of the user who runs alertctl.
    ///
    /// - Returns: the message for the user.
    func perform(_ change: WebChange) throws(ClientError) -> String {
        switch change {
        case .favourite(let symbol, let isOn):
            try setFavourite(symbol, isOn)
            return isOn ? "\(symbol) is a favourite" : "\(symbol) is not a favourite"
        case .keepConversion(let conversion): return try keep(conversion)
        case .forgetConversion(let number): return try forgetConversion(number)
        case .forgetConversions: return try forgetConversions()
        default: return try use { connection throws(ClientError) in try perform(change, connection) }
        }
    }

    private func perform(_ change: WebChange, _ connection: any ControlConnection) throws(ClientError) -> String {
        switch change {
        case .limit(let rule, let symbol, let isMax, let value):
            let (min, max) = isMax ? (nil, "\(value)") : ("\(value)", nil)
            let parameters = SetLimitParameters(symbol: symbol, rule: rule, min: min, max: max)
            let reply = try connection.call(.setLimit, parameters, returning: SetLimitReply.self)
            let limit = reply.changes.first?.override
            let amount = PriceDisplay.own(hasUnicode: true).text(limit?.limit ?? "\(value)", in: limit?.currency)
            return "limit of '\(rule)' set to \(amount ?? "\(value)")" + (reply.saved ? "" : "; not saved yet")
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
        case .favourite, .keepConversion, .forgetConversion, .forgetConversions: return ""
        }
    }
}
