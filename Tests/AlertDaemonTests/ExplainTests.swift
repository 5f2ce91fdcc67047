import Control
import Market
import Rules
import Testing

@testable import AlertDaemon

struct ExplainTests {
    private static let time = WallTime(milliseconds: 1_700_000_000_000)

    private static let facts: [(Rules.AlertFact, Control.AlertFact.Kind)] = [
        (.feedStale(since: time), .feedStale), (.frozen(since: time), .frozen), (.missing(lastPrice: nil), .missing),
        (.unusable(.bid), .unusable), (.staleRate, .staleRate), (.expired(at: time), .expired),
        (.noBaseline, .noBaseline), (.windowTooShort, .windowTooShort), (.inactive(since: time), .inactive),
        (.pending(since: time, held: .seconds(1), of: .seconds(2)), .pending), (.firing(since: time), .firing),
        (.poised(.below, since: time), .below), (.poised(.at, since: time), .at),
        (.poised(.above, since: time), .above), (.told(at: time), .told), (.untold(.cooldown), .untold),
        (.repeats(at: time), .repeats), (.owesEnd, .owesEnd), (.cooldown(until: time), .cooldown),
        (.disarmed, .disarmed), (.expires(at: time), .expires),
    ]

    @Test(arguments: facts.indices) func everyFactGoesOverTheWire(_ index: Int) {
        let (fact, kind) = Self.facts[index]
        #expect(Control.AlertFact(of: fact).kind == kind.rawValue)
    }
}
