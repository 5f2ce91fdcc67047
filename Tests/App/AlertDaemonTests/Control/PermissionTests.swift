import EventLoop
import Foundation
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

    /// In a user namespace, all users without a number there look like this one, and so may the daemon itself.
    @Test func usersWithoutANumberMayNotEvenIfTheDaemonLooksLikeThem() {
        let unmapped = Permission.Unmapped(user: 65_534, group: 65_533)
        let nobody = Permission(ownUser: 65_534, group: 65_533, unmapped: unmapped)
        #expect(!nobody.mayChange(PeerCredentials(pid: 1, user: 65_534, group: 65_534)))
        #expect(!nobody.mayChange(PeerCredentials(pid: 1, user: 65_534, group: 65_533)))
        #expect(!nobody.mayChange(PeerCredentials(pid: 1, user: 1_000, group: 1, supplementaryGroups: [65_533])))
        #expect(nobody.mayChange(PeerCredentials(pid: 1, user: 0, group: 0)))
    }

    @Test func kernelSaysWhichNumbersStandForNoNumber() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "kernel-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("65000\n".utf8).write(to: folder.appending(path: "overflowuid"))
        let numbers = Permission.Unmapped.ofTheKernel(folder: folder.path)
        #expect(numbers.user == 65_000)
        #expect(numbers.group == 65_534)
    }

    @Test func ranksDecideAboutPlacesAndTurns() {
        #expect(permission.rank(of: PeerCredentials(pid: 1, user: 0, group: 0)) == .owner)
        #expect(permission.rank(of: PeerCredentials(pid: 1, user: 990, group: 1)) == .owner)
        #expect(permission.rank(of: PeerCredentials(pid: 1, user: 1_000, group: 985)) == .administrator)
        #expect(permission.rank(of: PeerCredentials(pid: 1, user: 1_000, group: 1_000)) == .reader)
    }

    @Test func withoutTheGroupNobodyElseMay() {
        let alone = Permission(ownUser: 990, group: nil)
        #expect(!alone.mayChange(PeerCredentials(pid: 1, user: 1_000, group: 0)))
        #expect(alone.mayChange(PeerCredentials(pid: 1, user: 0, group: 0)))
    }
}
