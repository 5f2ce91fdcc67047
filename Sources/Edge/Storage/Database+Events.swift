internal import Events
internal import Market
internal import Time

extension Database {
    /// Writes an event; one that is there already under its number with the same contents stays.
    func write(_ event: Event) throws(StorageError) {
        let occurrence = event.occurrence
        let conversion = occurrence.conversion
        let details = occurrence.details
        try run(
            """
            INSERT INTO event (
                number, time, kind, rule, symbol, bound, severity, price, limit_price, currency, previous_price,
                previous_time, exchange_time, received, sample_age, notified, reason, conversion_rate, conversion_date,
                conversion_source, conversion_path, text, silence, sink, clear_price, market_price, pending,
                firing_since, window, extreme, cooldown_until, settings_limit, limit_user, limit_user_name,
                limit_since)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
                ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """, .integer(event.number), .integer(occurrence.time.milliseconds), .text(occurrence.kind.rawValue),
            .optional(occurrence.rule), .optional(occurrence.symbol.map { "\($0)" }),
            .optional(occurrence.bound?.rawValue), .text(occurrence.severity.rawValue),
            .optional(occurrence.price.map { "\($0)" }), .optional(occurrence.limit.map { "\($0)" }),
            .optional(occurrence.currency.map { "\($0)" }), .optional(occurrence.previous.map { "\($0.price)" }),
            .optional(occurrence.previous?.time.milliseconds), .optional(occurrence.exchangeTime?.milliseconds),
            .optional(occurrence.received?.milliseconds), .optional(occurrence.sampleAge?.count),
            .integer(occurrence.notified ? 1 : 0), .optional(occurrence.reason?.rawValue),
            .optional(conversion.map { "\($0.rate)" }), .optional(conversion?.date.map { "\($0)" }),
            .optional(conversion?.source), .optional(conversion?.path), .text(occurrence.text),
            .optional(occurrence.silence), .optional(occurrence.sink),
            .optional(details.clear.map { "\($0)" }), .optional(details.marketPrice.map { "\($0)" }),
            .optional(details.pendingFor?.count), .optional(details.firingSince?.milliseconds),
            .optional(details.window?.count), .optional(details.extreme.map { "\($0)" }),
            .optional(details.cooldownEnd?.milliseconds), .optional(details.settingsLimit.map { "\($0)" }),
            .optional(details.limitAuthor.map { Int64($0.id) }), .optional(details.limitAuthor?.name),
            .optional(details.limitSince?.milliseconds))
        guard changeCount == 0, try self.event(event.number) != event else { return }
        throw StorageError(.numberTaken, path: path, message: "another event has the number \(event.number) already")
    }

    /// Notes that numbers up to this one were given out: none is used again, also when its event is not kept any more.
    func noteLastNumber(_ number: Int64) throws(StorageError) {
        if try number > (fact("last_number").flatMap { Int64($0) } ?? 0) { try setFact("last_number", "\(number)") }
    }

    /// The greatest number that an event ever had; 0 when there was none.
    func lastEventNumber() throws(StorageError) -> Int64 {
        let noted = try fact("last_number").flatMap { Int64($0) } ?? 0
        return try max(noted, number("SELECT max(number) FROM event") ?? 0)
    }
}

extension Event {
    /// Reads an event from the columns of the table `event`, `number` to `limit_since`; nil when it holds a word that
    /// this version does not know: a later one has written it.
    ///
    /// - Throws: ``StorageError`` when the row is damaged.
    init?(_ row: inout Row) throws(StorageError) {
        let number = try row.integer()
        let time = WallTime(milliseconds: try row.integer())
        let kind = EventKind(rawValue: try row.text())
        let rule = try row.optionalText()
        let symbol = try row.optionalValue(Symbol.init)
        let bound = try row.optionalValue(Bound.init)
        let severity = Severity(rawValue: try row.text())
        let price = try row.optionalPrice()
        let limit = try row.optionalValue(LimitValue.init)
        let currency = try row.optionalValue(Currency.init)
        let previous = try PreviousPrice(&row)
        let exchangeTime = try row.optionalTime()
        let received = try row.optionalTime()
        let sampleAge = try row.optionalInteger().map { Milliseconds($0) }
        let notified = try row.integer() != 0
        let reason = try row.optionalValue(Reason.init)
        let conversion = try ConversionEvidence(&row)
        let text = try row.text()
        let silence = try row.optionalInteger()
        let sink = try row.optionalText()
        let details = try DecisionDetails(&row)
        guard let kind, let severity, row.isUnderstood else { return nil }
        self.init(
            number: number,
            occurrence: Occurrence(
                time: time, kind: kind, rule: rule, symbol: symbol, bound: bound, severity: severity, price: price,
                limit: limit, currency: currency, previous: previous, exchangeTime: exchangeTime, received: received,
                sampleAge: sampleAge, conversion: conversion, notified: notified, reason: reason, silence: silence,
                sink: sink, details: details, text: text))
    }
}

extension PreviousPrice {
    fileprivate init?(_ row: inout Row) throws(StorageError) {
        let price = try row.optionalPrice()
        let time = try row.optionalTime()
        guard let price, let time else { return nil }
        self.init(price: price, time: time)
    }
}

extension ConversionEvidence {
    fileprivate init?(_ row: inout Row) throws(StorageError) {
        let rate = try row.optionalPrice()
        let date = try row.optionalValue(CivilDate.init)
        let source = try row.optionalText()
        let path = try row.optionalText()
        guard let rate, let source, let path else { return nil }
        self.init(rate: rate, date: date, source: source, path: path)
    }
}

extension DecisionDetails {
    fileprivate init(_ row: inout Row) throws(StorageError) {
        self.init()
        clear = try row.optionalValue(LimitValue.init)
        marketPrice = try row.optionalPrice()
        pendingFor = try row.optionalInteger().map { Milliseconds($0) }
        firingSince = try row.optionalTime()
        window = try row.optionalInteger().map { Milliseconds($0) }
        extreme = try row.optionalPrice()
        cooldownEnd = try row.optionalTime()
        settingsLimit = try row.optionalPrice()
        let user = try row.optionalInteger().map { UInt32(clamping: $0) }
        let name = try row.optionalText()
        limitAuthor = user.map { UserIdentity(id: $0, name: name) }
        limitSince = try row.optionalTime()
    }
}
