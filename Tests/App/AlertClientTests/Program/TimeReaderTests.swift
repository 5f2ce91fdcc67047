import Testing
import Time

@testable import AlertClient

/// Times as people and journalctl write them; now is Saturday 2026-11-21 07:20 in a zone one hour east of UTC.
struct TimeReaderTests {
    private let reader = TimeReader(now: Sample.now) { _ in LocalZone(offsetSeconds: 3_600, name: "CET") }

    @Test(
        arguments: [
            ("now", "2026-11-21T06:20:00.000Z"), ("24h", "2026-11-20T06:20:00.000Z"),
            ("-1h", "2026-11-21T05:20:00.000Z"),
            ("+30m", "2026-11-21T06:50:00.000Z"), ("1 hour ago", "2026-11-21T05:20:00.000Z"),
            ("1 day 2 hours ago", "2026-11-20T04:20:00.000Z"), ("90min ago", nil),
            ("90m ago", "2026-11-21T04:50:00.000Z"),
            ("2 weeks ago", "2026-11-07T06:20:00.000Z"), ("today", "2026-11-20T23:00:00.000Z"),
            ("Yesterday", "2026-11-19T23:00:00.000Z"), ("tomorrow", "2026-11-21T23:00:00.000Z"),
            ("yesterday 14:00", "2026-11-20T13:00:00.000Z"), ("mon", "2026-11-15T23:00:00.000Z"),
            ("mon 9:00", "2026-11-16T08:00:00.000Z"), ("mon 9:30 PM", "2026-11-16T20:30:00.000Z"),
            ("2026-11-20 2pm", "2026-11-20T13:00:00.000Z"), ("yesterday 12am", "2026-11-19T23:00:00.000Z"),
            ("yesterday 12:05pm", "2026-11-20T11:05:00.000Z"), ("13pm", nil), ("0am", nil), ("pm", nil), ("-1:30", nil),
            ("14.00", "2026-11-21T13:00:00.000Z"), ("mon 9.30", "2026-11-16T08:30:00.000Z"), ("9.3", nil),
            ("25.00", nil), ("mon 09:00", "2026-11-16T08:00:00.000Z"), ("Monday 09:00:30", "2026-11-16T08:00:30.000Z"),
            ("sat 06:00", "2026-11-21T05:00:00.000Z"), ("sun", "2026-11-14T23:00:00.000Z"),
            ("2026-11-20 14:00", "2026-11-20T13:00:00.000Z"), ("14:00", "2026-11-21T13:00:00.000Z"),
            ("2026-11-20t14:00:00z", "2026-11-20T14:00:00.000Z"), ("2026-11-20T14:00:00Z", "2026-11-20T14:00:00.000Z"),
            ("", nil), ("ago", nil), ("1 ago", nil), ("hour ago", nil), ("-1 hour ago", nil), ("1 fortnight ago", nil),
            ("9223372036854775807 weeks ago", nil), ("mo", nil), ("mon 25:00", nil), ("yesterday x", nil), ("-", nil),
        ] as [(String, String?)])
    func times(text: String, expected: String?) {
        #expect(reader.time(text)?.description == expected)
    }

    @Test func everyFormThatIsAdvisedIsRead() {
        for form in [
            "2026-11-20", "2026-11-20 14:00", "14:00", "14.00", "2pm", "2026-11-20T14:00:00Z", "24h", "-24h",
            "24 hours ago",
            "today",
            "yesterday", "mon 09:00",
        ] {
            #expect(TimeReader.forms.contains(form) && reader.time(form) != nil, "\(form)")
        }
    }
}
