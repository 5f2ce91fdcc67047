import Glibc
import Testing
import UnixSockets

@Suite struct UnixSocketTests {
    @Test func errorsSayWhatToDo() {
        let errors: [UnixSocketError] = [.pathTooLong("/a"), .inUse("/a"), .notASocket("/a")]
        for error in errors {
            #expect(error.description.hasPrefix("/a: "))
            #expect(error.description.contains(";"))
        }
    }

    @Test func aPathWithoutSocketIsReported() {
        let error = UnixSocketError.system(call: "connect", path: "/nonexistent/a", errorNumber: ENOENT)
        #expect(throws: error) { try connectToUnixSocket(at: "/nonexistent/a") }
    }

    @Test(arguments: [
        (Duration.milliseconds(1500), 1, 500_000), (.zero, 0, 1), (.seconds(-5), 0, 1),
        (.microseconds(1), 0, 1), (.seconds(1 << 40), 1 << 30, 0),
    ])
    func aTimeLimitIsNeverNoLimit(limit: Duration, seconds: Int, microseconds: Int) {
        let time = sendingTime(limit)
        #expect(time.tv_sec == seconds)
        #expect(time.tv_usec == microseconds)
    }

    @Test func theAddressIsThatOfThePath() {
        let path = unsafe withAddress("/run/a") { address, length in
            #expect(length == socklen_t(MemoryLayout<sockaddr_un>.size))
            #expect(unsafe address.pointee.sa_family == sa_family_t(AF_UNIX))
            return unsafe address.withMemoryRebound(to: sockaddr_un.self, capacity: 1) { whole in
                unsafe withUnsafeBytes(of: whole.pointee.sun_path) { unsafe Array($0.prefix(8)) }
            }
        }
        #expect(path == Array("/run/a\0\0".utf8))
    }
}
