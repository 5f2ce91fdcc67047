@testable import Control

/// Values of the types about changed limits, with every field filled.
enum LimitSamples {
    static let override = OverrideState(
        rule: "r", symbol: "btcinr", bound: "max", limit: "2", settingsLimit: "3", currency: "INR", by: "alice",
        user: 2, since: "t", state: "in_force")

    static let change = LimitChangeStatus(override: override, before: "3")

    static let cases = [
        WireCase(member: "type OverrideState", sample: override),
        WireCase(member: "type LimitChangeStatus", sample: change),
        WireCase(
            member: "method SetLimit in", sample: SetLimitParameters(symbol: "s", rule: "r", min: "1", max: "2")),
        WireCase(member: "method SetLimit out", sample: SetLimitReply(simulated: true, changes: [change], saved: true)),
        WireCase(member: "method ListOverrides in", sample: Nothing()),
        WireCase(member: "method ListOverrides out", sample: ListOverridesReply(overrides: [override])),
        WireCase(
            member: "method ResetLimits in", sample: ResetLimitsParameters(symbol: "s", rule: "r", all: true)),
        WireCase(member: "method ResetLimits out", sample: ResetLimitsReply(reset: [override], saved: true)),
    ]
}
