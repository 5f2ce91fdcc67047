import Events
import Market
import Testing
import Time

@testable import Engine

/// The gaps of a source, of which there may be many.
struct GapListTests {
    private func gap(_ number: Int64, alerts: Int = 1) throws -> PriceGap {
        let id = PriceGap.ID(
            symbol: try #require(Symbol("btcinr")), since: WallTime(milliseconds: number * 600_000),
            until: WallTime(milliseconds: number * 600_000 + 300_000))
        let watches = try (0..<alerts).map { index in
            PriceGap.Watch(rule: "rule \(index)", bound: .max, limit: .price(try Price("110")), currency: nil)
        }
        return PriceGap(id: id, before: try Price("100"), watches: watches)
    }

    private func list(_ numbers: Range<Int64>, alerts: Int = 1, watchLimit: Int = 100_000) throws -> GapList {
        var list = GapList()
        for number in numbers { list.add(try gap(number, alerts: alerts)) }
        list.trim(watchLimit: watchLimit)
        return list
    }

    @Test func theOldestMakeRoom() throws {
        let capacity = Int64(GapList.capacity)
        var list = try list(0..<capacity + 5)
        #expect(list.all.count == GapList.capacity && list.watchCount == GapList.capacity && list.lostCount == 5)
        #expect(try list.all.first == gap(5) && list.all.last == gap(capacity + 4))
        #expect(try !list.contains(gap(4).id) && list.contains(gap(5).id))
        let changes = list.takeChanges(isWhole: false)
        #expect(changes.added == list.all, "what was dropped before it was saved is not saved")
    }

    @Test func allAlertsTogetherHaveALimit() throws {
        let list = try list(0..<25, alerts: 10, watchLimit: 200)
        #expect(list.watchCount == 200 && list.all.count == 20 && list.lostCount == 5)
        #expect(try list.all.first == gap(5, alerts: 10) && list.all.last == gap(24, alerts: 10))
    }

    @Test func alertsThatNoLongerCountAreForgotten() throws {
        var list = try list(0..<3, alerts: 2)
        _ = list.takeChanges(isWhole: false)
        let (first, second) = (try gap(0).id, try gap(1).id)
        list.replaceWatches { gap in
            switch gap.id {
            case first: []
            case second: Array(gap.watches.dropLast())
            default: gap.watches
            }
        }
        #expect(try list.all == [gap(1), gap(2, alerts: 2)] && list.watchCount == 3)
        #expect(!list.contains(first) && list.contains(second))
        let changes = list.takeChanges(isWhole: false)
        #expect(try changes.removed == [first, second] && changes.added == [gap(1)])
    }

    @Test func whatWasStoredIsNotSavedAgain() throws {
        var list = GapList()
        list.restore([try gap(2), try gap(0), try gap(1)], watchLimit: 2)
        #expect(try list.all == [gap(1), gap(2)])
        let changes = list.takeChanges(isWhole: false)
        #expect(try changes.removed == [gap(0).id] && changes.added.isEmpty)
    }
}
