import EventLoop
import Events
import Testing

@testable import AlertDaemon

@Suite("Who did it")
struct UserNameTests {
    /// As the kernel writes it: without user ids of its own, and for a service with `PrivateUsers=`.
    @Test(arguments: [
        ("         0          0 4294967295\n", 65_534 as UInt32, true), ("0 0 4294967295\n", 4_294_967_294, true),
        ("         0          0          1\n       990        990          1\n", 0, true),
        ("0 0 1\n990 990 1\n", 990, true), ("0 0 1\n990 990 1\n", 65_534, false), ("0 0 1\n990 990 1\n", 991, false),
        ("0 1000 1\n", 1_000, false), ("nonsense\n1 2\n", 1, false), ("", 0, false),
    ])
    func whomTheKernelNames(map: String, user: UInt32, isNamed: Bool) {
        #expect(UserIdentity.has(user, idMap: map) == isNamed)
    }

    @Test func rootHasItsName() {
        #expect(UserIdentity(PeerCredentials(pid: 1, user: 0, group: 0)).name == "root")
    }

    @Test func aMemberOfTheGroupIsNobodyInParticular() {
        #expect("\(UserIdentity(id: 65_534, name: UserIdentity.someMember))" == "(alertd-admin)")
    }
}
