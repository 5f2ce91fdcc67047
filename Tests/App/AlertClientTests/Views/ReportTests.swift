import Control
import Foundation
import FoundationXML
import Testing

@testable import AlertClient

struct ReportTests {
    private func page(_ change: (Run) -> Void = { _ in }, _ line: String = "report - --currency quote") -> String {
        let run = Run()
        run.daemon.replies[.listEvents] = ListEventsReply(
            simulated: false, source: "wazirx", events: [Sample.resolved, Sample.event], more: false)
        change(run)
        return run.output(line)
    }

    @Test func thePageHasChartsAlertsAndEvents() {
        let page = page()
        #expect(page.contains("<h2>btcinr</h2>") && page.contains("<svg "))
        #expect(page.contains("max ₹75,00,000.00 btc band"))
        #expect(page.contains("<strong class=\"firing\">● FIRING</strong>"))
        #expect(page.contains("btcinr at 7513000.5 INR, max 7500000") && page.contains("(not notified)"))
    }

    @Test func thePageLoadsNothing() {
        let page = page()
        #expect(page.contains("content=\"default-src 'none'; style-src 'unsafe-inline'\""))
        for text in ["<script", "<img", "<link", "@import", "src="] { #expect(!page.contains(text)) }
        let addresses = page.matches(of: /https?:[^"]*/).map { String($0.output) }
        #expect(Set(addresses) == ["http://www.w3.org/2000/svg"])
    }

    @Test func thePageIsWellFormed() {
        // HTML with closed elements is XML, but for the document type and void elements.
        let page = page().replacing("<!doctype html>", with: "")
            .replacing(/<meta [^>]*>/) { "\(String($0.output).dropLast())/>" }
        let parser = XMLParser(data: Data(page.utf8))
        #expect(parser.parse(), "\(parser.parserError.map { "\($0)" } ?? "")")
    }

    @Test func whatTheDaemonSaysIsEscaped() {
        let page = page { run in
            var event = Sample.event
            event.text = "<script>alert(1)</script>\u{1B}[2J"
            run.daemon.replies[.listEvents] = ListEventsReply(
                simulated: false, source: "<b>", events: [event], more: false)
            var alerts = Sample.alerts
            alerts[1].rule = "\"><img src=x>"
            run.daemon.replies[.listAlerts] = ListAlertsReply(simulated: false, alerts: alerts)
        }
        #expect(!page.contains("<script>") && !page.contains("<img") && !page.contains("\u{1B}"))
        #expect(page.contains("&lt;script&gt;"))
    }

    @Test func staleAndSimulatedAreMarked() {
        let page = page { run in
            run.daemon.replies[.status] = Sample.status {
                $0.simulated = true
                $0.feed.stale = true
            }
        }
        #expect(page.contains("SIMULATED market") && page.contains("STALE:"))
    }

    @Test(arguments: ["report", "report - --since 1h --until 2h", "report --since nonsense -"])
    func whatMakesNoSenseIsRefused(line: String) {
        #expect(Run()(line) == 2)
    }
}
