internal import Control
internal import Market
internal import Rules
internal import Time

/// The explanation of an alert, as text for people.
struct AlertExplanationText {
    private let explanation: AlertExplanation
    private let display: PriceDisplay
    private let formatter: HumanFormatter
    private let hasSeveralSources: Bool
    private var alert: AlertStatus { explanation.alert }

    /// - Parameters:
    ///   - explanation: The explanation from the daemon.
    ///   - display: Formats amounts.
    ///   - formatter: Formats the rest.
    ///   - hasSeveralSources: True if the output has alerts of several sources; the headline then names the source.
    init(
        _ explanation: AlertExplanation, _ display: PriceDisplay, _ formatter: HumanFormatter,
        hasSeveralSources: Bool = false
    ) {
        self.hasSeveralSources = hasSeveralSources
        self.display = display
        self.explanation = explanation
        self.formatter = formatter
    }

    /// `btc band on btcinr, max: firing`; with several sources, `btc band on kraken:btcusd, max: firing`.
    var headline: String {
        let symbol = hasSeveralSources ? "\(alert.source):\(alert.symbol)" : alert.symbol
        return "\(alert.rule) on \(symbol), \(alert.bound.text): \(alert.state.text)"
    }

    var emphasis: Emphasis { alert.isFiring ? .alarm : .strong }

    var fields: [Field] {
        let facts = explanation.facts.map { text(for: $0) }
        return ([price] + window + override + facts + levels + conversion).map { title, text in
            var field = Field("", title, .text(text))
            field.isForPeople = true
            return field
        }
    }

    private var price: (String, String) {
        guard let price = alert.price else { return ("Price", missingPrice) }
        let age = formatter.age(explanation.priceTime).map { ", \($0) ago" } ?? ""
        return ("Price", amount(price) + age)
    }

    /// The text shown in place of a missing price: the reason why no price is usable.
    private var missingPrice: String {
        switch alert.state {
        case .unconvertible, .staleRate: "not converted to \(alert.currency ?? "the rule's currency")"
        case .missing, .frozen, .unusable: "no usable price"
        default: "none yet"
        }
    }

    private var conversion: [(String, String)] {
        guard let conversion = explanation.conversion else { return [] }
        let basis = [conversion.source, conversion.date].compactMap(\.self).joined(separator: ", ")
        return [("Converted", "\(path(conversion.path)) at \(formatter.number(conversion.rate)) (\(basis))")]
    }

    private var window: [(String, String)] {
        guard let length = explanation.windowMilliseconds, let lowest = explanation.lowest,
            let highest = explanation.highest
        else { return [] }
        let range = "\(ownText(lowest)) to \(ownText(highest))"
        return [("Window", "\(range) in \(Milliseconds(Int64(length)).approximate)")]
    }

    private var override: [(String, String)] {
        alert.override.map { override in
            [("Limit", "\(amount(override.limit)), set \(overrideText(override, formatter))")]
        } ?? []
    }

    private func amount(_ number: String) -> String { display.fullText(number, in: alert.currency) }

    private func ownText(_ number: String) -> String { display.ownText(number, in: alert.currency) }
}

// MARK: Levels

extension AlertExplanationText {
    /// The prices at which the alert fires and, while it is firing, the prices at which it resolves.
    private var levels: [(String, String)] {
        let limits = explanation.levels.filter { $0.role == .limit }
        let clears = alert.isFiring ? explanation.levels.filter { $0.role == .clear } : []
        return limits.enumerated().map { ($0 == 0 ? "Fires at" : "and at", text(for: $1)) }
            + clears.enumerated().map { ($0 == 0 ? "Resolves at" : "or at", text(for: $1)) }
    }

    /// Returns `≥ ₹75,00,000.00 ($80,359.42), ₹15,000.00 (0.20%) away`; for a crossing,
    /// `₹3,00,000.00 from below; …`.
    private func text(for level: AlertLevel) -> String {
        let isCrossing = [.crossUp, .crossDown].contains(alert.bound)
        let side = alert.bound == .crossUp ? "below" : "above"
        let place =
            isCrossing
            ? "\(amount(level.price)) from \(side)" : "\(sign(level.comparison)) \(amount(level.price))"
        guard let reached = level.reached, let away = level.away else { return place }
        let percent = level.awayPercent.map { " (\(unsigned($0))%)" } ?? ""
        let much = ownText(unsigned(away)) + percent
        if isCrossing, reached {
            return "\(place); the price is \(much) \(alert.bound == .crossUp ? "above" : "below") it"
        }
        return reached ? "\(place), breached by \(much)" : "\(place), \(much) away"
    }

    private func sign(_ comparison: ControlInterface.PriceComparison) -> String {
        switch comparison {
        case .atLeast: formatter.hasUnicode ? "≥" : ">="
        case .atMost: formatter.hasUnicode ? "≤" : "<="
        case .above: ">"
        case .below: "<"
        case .unknown(let word): word
        }
    }

