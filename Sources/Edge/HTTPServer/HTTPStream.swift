/// A response that is written piece by piece.
package final class HTTPStream {
    /// Called once when the client is gone, or was disconnected because it does not read.
    package var onClose: (() -> Void)?
    /// False once either side has ended it.
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

    /// Sends the bytes as soon as the client has read what came before. A client that is too far behind is
    /// disconnected.
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

    /// Ends the response after what was written.
    package func end() {
        guard isOpen, !isEnding else { return }
        isEnding = true
        connection.resume()
    }

    /// The next bytes, at most as many as there is room for; 0 when there is nothing now, nil at the end.
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

    /// Waits until there is something to read; false when the connection is about to end.
    func pause() -> Bool { connection.suspend() }
}
