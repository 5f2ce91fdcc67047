internal import Glibc

/// A buffer for received messages, each of which ends with NUL.
package struct MessageBuffer {
    private var bytes: [UInt8] = []
    private var head = 0
    /// The position from which to search for the next NUL. The bytes from ``head`` to here contain none.
    private var scanned = 0
    private var end: Int?

    package init() {}

    /// True if a message is complete.
    package var hasMessage: Bool { end != nil }

    /// The number of bytes in the buffer, of complete messages or not.
    package var count: Int { bytes.count - head }

    /// True if the first message has begun but is not complete.
    package var isPartial: Bool { !hasMessage && count > 0 }

    /// Appends received bytes.
    package mutating func append(_ more: [UInt8]) {
        if head > 0 {
            bytes.removeFirst(head)
            scanned -= head
            if let position = end { end = position - head }
            head = 0
        }
        bytes.append(contentsOf: more)
        scan()
    }

    /// Removes and returns the oldest message, without its NUL; nil if none is complete.
    package mutating func dequeue() -> [UInt8]? {
        guard let position = end else { return nil }
        if head == 0, position + 1 == bytes.count {
            // Nearly always the message is the whole buffer, so a page of a list need not be copied.
            bytes.removeLast()
            defer { self = MessageBuffer() }
            return bytes
        }
        let message = Array(bytes[head..<position])
        head = position + 1
        scanned = head
        scan()
        if count == 0 { self = MessageBuffer() }
        return message
    }

    private mutating func scan() {
        end = unsafe bytes.withUnsafeBytes { bytes in
            // For a page of a list, a loop over the bytes would take as long as everything else that is done with
            // them here.
            guard let start = bytes.baseAddress, let found = unsafe memchr(start + scanned, 0, bytes.count - scanned)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - start
        }
        scanned = end ?? bytes.count
    }
}
