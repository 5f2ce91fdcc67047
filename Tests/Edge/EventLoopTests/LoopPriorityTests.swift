import EventLoop
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct LoopPriorityTests {
    @Test func tasksRunInTheOrderOfTheirPriorities() async throws {
        let order = try await onLoop {
            let record = Record()
            let tasks = [LoopPriority.client, .administration, .standard].map { priority in
                Loop.shared.start(priority) { record.entries.append("\(priority)") }
            }
            for task in tasks { await task.value }
            return record.entries
        }
        #expect(order == ["standard", "administration", "client"])
    }

    /// Each job of a client makes the daemon's own descriptor ready, which comes before the next job.
    @Test func clientsNeverRunTwiceBeforeTheDaemonsOwnWork() async throws {
        let order = try await onLoop {
            let record = Record()
            let pipe = try LoopPipe()
            let watch = DescriptorWatch(pipe.reader, for: .readable) { _ in
                record.entries.append("own")
                pipe.take()
            }
            let tasks = (0..<10).map { _ in
                Loop.shared.start(.client) {
                    record.entries.append("client")
                    pipe.put()
                }
            }
            for task in tasks { await task.value }
            while record.entries.count < 20 { await Task.yield() }
            watch.end()
            return record.entries
        }
        #expect(order == Array(repeating: ["client", "own"], count: 10).flatMap { $0 })
    }

    @Test func descriptorsAreDispatchedInTheOrderOfTheirPriorities() async throws {
        let order = try await onLoop {
            let record = Record()
            let pipes = try LoopPriority.allCases.map { _ in try LoopPipe() }
            // The least important first, so that age would give the opposite order.
            let watches = zip(LoopPriority.allCases, pipes).reversed().map { priority, pipe in
                pipe.put()
                return DescriptorWatch(pipe.reader, for: .readable, priority: priority) { _ in
                    record.entries.append("\(priority)")
                    pipe.take()
                }
            }
            while record.entries.count < watches.count { await Task.yield() }
            for watch in watches { watch.end() }
            return record.entries
        }
        #expect(order == ["signal", "standard", "delivery", "administration", "client"])
    }

    /// A task that clients keep busy without end does not hold up timers.
    @Test func timersExpireWhileClientsNeverRest() async throws {
        try await onLoop {
            let record = Record()
            let flood = Loop.shared.start(.client) {
                while !Task.isCancelled {
                    record.turns += 1
                    await Task.yield()
                }
            }
            while record.turns == 0 { await Task.yield() }
            try await sleep(for: .milliseconds(1))
            flood.cancel()
            await flood.value
        }
    }

    /// What a client starts on behalf of the daemon is not delayed by other clients.
    @Test func startedTasksDoNotInheritThePriorityOfAClient() async throws {
        let order = try await onLoop {
            let record = Record()
            let first = Loop.shared.start(.client) {
                _ = Loop.shared.start { record.entries.append("own") }
            }
            let second = Loop.shared.start(.client) { record.entries.append("client") }
            await first.value
            await second.value
            return record.entries
        }
        #expect(order == ["own", "client"])
    }
}

@LoopActor
private final class Record {
    var entries: [String] = []
    var turns = 0
}

/// A pipe that holds at most a few bytes.
@LoopActor
private final class LoopPipe {
    let reader: Int32
    private let writer: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        (reader, writer) = (ends[0], ends[1])
    }

    isolated deinit {
        close(reader)
        close(writer)
    }

    func put() {
        #expect(unsafe write(writer, "x", 1) == 1)
    }

    func take() {
        var byte: UInt8 = 0
        #expect(unsafe read(reader, &byte, 1) == 1)
    }
}
