import Delivery
import EventLoop
import Events
import TestSupport
import Testing

@testable import AlertDaemon

@Suite("Drills in the pipeline", .timeLimit(.minutes(10)))
struct DrillTests {
    private let folder = StateFolderForTest()

    @Test func aDrillIsAnEventLikeAnyOther() async throws {
        try await onLoop { [folder] in
            let daemon = try SmallDaemon(folder)
            try daemon.poll("99 101")
            let event = try #require(daemon.pipeline.drill(sink: nil, by: SmallDaemon.anna))
            #expect(event.number == 2 && event.occurrence.kind == .test && event.occurrence.notified)
            #expect(event.occurrence.text == "TEST: drill by anna; this is not a real alert")
            #expect(daemon.sink.numbers == [1, 2] && daemon.other.numbers == [1, 2])
            try daemon.poll("99")
            #expect(daemon.sink.numbers == [1, 2, 3])
            daemon.pipeline.stop()
            #expect(try Stored(folder).events.map(\.number) == [1, 2, 3])
        }
    }

    /// The other sinks do not get it, neither now nor after a crash, and later events follow as usual.
    @Test func aDrillOfOneSinkIsForThatSinkAlone() async throws {
        try await onLoop { [folder] in
            let first = try SmallDaemon(folder)
            first.sink.refusesAfter = 0
            first.other.refusesAfter = 0
            _ = first.pipeline.drill(sink: "journal", by: SmallDaemon.anna)
            try first.poll("99 101")
            first.pipeline.stateStore.close()
            let second = try SmallDaemon(folder, at: first.now)
            #expect(second.other.numbers == [1, 2])
            #expect(second.sink.numbers == [2])
            #expect(second.pipeline.cursors == ["journal": 2, "stdout": 2])
            #expect(second.sink.outcome(of: 2) == .delivered(nil))
            second.pipeline.stop()
            #expect(try Stored(folder).events.map(\.occurrence.sink) == ["journal", nil])
        }
    }
}
