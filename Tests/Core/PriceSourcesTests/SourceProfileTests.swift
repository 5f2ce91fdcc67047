import Testing
import Time

@testable import PriceSources

struct SourceProfileTests {
    @Test(
        arguments: [
            (.wazirx, "api.wazirx.com", false, 10_000, "api.wazirx.com"),
            (.wazirx, "localhost", true, 100, "this machine"),
            (.wazirx, "wazirx.example", false, 1_000, "wazirx.example"), (.wazirx, nil, false, 100, "any host"),
            (.simulator, "api.wazirx.com", false, 100, "the simulator"),
        ] as [(PriceSource, String?, Bool, Int64, String)])
    func theShortestIntervalDependsOnTheHost(
        source: PriceSource, host: String?, isLoopback: Bool, shortest: Int64, subject: String
    ) {
        let found = source.profile.shortestInterval(host: host, isLoopback: isLoopback)
        #expect(found.interval.count == shortest)
        #expect(found.subject == subject)
    }

    @Test func unknownErrorCodesMeanThatTheRequestWasRejected() {
        #expect(PriceSource.wazirx.profile.meaning(ofError: "2136") == .rateLimited)
        #expect(PriceSource.wazirx.profile.meaning(ofError: "1") == .rejected)
        #expect(PriceSource.simulator.profile.meaning(ofError: "2136") == .rejected)
    }

    @Test func theListNamesEverySource() {
        #expect(PriceSource.names == "wazirx, binance, kraken, coinranking, json or simulator")
        #expect(
            PriceSource.wazirx.description.hasSuffix(
                "Polled at most once every 10s at api.wazirx.com. It has candles, from which gaps are caught up."))
        #expect(PriceSource.simulator.description == SourceProfile.simulator.notes)
        #expect(PriceSource.coinranking.description.contains("15m"))
    }

    /// An address that is polled is complete without a slash at its end, as paths are appended to it.
    @Test(arguments: PriceSource.allCases)
    func profilesAreConsistent(source: PriceSource) throws {
        let profile = source.profile
        #expect(profile.isSimulated == (source == .simulator))
        #expect(profile.notes.hasSuffix("."))
        #expect(profile.url?.hasSuffix("/") != true)
        #expect((profile.url == nil) == profile.tickersPath.isEmpty)
        if let limit = profile.limit {
            #expect(limit.hosts.allSatisfy { $0 == $0.lowercased() })
            #expect(limit.interval >= SourceProfile.otherHostMinimum)
            let host = try #require(limit.hosts.first)
            #expect(profile.url?.contains("//\(host)/") == true)
        }
    }
}
