/// A response that is written piece by piece.
package final class HTTPStream {
    /// Called once when the stream is over: after ``end()``, or because the client is gone or was disconnected.
    package var onClose: (() -> Void)?
    /// True until either side ends the stream.
    package private(set) var isOpen = true

    private var pending: [UInt8] = []
    private var sentBytes = 0
    private var isEnding = false
    private let limitBytes: Int
    private unowned let connection: ServerConnection

    init(on connection: ServerConnection, limitBytes: Int) {
        self.connection = connection
        self.limitBytes = limitBytes
    }

    /// Sends the bytes after those that are already queued, as the client reads them. A client that is too far behind
    /// is disconnected.
    package func write(_ bytes: some Collection<UInt8>) {
        guard isOpen, !isEnding, !bytes.isEmpty else { return }
        guard bytes.count <= limitBytes - (pending.count - sentBytes) else { return connection.shutDown() }
        if sentBytes > 0, sentBytes * 2 >= pending.count {
            pending.removeFirst(sentBytes)
            sentBytes = 0
        }
        pending.append(contentsOf: bytes)
        connection.resume()
    }

    /// Ends the response after the bytes written so far.
    package func end() {
        guard isOpen, !isEnding else { return }
        isEnding = true
        connection.resume()
    }

    /// Copies the next bytes, as many as there is room for. Returns their number; 0 if there are none now, nil at the
    /// end.
    func read(into room: UnsafeMutableRawBufferPointer) -> Int? {
        let part = pending[sentBytes...].prefix(room.count)
        guard !part.isEmpty else { return isEnding ? nil : 0 }
        unsafe room.copyBytes(from: part)
        sentBytes += part.count
        if sentBytes == pending.count {
            pending.removeAll(keepingCapacity: pending.count <= 4_096)
            sentBytes = 0
        }
        return part.count
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        pending = []
        sentBytes = 0
        let action = onClose
        onClose = nil
        action?()
    }

    /// Suspends the connection until there is something to read. Returns false if the connection is about to end.
    func pause() -> Bool { connection.suspend() }
}
