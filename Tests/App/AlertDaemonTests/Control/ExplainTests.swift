import Control
import Engine
import Events
import Market
import Testing
import Time

@testable import AlertDaemon

struct ExplainTests {
    private static let time = WallTime(milliseconds: 1_700_000_000_000)

    private static let facts: [(Engine.AlertFact, ControlInterface.FactKind)] = [
        (.feedStale(since: time), .feedStale), (.frozen(since: time), .frozen), (.missing(lastPrice: nil), .missing),
        (.unusable(.bid), .unusable), (.staleRate, .staleRate), (.expired(at: time), .expired),
        (.noBaseline, .noBaseline), (.noBase("why"), .noBase),
        (.windowTooShort, .windowTooShort), (.inactive(since: time), .inactive),
        (.pending(since: time, held: .seconds(1), of: .seconds(2)), .pending), (.firing(since: time), .firing),
        (.armed(.below, since: time), .below), (.armed(.at, since: time), .at),
        (.armed(.above, since: time), .above), (.notified(at: time), .notified), (.suppressed(.cooldown), .suppressed),
        (.repeats(at: time), .repeats), (.resolvePending, .resolvePending), (.cooldown(until: time), .cooldown),
        (.clear(since: time, held: .seconds(1), of: .seconds(2)), .clear),
        (.onlyWhile("x", firingSince: nil), .onlyWhile),
        (.disarmed, .disarmed), (.expires(at: time), .expires), (.gap(since: time, until: time), .gap),
        (.notCaughtUp(.price), .notCaughtUp),
    ]

    @Test(arguments: facts.indices) func everyFactGoesOverTheWire(_ index: Int) {
        let (fact, kind) = Self.facts[index]
        #expect(Control.AlertFact(of: fact).kind == kind)
    }
}
