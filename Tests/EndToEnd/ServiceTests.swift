import Foundation
import Testing

@Suite("What the service manager sees, end to end", .timeLimit(.minutes(10)))
struct ServiceTests {
    @Test(arguments: [false, true])
    func itReportsItsWholeLife(isAbstract: Bool) async throws {
        let manager = try ServiceManagerSocket(isAbstract: isAbstract)
        let stage = try await Stage(rules: AlertTests.band, environment: ["NOTIFY_SOCKET": manager.address])
        let ready = try await manager.message("READY=1\nSTATUS=")
        #expect(ready.contains("1 rule, 0 firing"), "\(ready)")
        #expect(try await stage.ctl("status").code == 0)
        try await stage.polls()
        _ = try await manager.message("STATUS=3 symbols, 1 rule, 0 firing, polling every 100ms")

        let before = manager.messages.count
        #expect(try await stage.ctl("reload").code == 0)
        let reloading = try await manager.message("RELOADING=1\nMONOTONIC_USEC=", from: before)
        #expect(reloading.split(separator: "\n").count == 2)
        _ = try await manager.message("READY=1", from: before)
        let tail = manager.messages.dropFirst(before).filter { !$0.hasPrefix("STATUS") }
        #expect(tail.first?.hasPrefix("RELOADING") == true && tail.last?.hasPrefix("READY") == true, "\(tail)")

        stage.daemon.signal(SIGTERM)
        #expect(try await stage.daemon.exitCode() == 0)
        _ = try await manager.message("STOPPING=1")
        #expect(!manager.messages.contains { $0.contains("WATCHDOG") || $0.contains("ERRNO") })
    }

    /// With it the sockets and the readers outlive the process, so the files are kept, too.
    @Test func whatOutlivesItIsLeftWithTheServiceManager() async throws {
        let manager = try ServiceManagerSocket()
        let stage = try await Stage(rules: AlertTests.band, environment: ["NOTIFY_SOCKET": manager.address])
        let reader = try await stage.reader()
        stage.daemon.signal(SIGTERM)
        #expect(try await stage.daemon.exitCode() == 0)
        // A reader that has just come is stored at the latest when the daemon stops.
        let names = manager.messages.filter { $0.hasPrefix("FDSTORE=1\nFDNAME=") }.map { $0.dropFirst(17) }
        #expect(names.sorted() == ["control", "events", "reader", "reader-cursors"])
        withExtendedLifetime(reader) {}
        #expect(FileManager.default.fileExists(atPath: stage.eventSocket))
        // They were not stored anywhere, so the next process creates new ones.
        try await stage.restart()
        #expect(try await stage.ctl("status").code == 0)
    }

    /// 96 MiB at the speed of the slowest disk, plus the usual time for the rest.
    @Test func aLargeStateFileAsksForMoreTime() async throws {
        let manager = try ServiceManagerSocket()
        let stage = try await Stage(rules: AlertTests.band, environment: ["NOTIFY_SOCKET": manager.address])
        stage.daemon.signal(SIGKILL)
        _ = try await stage.daemon.exitCode()
        #expect(!manager.messages.contains { $0.hasPrefix("EXTEND") })
        #expect(unsafe truncate("\(stage.runtime)/alertd.db", 96 << 20) == 0)

        let before = manager.messages.count
        try await stage.restart()
        _ = try await manager.message("READY=1", from: before)
        let start = manager.messages.dropFirst(before).filter { $0.hasPrefix("EXTEND") || $0.hasPrefix("READY") }
        #expect(start.first == "EXTEND_TIMEOUT_USEC=49000000", "\(start)")
    }

    @Test func theWatchdogIsFed() async throws {
        let manager = try ServiceManagerSocket()
        let stage = try await Stage(
            rules: AlertTests.band, environment: ["NOTIFY_SOCKET": manager.address, "WATCHDOG_USEC": "20000000"])
        // With each poll, and in the same message.
        _ = try await manager.message("WATCHDOG=1\nSTATUS=3 symbols")
        stage.daemon.signal(SIGTERM)
        #expect(try await stage.daemon.exitCode() == 0)
    }

