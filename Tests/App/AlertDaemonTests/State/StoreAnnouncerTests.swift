import Delivery
import Events
import Market
import Storage
import TestSupport
import Testing
import Time

@testable import AlertDaemon

struct StoreAnnouncerTests {
    private let error = StorageError(.full, path: "/x", message: "disk is full")
    private let start = Instant.testStart

    @Test func aFailureIsReportedOnceWithItsReason() throws {
        var announcer = StoreAnnouncer()
        #expect(announcer.next(nil, since: nil, at: start) == nil, "all is well")
        let next = announcer.next(error, since: start, at: start.advanced(bySeconds: 3))
        let event = try #require(next)
        #expect(event.kind == .storeFailed && event.severity == .warning)
        #expect(event.time == start.advanced(bySeconds: 3).wall)
        #expect(event.text == "state cannot be saved; alerts are still sent: \(error)")
        #expect(announcer.next(error, since: start, at: start.advanced(bySeconds: 9)) == nil)
        let other = StorageError(.io, path: "/x", message: "the device failed")
        #expect(announcer.next(other, since: start, at: start.advanced(bySeconds: 9)) == nil, "the same outage")
    }

    /// The outage began before it could be reported.
    @Test(arguments: [(0, 1, "1 event"), (30, 2, "2 events"), (50, 0, "0 events")] as [(Int64, Int, String)])
    func theEndNamesTheLengthFromTheFirstFailure(began: Int64, saved: Int, text: String) throws {
        var announcer = StoreAnnouncer()
        let since = start.advanced(bySeconds: began)
        _ = announcer.next(error, since: since, at: start.advanced(bySeconds: 55))
        announcer.savedCount = saved
        let next = announcer.next(nil, since: nil, at: since.advanced(bySeconds: 120))
        let event = try #require(next)
        #expect(event.kind == .storeRecovered && event.severity == .info)
        #expect(event.time == since.advanced(bySeconds: 120).wall)
        #expect(event.text == "state is saved again after 2m, including \(text) from that time")
    }

    /// What one outage lost is not counted in the next.
    @Test func countsStartAtZeroWithEachOutage() throws {
        var announcer = StoreAnnouncer()
        _ = announcer.next(error, since: start, at: start)
        (announcer.savedCount, announcer.lostCount) = (4, 3)
        let end = announcer.next(nil, since: nil, at: start.advanced(bySeconds: 60))
        let first = try #require(end)
        #expect(first.text.hasSuffix("4 events from that time; 3 more were lost"))
        _ = announcer.next(error, since: start, at: start)
        let nextEnd = announcer.next(nil, since: nil, at: start.advanced(bySeconds: 60))
        let second = try #require(nextEnd)
        #expect(second.text.hasSuffix("0 events from that time"))
    }

    @Test func filesThatWereSetAsideAreAFailureThatHasEnded() throws {
        var announcer = StoreAnnouncer()
        announcer.setAside = ["a was damaged", "b was damaged"]
        let failure = announcer.next(nil, since: nil, at: start)
        let failed = try #require(failure)
        #expect(failed.kind == .storeFailed && failed.text == "a was damaged; b was damaged")
        let end = announcer.next(nil, since: nil, at: start)
        let recovered = try #require(end)
        #expect(recovered.kind == .storeRecovered && !recovered.text.contains("damaged"))
        #expect(announcer.next(nil, since: nil, at: start) == nil)
    }

    @Test func aFileThatWasSetAsideInAnOutageIsReportedAtItsEnd() throws {
        var announcer = StoreAnnouncer()
        _ = announcer.next(error, since: start, at: start)
        announcer.setAside = ["a was damaged"]
        let end = announcer.next(nil, since: nil, at: start.advanced(bySeconds: 60))
        let recovered = try #require(end)
        #expect(recovered.kind == .storeRecovered && recovered.text.hasSuffix("; a was damaged"))
        #expect(announcer.next(nil, since: nil, at: start) == nil, "it is not reported again")
    }
}
