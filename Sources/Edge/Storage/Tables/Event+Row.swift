internal import Events
internal import Market
internal import Time

extension Event {
    /// Reads an event from the columns of the table `event`, `number` to `touched_until`; nil when it contains a word
    /// that this version does not know, written by a later one.
    ///
    /// - Throws: ``StorageError`` when the row is damaged.
    init?(_ row: inout Row, _ sources: [Int64: SourceName]) throws(StorageError) {
        let number = try row.integer()
        let time = try row.time()
        let kind = try row.value(EventKind.init)
        let rule = try row.optionalText()
        let symbol = try row.optionalValue(Symbol.init)
        let bound = try row.optionalValue(Bound.init)
        let severity = try row.value(Severity.init)
        let price = try row.optionalPrice()
        let limit = try row.optionalValue(LimitValue.init)
        let currency = try row.optionalValue(Currency.init)
        let previous = try PreviousPrice(&row)
        let exchangeTime = try row.optionalTime()
        let received = try row.optionalTime()
        let sampleAge = try row.optionalLength()
        let notified = try row.integer() != 0
        let reason = try row.optionalValue(Reason.init)
        let conversion = try ConversionEvidence(&row)
        let text = try row.text()
        let silence = try row.optionalInteger()
        let sink = try row.optionalText()
        var details = try DecisionDetails(&row)
        let source = try row.optionalInteger()
        details.divergence = try row.optionalValue(Divergence.init(stored:))
        details.touchedFrom = try row.optionalTime()
        details.touchedUntil = try row.optionalTime()
        details.receiver = try row.optionalText()
        guard let kind, let severity, row.isUnderstood else { return nil }
        var occurrence = Occurrence(
            time: time, kind: kind, rule: rule, symbol: symbol, bound: bound, severity: severity, price: price,
            limit: limit, currency: currency, previous: previous, exchangeTime: exchangeTime, received: received,
            sampleAge: sampleAge, conversion: conversion, notified: notified, reason: reason, silence: silence,
            sink: sink, details: details, text: text)
        occurrence.source = source.flatMap { sources[$0] }
        self.init(number: number, occurrence: occurrence)
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
        pendingFor = try row.optionalLength()
        firingSince = try row.optionalTime()
        window = try row.optionalLength()
        extreme = try row.optionalPrice()
        cooldownEnd = try row.optionalTime()
        settingsLimit = try row.optionalPrice()
        let user = try row.optionalUser()
        let name = try row.optionalText()
        limitAuthor = user.map { UserIdentity(id: $0, name: name) }
        limitSince = try row.optionalTime()
    }
}
