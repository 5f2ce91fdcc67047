internal import Glibc
package import JSON
internal import UnixSockets

/// Something that a program waits for in addition to a service.
package struct WaitCompanion {
    /// The descriptor and its events for `poll`, and the longest wait; -1 for none.
    package var wait: () -> (descriptor: Int32, events: Int16, milliseconds: Int32)
    /// Called when the descriptor is ready, or after the longest wait. If it returns false, the wait ends with
    /// `interrupted`.
    package var act: () -> Bool

    package init(
        wait: @escaping () -> (descriptor: Int32, events: Int16, milliseconds: Int32), act: @escaping () -> Bool
    ) {
        self.wait = wait
        self.act = act
    }

    /// Creates a companion that calls the body whenever the descriptor is readable, and every 50 ms.
    package init(readable descriptor: Int32, _ body: @escaping () -> Void) {
        wait = { (descriptor, Int16(POLLIN), 50) }
        act = {
            body()
            return true
        }
    }
}

/// A connection to a Varlink service that blocks until each reply arrives. It needs no event loop.
///
/// A call that gets no reply, or a stream that is left before its end, ends the connection: further calls throw
/// `connectionClosed`.
package final class VarlinkClient {
    /// The longest reply, in bytes: about three times the largest reply of alertd, the one to a reload.
    package static let replyLimit = 16 << 20

    private let descriptor: Int32
    private let timeout: Duration
    private var input = MessageBuffer()
    /// True from a call to its last reply. If the reply does not come in time, it could be taken for the reply to the
    /// next call, so further calls are refused.
    private var awaitsReply = false

    /// Something else to wait for, in calls and in streams.
    package var companion: WaitCompanion?

    /// Connects to a service.
    ///
    /// - Parameters:
    ///   - path: the path of the service's socket.
    ///   - timeout: the longest wait for the connection, and for each reply.
    /// - Throws: ``VarlinkClientError``.
    package init(path: String, timeout: Duration) throws(VarlinkClientError) {
        do {
            descriptor = try connectToUnixSocket(at: path, timeLimit: timeout)
        } catch {
            throw VarlinkClientError(error)
        }
        self.timeout = timeout
    }

    deinit {
        close(descriptor)
    }

    /// Calls a method and waits for its only reply.
    ///
    /// - Parameters:
    ///   - method: the full name of the method.
    ///   - parameters: an object.
    ///   - type: the type of the reply.
    ///   - work: called while the service prepares the reply; its time counts as waiting.
    /// - Returns: the reply.
    /// - Throws: ``VarlinkClientError``.
    package func call<Answer: JSONReadable>(
        _ method: String, _ parameters: some JSONWritable, as type: Answer.Type, meanwhile work: () -> Void = {}
    ) throws(VarlinkClientError) -> Answer {
        try onlyReply(to: method, parameters, meanwhile: work).decoded(as: type)
    }

    /// Calls a method that sends a stream of replies, and waits for each one without a time limit.
    ///
    /// - Parameters:
    ///   - method: the full name of the method.
    ///   - parameters: an object.
    ///   - type: the type of each reply.
    ///   - limit: the longest duration of the stream; nil for no limit.
    ///   - onReply: called with each reply. If it returns false, the stream ends, and the client can no longer be
    ///     used.
    /// - Throws: ``VarlinkClientError``. It is not an error if the service closes the connection between two replies.
    package func monitor<Answer: JSONReadable>(
        _ method: String, _ parameters: some JSONWritable, as type: Answer.Type, within limit: Duration? = nil,
        onReply: (Answer) -> Bool
    ) throws(VarlinkClientError) {
        try forEachReply(to: method, parameters, before: limit.map(Deadline.init)) {
            reply throws(VarlinkClientError) in
            onReply(try reply.decoded(as: type))
        }
    }

    private func onlyReply(
        to method: String, _ parameters: some JSONWritable, meanwhile work: () -> Void
    ) throws(VarlinkClientError) -> ClientReply {
        let limit = Deadline(after: timeout)
        try send(method, parameters, more: false, before: limit)
        work()
        guard let message = try receive(before: limit) else { throw .connectionClosed }
        awaitsReply = false
        return try ClientReply(message)
    }

    private func forEachReply(
        to method: String, _ parameters: some JSONWritable, before limit: Deadline?,
        _ body: (ClientReply) throws(VarlinkClientError) -> Bool
    ) throws(VarlinkClientError) {
        try send(method, parameters, more: true, before: Deadline(after: timeout))
        while let message = try receive(before: limit) {
            let reply = try ClientReply(message)
            awaitsReply = reply.continues
            guard try body(reply), reply.continues else { return }
        }
    }

    private func send(
        _ method: String, _ parameters: some JSONWritable, more: Bool, before limit: Deadline
    ) throws(VarlinkClientError) {
        guard !awaitsReply else { throw .connectionClosed }
        awaitsReply = true
        let text = JSONWriter.text(of: parameters)
        var output = OutputQueue()
        output.append(message: MessageText.call(method, parametersJSON: text, more: more))
        while !output.isEmpty {
            guard output.write(to: descriptor) else { throw .connectionClosed }
            if !output.isEmpty { try waitUntilReady(for: POLLOUT, before: limit) }
        }
    }

    /// Waits for one message. Returns nil if the other side closes the connection between two messages. Without a
    /// limit, the wait for the first byte is unlimited, and the wait for the rest has the limit of any reply.
    private func receive(before limit: Deadline?) throws(VarlinkClientError) -> [UInt8]? {
        var limit = limit
        while true {
            if let message = input.dequeue() { return message }
            guard input.count <= Self.replyLimit else { throw .protocolViolation("longer than 16 MiB") }
            if limit == nil, input.isPartial { limit = Deadline(after: timeout) }
            try waitUntilReady(for: POLLIN, before: limit)
            if receiveBytes(from: descriptor, { input.append($0) }) == .ended {
                if input.isPartial { throw .connectionClosed }
                return nil
            }
        }
    }

    private func waitUntilReady(for event: Int32, before limit: Deadline?) throws(VarlinkClientError) {
        while true {
            let rest = limit?.rest
            let other = companion?.wait()
            var entries = [
                pollfd(fd: descriptor, events: Int16(event), revents: 0),
                pollfd(fd: other?.descriptor ?? -1, events: other?.events ?? 0, revents: 0),
            ]
            let lengths = [rest.map(milliseconds), other?.milliseconds].compactMap(\.self).filter { $0 >= 0 }
            let count = unsafe poll(&entries, 2, lengths.min() ?? -1)
            guard count >= 0 || errno == EINTR else { throw .system("poll: \(describe(errorNumber: errno))") }
            if let companion, count == 0 || entries[1].revents != 0, !companion.act() { throw .interrupted }
            if entries[0].revents != 0 { return }
            if count == 0, rest == .zero { throw .timeout }
        }
    }

    /// Returns whole milliseconds, rounded up, and limited to a value that `poll` accepts.
    private func milliseconds(_ length: Duration) -> Int32 {
        let (seconds, attoseconds) = length.components
        return Int32(min(seconds, 1_000_000) * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
