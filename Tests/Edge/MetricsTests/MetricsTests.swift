import Foundation
import Market
import TestSupport
import Testing
import Time

@testable import Metrics

struct MetricsFormatTests {
    @Test(arguments: [
        (nil, MetricsFormat.text), ("", .text), ("*/*", .text), ("text/html", .text),
        ("application/openmetrics-text", .openMetrics),
        // What Prometheus 2.42 sends.
        (
            "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
                + "text/plain;version=0.0.4;q=0.5,*/*;q=0.1", .openMetrics
        ),
        (
            "application/openmetrics-text; version=\"1.0.0\"; escaping=allow-utf-8; q=0.6, text/plain;q=0.5",
            .openMetrics
        ),
        ("application/openmetrics-text;version=1.0.0;q=0.2,text/plain;version=0.0.4", .text),
        ("application/openmetrics-text;version=2.0.0", .text),
        ("application/openmetrics-text;q=0, */*", .text),
        ("application/openmetrics-text;q=x", .openMetrics),
    ])
    func theClientChooses(accept: String?, format: MetricsFormat) {
        #expect(MetricsFormat(accept: accept) == format)
    }
}

struct MetricsWriterTests {
    private func text(_ format: MetricsFormat, _ body: (inout MetricsWriter) -> Void) -> String {
        var writer = MetricsWriter(format)
        body(&writer)
        return String(decoding: writer.finish(), as: UTF8.self)
    }

    private func writeSome(_ writer: inout MetricsWriter) {
        writer.begin(.build)
        writer.sample("0.1.0", value: 1)
        writer.begin(.cpuTime)
        writer.sample(nanoseconds: 1_500_000_000)
        writer.begin(.alertFiring)
        writer.sample("wazirx", "a \"b\" \\ c\nd", "btcinr", "max", "", value: true)
    }

    @Test func textFormat() {
        #expect(
            text(.text, writeSome) == """
                # HELP alertd_build_info The version of alertd
                # TYPE alertd_build_info gauge
                alertd_build_info{version="0.1.0"} 1
                # HELP process_cpu_seconds_total Processor time of the process, user and system
                # TYPE process_cpu_seconds_total counter
                process_cpu_seconds_total 1.5
                # HELP alertd_alert_firing Whether the alert is firing
                # TYPE alertd_alert_firing gauge
                alertd_alert_firing{source="wazirx",rule="a \\"b\\" \\\\ c\\nd",symbol="btcinr",bound="max"} 1

                """)
    }

    @Test func openMetrics() {
        #expect(
            text(.openMetrics, writeSome) == """
                # TYPE alertd_build info
                # HELP alertd_build The version of alertd
                alertd_build_info{version="0.1.0"} 1
                # TYPE process_cpu_seconds counter
                # UNIT process_cpu_seconds seconds
                # HELP process_cpu_seconds Processor time of the process, user and system
                process_cpu_seconds_total 1.5
                # TYPE alertd_alert_firing gauge
                # HELP alertd_alert_firing Whether the alert is firing
                alertd_alert_firing{source="wazirx",rule="a \\"b\\" \\\\ c\\nd",symbol="btcinr",bound="max"} 1
                # EOF

                """)
    }

    /// What is written piece by piece has the same form as what is written at once.
    @Test func samplesInPieces() throws {
        let (symbol, price) = (try #require(Symbol("btcinr")), try Price("0.0500"))
        let written = text(.text) { writer in
            writer.reserve(samples: 3)
            writer.begin(.limit)
            writer.beginSample()
            writer.label(LabelText("wazirx"))
            writer.label(LabelText("a \"b\" \\ c\nd"))
            writer.label(symbol)
            writer.skipLabel()
            writer.label(Currency("inr"))
            writer.label("low")
            // More than the family has.
            writer.label("x")
            writer.endSample(price)
            writer.beginSample()
            writer.label(nil as Asset?)
            writer.label("")
            writer.label(nil as Currency?)
            writer.endSample(true)
            writer.begin(.alertFiring)
            writer.beginSample()
            writer.skipLabel()
            writer.label(Asset("btc"))
            writer.endSample(false)
        }
        let lines = written.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let labels = #"source="wazirx",rule="a \"b\" \\ c\nd",symbol="btcinr",currency="INR",edge="low""#
        #expect(
            lines == [
                "alertd_limit{\(labels)} 0.0500",
                "alertd_limit 1", #"alertd_alert_firing{rule="btc"} 0"#,
            ])
    }

    @Test func valuesAreExact() throws {
        let price = try #require(Price(mantissa: 73_216_000_000_000_001, scale: 10))
        let written = text(.text) { writer in
            writer.begin(.price)
            writer.sample("wazirx", "btcinr", "inr", value: price)
            writer.begin(.lastPoll)
            writer.sample("wazirx", value: WallTime(milliseconds: 1_700_000_000_120))
            writer.sample("other", value: nil as WallTime?)
        }
        let labels = "{source=\"wazirx\",symbol=\"btcinr\",quote=\"inr\"}"
        #expect(written.contains("alertd_price\(labels) 7321600.0000000001\n"))
        #expect(written.hasSuffix("timestamp_seconds{source=\"wazirx\"} 1700000000.12\n"))
    }
}

/// The rules of Prometheus and OpenMetrics for names and texts.
struct MetricFamilyTests {
    @Test func namesFollowTheConventions() {
        let names = MetricFamily.all.map(\.name.description)
        #expect(Set(names).count == names.count)
        for family in MetricFamily.all {
            let name = family.name.description
            #expect(name.wholeMatch(of: /(alertd|process)(_[a-z]+)+/) != nil, "\(name)")
            #expect(name.hasSuffix("_total") == (family.kind == .counter), "\(name)")
            #expect(name.hasSuffix("_info") == (family.kind == .info), "\(name)")
            let base = name.hasSuffix("_total") ? String(name.dropLast(6)) : name
            for unit in [MetricFamily.Unit.seconds, .bytes] {
                #expect(base.hasSuffix("_\(unit.rawValue)") == (family.unit == unit), "\(name)")
            }
            let help = family.help.description
            #expect(!help.contains { "\\\n\"".contains($0) } && !help.hasSuffix("."), "\(name)")
            for label in family.labels { #expect(label.description.wholeMatch(of: /[a-z]+/) != nil, "\(name)") }
        }
    }
}

/// The dashboard and the rules that come with alertd.
struct ExampleMetricsTests {
    @Test(arguments: ["grafana-dashboard.json", "prometheus-rules.yml"])
    func examplesNameMetricsThatExist(file: String) throws {
        let path = packageFolder.appending(path: "share/examples/\(file)")
        let text = try String(contentsOf: path, encoding: .utf8)
        let names = Set(text.matches(of: /\balertd_[a-z_]+/).map { String($0.output) })
        let known = Set(MetricFamily.all.map { "\($0.name)" })
        #expect(names.count > 5 && names.subtracting(known).isEmpty, "\(names.subtracting(known))")
    }
}
