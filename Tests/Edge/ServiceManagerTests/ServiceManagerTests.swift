import Foundation
import ServiceManager
import Testing

/// One after the other: the environment belongs to the whole process.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ServiceManagerTests {
    private let manager = ServiceManager()

    @Test func readyComesWithItsStatus() throws {
        try expect("READY=1\nSTATUS=450 symbols, 12 rules") { manager.ready(status: "450 symbols, 12 rules") }
    }

    @Test func statusComesAlone() throws {
        try expect("STATUS=feed is stale") { manager.status("feed is stale") }
    }

    @Test func stoppingComesAlone() throws {
        try expect("STOPPING=1") { manager.stopping() }
    }

    @Test func failureComesWithNumberAndWords() throws {
        try expect("ERRNO=98\nSTATUS=control socket: in use") {
            manager.failed(errorNumber: 98, status: "control socket: in use")
        }
    }

    @Test func reloadingCarriesItsTimeInTheSameDatagram() throws {
        let before = monotonicMicroseconds()
        let text = try #require(try datagrams { manager.reloading() }.first)
        let lines = text.split(separator: "\n")
        try #require(lines.count == 2)
        #expect(lines[0] == "RELOADING=1")
        let time = try #require(UInt64(lines[1].dropFirst("MONOTONIC_USEC=".count)))
        #expect(lines[1].hasPrefix("MONOTONIC_USEC="))
        #expect((before...monotonicMicroseconds()).contains(time))
    }

    @Test(arguments: [
        ("a\nREADY=1", "a READY=1"), ("a\r\n\tb", "a   b"), ("\u{1B}[31m", " [31m"), ("a\0b", "a b"), ("", ""),
        ("a\u{85}b\u{2028}c", "a b c"), ("₹ 7,500,000", "₹ 7,500,000"),
    ])
    func statusIsOneLine(text: String, shown: String) throws {
        try expect("STATUS=\(shown)") { manager.status(text) }
    }

    @Test func longStatusIsCutAtACharacter() throws {
        let text = String(repeating: "₹", count: 1_000)
        try expect("STATUS=" + String(repeating: "₹", count: 170)) { manager.status(text) }
    }

    @Test func withoutAServiceManagerNothingHappens() throws {
        unsafe unsetenv("NOTIFY_SOCKET")
        sendEverything()
    }

    @Test(arguments: ["/nonexistent/notify", "", "no path", "/dev/null"])
    func serviceManagerThatDoesNotListenIsNoError(path: String) throws {
        unsafe setenv("NOTIFY_SOCKET", path, 1)
        defer { unsafe unsetenv("NOTIFY_SOCKET") }
        sendEverything()
    }

    @Test func severalMessagesComeInOrder() throws {
        let texts = try datagrams {
            manager.ready(status: "a")
            manager.status("b")
            manager.stopping()
        }
        #expect(texts == ["READY=1\nSTATUS=a", "STATUS=b", "STOPPING=1"])
    }

    /// A manager that does not read: nothing waits for it, and afterwards it gets what matters, and the newest status.
    @Test func slowServiceManagerBlocksNothing() throws {
        var ends: [Int32] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let (manager, reader) = (ServiceManager(), ends[0])
        let texts = try datagrams {
            manager.ready(status: "first")
            while !manager.isBehind { manager.store(reader, name: "reader") }
            for number in 0..<1_000 { manager.alive(status: "\(number)") }
            manager.reloading()
            manager.status("newest")
            manager.stopping()
        } then: {
            manager.flush()
        }
        #expect(!manager.isBehind)
        #expect(texts.first == "READY=1\nSTATUS=first")
        #expect(texts.contains { $0.hasPrefix("RELOADING=1") })
        #expect(texts.filter { $0.hasPrefix("WATCHDOG") || $0.hasPrefix("STATUS") } == ["WATCHDOG=1\nSTATUS=newest"])
        #expect(texts.last == "STOPPING=1")
    }

    @Test func theFileOfTheStandardOutputDecides() throws {
        var status = stat()
        try #require(unsafe fstat(1, &status) == 0)
        unsafe setenv("JOURNAL_STREAM", "\(status.st_dev):\(status.st_ino)", 1)
        #expect(stdoutIsJournal())
        unsafe setenv("JOURNAL_STREAM", "\(status.st_dev):\(status.st_ino + 1)", 1)
        #expect(!stdoutIsJournal())
        unsafe unsetenv("JOURNAL_STREAM")
        #expect(!stdoutIsJournal())
    }

    private func sendEverything() {
        manager.ready(status: "")
        manager.status("")
        manager.reloading()
        manager.stopping()
        manager.failed(errorNumber: 0, status: "")
    }

    private func expect(_ datagram: String, from body: () -> Void) throws {
        #expect(try datagrams(body) == [datagram])
    }

    /// What arrives at a socket in place of the service manager.
    private func datagrams(_ body: () -> Void, then later: () -> Void = {}) throws -> [String] {
        let path = FileManager.default.temporaryDirectory.appending(path: "notify-\(UUID().uuidString)").path
        let descriptor = try boundDatagramSocket(path)
        defer {
            close(descriptor)
            unsafe unlink(path)
            unsafe unsetenv("NOTIFY_SOCKET")
        }
        unsafe setenv("NOTIFY_SOCKET", path, 1)
        body()
        var texts: [String] = []
        var buffer = [UInt8](repeating: 0, count: 8_192)
        while case let count = unsafe recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)), count >= 0 {
            texts.append(String(decoding: buffer.prefix(count), as: UTF8.self))
            later()
        }
        return texts
    }
}

@Suite
struct JournalStreamTests {
    @Test func streamIsKnownByDeviceAndInode() throws {
        let file = unsafe open("/dev/null", O_RDONLY)
        defer { close(file) }
        var status = stat()
        try #require(unsafe fstat(file, &status) == 0)
        #expect(isJournal(descriptor: file, journalStream: "\(status.st_dev):\(status.st_ino)"))
        #expect(!isJournal(descriptor: file, journalStream: "\(status.st_dev):\(status.st_ino + 1)"))
        #expect(!isJournal(descriptor: file, journalStream: "\(status.st_dev + 1):\(status.st_ino)"))
        #expect(!isJournal(descriptor: -1, journalStream: "\(status.st_dev):\(status.st_ino)"))
    }

    @Test(arguments: ["", ":", "1", "1:", ":1", "a:b", "1:2:3", "-1:2", "99999999999999999999:1", " 1:2", "1\0:2"])
    func otherTextsDescribeNoStream(text: String) {
        #expect(!isJournal(descriptor: 1, journalStream: text))
    }
}

private func monotonicMicroseconds() -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
}

private func boundDatagramSocket(_ path: String) throws -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    try #require(path.utf8.count <= 107)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    let status = unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
            unsafe bind(descriptor, generic, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
    try #require(descriptor >= 0 && status == 0)
    return descriptor
}
