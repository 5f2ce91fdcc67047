import Events
import Market
import Testing
import Time

@testable import Rules

@Suite struct LimitOverrideTests {
    private func override(
        _ limit: String, source: String = "wazirx", currency: String? = "INR"
    ) throws -> LimitOverride {
        LimitOverride(
            rule: "band", source: SourceName(unchecked: source), symbol: try #require(Symbol("btcinr")), bound: .max,
            limit: try Price(limit), currency: currency.flatMap { Currency($0) }, author: UserIdentity(id: 0),
            since: WallTime(milliseconds: 0))
    }

    @Test func oneOfAnotherSourceOrCurrencyIsNoneOfThisRule() throws {
        let old = try override("105")
        #expect(try old.isFor(theSameAs: override("105", source: "kraken")))
        #expect(try old.means(theSameAs: override("105.0")))
        #expect(try !old.means(theSameAs: override("106")))
        #expect(try !old.means(theSameAs: override("105", source: "kraken")))
        #expect(try !old.means(theSameAs: override("105", currency: "USD")))
        #expect(try !old.means(theSameAs: override("105", currency: nil)))
    }
}
