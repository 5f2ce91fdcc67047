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
            ("1 day 2 hours ago", "2026-11-20T04:20:00.000Z"), ("90min ago", "2026-11-21T04:50:00.000Z"),
            ("2 hours", "2026-11-21T04:20:00.000Z"), ("30min", "2026-11-21T05:50:00.000Z"),
            ("+1w", "2026-11-28T06:20:00.000Z"), ("-1 hour 30 min", "2026-11-21T04:50:00.000Z"),
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

    @Test(
        arguments: [
            ("2026-11-20 14:00 UTC", "2026-11-20T14:00:00.000Z"), ("2026-11-20 2pm gmt", "2026-11-20T14:00:00.000Z"),
            ("2026-11-20T14:00Z", "2026-11-20T14:00:00.000Z"), ("2026-11-20T14:00+05:30", "2026-11-20T08:30:00.000Z"),
            ("2026-11-20 14:00:30 -0800", "2026-11-20T22:00:30.000Z"),
            ("2026-11-20 14:00 +01", "2026-11-20T13:00:00.000Z"),
            ("2026-11-20T14:00+9:00", nil), ("2026-11-20 14:00 +24:00", nil), ("+9:00", nil), ("+9:00 utc", nil),
            ("14:00 utc", nil), ("utc", nil), ("z", nil), ("2026-11-20 utc", nil),
            ("2026/11/20", "2026-11-19T23:00:00.000Z"), ("2026/1/2 14:00", "2026-01-02T13:00:00.000Z"),
            ("2026-1-2", "2026-01-01T23:00:00.000Z"), ("20261120", "2026-11-19T23:00:00.000Z"),
            ("20261120 14:00", "2026-11-20T13:00:00.000Z"), ("20261320", nil), ("2026/11", nil), ("2026-11-200", nil),
            ("noon", "2026-11-21T11:00:00.000Z"), ("yesterday noon", "2026-11-20T11:00:00.000Z"),
            ("midnight", "2026-11-20T23:00:00.000Z"), ("last mon", "2026-11-15T23:00:00.000Z"),
            ("last saturday", "2026-11-13T23:00:00.000Z"), ("saturday", "2026-11-20T23:00:00.000Z"),
            ("last fri 14:00", "2026-11-20T13:00:00.000Z"), ("last today", nil), ("last", nil), ("last week", nil),
            ("@1795392000", "2026-11-23T00:00:00.000Z"), ("@", nil), ("@-1", nil), ("@1234567890123", nil),
        ] as [(String, String?)])
    func freelyWrittenTimes(text: String, expected: String?) {
        #expect(reader.time(text)?.description == expected)
    }

    /// A time of day is the next one, if it has passed.
    @Test func comingTimes() {
        #expect(reader.coming("midnight")?.description == "2026-11-21T23:00:00.000Z")
        #expect(reader.coming("noon")?.description == "2026-11-21T11:00:00.000Z")
        #expect(reader.coming("07:00")?.description == "2026-11-22T06:00:00.000Z")
    }

    /// Nobody has to guess how to write a date, and none is guessed from the order of day and month.
    @Test(
        arguments: [
            ("11/22/2026", "write the date as 2026-11-22"), ("22/11/2026", "write the date as 2026-11-22"),
            ("22/11 2026", "write the date as 2026-11-22"), ("3/4/2026", "write 2026-03-04 or 2026-04-03"),
            ("4/4/2026", "write the date as 2026-04-04"), ("03.04.2026", "write the date as 2026-04-03"),
            ("11/22", "write the date as 2026-11-22"), ("22 nov", "write the date as 2026-11-22"),
            ("Nov 22, 2026", "write the date as 2026-11-22"), ("22 November 2025", "write the date as 2025-11-22"),
            ("11/22/2026 14:00", "write the date as '2026-11-22 14:00'"),
            ("11/22/2026 2pm", "write the date as '2026-11-22 14:00'"),
            ("11-22-2026", "write the date as 2026-11-22"),
            ("13/13/2026", nil), ("22 xyz", nil), ("nov nov", nil), ("1/2/3", nil), ("nov", nil), ("tuesdayish", nil),
            ("30 feb 2026", nil), ("1/2/3/2026", nil), ("ma 3", nil),
        ] as [(String, String?)])
    func adviceOnDates(text: String, expected: String?) {
        #expect(reader.time(text) == nil)
        #expect(reader.advice(text) == expected ?? "write \(TimeReader.forms)")
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
