import Control
import Events

extension Samples {
    static let silence = SilenceStatus(
        number: 2, symbol: "*", rule: "r", severity: "info", state: "in_force", created: "t", createdBy: "u",
        createdByID: 2, comment: "c", ends: "t", until: true, ended: "t", endedBy: "u", endedByID: 2, alerts: 2,
        firing: 2)

    static let drillResult = DrillResult(sink: "journal", result: "failed", detail: "d")
}

extension ControlInterfaceTests {
    static let livingCases = [
        WireCase(member: "type Silence", sample: Samples.silence),
        WireCase(member: "type DrillResult", sample: Samples.drillResult),
        WireCase(
            member: "method AddSilence in",
            sample: AddSilenceParameters(
                symbol: "*", rule: "r", severity: "info", durationMilliseconds: 2, until: "t", comment: "c")),
        WireCase(
            member: "method AddSilence out", sample: AddSilenceReply(silence: Samples.silence, note: "n", saved: true)),
        WireCase(member: "method ListSilences in", sample: ListSilencesParameters(all: true)),
        WireCase(member: "method ListSilences out", sample: ListSilencesReply(silences: [Samples.silence])),
        WireCase(member: "method ExpireSilences in", sample: ExpireSilencesParameters(numbers: [2])),
        WireCase(
            member: "method ExpireSilences out", sample: ExpireSilencesReply(silences: [Samples.silence], saved: true)),
        WireCase(
            member: "method Acknowledge in",
            sample: AcknowledgeParameters(event: 2, rule: "r", symbol: "btcinr", undo: true)),
        WireCase(
            member: "method Acknowledge out",
            sample: AcknowledgeReply(alerts: [Samples.alert], changed: 2, saved: true)),
        WireCase(member: "method Arm in", sample: ArmParameters(rule: "r", symbol: "btcinr")),
        WireCase(member: "method Arm out", sample: ArmReply(alerts: [Samples.alert], saved: true)),
        WireCase(member: "method Drill in", sample: DrillParameters(sink: "journal")),
        WireCase(
            member: "method Drill out",
            sample: DrillReply(event: Samples.event, results: [Samples.drillResult], saved: true)),
        WireCase(
            member: "error NoSuchThing",
            sample: NoSuchThing(kind: "sink", name: "x", suggestion: "y", known: ["y"])),
        WireCase(member: "error Refused", sample: Refused(message: "m")),
    ]
}
