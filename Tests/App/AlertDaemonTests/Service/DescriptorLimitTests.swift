import EventLoop
import Glibc
import Testing
import Varlink

@testable import AlertDaemon

/// These change the limit of the test process, which is only ever raised.
@Suite(.serialized)
struct DescriptorLimitTests {
    private func limits() -> (soft: UInt64, hard: UInt64) {
        var limit = rlimit()
        _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return (UInt64(limit.rlim_cur), UInt64(limit.rlim_max))
    }

    @Test func allClientsOfTheControlSocketLeaveTheDaemonItsOwn() {
        #expect(DescriptorLimit.reserve - VarlinkLimits().places.total >= 64)
    }

    @Test func aSufficientLimitStays() {
        let before = limits()
        #expect(DescriptorLimit.raise(forReaders: 0) == nil)
        #expect(limits() == before)
        let most = Int(clamping: min(before.soft, 1 << 30)) - DescriptorLimit.reserve
        #expect(DescriptorLimit.raise(forReaders: most) == nil)
        #expect(limits() == before)
    }

    @Test func theLimitIsRaisedAsFarAsAllowed() throws {
        let before = limits()
        // An unlimited process has nothing to test.
        guard before.hard < 1 << 30 else { return }
        if before.soft < before.hard {
            let readers = Int(before.soft) + 1 - DescriptorLimit.reserve
            #expect(DescriptorLimit.raise(forReaders: readers) == nil)
            #expect(limits().soft == before.soft + 1)
        }
        let most = Int(before.hard) - DescriptorLimit.reserve
        #expect(DescriptorLimit.raise(forReaders: most + 1) == most)
        #expect(limits().soft == before.hard && limits().hard == before.hard)
    }
}
