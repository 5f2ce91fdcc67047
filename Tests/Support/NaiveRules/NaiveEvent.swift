package import Events
package import Market
package import Time

/// An event with what a rule decides about it; prices as text without zeros at the end.
package struct NaiveEvent: Equatable, Sendable {
    package var time: WallTime
    package var kind: EventKind
    /// Nil for what is about no source, and where there is only one.
    package var source: SourceName?
    package var rule: String?
    package var symbol: Symbol?
    package var bound: Bound?
    package var severity = Severity.info
    package var price: String?
    package var limit: String?
    package var currency: String?
    package var previous: String?
    package var previousTime: WallTime?
    package var exchangeTime: WallTime?
    package var received: WallTime?
    package var sampleAge: Milliseconds?
    /// What one unit of the market's currency is in the rule's.
    package var rate: String?
    package var notified = true
    package var reason: Reason?
    package var silence: Int64?
    package var details = NaiveDetails()

    package init(_ kind: EventKind, at time: WallTime) {
        self.kind = kind
        self.time = time
    }

    /// The same of an event that happened.
    package init(_ occurrence: Occurrence) {
        time = occurrence.time
        kind = occurrence.kind
        source = occurrence.source
        rule = occurrence.rule
        symbol = occurrence.symbol
        bound = occurrence.bound
        severity = occurrence.severity
        price = occurrence.price.map { "\($0.reduced)" }
        limit = occurrence.limit.map { "\($0)" }
        currency = occurrence.currency?.description
        previous = occurrence.previous.map { "\($0.price.reduced)" }
        previousTime = occurrence.previous?.time
        exchangeTime = occurrence.exchangeTime
        received = occurrence.received
        sampleAge = occurrence.sampleAge
        rate = occurrence.conversion.map { "\($0.rate.reduced)" }
        notified = occurrence.notified
        reason = occurrence.reason
        silence = occurrence.silence
        details = NaiveDetails(occurrence)
    }
}

extension NaiveEvent: CustomStringConvertible {
    /// `fired rule 0 btcinr max notified already_breached 101 limit 100 INR previous 99@… received …`
    package var description: String {
        var words = [kind.rawValue, source.map { "\($0)" }, rule, symbol.map { "\($0)" }, bound?.rawValue]
            .compactMap(\.self)
        words += [notified ? "notified" : "suppressed", severity.rawValue, reason?.rawValue].compactMap(\.self)
        if let silence { words.append("silence \(silence)") }
        if let price { words.append(price) }
        if let limit { words.append("limit \(limit)") }
        if let currency { words.append(currency) }
        if let rate { words.append("rate \(rate)") }
        if let previous { words.append("previous \(previous)@\(previousTime?.milliseconds ?? 0)") }
        if let exchangeTime { words.append("exchange \(exchangeTime.milliseconds)") }
        if let sampleAge { words.append("age \(sampleAge.count)") }
        words += received.map { ["received \($0.milliseconds)"] } ?? []
        return (words + ["at \(time.milliseconds) (\(details))"]).joined(separator: " ")
    }
}
