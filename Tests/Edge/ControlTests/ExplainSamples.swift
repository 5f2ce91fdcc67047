import Engine

@testable import Control

/// Values of the types of `Explain`, with every field filled.
enum ExplainSamples {
    static let fact = AlertFact(
        .silenced, since: "t", until: "t", heldMilliseconds: 2, holdMilliseconds: 2, detail: "d", number: 2, by: "b")

    static let level = AlertLevel(
        role: "limit", comparison: "at_least", price: "2", reached: true, away: "1", awayPercent: "1.00")

    static let explanation = AlertExplanation(
        alert: Samples.alert, priceTime: "t", facts: [fact], levels: [level], windowMilliseconds: 2, lowest: "1",
        highest: "2", conversion: Samples.conversion)

    static let details: EventDetails = {
        var details = EventDetails()
        (details.clear, details.marketPrice, details.pendingMilliseconds) = ("1", "2", 2)
        (details.firingSince, details.windowMilliseconds, details.extreme) = ("t", 2, "1")
        (details.cooldownUntil, details.settingsLimit, details.limitBy, details.limitSince) = ("t", "2", "b", "t")
        return details
    }()

    static let cases = [
        WireCase(member: "type EventDetails", sample: details),
        WireCase(member: "type AlertFact", sample: fact), WireCase(member: "type AlertLevel", sample: level),
        WireCase(member: "type AlertExplanation", sample: explanation),
        WireCase(member: "method Explain in", sample: ExplainParameters(rule: "r", symbol: "btcinr")),
        WireCase(
            member: "method Explain out",
            sample: ExplainReply(simulated: true, rule: Samples.rule, alerts: [explanation])),
        WireCase(member: "error NoSuchRule", sample: NoSuchRule(rule: "x", suggestion: "y")),
    ]
}
