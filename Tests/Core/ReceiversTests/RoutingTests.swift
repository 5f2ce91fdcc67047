import Events
import Market
import TestSupport
import Testing

@testable import Receivers

struct RoutingTests {
    private let phone = receiver("phone") { $0.severity = .warning }
    private let mail = receiver("mail") { $0.symbols = [SymbolPattern("*inr")].compactMap(\.self) }
    private let desk = receiver("desk") { $0.rules = ["btc band"] }
    private let stale = receiver("stale") { $0.kinds = [.feedStale] }

    private var routing: ReceiverRouting {
        ReceiverRouting(receivers: [phone, mail, desk, stale], receiversOfRules: ["quiet": [], "own": ["stale"]])
    }

    @Test func filtersDecide() throws {
        var event = try fullEvent().occurrence
        #expect(routing.names(for: event) == ["phone", "mail", "desk"])
        event.severity = .info
        event.symbol = Symbol("btcusdt")
        event.rule = "another"
        #expect(routing.names(for: event).isEmpty)
        #expect(routing.names(for: bareEvent(.feedStale).occurrence) == ["phone", "mail", "stale"])
    }

    @Test func aRuleNamesItsReceivers() throws {
        var event = try fullEvent().occurrence
        event.rule = "own"
        #expect(routing.names(for: event) == ["stale"])
        event.rule = "quiet"
        #expect(routing.names(for: event).isEmpty)
    }

    /// A limit set at run time is an event of its rule, and whoever sets it knows.
    @Test func changesOfTheSettingsGoToWhomeverAsks() {
        let all = receiver("all") { $0.kinds = Set(EventKind.allCases) }
        let asking = receiver("asking") { $0.kinds = [.rulesChanged] }
        let routing = ReceiverRouting(
            receivers: [phone, mail, all, asking], receiversOfRules: ["own": ["phone", "all"]])
        var event = bareEvent(.rulesChanged).occurrence
        #expect(routing.names(for: event) == ["all", "asking"])
        event.rule = "own"
        #expect(routing.names(for: event) == ["all"])
        for kind in EventKind.allCases where kind != .rulesChanged && kind != .test {
            #expect(routing.names(for: bareEvent(kind).occurrence).contains("mail"), "\(kind)")
        }
    }

    @Test func suppressedEventsGoNowhere() {
        #expect(routing.names(for: bareEvent(.feedStale, notified: false).occurrence).isEmpty)
    }

    @Test func aDrillGoesToAllOrToOne() {
        var event = bareEvent(.test).occurrence
        #expect(routing.names(for: event) == ["phone", "mail", "desk", "stale"])
        event.sink = "mail"
        #expect(routing.names(for: event) == ["mail"])
        event.sink = "journal"
        #expect(routing.names(for: event).isEmpty)
    }

    @Test func aFailingReceiverDoesNotHearOfItself() {
        let event = bareEvent(.receiverFailed).occurrence
        #expect(routing.names(for: event) { $0 == "phone" } == ["mail"])
        #expect(routing.names(for: bareEvent(.feedStale).occurrence) { $0 == "phone" }.contains("phone"))
    }
}

private func receiver(_ name: String, _ change: (inout ReceiverFilter) -> Void) -> Receiver {
    var receiver = Receiver(name: name, kind: .webhook)
    change(&receiver.filter)
    return receiver
}
