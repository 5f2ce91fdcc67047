/// A field of our own in the journal: what may stand in entries, and what alertd.journal-fields(7) says of it.
package enum JournalField: String, CaseIterable, Sendable {
    case kind = "ALERTD_KIND"
    case number = "ALERTD_NUMBER"
    case severity = "ALERTD_SEVERITY"
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

    /// Whole sentences.
    package var help: String {
        switch self {
        case .kind: "The kind of the event, as in its JSON form. Only events have it."
        case .number: "The number of the event: 1, 2, 3 and so on, over restarts, the same as everywhere else."
        case .severity: "How much the rule matters: info, warning or critical."
        case .rule: "The name of the rule."
        case .symbol: "The market: btcinr."
        case .bound: "Which condition of the rule: max, min, within, rise, fall, cross_up or cross_down."
        case .price: "The price that decided, a decimal number in the currency of ALERTD_CURRENCY."
        case .limit:
            "The limit itself in the same currency, not the price at which the alert is over; for within both limits, "
                + "as in 120..135."
        case .currency: "The currency of price and limit."
        case .reason: "Why the event is not the ordinary one of its kind; see alertd-events(7). Absent when it is."
        case .sampleAge: "How old the price was when it was received, in milliseconds by the exchange's own time."
        case .failure: "What went wrong, in one word: timeout, refused, rate_limited and so on."
        case .count: "How often it was seen since it was last said; the entry itself is one of them."
        }
    }
}