    @Test func theWatchdogIsFedAlsoBetweenPolls() async throws {
        let manager = try ServiceManagerSocket()
        let stage = try await Stage(
            rules: AlertTests.band, feed: "",
            environment: ["NOTIFY_SOCKET": manager.address, "WATCHDOG_USEC": "400000"])
        // An answer that never comes: the poll is in progress, which counts as alive for a while.
        try await stage.exchange.command(["do": "behave", "as": "half"])
        let before = manager.messages.count
        _ = try await manager.message("WATCHDOG=1", from: before + 1)
        let fed = try await eventually("a meal of its own") {
            manager.messages.dropFirst(before).first { $0 == "WATCHDOG=1" }
        }
        #expect(fed == "WATCHDOG=1")
    }

    @Test func theWatchdogOfAnotherProcessIsNone() async throws {
        let manager = try ServiceManagerSocket()
        let stage = try await Stage(
            rules: AlertTests.band,
            environment: ["NOTIFY_SOCKET": manager.address, "WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "1"])
        try await stage.polls()
        _ = try await manager.message("STATUS=3 symbols")
        #expect(!manager.messages.contains { $0.contains("WATCHDOG") })
    }

    @Test func aFailedStartSaysWhy() async throws {
        let manager = try ServiceManagerSocket()
        let folder = TestFolder()
        let settings = try folder.write("[feed]\nsource = 7\n", to: "alertd.toml")
        let ended = try await run(
            try builtProgram("alertd"), ["--config", settings, "--runtime-dir", folder.path],
            environment: ["NOTIFY_SOCKET": manager.address])
        #expect(ended.code == 6)
        let message = try await manager.message("ERRNO=\(EINVAL)\nSTATUS=")
        #expect(message.contains("source"), "\(message)")
        #expect(!manager.messages.contains { $0.contains("READY") })
    }

    @Test func withoutPermissionItSaysSo() async throws {
        let manager = try ServiceManagerSocket()
        let folder = TestFolder()
        let settings = try folder.write("[feed]\nsource = \"simulator\"\n", to: "alertd.toml")
        // A folder of the kernel, in which not even root can create files.
        let ended = try await run(
            try builtProgram("alertd"), ["--config", settings, "--runtime-dir", "/proc/self/alertd"],
            environment: ["NOTIFY_SOCKET": manager.address])
        #expect(ended.code == 1)
        _ = try await manager.message("ERRNO=\(ENOENT)\nSTATUS=/proc/self/alertd: cannot be created")
    }

    /// `systemd-socket-activate` creates the sockets, and starts the daemon on the first connection.
    @Test func passedSocketsAreServed() async throws {
        let folder = TestFolder()
        let settings = try folder.write("[feed]\nsource = \"simulator\"\n", to: "alertd.toml")
        let (control, events) = ("\(folder.path)/run/org.alertd.Control", "\(folder.path)/run/events.sock")
        _ = try folder.write("", to: "run/.made")
        let stray = "\(folder.path)/run/stray.sock"
        // It closes the descriptor by which Foundation watches the process, so a shell is started in between.
        let script = #"systemd-socket-activate "$@"; exit $?"#
        let activator = try Program(
            "/bin/bash",
            [
                "-c", script, "bash", "-l", control, "-l", events, "-l", stray, try builtProgram("alertd"),
                "--config",
                settings, "--runtime-dir", "\(folder.path)/other", "--state-dir", "\(folder.path)/state",
            ])
        _ = try await eventually("the sockets") { FileManager.default.fileExists(atPath: stray) ? true : nil }
        let reader = try EventReader(events)
        let status = try await run(try builtProgram("alertctl"), ["--socket", control, "status", "--json"])
        #expect(status.code == 0, "\(status.errors)")
        _ = try await activator.errors.line("stray socket") { $0.contains("stray.sock that alertd does not use") }
        let object = try JSONSerialization.jsonObject(with: Data(status.output.utf8)) as? [String: Any]
        kill(pid_t(try #require(object?["pid"] as? Int)), SIGTERM)
        #expect(try await activator.exitCode() == 0)
        // The daemon must not remove them.
        #expect(FileManager.default.fileExists(atPath: control) && FileManager.default.fileExists(atPath: events))
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/other/events.sock"))
        _ = reader
    }
}