    private func unsigned(_ number: String) -> String {
        number.hasPrefix("-") ? String(number.dropFirst()) : number
    }
}

// MARK: Facts

extension AlertExplanationText {
    private func text(for fact: AlertFact) -> (String, String) {
        let since = fact.since.map { formatter.time($0) } ?? "?"
        let until = fact.until.map { formatter.time($0) } ?? "?"
        return switch fact.kind {
        case .feedStale: ("Feed", "stale: no usable response since \(since)")
        case .frozen: ("Blocked", "frozen since \(since): no trades and no changes, so it is not evaluated")
        case .missing:
            ("Blocked", "not in the last response" + (fact.since == nil ? "" : "; last price at \(since)"))
        case .unusable: ("Blocked", "no usable \(fact.detail.map { "\($0) " } ?? "")price in the last response")
        case .unconvertible: ("Blocked", "no conversion path \(path(fact.detail))")
        case .staleRate: ("Blocked", "the exchange rates are too old; see 'alertctl rates'")
        case .expired: ("Blocked", "the rule expired at \(since)")
        case .noBaseline where alert.price != nil: ("State", "waiting: evaluation starts with the next price")
        case .noBaseline: ("State", "no baseline yet: there has been no usable price")
        case .noBase: ("State", "waiting: \(fact.detail ?? "its limits are not known yet")")
        case .windowTooShort: ("State", "no baseline yet: fewer than two prices in the window")
        case .inactive: ("State", "inactive since \(since)")
        case .pending: ("State", "pending for \(length(fact.heldMilliseconds)) of \(length(fact.holdMilliseconds))")
        case .firing: ("State", "firing since \(since)")
        case .clear:
            ("Clear", "for \(length(fact.heldMilliseconds)) of \(length(fact.holdMilliseconds)), then it resolves")
        case .below, .at, .above: ("State", "the price is \(fact.kind) the limit, since \(since)")
        case .notified: ("Notified", "at \(since)" + (alert.event.map { ", event \($0)" } ?? ""))
        case .acknowledged: ("Acknowledged", "no repeats until it resolves" + by(fact))
        case .suppressed: ("Not notified", Self.why(fact.detail))
        case .repeats: ("Repeats", "at \(until) if it is still firing")
        case .resolvePending: ("Deferred", "resolve notification, until the silence ends")
        case .silenced: ("Silenced", "\(fact.number.map { "by \($0) " } ?? "")until \(until)" + comment(fact))
        case .onlyWhile:
            (
                "Only while",
                "'\(fact.detail ?? "?")' is firing"
                    + (fact.since == nil ? ", which it is not: a firing is not notified" : ", as it is since \(since)")
            )
        case .cooldown: ("Cooldown", "until \(until); a firing before then is not notified")
        case .disarmed: ("Disarmed", "the one-shot rule has notified; 'alertctl arm' re-arms it")
        case .expires: ("Expires", until)
        case .gap: ("Gap", "no prices from \(since) to \(until); candles will show whether the limit was reached")
        case .notCaughtUp: ("Gaps", "not caught up: \(Self.obstacle(fact.detail))")
        case .unknown(let word): (word, fact.detail ?? "")
        }
    }

    /// Returns the reason that candles cannot show what happened in a gap.
    private static func obstacle(_ word: String?) -> String {
        switch word {
        case "source": "the source has no candles"
        case "disabled": "turned off by `catch_up = false` in its settings"
        case "condition": "candles apply to min, max and within only"
        case "price": "candles have no bid or ask prices"
        default: word ?? "?"
        }
    }

    private func length(_ milliseconds: Int?) -> String {
        // Above one second, fractions do not matter.
        milliseconds.map { Milliseconds(Int64($0 > 1_000 ? $0 / 1_000 * 1_000 : $0)).description } ?? "?"
    }

    private func by(_ fact: AlertFact) -> String { fact.by.map { ", by \($0)" } ?? "" }

    private func comment(_ fact: AlertFact) -> String {
        let parts = [fact.by.map { "by \($0)" }, fact.detail].compactMap(\.self)
        return parts.isEmpty ? "" : " (\(parts.joined(separator: ": ")))"
    }

    /// Returns `INR → SEK` for `INR>SEK`.
    private func path(_ currencies: String?) -> String {
        (currencies ?? "").split(separator: ">").joined(separator: formatter.hasUnicode ? " → " : " to ")
    }

    private static func why(_ reason: String?) -> String {
        switch reason.map(ControlInterface.Reason.init) {
        case .cooldown: "within the cooldown of the previous notification"
        case .silenced: "silenced when it fired"
        case .onlyWhile: "the rule that `only_while` names was not firing"
        case .disarmed: "the one-shot rule had already notified"
        case let reason?: reason.text
        case nil: "?"
        }
    }
}
