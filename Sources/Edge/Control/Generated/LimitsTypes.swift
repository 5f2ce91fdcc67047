// Made from org.alertd.Control.varlink by `make generate`; do not edit.

package import JSON

/// A limit set at run time.
package struct OverrideStatus: Equatable, Sendable {
    package var rule: String
    /// The name of the source of the symbol.
    package var source: String
    package var symbol: String
    /// `min` or `max`.
    package var bound: ControlInterface.Bound
    package var limit: String
    /// The configured limit; nil if the settings no longer have one.
    package var settingsLimit: String?
    /// Nil if it is not known yet.
    package var currency: String?
    /// The name and the number of the user who set it.
    package var by: String
    package var user: Int
    package var since: String
    package var state: ControlInterface.OverrideState

    package init(
        rule: String, source: String, symbol: String, bound: ControlInterface.Bound, limit: String,
        settingsLimit: String? = nil, currency: String? = nil, by: String, user: Int, since: String,
        state: ControlInterface.OverrideState
    ) {
        self.rule = rule
        self.source = source
        self.symbol = symbol
        self.bound = bound
        self.limit = limit
        self.settingsLimit = settingsLimit
        self.currency = currency
        self.by = by
        self.user = user
        self.since = since
        self.state = state
    }
}

extension OverrideStatus: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        rule = try object.read("rule")
        source = try object.read("source")
        symbol = try object.read("symbol")
        bound = try object.read("bound")
        limit = try object.read("limit")
        settingsLimit = try object.readIfPresent("settings_limit")
        currency = try object.readIfPresent("currency")
        by = try object.read("by")
        user = try object.read("user")
        since = try object.read("since")
        state = try object.read("state")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("rule", rule)
        writer.member("source", source)
        writer.member("symbol", symbol)
        writer.member("bound", bound)
        writer.member("limit", limit)
        writer.member("settings_limit", settingsLimit)
        writer.member("currency", currency)
        writer.member("by", by)
        writer.member("user", user)
        writer.member("since", since)
        writer.member("state", state)
        writer.endObject()
    }
}

/// A limit that was set, and the limit before it.
package struct LimitChangeStatus: Equatable, Sendable {
    package var override: OverrideStatus
    package var before: String
    /// The amount and the currency that were given, if they were converted into the currency of the rule.
    package var given: String?
    package var givenCurrency: String?

    package init(override: OverrideStatus, before: String, given: String? = nil, givenCurrency: String? = nil) {
        self.override = override
        self.before = before
        self.given = given
        self.givenCurrency = givenCurrency
    }
}

extension LimitChangeStatus: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        override = try object.read("override")
        before = try object.read("before")
        given = try object.readIfPresent("given")
        givenCurrency = try object.readIfPresent("given_currency")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("override", override)
        writer.member("before", before)
        writer.member("given", given)
        writer.member("given_currency", givenCurrency)
        writer.endObject()
    }
}
