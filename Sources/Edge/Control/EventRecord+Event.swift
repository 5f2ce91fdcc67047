package import Events
internal import Market
internal import Time

extension EventRecord {
    /// The event as it is written for others.
    package init(_ event: Event) {
        let occurrence = event.occurrence
        self.init(
            number: Int(event.number), time: occurrence.time.description, kind: occurrence.kind.rawValue,
            rule: occurrence.rule, symbol: occurrence.symbol?.description, bound: occurrence.bound?.rawValue,
            severity: occurrence.severity.rawValue, price: occurrence.price?.description,
            limit: occurrence.limit?.description, currency: occurrence.currency?.description,
            previous: occurrence.previous.map { PricePoint(time: $0.time.description, price: $0.price.description) },
            exchangeTime: occurrence.exchangeTime?.description, received: occurrence.received?.description,
            sampleAgeMilliseconds: occurrence.sampleAge.map { Int($0.count) }, notified: occurrence.notified,
            reason: occurrence.reason?.rawValue,
            conversion: occurrence.conversion.map(ConversionRecord.init), text: occurrence.text,
            silence: occurrence.silence.map { Int(clamping: $0) }, sink: occurrence.sink,
            details: EventDetails(occurrence.details))
    }
}

extension ConversionRecord {
    package init(_ conversion: ConversionEvidence) {
        self.init(
            rate: conversion.rate.description, date: conversion.date?.description, source: conversion.source,
            path: conversion.path)
    }
}
