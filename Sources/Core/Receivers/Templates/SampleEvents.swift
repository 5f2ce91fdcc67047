package import Events
internal import Market
package import Time

/// Made-up events for previews of notifications.
package enum SampleEvents {
    /// 2026-11-21 06:22:44 UTC
    package static let time = WallTime(milliseconds: 1_795_242_164_000)

    /// Returns an event of a kind, with everything that such an event has.
    package static func event(_ kind: EventKind, number: Int64 = 1, at time: WallTime = time) -> Event {
        var event = Occurrence(time: time, kind: kind, severity: severity(of: kind), text: text(of: kind))
        switch kind {
        case .fired, .resolved, .repeated, .touched: addAlert(to: &event)
        case .symbolFrozen, .symbolMissing, .symbolReturned:
            event.source = source
            event.symbol = Symbol("btcinr")
        case .feedStale, .feedRecovered: event.source = source
        case .diverged, .converged: addDivergence(to: &event)
        case .receiverFailed, .receiverRecovered: event.details.receiver = "mail"
        case .rulesChanged, .storeFailed, .storeRecovered, .test: break
        }
        return Event(number: number, occurrence: event)
    }

    /// Returns several events that form one notification.
    package static func group(at time: WallTime = time) -> [Event] {
        [EventKind.fired, .feedStale, .resolved].enumerated().map { index, kind in
            event(kind, number: Int64(index) + 1, at: time)
        }
    }

    private static let source = SourceName(unchecked: "wazirx")

    private static func severity(of kind: EventKind) -> Severity {
        switch kind {
        case .fired, .repeated, .touched, .storeFailed: .critical
        case .resolved, .feedRecovered, .symbolReturned, .storeRecovered, .receiverRecovered, .converged, .rulesChanged,
            .test:
            .info
        case .feedStale, .symbolFrozen, .symbolMissing, .receiverFailed, .diverged: .warning
        }
    }

    private static func addAlert(to event: inout Occurrence) {
        let isEnd = event.kind == .resolved
        event.source = source
        event.rule = "bitcoin \"band\""
        event.symbol = Symbol("btcinr")
        event.bound = .max
        event.price = Price(mantissa: isEnd ? 74_565_830 : 75_001_000, scale: 1)
        event.limit = Price(mantissa: 7_500_000, scale: 0).map(LimitValue.price)
        event.currency = Currency("INR")
        event.previous = Price(mantissa: 74_733_680, scale: 1).map {
            PreviousPrice(price: $0, time: WallTime(milliseconds: event.time.milliseconds - 30_000))
        }
        event.exchangeTime = WallTime(milliseconds: event.time.milliseconds - 1_000)
        event.received = event.time
        event.sampleAge = Milliseconds(1_000)
        event.details.clear = Price(mantissa: 7_462_500, scale: 0).map(LimitValue.price)
        event.details.firingSince = event.time
    }

    private static func addDivergence(to event: inout Occurrence) {
        event.source = source
        event.symbol = Symbol("btcinr")
        event.price = Price(mantissa: 75_001_000, scale: 1)
        event.currency = Currency("INR")
        guard let symbol = Symbol("btcusdt"), let price = Price(mantissa: 68_182_727, scale: 1),
            let percent = Price(mantissa: 100, scale: 1), let within = Price(mantissa: 8, scale: 0)
        else { return }
        event.details.divergence = Divergence(
            check: "wazirx and binance", source: SourceName(unchecked: "binance"), symbol: symbol, price: price,
            percent: percent, within: within)
    }

    private static func text(of kind: EventKind) -> String {
        switch kind {
        case .fired: "BTC/INR ₹75,00,100.00 is at or above its maximum ₹75,00,000.00"
        case .resolved: "BTC/INR ₹74,56,583.00 is back below its maximum ₹75,00,000.00"
        case .repeated: "BTC/INR ₹75,00,100.00 is still at or above its maximum ₹75,00,000.00"
        case .touched: "BTC/INR reached its maximum ₹75,00,000.00 while prices were not available"
        case .feedStale: "no new prices from wazirx for 90s"
        case .feedRecovered: "prices from wazirx are back after 5m"
        case .symbolFrozen: "btcinr has not been traded for 30m"
        case .symbolMissing: "wazirx does not list btcinr"
        case .symbolReturned: "btcinr is traded again"
        case .rulesChanged: "rules changed: 1 added"
        case .storeFailed: "the state cannot be saved: no space left on device"
        case .storeRecovered: "the state is saved again"
        case .receiverFailed: "receiver mail has failed for 5m: connection refused"
        case .receiverRecovered: "receiver mail accepts notifications again"
        case .diverged: "BTC/INR on wazirx is 10.0% above binance:btcusdt, allowed are 8%"
        case .converged: "BTC/INR on wazirx and binance:btcusdt are within 8% again"
        case .test: "this is a test"
        }
    }
}

extension TemplateData {
    /// Returns the values of sample events. The texts are similar to those of real notifications.
    package static func sample(_ events: [Event], receiver: String) -> TemplateData {
        let time = events.last?.occurrence.time ?? SampleEvents.time
        let instance = "0123456789abcdef0123456789abcdef"
        let texts = events.map { event in
            let market = event.occurrence.symbol.map { _ in "BTC/INR" }
            return (
                event: event,
                texts: Texts(
                    title: "\(market ?? "alertd"): \(event.occurrence.kind.rawValue)", text: event.occurrence.text,
                    market: market), isEnd: event.occurrence.kind == .resolved
            )
        }
        let summary = Summary(
            id: "\(instance)-\(events.last?.number ?? 0)", instance: instance, receiver: receiver,
            title: texts.first?.texts.title ?? "", text: texts.map(\.texts.text).joined(separator: "\n"),
            severity: events.first?.occurrence.severity ?? .info, isEnd: false, time: time, now: time)
        return TemplateData(texts, summary)
    }
}
