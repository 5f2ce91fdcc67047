import Configuration
import Diagnostics
import Foundation
import Glibc
import Rules
import Testing

@Suite(.timeLimit(.minutes(10))) struct LocalFilesTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "alertd-files-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func reason<Value>(_ answer: FileAnswer<Value>) -> String? {
        if case .failed(let reason, _) = answer { reason } else { nil }
    }

    @Test func aFileUpToTheLimitIsRead() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data([1, 2, 3]).write(to: folder.appending(path: "a"))
        guard case .found(let bytes) = LocalFiles().contents(of: path("a"), limit: 3) else {
            Issue.record("not found")
            return
        }
        #expect(bytes == [1, 2, 3])
        #expect(reason(LocalFiles().contents(of: path("a"), limit: 2)) == "it is larger than 2 bytes")
    }

    @Test func whatIsNoFileIsRefusedAtOnce() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(unsafe mkfifo(path("pipe"), 0o600) == 0)
        #expect(reason(LocalFiles().contents(of: path("pipe"), limit: 9)) == "it is not a regular file")
        #expect(reason(LocalFiles().contents(of: "/dev/zero", limit: 9)) == "it is not a regular file")
        #expect(reason(LocalFiles().contents(of: folder.path, limit: 9)) == "it is a directory")
        #expect(reason(LocalFiles().contents(of: path("pipe/x"), limit: 9)) == "Not a directory")
        #expect(reason(LocalFiles().names(in: path("pipe"))) == "Not a directory")
    }

    /// Root reads everything; the service's user does not. A process of its own, as it changes its user for a moment.
    @Test(.enabled(if: geteuid() == 0)) func aFileIsReadWithThePermissionsOfTheServicesUser() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("[feed]\n".utf8).write(to: folder.appending(path: "alertd.toml"))
        await #expect(processExitsWith: .success) { [folder = folder.path as String] in
            let reader = try #require(FileReader(user: "nobody", group: "daemon"))
            let file = folder + "/alertd.toml"
            for (folderMode, fileMode, denied) in [
                (0o755, 0o644, nil), (0o755, 0o600, file), (0o750, 0o644, folder),
            ] as [(mode_t, mode_t, String?)] {
                #expect(unsafe chmod(folder, folderMode) == 0 && chmod(file, fileMode) == 0)
                let check = SettingsLoader(files: LocalFiles(as: reader)).check([file])[0]
                let message = check.findings.first { $0.severity == .error }.map { "\($0.message); \($0.advice ?? "")" }
                let (mode, wish) = denied == file ? ("0600", "a+r") : ("0750", "a+rx")
                let expected = denied.map { path in
                    "cannot be read: permission denied for user nobody: \(path) belongs to root:root and has mode "
                        + "\(mode); allow it with 'chmod \(wish) \(path)'"
                }
                #expect(message == expected)
                #expect(geteuid() == 0 && getegid() == 0)
            }
            guard case .found = LocalFiles().contents(of: file, limit: 9) else {
                Issue.record("root's own permissions are back")
                return
            }
        }
    }

    /// The directory's own two entries count as well.
    @Test(arguments: [(9_998, true), (9_999, false)])
    func aDirectoryOfVeryManyFilesIsRefused(count: Int, isRead: Bool) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        for number in 0..<count { close(unsafe creat(path("\(number)"), 0o600)) }
        let answer = LocalFiles().names(in: folder.path)
        guard case .found(let names) = answer else {
            #expect(!isRead && reason(answer) == "it has more than 10000 files")
            return
        }
        #expect(isRead && names.count == count + 2)
    }

    @Test func whatIsMissingIsSaidToBe() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        guard case .missing = LocalFiles().contents(of: path("none"), limit: 9),
            case .missing = LocalFiles().names(in: path("none"))
        else {
            Issue.record("not missing")
            return
        }
    }

    @Test func settingsAreLoadedFromDisk() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let rules = folder.appending(path: "rules.d")
        try FileManager.default.createDirectory(at: rules, withIntermediateDirectories: true)
        try Data("[[rule]]\nsymbol = \"a\"\nmin = 1\n".utf8).write(to: folder.appending(path: "alertd.toml"))
        for name in ["z.toml", "ä.toml", "b.toml"] {
            try Data("[[rule]]\nname = \"\(name)\"\nsymbol = \"a\"\nmin = 1\n".utf8).write(
                to: rules.appending(path: name))
        }
        let loaded = try SettingsLoader().load(path("alertd.toml"))
        #expect(loaded.settings.rules.map(\.name) == ["a min", "b.toml", "z.toml", "ä.toml"])
    }

    @Test func aNameThatIsNotUTF8IsAnError() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let rules = folder.appending(path: "rules.d")
        try FileManager.default.createDirectory(at: rules, withIntermediateDirectories: true)
        try Data().write(to: folder.appending(path: "alertd.toml"))
        let name = Array(rules.path.utf8) + [0x2F, 0xFF] + Array(".toml".utf8) + [0]
        let descriptor = unsafe name.withUnsafeBufferPointer { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe open($0.baseAddress!, O_CREAT | O_WRONLY, 0o600) }
        }
        try #require(descriptor >= 0)
        close(descriptor)
        let error = #expect(throws: SettingsError.self) { try SettingsLoader().load(path("alertd.toml")) }
        #expect(error?.findings.map(\.message) == ["cannot be read: its name is not UTF-8"])
        #expect(error?.findings.map(\.advice) == ["rename it"])
    }

    @Test func aDanglingLinkIsAnError() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let rules = folder.appending(path: "rules.d")
        try FileManager.default.createDirectory(at: rules, withIntermediateDirectories: true)
        try Data().write(to: folder.appending(path: "alertd.toml"))
        try FileManager.default.createSymbolicLink(
            atPath: rules.appending(path: "x.toml").path, withDestinationPath: "nowhere")
        let error = #expect(throws: SettingsError.self) { try SettingsLoader().load(path("alertd.toml")) }
        #expect(error?.findings.map(\.advice) == ["remove the dangling link"])
        let named = SettingsLoader().check([rules.appending(path: "y.toml").path]).flatMap(\.findings)
        #expect(named.map(\.advice) == ["create it, or name another file"])
    }
}
