internal import Events

/// A field of alertd in the journal, with its description for alertd.journal-fields(7).
package enum JournalField: String, CaseIterable, Sendable {
    case kind = "ALERTD_KIND"
    case number = "ALERTD_NUMBER"
    case severity = "ALERTD_SEVERITY"
    case source = "ALERTD_SOURCE"
    case rule = "ALERTD_RULE"
    case symbol = "ALERTD_SYMBOL"
    case bound = "ALERTD_BOUND"
    case price = "ALERTD_PRICE"
    case limit = "ALERTD_LIMIT"
    case currency = "ALERTD_CURRENCY"
    case reason = "ALERTD_REASON"
    case sampleAge = "ALERTD_SAMPLE_AGE_MS"
    case failure = "ALERTD_FAILURE"
    case count = "ALERTD_COUNT"

    /// The description, in whole sentences.
    package var help: String {
        switch self {
        case .kind: "The kind of the event, as in its JSON form. Only events have it."
        case .number:
            "The number of the event, the same as everywhere else: 1, 2, 3 and so on, continued across restarts."
        case .severity: "The severity of the event, which is that of its rule if it has one: info, warning or critical."
        case .source: "The source of prices that the entry is about, such as wazirx."
        case .rule: "The name of the rule."
        case .symbol: "The symbol, such as btcinr."
        case .bound: "The bound that the alert watches: \(Bound.list)."
        case .price: "The price that triggered the event, a decimal number in the currency ALERTD_CURRENCY."
        case .limit:
            "The limit in the same currency, not the level at which the alert resolves; for within, both limits, such "
                + "as 120..135."
        case .currency: "The currency of price and limit."
        case .reason: "What is special about the event; see alertd-events(7). Absent for an ordinary event."
        case .sampleAge: "The age of the price when it was received, in milliseconds by the source's clock."
        case .failure: "The kind of failure: timeout, refused, rate_limited and so on."
        case .count:
            "A count: of failures since the last such entry, including this one; of failures before a recovery; of "
                + "gaps for caught_up."
        }
    }
}
