internal import Glibc

/// The result of a non-blocking read or write.
package enum SocketTransfer: Equatable {
    case moved(Int)
    case mustWait
    /// The other side has closed, or the connection is broken.
    case ended
}

/// Reads the bytes that have arrived, at most 16 KiB, and passes them on.
package func receiveBytes(from descriptor: Int32, _ body: ([UInt8]) -> Void) -> SocketTransfer {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16 << 10) { chunk in
        while true {
            let count = unsafe recv(descriptor, chunk.baseAddress, chunk.count, Int32(MSG_DONTWAIT))
            if count > 0 { body(unsafe Array(UnsafeBufferPointer(rebasing: chunk[..<count]))) }
            if count >= 0 || errno != EINTR { return transfer(count) }
        }
    }
}

/// Writes as many bytes as possible, in one call.
package func sendBytes(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> SocketTransfer {
    unsafe bytes.withUnsafeBytes { source in
        while true {
            let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
            let count = unsafe send(descriptor, source.baseAddress, source.count, flags)
            if count >= 0 || errno != EINTR { return transfer(count) }
        }
    }
}

private func transfer(_ count: Int) -> SocketTransfer {
    if count > 0 { return .moved(count) }
    return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? .mustWait : .ended
}
