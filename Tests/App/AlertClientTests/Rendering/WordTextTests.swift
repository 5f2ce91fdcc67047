import Control
import Events
import Testing

@testable import AlertClient

/// The words of the interface, as people read them.
struct WordTextTests {
    @Test func everyReasonAndKindAndBoundHasAText() {
        let texts =
            Reason.allCases.map { ControlInterface.Reason($0).text }
            + EventKind.allCases.map { ControlInterface.EventKind($0).text }
            + Bound.allCases.map { ControlInterface.Bound($0).text }
        #expect(texts.allSatisfy { !$0.isEmpty && !$0.contains("_") })
        #expect(Set(texts).count == texts.count)
    }

    @Test(arguments: [
        "ok", "starting", "disabled", "cancelled", "resolution", "refused", "unreachable", "tls", "timeout",
        "truncated", "too_large", "redirect", "rate_limited", "banned", "forbidden", "rejected", "server_error",
        "not_json", "empty", "unusable", "settings", "other",
    ])
    func everyStateOfAFetchIsKnown(word: String) {
        let state = ControlInterface.FetchState(rawValue: word)
        if case .unknown = state { Issue.record("\(word) is not a word of the interface") }
        #expect(!state.text.contains("_"))
    }

    /// What is not just the word with spaces.
    @Test(arguments: [
        ("already_breached", "already beyond the limit"), ("after_suspend", "after a suspend"),
        ("after_gap", "after a gap"), ("caught_up", "caught up after a gap"),
        ("fired_suppressed", "firing was suppressed"), ("rule_changed", "rule changed"),
    ])
    func aReasonHasItsText(word: String, text: String) {
        #expect(ControlInterface.Reason(rawValue: word).text == text)
    }

    @Test func aWordOfALaterVersionIsReadable() {
        #expect(ControlInterface.Reason(rawValue: "after_eclipse").text == "after eclipse")
        #expect(ControlInterface.EventKind(rawValue: "moon_landed").text == "moon landed")
        #expect(ControlInterface.AlertState(rawValue: "half_firing").text == "half firing")
        #expect(ControlInterface.Bound(rawValue: "cross_twice").text == "cross twice")
        #expect(ControlInterface.FetchState(rawValue: "on_fire").text == "on fire")
    }

    @Test func programsGetTheWordAndPeopleTheText() {
        let cell = Cell(ControlInterface.Reason.afterSuspend)
        #expect(cell.value == .text("after_suspend"))
        #expect(cell.human == "after a suspend")
        #expect(Cell(ControlInterface.Reason?.none).value == .missing)
    }
}
