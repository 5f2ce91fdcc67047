import EventLoop
import Glibc
import TestSupport
import UnixSockets

/// What a reader of the event socket does, on the loop and without blocking; it reads nothing before it is notified to.
@LoopActor
final class TestReader {
    let descriptor: Int32
    private(set) var bytes: [UInt8] = []
    private(set) var isAtEnd = false
    private var watch: DescriptorWatch?
    private var waiting: (condition: (TestReader) -> Bool, done: OneShot<Void, CancellationError>)?

    /// Takes over a connected socket.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    convenience init(connectedTo path: String) throws {
        self.init(try connectToUnixSocket(at: path))
    }

    isolated deinit {
        watch?.end()
        close(descriptor)
    }

    var lines: [String] { text(bytes).split(separator: "\n").map(String.init) }

    /// How many newlines have come.
    private(set) var lineCount = 0

    /// Reads until the condition holds or the other side closes.
    func read(until condition: @escaping (TestReader) -> Bool) async throws {
        let done = OneShot<Void, CancellationError>()
        waiting = (condition, done)
        watch = DescriptorWatch(descriptor, for: .readable) { [unowned self] _ in
            _ = readOnce()
            if isAtEnd { watch?.end() }
            check()
        }
        check()
        try await done.value(onCancel: CancellationError())
        watch?.end()
        watch = nil
    }

    /// Reads at most `limit` bytes of what is there; whether there was anything.
    func readOnce(atMost limit: Int = 65_536) -> Bool {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
        if count == 0 || (count < 0 && errno == ECONNRESET) { isAtEnd = true }
        bytes += buffer[..<max(0, count)]
        lineCount += buffer[..<max(0, count)].count { $0 == 0x0A }
        return count > 0
    }

    private func check() {
        guard let (condition, done) = waiting, condition(self) || isAtEnd else { return }
        waiting = nil
        done.finish(.success(()))
    }
}

/// Lets the loop turn until the condition holds, but not forever.
@LoopActor
func turns(until condition: () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(600)
    while ContinuousClock.now < end {
        if condition() { return }
        await Task.yield()
    }
    throw TestFailure(call: "waiting for a condition")
}
