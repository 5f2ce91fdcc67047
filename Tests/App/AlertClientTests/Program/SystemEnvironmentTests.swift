import Foundation
import Testing

@testable import AlertClient

struct SystemEnvironmentTests {
    /// The user's own files are in a folder as the XDG Base Directory Specification has it.
    @Test func theUsersFilesAreBelowTheHomeFolder() {
        let variables = ProcessInfo.processInfo.environment
        let folder = variables["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = variables["HOME"].flatMap { $0.hasPrefix("/") ? "\($0)/.config" : nil }
        #expect(ClientEnvironment.system.userFolder == (folder ?? home).map { "\($0)/alertctl" })
    }
}
