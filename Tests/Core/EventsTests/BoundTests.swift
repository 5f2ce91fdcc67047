import Events
import Market
import Testing

struct BoundTests {
    @Test(arguments: [
        (Bound.max, "120", "20"), (.max, "90", "-10"), (.rise, "120", "20"), (.crossUp, "120", "20"),
        (.min, "80", "20"), (.min, "110", "-10"), (.fall, "80", "20"), (.crossDown, "80", "20"),
        (.within, "110..120", "10"), (.within, "70..80", "20"), (.within, "99..103", "-1"),
    ])
    func theDistanceIsPositiveWhileTheLimitIsNotReached(bound: Bound, limit: String, distance: String) throws {
        let price = try Price("100")
        let limit = try #require(LimitValue(limit))
        #expect(bound.distance(to: limit) { $0.subtracting(price) } == (try Price(distance)))
        #expect(bound.distance(to: limit) { $0.percentChange(from: price) } == (try Price(distance)))
    }

    @Test func aDistanceThatDoesNotFitIsNotKnown() throws {
        let limit = LimitValue.range(low: try Price("1"), high: try Price("2"))
        #expect(Bound.within.distance(to: limit) { _ in nil } == nil)
    }
}
