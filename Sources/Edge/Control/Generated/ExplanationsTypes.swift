// Made from org.alertd.Control.varlink by `make generate`; do not edit.

package import JSON

/// Something that holds for an alert now.
package struct AlertFact: Equatable, Sendable {
    package var kind: ControlInterface.FactKind
    /// Since when it holds, or when it happened.
    package var since: String?
    /// Until when it holds, or when it will happen.
    package var until: String?
    /// How long a breach has lasted, and how long it must last.
    package var heldMilliseconds: Int?
    package var holdMilliseconds: Int?
    /// More detail: the reason of `suppressed`, the kind of price that is missing, the currencies without a path.
    package var detail: String?
    /// The number of the silence.
    package var number: Int?
    /// Who did it.
    package var by: String?

    package init(
        kind: ControlInterface.FactKind, since: String? = nil, until: String? = nil, heldMilliseconds: Int? = nil,
        holdMilliseconds: Int? = nil, detail: String? = nil, number: Int? = nil, by: String? = nil
    ) {
        self.kind = kind
        self.since = since
        self.until = until
        self.heldMilliseconds = heldMilliseconds
        self.holdMilliseconds = holdMilliseconds
        self.detail = detail
        self.number = number
        self.by = by
    }
}

extension AlertFact: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        kind = try object.read("kind")
        since = try object.readIfPresent("since")
        until = try object.readIfPresent("until")
        heldMilliseconds = try object.readIfPresent("held_ms")
        holdMilliseconds = try object.readIfPresent("hold_ms")
        detail = try object.readIfPresent("detail")
        number = try object.readIfPresent("number")
        by = try object.readIfPresent("by")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("kind", kind)
        writer.member("since", since)
        writer.member("until", until)
        writer.member("held_ms", heldMilliseconds)
        writer.member("hold_ms", holdMilliseconds)
        writer.member("detail", detail)
        writer.member("number", number)
        writer.member("by", by)
        writer.endObject()
    }
}

/// A price that decides about an alert, in the currency of the alert.
package struct AlertLevel: Equatable, Sendable {
    package var role: ControlInterface.LevelRole
    package var comparison: ControlInterface.PriceComparison
    package var price: String
    /// Whether the price has reached it.
    package var reached: Bool?
    /// The level minus the price, and the same in percent of the price.
    package var away: String?
    package var awayPercent: String?

    package init(
        role: ControlInterface.LevelRole, comparison: ControlInterface.PriceComparison, price: String,
        reached: Bool? = nil, away: String? = nil, awayPercent: String? = nil
    ) {
        self.role = role
        self.comparison = comparison
        self.price = price
        self.reached = reached
        self.away = away
        self.awayPercent = awayPercent
    }
}

extension AlertLevel: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        role = try object.read("role")
        comparison = try object.read("comparison")
        price = try object.read("price")
        reached = try object.readIfPresent("reached")
        away = try object.readIfPresent("away")
        awayPercent = try object.readIfPresent("away_percent")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("role", role)
        writer.member("comparison", comparison)
        writer.member("price", price)
        writer.member("reached", reached)
        writer.member("away", away)
        writer.member("away_percent", awayPercent)
        writer.endObject()
    }
}

/// Why an alert is firing, is not firing, or was not notified.
package struct AlertExplanation: Equatable, Sendable {
    package var alert: AlertStatus
    /// When the price of the alert was received.
    package var priceTime: String?
    /// What keeps it from being evaluated, then its state, then what concerns notifications.
    package var facts: [AlertFact]
    package var levels: [AlertLevel]
    /// The window that a rise or fall is measured in; nil for other conditions, and with fewer than two prices.
    package var windowMilliseconds: Int?
    package var lowest: String?
    package var highest: String?
    /// How the price was converted to the currency of the alert; nil if it is the market's own.
    package var conversion: ConversionRecord?

    package init(
        alert: AlertStatus, priceTime: String? = nil, facts: [AlertFact], levels: [AlertLevel],
        windowMilliseconds: Int? = nil, lowest: String? = nil, highest: String? = nil,
        conversion: ConversionRecord? = nil
    ) {
        self.alert = alert
        self.priceTime = priceTime
        self.facts = facts
        self.levels = levels
        self.windowMilliseconds = windowMilliseconds
        self.lowest = lowest
        self.highest = highest
        self.conversion = conversion
    }
}

extension AlertExplanation: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        alert = try object.read("alert")
        priceTime = try object.readIfPresent("price_time")
        facts = try object.read("facts")
        levels = try object.read("levels")
        windowMilliseconds = try object.readIfPresent("window_ms")
        lowest = try object.readIfPresent("lowest")
        highest = try object.readIfPresent("highest")
        conversion = try object.readIfPresent("conversion")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("alert", alert)
        writer.member("price_time", priceTime)
        writer.member("facts", facts)
        writer.member("levels", levels)
        writer.member("window_ms", windowMilliseconds)
        writer.member("lowest", lowest)
        writer.member("highest", highest)
        writer.member("conversion", conversion)
        writer.endObject()
    }
}
