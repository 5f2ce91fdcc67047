import Arguments
import Testing

@testable import AlertDaemon

struct DaemonOptionsTests {
    private func options(
        _ arguments: [String] = [], isRoot: Bool = false, files: Set<String> = [], environment: [String: String] = [:],
        in folder: String? = "/srv"
    ) throws -> DaemonOptions {
        let parsed = try DaemonOptions.commandLine.parse(arguments)
        return DaemonOptions(
            parsed, environment: { environment[$0] }, isRoot: isRoot, currentFolder: folder, exists: files.contains)
    }

    private func folders(_ options: DaemonOptions) -> [String] {
        [options.configuration, options.runtimeFolder, options.stateFolder]
    }

    @Test func rootHasTheFoldersOfTheSystem() throws {
        let options = try options(
            isRoot: true, files: ["/r/.config/alertd/alertd.toml"],
            environment: ["HOME": "/r", "XDG_RUNTIME_DIR": "/run/user/0", "XDG_STATE_HOME": "/r/s"])
        #expect(folders(options) == ["/etc/alertd/alertd.toml", "/run/alertd", "/var/lib/alertd"])
    }

    @Test func aServiceHasTheFoldersThatSystemdMade() throws {
        let options = try options(environment: [
            "HOME": "/var/lib/alertd", "CONFIGURATION_DIRECTORY": "/etc/alertd",
            "RUNTIME_DIRECTORY": "/run/alertd:/run/b",
            "STATE_DIRECTORY": "/var/lib/private/alertd", "CREDENTIALS_DIRECTORY": "/run/credentials/alertd.service",
        ])
        #expect(folders(options) == ["/etc/alertd/alertd.toml", "/run/alertd", "/var/lib/private/alertd"])
        #expect(options.credentialsFolder == "/run/credentials/alertd.service")
        #expect(options.controlSocket == "/run/alertd/org.alertd.Control")
    }

    @Test func aUserHasFoldersOfTheirOwn() throws {
        let environment = ["HOME": "/h/a", "XDG_RUNTIME_DIR": "/run/user/1000"]
        let own = try options(files: ["/h/a/.config/alertd/alertd.toml"], environment: environment)
        #expect(
            folders(own) == [
                "/h/a/.config/alertd/alertd.toml", "/run/user/1000/alertd", "/h/a/.local/state/alertd",
            ])
        // Without settings of their own, those of the system are read.
        #expect(try options(environment: environment).configuration == "/etc/alertd/alertd.toml")
        let moved = try options(
            files: ["/c/alertd/alertd.toml"],
            environment: ["HOME": "/h/a", "XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s", "XDG_RUNTIME_DIR": "/r"])
        #expect(folders(moved) == ["/c/alertd/alertd.toml", "/r/alertd", "/s/alertd"])
    }

    @Test(arguments: ["", "relative/path"])
    func aPathThatIsNotAbsoluteIsIgnored(path: String) throws {
        let options = try options(environment: ["HOME": path, "XDG_STATE_HOME": path, "XDG_RUNTIME_DIR": path])
        #expect(folders(options) == ["/etc/alertd/alertd.toml", "/run/alertd", "/var/lib/alertd"])
    }

    @Test func whatIsTypedCounts() throws {
        let options = try options(
            ["--config", "c", "--runtime-dir", "r", "--state-dir", "s"], isRoot: false,
            environment: [
                "CONFIGURATION_DIRECTORY": "/x", "RUNTIME_DIRECTORY": "/x", "STATE_DIRECTORY": "/x", "HOME": "/x",
            ])
        #expect(folders(options) == ["c", "/srv/r", "s"])
    }

    @Test(
        arguments: [
            ("./run", "/srv", "/srv/run"), ("run/./a/", "/srv", "/srv/run/a"), ("../run", "/srv", "/srv/../run"),
            ("/r", "/srv", "/r"), ("run", "/", "/run"), (".", "/srv", "/srv"), ("run", nil, "run"),
            // A socket has at most 107 bytes.
            ("run", String(repeating: "/a", count: 40), String(repeating: "/a", count: 40) + "/run"),
            ("run", String(repeating: "/a", count: 44), "run"),
        ] as [(String, String?, String)])
    func theFolderOfTheSocketsIsAbsolute(typed: String, folder: String?, expected: String) throws {
        #expect(try options(["--runtime-dir", typed], in: folder).runtimeFolder == expected)
    }
}
