import Testing

@testable import Varlink

struct FairTurnsTests {
    @Test func usersTakeTurnsHoweverManyClientsTheyHave() {
        var turns = FairTurns<String>()
        for client in ["a1", "a2", "a3"] { turns.add(client, of: 1) }
        turns.add("b1", of: 2)
        #expect(turns.next() == "a1")
        turns.add("c1", of: 3)
        turns.add("b2", of: 2)
        var rest: [String] = []
        while let next = turns.next() { rest.append(next) }
        #expect(rest == ["b1", "a2", "c1", "b2", "a3"])
        #expect(turns.isEmpty)
        turns.add("a1", of: 1)
        #expect(!turns.isEmpty)
        #expect(turns.next() == "a1")
    }
}
