package import Events
internal import JSON
internal import Market
internal import Time

extension EventRecord {
    /// Creates the record of an event, as clients and readers of the event socket get it.
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

    /// The record as one JSON object with all keys in a fixed order.
    package var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// The JSON object and the newline that ends its line.
    package var line: [UInt8] { json + [0x0A] }
}

extension ConversionRecord {
    /// Creates the record of a conversion, with exact decimals as text and the date as `2026-11-20`.
    package init(_ conversion: ConversionEvidence) {
        self.init(
            rate: conversion.rate.description, date: conversion.date?.description, source: conversion.source,
            path: conversion.path)
    }
}

extension EventDetails {
    /// Returns nil if there are no details.
    init?(_ details: DecisionDetails) {
        guard !details.isEmpty else { return nil }
        self.init(
            clear: details.clear?.description, marketPrice: details.marketPrice?.description,
            pendingMilliseconds: details.pendingFor.map { Int(clamping: $0.count) },
            clearMilliseconds: details.clearFor.map { Int(clamping: $0.count) },
            firingSince: details.firingSince?.description,
            windowMilliseconds: details.window.map { Int(clamping: $0.count) },
            extreme: details.extreme?.description, cooldownUntil: details.cooldownEnd?.description,
            onlyWhile: details.onlyWhile,
            settingsLimit: details.settingsLimit?.description, limitBy: details.limitBy,
            limitSince: details.limitSince?.description, touchedFrom: details.touchedFrom?.description,
            touchedUntil: details.touchedUntil?.description, check: details.divergence?.check,
            other: details.divergence.map { "\($0.source):\($0.symbol)" },
            otherPrice: details.divergence?.price.description,
            differencePercent: details.divergence?.percent.description,
            withinPercent: details.divergence?.within.description, receiver: details.receiver)
    }
}

/// A value of a record that cannot be read: a later version wrote it, or it is damaged.
package struct UnreadableValue: Error, Equatable {
    /// The text that cannot be read.
    package let text: String

    package init(text: String) {
        self.text = text
    }
}

extension Event {
    /// Restores an event from its record; the inverse of ``EventRecord/init(_:)``.
    ///
    /// - Throws: ``UnreadableValue``.
    package init(_ record: EventRecord) throws(UnreadableValue) {
        let occurrence = Occurrence(
            time: try read(record.time, WallTime.init(rfc3339:)), kind: try read(record.kind.rawValue, EventKind.init),
            source: try read(record.source, SourceName.init), rule: record.rule,
            symbol: try read(record.symbol, Symbol.init), bound: try read(record.bound?.rawValue, Bound.init),
            severity: try read(record.severity.rawValue, Severity.init), price: try read(record.price, exactPrice),
            limit: try read(record.limit, LimitValue.init), currency: try read(record.currency, Currency.init),
            previous: try record.previous.map { point throws(UnreadableValue) in
                PreviousPrice(
                    price: try read(point.price, exactPrice), time: try read(point.time, WallTime.init(rfc3339:)))
            }, exchangeTime: try read(record.exchangeTime, WallTime.init(rfc3339:)),
            received: try read(record.received, WallTime.init(rfc3339:)),
            sampleAge: try length(record.sampleAgeMilliseconds),
            conversion: try record.conversion.map(ConversionEvidence.init), notified: record.notified,
            reason: try read(record.reason?.rawValue, Reason.init), silence: try record.silence.map(counter),
            sink: record.sink, details: try record.details.map(DecisionDetails.init) ?? DecisionDetails(),
            text: record.text)
        self.init(number: Int64(record.number), occurrence: occurrence)
    }
}

extension ConversionEvidence {
    fileprivate init(_ record: ConversionRecord) throws(UnreadableValue) {
        self.init(
            rate: try read(record.rate, exactPrice), date: try read(record.date, CivilDate.init), source: record.source,
            path: record.path)
    }
}

extension DecisionDetails {
    fileprivate init(_ record: EventDetails) throws(UnreadableValue) {
        self.init()
        clear = try read(record.clear, LimitValue.init)
        marketPrice = try read(record.marketPrice, exactPrice)
        pendingFor = try length(record.pendingMilliseconds)
        clearFor = try length(record.clearMilliseconds)
        firingSince = try read(record.firingSince, WallTime.init(rfc3339:))
        window = try length(record.windowMilliseconds)
        extreme = try read(record.extreme, exactPrice)
        cooldownEnd = try read(record.cooldownUntil, WallTime.init(rfc3339:))
        onlyWhile = record.onlyWhile
        settingsLimit = try read(record.settingsLimit, exactPrice)
        limitBy = record.limitBy
        limitSince = try read(record.limitSince, WallTime.init(rfc3339:))
        touchedFrom = try read(record.touchedFrom, WallTime.init(rfc3339:))
        touchedUntil = try read(record.touchedUntil, WallTime.init(rfc3339:))
        divergence = try Divergence(record)
        receiver = record.receiver
    }
}

extension Divergence {
    fileprivate init?(_ record: EventDetails) throws(UnreadableValue) {
        guard let check = record.check else { return nil }
        let market = SourcedText(record.other ?? "")
        self.init(
            check: check, source: try read(market.source ?? "", SourceName.init),
            symbol: try read(market.symbol, Symbol.init),
            price: try read(record.otherPrice ?? "", exactPrice),
            percent: try read(record.differencePercent ?? "", exactPrice),
            within: try read(record.withinPercent ?? "", exactPrice))
    }
}

/// Ten thousand years in milliseconds. Sums and differences of such lengths do not overflow.
private let plausibleLength = 10_000 * 366 * 86_400_000

private func length(_ count: Int?) throws(UnreadableValue) -> Milliseconds? {
    guard let count else { return nil }
    guard count.magnitude <= plausibleLength else { throw UnreadableValue(text: "\(count)") }
    return Milliseconds(Int64(count))
}

/// Checks a number that the daemon assigned, such as that of a silence. JSON readers represent integers exactly only
/// up to 2^53.
private func counter(_ number: Int) throws(UnreadableValue) -> Int64 {
    guard (0...1 << 53).contains(number) else { throw UnreadableValue(text: "\(number)") }
    return Int64(number)
}

private func exactPrice(_ text: String) -> Price? { try? Price(text) }

private func read<Value>(_ text: String, _ make: (String) -> Value?) throws(UnreadableValue) -> Value {
    guard let value = make(text) else { throw UnreadableValue(text: text) }
    return value
}

private func read<Value>(_ text: String?, _ make: (String) -> Value?) throws(UnreadableValue) -> Value? {
    guard let text else { return nil }
    return try read(text, make) as Value
}
