package import Events
internal import JSON
internal import Market
internal import Time

extension EventRecord {
    /// The event in the form that clients and readers of the event socket get.
    package init(_ event: Event) {
        let occurrence = event.occurrence
        self.init(
            number: Int(event.number), time: occurrence.time.description, kind: .init(occurrence.kind),
            source: occurrence.source?.description, rule: occurrence.rule, symbol: occurrence.symbol?.description,
            bound: occurrence.bound.map(ControlInterface.Bound.init), severity: .init(occurrence.severity),
            price: occurrence.price?.description, limit: occurrence.limit?.description,
            currency: occurrence.currency?.description,
            previous: occurrence.previous.map { PricePoint(time: $0.time.description, price: $0.price.description) },
            exchangeTime: occurrence.exchangeTime?.description, received: occurrence.received?.description,
            sampleAgeMilliseconds: occurrence.sampleAge.map { Int($0.count) }, notified: occurrence.notified,
            reason: occurrence.reason.map(ControlInterface.Reason.init),
            conversion: occurrence.conversion.map(ConversionRecord.init), text: occurrence.text,
            silence: occurrence.silence.map { Int(clamping: $0) }, sink: occurrence.sink,
            details: EventDetails(occurrence.details))
    }

    /// The record as a line: one JSON object with all keys in a fixed order, and the newline that ends it.
    package var line: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes + [0x0A]
    }
}

extension ConversionRecord {
    /// The evidence as it travels: exact decimals as text, and the date as `2026-11-20`.
    package init(_ conversion: ConversionEvidence) {
        self.init(
            rate: conversion.rate.description, date: conversion.date?.description, source: conversion.source,
            path: conversion.path)
    }
}

extension EventDetails {
    /// Nil when there are none.
    init?(_ details: DecisionDetails) {
        guard !details.isEmpty else { return nil }
        self.init(
            clear: details.clear?.description, marketPrice: details.marketPrice?.description,
            pendingMilliseconds: details.pendingFor.map { Int(clamping: $0.count) },
            firingSince: details.firingSince?.description,
            windowMilliseconds: details.window.map { Int(clamping: $0.count) },
            extreme: details.extreme?.description, cooldownUntil: details.cooldownEnd?.description,
            settingsLimit: details.settingsLimit?.description, limitBy: details.limitAuthor?.description,
            limitSince: details.limitSince?.description, touchedFrom: details.touchedFrom?.description,
            touchedUntil: details.touchedUntil?.description, check: details.divergence?.check,
            other: details.divergence.map { "\($0.source):\($0.symbol)" },
            otherPrice: details.divergence?.price.description,
            differencePercent: details.divergence?.percent.description,
            withinPercent: details.divergence?.within.description, receiver: details.receiver)
    }
}
