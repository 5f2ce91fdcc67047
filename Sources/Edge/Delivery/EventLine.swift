package import Events
internal import Market
internal import Time

/// The JSON form of an event: one object, all keys always there and in this order, null where there is nothing to say.
package enum EventLine {
    /// Writes the event as UTF-8 that ends with a newline and holds no other.
    ///
    /// Times are RFC 3339 in UTC with milliseconds, prices decimal strings. Control characters are escaped, also
    /// those that JSON would allow, so that the line can go to a terminal.
    package static func encoded(_ event: Event) -> [UInt8] {
        let facts = event.occurrence
        var writer = JSONObjectWriter()
        writer.field("number", event.number)
        writer.field("time", facts.time.description)
        writer.field("kind", facts.kind.rawValue)
        writer.field("rule", facts.rule)
        writer.field("symbol", facts.symbol?.description)
        writer.field("bound", facts.bound?.rawValue)
        writer.field("severity", facts.severity.rawValue)
        writer.field("price", facts.price?.description)
        writer.field("limit", facts.limit?.description)
        writer.field("currency", facts.currency?.description)
        writer.field("previous", object: facts.previous.map(previous))
        writer.field("exchange_time", facts.exchangeTime?.description)
        writer.field("received", facts.received?.description)
        writer.field("sample_age_ms", facts.sampleAge?.count)
        writer.field("notified", facts.notified)
        writer.field("reason", facts.reason?.rawValue)
        writer.field("conversion", object: facts.conversion.map(conversion))
        writer.field("text", facts.text)
        writer.field("silence", facts.silence)
        writer.field("sink", facts.sink)
        writer.field("details", object: facts.details.isEmpty ? nil : details(facts.details))
        return writer.line()
    }

    private static func details(_ details: DecisionDetails) -> JSONObjectWriter {
        var writer = JSONObjectWriter()
        writer.field("clear", details.clear?.description)
        writer.field("market_price", details.marketPrice?.description)
        writer.field("pending_ms", details.pendingFor?.count)
        writer.field("firing_since", details.firingSince?.description)
        writer.field("window_ms", details.window?.count)
        writer.field("extreme", details.extreme?.description)
        writer.field("cooldown_until", details.cooldownEnd?.description)
        writer.field("settings_limit", details.settingsLimit?.description)
        writer.field("limit_by", details.limitAuthor?.description)
        writer.field("limit_since", details.limitSince?.description)
        return writer
    }

    private static func previous(_ sample: PreviousPrice) -> JSONObjectWriter {
        var writer = JSONObjectWriter()
        writer.field("price", sample.price.description)
        writer.field("time", sample.time.description)
        return writer
    }

    private static func conversion(_ conversion: ConversionEvidence) -> JSONObjectWriter {
        var writer = JSONObjectWriter()
        writer.field("rate", conversion.rate.description)
        writer.field("date", conversion.date?.description)
        writer.field("source", conversion.source)
        writer.field("path", conversion.path)
        return writer
    }
}
