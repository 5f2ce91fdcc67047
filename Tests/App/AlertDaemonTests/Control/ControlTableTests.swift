import Configuration
import Control
import Delivery
import EventLoop
import ExchangeRates
import Market
import PriceSources
import TestSupport
import Testing
import Time
import Varlink

@testable import AlertDaemon

/// Stands for the parts of the daemon that calls control; no call is made.
@LoopActor
private final class IdleDaemon: StatusProvider, SettingsController, PollController, CoinHistorySource, PastRateSource {
    func status(_ slices: inout WorkSlices) async throws(VarlinkError) -> DaemonStatus {
        preconditionFailure("no call is made")
    }
    func reload() -> Result<ReloadResult, SettingsError> { preconditionFailure("no call is made") }
    func pollNow(_ source: SourceName, force: Bool) async throws(PollRequestError) -> PollSummary { throw .stopping }
    func rates(on date: CivilDate) async throws(PastRatesFailure) -> DatedRates { throw .stopping }
    func history(of coin: CoinKey, over period: PricePeriod, for rank: PeerRank) async -> CoinHistoryAnswer { .pending }
}

@Suite("Calls of the control interface", .timeLimit(.minutes(10)))
struct ControlTableTests {
    @Test func everyCallHasExactlyOneHandler() async throws {
        let registered = try await onLoop { () -> [String] in
            let folder = StateFolderForTest()
            let daemon = try SmallDaemon(folder)
            defer { daemon.pipeline.stop() }
            let log = Log(isJournal: false, least: .error)
            let service = ExchangeRateService(nil, log: log, clock: SystemClock()) { _, _ in }
            let idle = IdleDaemon()
            let groups = controlGroups(
                daemon.pipeline, rates: RateQuery(service, daemon.query) { nil }, refresher: service, pastRates: idle,
                daemon: idle, poller: idle, coins: idle, access: ControlAccess(permission: .ofThisProcess(), log: log))
            return groups.flatMap(\.handlers).map(\.0.rawValue)
        }
        #expect(registered.sorted() == ControlInterface.Method.allCases.map(\.rawValue).sorted())
    }
}
