internal import Glibc

/// Sends up to two pieces with one call, without blocking and without raising SIGPIPE.
///
/// - Returns: the number of bytes sent; 0 if there is no room, -1 if the connection is broken.
@unsafe
func sendNow(_ descriptor: Int32, _ head: UnsafeRawBufferPointer, _ tail: UnsafeRawBufferPointer) -> Int {
    let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
    let count: Int
    if unsafe tail.isEmpty {
        count = unsafe send(descriptor, head.baseAddress, head.count, flags)
    } else {
        count = unsafe withUnsafeTemporaryAllocation(of: iovec.self, capacity: 2) { vectors in
            unsafe vectors[0] = iovec(
                iov_base: UnsafeMutableRawPointer(mutating: head.baseAddress), iov_len: head.count)
            unsafe vectors[1] = iovec(
                iov_base: UnsafeMutableRawPointer(mutating: tail.baseAddress), iov_len: tail.count)
            var message = unsafe msghdr()
            unsafe message.msg_iov = vectors.baseAddress
            unsafe message.msg_iovlen = 2
            return unsafe sendmsg(descriptor, &message, flags)
        }
    }
    if count >= 0 { return count }
    return errno == EAGAIN || errno == EINTR || errno == ENOBUFS ? 0 : -1
}

/// Sends bytes with one call, like ``sendNow(_:_:_:)``.
func sendNow(_ descriptor: Int32, _ bytes: [UInt8]) -> Int {
    unsafe bytes.withUnsafeBytes { unsafe sendNow(descriptor, $0, UnsafeRawBufferPointer(start: nil, count: 0)) }
}

/// Reads and discards at most 4 KiB that a peer sent; the rest is left for the next turn of the loop.
///
/// - Returns: the number of bytes, or nil if the peer sends nothing more.
func discardInput(_ descriptor: Int32) -> Int? {
    unsafe withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { scratch in
        let count = unsafe recv(descriptor, scratch.baseAddress, scratch.count, Int32(MSG_DONTWAIT))
        if count > 0 { return count }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : nil
    }
}
