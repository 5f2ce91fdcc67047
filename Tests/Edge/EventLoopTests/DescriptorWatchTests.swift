import EventLoop
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct DescriptorWatchTests {
    /// The other side has closed its writing end: `EPOLLRDHUP`.
    private static let peerClosed = Readiness(rawValue: 0x2000)

    @Test func readableComesWithBytesAndAgainUntilTheyAreRead() async throws {
        try await onLoop {
            let pair = try SocketPair()
            defer { pair.close() }
            let done = OneShot<Void, CancellationError>()
            var calls = 0
            let watch = DescriptorWatch(pair.first, for: .readable) { readiness in
                #expect(readiness == .readable)
                calls += 1
                if calls == 3 {
                    pair.drain(pair.first)
                    done.finish(.success(()))
                }
            }
            try await sleep(for: .milliseconds(2))
            #expect(calls == 0)
            pair.write(to: pair.second)
            try await done.value(onCancel: CancellationError())
            try await sleep(for: .milliseconds(5))
            #expect(calls == 3)
            watch.end()
        }
    }

    @Test func interestCanBeChanged() async throws {
        try await onLoop {
            let pair = try SocketPair()
            defer { pair.close() }
            var seen: [Readiness] = []
            let box = WatchBox()
            let watch = DescriptorWatch(pair.first, for: []) {
                seen.append($0)
                box.watch?.interest = []
                box.changed?.finish(.success(()))
            }
            box.watch = watch
            try await sleep(for: .milliseconds(2))
            #expect(seen.isEmpty)
            try await box.change(to: .writable)
            pair.write(to: pair.second)
            try await sleep(for: .milliseconds(2))
            #expect(seen == [.writable])
            try await box.change(to: [.readable, .writable])
            #expect(seen == [.writable, [.readable, .writable]])
            box.watch = nil
            watch.end()
        }
    }

    @Test func endOfTheOtherSideIsSeen() async throws {
        try await onLoop {
            let pair = try SocketPair()
            defer { pair.close() }
            let done = OneShot<Readiness, CancellationError>()
            let watch = DescriptorWatch(pair.first, for: [.readable, Self.peerClosed]) { done.finish(.success($0)) }
            #expect(shutdown(pair.second, Int32(SHUT_RDWR)) == 0)
            let readiness = try await done.value(onCancel: CancellationError())
            #expect(readiness.isSuperset(of: [.readable, Self.peerClosed, .hungUp]))
            watch.end()
        }
    }

    @Test func watchThatEndedOrWasFreedCallsNoMore() async throws {
        try await onLoop {
            let (ended, freed) = (try SocketPair(), try SocketPair())
            defer {
                ended.close()
                freed.close()
            }
            var calls = 0
            let watch = DescriptorWatch(ended.first, for: .readable) { _ in calls += 1 }
            var other: DescriptorWatch? = DescriptorWatch(freed.first, for: .readable) { _ in calls += 1 }
            #expect(other != nil)
            ended.write(to: ended.second)
            freed.write(to: freed.second)
            watch.end()
            watch.end()
            watch.interest = .writable
            other = nil
            try await sleep(for: .milliseconds(5))
            #expect(calls == 0)
        }
    }

    @Test func actionMayEndItsOwnWatch() async throws {
        try await onLoop {
            let pair = try SocketPair()
            defer { pair.close() }
            let box = WatchBox()
            var calls = 0
            box.watch = DescriptorWatch(pair.first, for: .readable) { _ in
                calls += 1
                box.watch?.end()
                box.watch = nil
            }
            pair.write(to: pair.second)
            while box.watch != nil { try await sleep(for: .milliseconds(1)) }
            try await sleep(for: .milliseconds(5))
            #expect(calls == 1)
        }
    }
}

@LoopActor
private final class WatchBox {
    var watch: DescriptorWatch?
    var changed: OneShot<Void, CancellationError>?

    /// Changes what is watched for, and waits for the next call.
    func change(to interest: Readiness) async throws {
        let next = OneShot<Void, CancellationError>()
        changed = next
        watch?.interest = interest
        try await next.value(onCancel: CancellationError())
    }
}

/// Two connected sockets.
private struct SocketPair: Sendable {
    let first: Int32
    let second: Int32

    init() throws {
        var pair: [Int32] = [-1, -1]
        let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue
        try #require(unsafe socketpair(AF_UNIX, Int32(kind), 0, &pair) == 0)
        (first, second) = (pair[0], pair[1])
    }

    func close() {
        Glibc.close(first)
        Glibc.close(second)
    }

    func write(to descriptor: Int32) {
        #expect(unsafe Glibc.write(descriptor, "x", 1) == 1)
    }

    func drain(_ descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 16)
        #expect(unsafe read(descriptor, &buffer, buffer.count) == 1)
    }
}
