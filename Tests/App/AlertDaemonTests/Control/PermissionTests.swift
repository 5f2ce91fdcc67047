import EventLoop
import Testing

@testable import AlertDaemon

@Suite("Who may change something")
struct PermissionTests {
    let permission = Permission(ownUser: 990, group: 985)

    @Test(arguments: [
        (PeerCredentials(pid: 1, user: 0, group: 0), true),
        (PeerCredentials(pid: 1, user: 990, group: 990), true),
        (PeerCredentials(pid: 1, user: 1_000, group: 985), true),
        (PeerCredentials(pid: 1, user: 1_000, group: 1_000, supplementaryGroups: [27, 985]), true),
        (PeerCredentials(pid: 1, user: 1_000, group: 1_000, supplementaryGroups: [27, 990]), false),
        (PeerCredentials(pid: 1, user: 1_000, group: 0), false),
    ])
    func decides(_ peer: PeerCredentials, _ expected: Bool) {
        #expect(permission.mayChange(peer) == expected)
    }

    @Test func withoutTheGroupNobodyElseMay() {
        let alone = Permission(ownUser: 990, group: nil)
        #expect(!alone.mayChange(PeerCredentials(pid: 1, user: 1_000, group: 0)))
        #expect(alone.mayChange(PeerCredentials(pid: 1, user: 0, group: 0)))
    }
}
