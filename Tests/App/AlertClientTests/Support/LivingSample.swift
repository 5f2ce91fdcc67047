import Control

extension Sample {
    static let silence = SilenceStatus(
        number: 3, symbol: "btc*", rule: "btc band", severity: .warning, state: .active,
        created: "2026-11-21T06:00:00.000Z", createdBy: "anna", createdByUID: 1_000, comment: "known",
        ends: "2026-11-21T08:00:00.000Z", until: false, alerts: 2, firing: 1)

    static let overSilence = SilenceStatus(
        number: 1, rule: "eth low", state: .expired, created: "2026-11-19T06:00:00.000Z", createdBy: "uid 77",
        createdByUID: 77, ends: "2026-11-19T08:00:00.000Z", until: true, ended: "2026-11-19T08:00:00.000Z", alerts: 0,
        firing: 0)

    static let expiredSilence = SilenceStatus(
        number: 2, severity: .info, state: .expired, created: "2026-11-21T05:00:00.000Z", createdBy: "anna",
        createdByUID: 1_000, ends: "2026-11-21T09:00:00.000Z", until: false, ended: "2026-11-21T06:10:00.000Z",
        endedBy: "root", endedByUID: 0, alerts: 0, firing: 0)

    static var acknowledged: AlertStatus {
        var alert = alerts[1]
        (alert.acknowledgedBy, alert.acknowledged) = ("anna", "2026-11-21T06:19:59.000Z")
        alert.note = "acknowledged by anna"
        return alert
    }

    static let drill = EventRecord(
        number: 15, time: "2026-11-21T06:20:00.000Z", kind: .test, severity: .info, notified: true,
        text: "TEST: a drill by anna; this is not a real alert")
}
