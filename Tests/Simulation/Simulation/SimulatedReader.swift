internal import EventLoop
internal import Glibc

/// A client of the event socket.
@LoopActor
final class SimulatedReader {
    private var descriptor: Int32
    private var bytes: [UInt8] = []
    /// The numbers of the events that it got, in order; a notice of missed ones resets it.
    private(set) var last: Int64?
    private(set) var fault: String?
    /// Whether it reads.
    var isReading = true

    init?(path: String) {
        guard let descriptor = BlockingWatch.connect(to: path) else { return nil }
        self.descriptor = descriptor
    }

    isolated deinit { end() }

    /// Reads what there is.
    ///
    /// - Returns: whether there was anything.
    @discardableResult
    func read() -> Bool {
        guard descriptor >= 0, isReading else { return false }
        var isAnything = false
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
            isAnything = true
        }
        while let end = bytes.firstIndex(of: 0x0A) {
            take(String(decoding: bytes[..<end], as: UTF8.self))
            bytes.removeFirst(end + 1)
        }
        return isAnything
    }

    private func take(_ line: String) {
        if line.hasPrefix(#"{"missed""#) {
            last = nil
            return
        }
        guard let start = line.place(after: "\"number\":"),
            let number = Int64(line[start...].prefix { $0.isNumber })
        else {
            fault = "a line without a number: \(line)"
            return
        }
        if let last, number != last + 1 { fault = "event \(number) after event \(last)" }
        last = number
    }

    /// Reads the rest and hangs up.
    func end() {
        guard descriptor >= 0 else { return }
        isReading = true
        read()
        close(descriptor)
        descriptor = -1
    }
}

extension String {
    /// Where the text after `part` begins.
    func place(after part: String) -> Index? {
        var place = startIndex
        while place < endIndex {
            if self[place...].hasPrefix(part) { return index(place, offsetBy: part.count) }
            place = index(after: place)
        }
        return nil
    }
}
