/// A queue of bytes to write.
package struct OutputQueue {
    private var bytes: [UInt8] = []
    private var head = 0

    package init() {}

    /// The number of bytes that wait to be written.
    package var count: Int { bytes.count - head }
    package var isEmpty: Bool { count == 0 }

    /// Appends a message and the NUL that ends it.
    package mutating func append(message: consuming [UInt8]) {
        if bytes.isEmpty { bytes = message } else { bytes.append(contentsOf: message) }
        bytes.append(0)
    }

    /// Writes as much as possible without blocking, in a bounded number of calls.
    ///
    /// - Returns: false if the other side is gone.
    package mutating func write(to descriptor: Int32) -> Bool {
        for _ in 0..<8 where !isEmpty {
            switch sendBytes(bytes[head...], to: descriptor) {
            case .moved(let count): head += count
            case .mustWait: return true
            case .ended: return false
            }
        }
        compact()
        return true
    }

    /// Frees the memory of bytes that were written, if that is worth moving the rest.
    private mutating func compact() {
        if isEmpty {
            self = OutputQueue()
        } else if head > 64 << 10, head > bytes.count / 2 {
            bytes.removeFirst(head)
            head = 0
        }
    }
}
