internal import EventLoop
internal import Glibc

/// A client that follows the events from its position on, and calls again when its connection ends.
@LoopActor
final class SimulatedMonitor {
    private var descriptor: Int32 = -1
    private var bytes: [UInt8] = []
    /// The number of the last event that it got.
    private(set) var last: Int64
    private(set) var fault: String?
    var isConnected: Bool { descriptor >= 0 }

    /// - Parameter last: the event to begin after.
    init(after last: Int64) {
        self.last = last
    }

    isolated deinit { disconnect() }

    /// Calls `MonitorEvents`, unless it is connected.
    ///
    /// - Returns: false when it cannot connect.
    func connect(_ path: String) -> Bool {
        guard descriptor < 0 else { return true }
        guard let descriptor = BlockingWatch.connect(to: path) else { return false }
        self.descriptor = descriptor
        let call =
            #"{"method":"org.alertd.Control.MonitorEvents","parameters":{"after":\#(last)},"more":true}"#
        let request = Array(call.utf8) + [0]
        _ = unsafe Glibc.write(descriptor, request, request.count)
        return true
    }

    /// Forgets events that were lost with the process, whose numbers are used again.
    func forget(after number: Int64) { last = min(last, number) }

    /// Reads what there is.
    ///
    /// - Returns: whether there was anything.
    func read() -> Bool {
        guard descriptor >= 0 else { return false }
        var isAnything = false
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
            isAnything = true
        }
        while let end = bytes.firstIndex(of: 0) {
            take(String(decoding: bytes[..<end], as: UTF8.self))
            bytes.removeFirst(end + 1)
        }
        return isAnything
    }

    private func take(_ reply: String) {
        // Old events are deleted after a year, which is soon over when the wall clock is set.
        if let start = reply.place(after: #""missed":"#), let missed = Int64(reply[start...].prefix { $0.isNumber }) {
            last += missed
        }
        guard let start = reply.place(after: #""number":"#) else { return }
        let number = Int64(reply[start...].prefix { $0.isNumber }) ?? 0
        if number != last + 1, fault == nil { fault = "event \(number) after event \(last)" }
        last = number
    }

    /// Reads the rest and hangs up.
    func disconnect() {
        guard descriptor >= 0 else { return }
        _ = read()
        close(descriptor)
        descriptor = -1
        bytes = []
    }
}
