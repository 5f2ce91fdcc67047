import EventLoop
import Foundation
import TestSupport
import Testing
import UnixSockets

@Suite(.timeLimit(.minutes(10)))
struct UnixListenerTests {
    @Test func connectionsAreAcceptedWithTheirCredentials() async throws {
        try await onLoop {
            let listener = try UnixListener(path: temporaryPath(), mode: 0o600)
            let accepted = OneShot<Int32, CancellationError>()
            listener.start { accepted.finish(.success($0)) }
            let client = try connectToUnixSocket(at: listener.path)
            let server = try await accepted.value(onCancel: CancellationError())
            var groups = [gid_t](repeating: 0, count: 1_000)
            let count = unsafe getgroups(Int32(groups.count), &groups)
            let mine = PeerCredentials(
                pid: getpid(), user: getuid(), group: getgid(), supplementaryGroups: Array(groups.prefix(Int(count))))
            #expect(PeerCredentials(of: server) == mine)
            #expect(fcntl(server, F_GETFL) & O_NONBLOCK != 0)
            #expect(fcntl(server, F_GETFD) & FD_CLOEXEC != 0)
            #expect(fcntl(client, F_GETFL) & O_NONBLOCK == 0)
            close(client)
            close(server)
            listener.stop()
        }
    }

    @Test func connectionsThatWaitAreAllAccepted() async throws {
        try await onLoop {
            let listener = try UnixListener(path: temporaryPath(), mode: 0o600)
            let clients = try (0..<100).map { _ in try connectToUnixSocket(at: listener.path) }
            let all = OneShot<Void, CancellationError>()
            var servers: [Int32] = []
            listener.start {
                servers.append($0)
                if servers.count == clients.count { all.finish(.success(())) }
            }
            try await all.value(onCancel: CancellationError())
            for descriptor in clients + servers { close(descriptor) }
            listener.stop()
        }
    }

    @Test(arguments: [0o660, 0o600, 0o666] as [UInt32])
    func aRemovedFileIsMadeAgain(mode: UInt32) async throws {
        try await onLoop {
            let listener = try UnixListener(path: temporaryPath(), mode: 0o600)
            #expect(try listener.checkFile() == nil)
            // Its owner changed the mode while the daemon ran.
            #expect(unsafe chmod(listener.path, mode_t(mode)) == 0)
            #expect(try listener.checkFile() == nil)
            let accepted = (0..<2).map { _ in OneShot<Int32, CancellationError>() }
            var count = 0
            listener.start {
                accepted[count].finish(.success($0))
                count += 1
            }
            let early = try connectToUnixSocket(at: listener.path)
            #expect(unsafe unlink(listener.path) == 0)
            #expect(hasListener(boundTo: listener.path))
            #expect(try listener.checkFile() == .remade)
            let first = try await accepted[0].value(onCancel: CancellationError())
            #expect(try listener.checkFile() == nil)
            let attributes = try FileManager.default.attributesOfItem(atPath: listener.path)
            #expect(attributes[.posixPermissions] as? UInt32 == mode)
            let late = try connectToUnixSocket(at: listener.path)
            let second = try await accepted[1].value(onCancel: CancellationError())
            for descriptor in [early, first, late, second] { close(descriptor) }
            listener.stop()
            #expect(!FileManager.default.fileExists(atPath: listener.path))
            #expect(!hasListener(boundTo: listener.path))
        }
    }

    @Test func aListenerIsFoundByAnyPathOfItsFolder() async throws {
        try await onLoop {
            let folder = FileManager.default.temporaryDirectory.appending(path: "l\(UInt32.random(in: 0 ... .max))")
                .path
            try FileManager.default.createDirectory(atPath: "\(folder)/run", withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/link", withDestinationPath: "\(folder)/run")
            let listener = try UnixListener(path: "\(folder)/link/s", mode: 0o600)
            #expect(unsafe unlink(listener.path) == 0)
            for path in ["link/s", "run/s", "./run/s", "run/../run//s"] {
                #expect(hasListener(boundTo: "\(folder)/\(path)"), "\(path)")
            }
            for path in ["run/t", "s", "gone/s", "run/s/"] {
                #expect(!hasListener(boundTo: "\(folder)/\(path)"), "\(path)")
            }
            listener.stop()
        }
    }

    @Test func theSocketOfAnotherProcessStays() async throws {
        try await onLoop {
            let listener = try UnixListener(path: temporaryPath(), mode: 0o600)
            #expect(unsafe unlink(listener.path) == 0)
            let other = try listenOnUnixSocket(at: listener.path, mode: 0o600)
            #expect(try listener.checkFile() == .replaced)
            #expect(try listener.checkFile() == nil, "it is reported once")
            listener.stop()
            #expect(FileManager.default.fileExists(atPath: listener.path))
            close(other)
            _ = unsafe unlink(listener.path)
        }
    }

    /// As after a crash between the removal and the next poll, when the service manager still has the socket.
    @Test func anAdoptedSocketWithoutAFileGetsOne() async throws {
        try await onLoop {
            let (old, path) = (try UnixListener(path: temporaryPath(), mode: 0o600), temporaryPath())
            let listener = UnixListener(adopting: dup(old.descriptor), path: path, mode: 0o640)
            #expect(try listener.checkFile() == .remade)
            var status = stat()
            #expect(unsafe lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
            #expect(try listener.checkFile() == nil)
            // Without a mode there is no file to make.
            let spare = UnixListener(adopting: dup(old.descriptor), path: "")
            #expect(try spare.checkFile() == nil)
            for listener in [old, listener, spare] { listener.stop() }
            _ = unsafe unlink(path)
        }
    }

    @Test func theSocketOfAUnitIsReportedOnce() async throws {
        try await onLoop {
            let listener = try UnixListener(path: temporaryPath(), mode: 0o600)
            #expect(unsafe unlink(listener.path) == 0)
            #expect(try listener.checkFile(mayRemake: false) == .missing)
            #expect(try listener.checkFile(mayRemake: false) == nil)
            listener.stop()
        }
    }

    @Test func aFolderThatIsGoneIsReportedEachTime() async throws {
        try await onLoop {
            let folder = temporaryPath()
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            let listener = try UnixListener(path: folder + "/s", mode: 0o600)
            try FileManager.default.removeItem(atPath: folder)
            #expect(throws: UnixSocketError.self) { try listener.checkFile() }
            #expect(throws: UnixSocketError.self) { try listener.checkFile() }
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            #expect(try listener.checkFile() == .remade)
            listener.stop()
            try FileManager.default.removeItem(atPath: folder)
        }
    }

    /// A flood of connections gets its ration, and what is left waits for the next period.
    @Test func connectionsAreRationed() async throws {
        try await onLoop {
            var ration = AcceptRation()
            (ration.perTurn, ration.perPeriod, ration.period) = (4, 10, .seconds(3_600))
            let listener = try UnixListener(path: temporaryPath(), mode: 0o600, ration: ration)
            let clients = try (0..<50).map { _ in try connectToUnixSocket(at: listener.path) }
            let full = OneShot<Void, CancellationError>()
            var servers: [Int32] = []
            listener.start {
                servers.append($0)
                if servers.count == 10 { full.finish(.success(())) }
            }
            try await full.value(onCancel: CancellationError())
            for _ in 0..<10 { try await sleep(for: .milliseconds(1)) }
            #expect(servers.count == 10)
            for descriptor in clients + servers { close(descriptor) }
            listener.stop()
        }
    }

    /// The next period begins by itself.
    @Test func afterAPeriodMoreAreAccepted() async throws {
        try await onLoop {
            var ration = AcceptRation()
            (ration.perTurn, ration.perPeriod, ration.period) = (1, 3, .milliseconds(2))
            let listener = try UnixListener(path: temporaryPath(), mode: 0o600, ration: ration)
            let clients = try (0..<20).map { _ in try connectToUnixSocket(at: listener.path) }
            let all = OneShot<Void, CancellationError>()
            var servers: [Int32] = []
            listener.start {
                servers.append($0)
                if servers.count == clients.count { all.finish(.success(())) }
            }
            try await all.value(onCancel: CancellationError())
            for descriptor in clients + servers { close(descriptor) }
            listener.stop()
        }
    }

    /// The daemon's own work comes before connections that wait.
    @Test func ownWorkComesFirst() async throws {
        try await onLoop {
            var ration = AcceptRation()
            ration.perTurn = 1
            let listener = try UnixListener(path: temporaryPath(), mode: 0o600, ration: ration)
            let clients = try (0..<20).map { _ in try connectToUnixSocket(at: listener.path) }
            // It is always ready to be written to.
            var ends: [Int32] = [-1, -1]
            #expect(unsafe pipe(&ends) == 0)
            var (own, servers) = (0, [Int32]())
            let done = OneShot<Void, CancellationError>()
            var watch: DescriptorWatch?
            watch = DescriptorWatch(ends[1], for: .writable) { _ in
                own += 1
                #expect(servers.isEmpty)
                if own == 200 { watch?.interest = [] }
            }
            listener.start {
                servers.append($0)
                if servers.count == clients.count { done.finish(.success(())) }
            }
            try await done.value(onCancel: CancellationError())
            #expect(own == 200)
            watch?.end()
            for descriptor in clients + servers + ends { close(descriptor) }
            listener.stop()
        }
    }

    @Test func whatIsNoSocketHasNoCredentials() {
        #expect(PeerCredentials(of: -1) == nil)
    }

    @Test(arguments: [0o600, 0o660, 0o666] as [UInt32])
    func socketFileHasItsMode(mode: UInt32) async throws {
        try await onLoop {
            let listener = try UnixListener(path: temporaryPath(), mode: mode)
            var status = stat()
            #expect(unsafe stat(listener.path, &status) == 0)
            #expect(status.st_mode & 0o7777 == mode)
            #expect(status.st_mode & S_IFMT == S_IFSOCK)
            listener.stop()
        }
    }

    @Test func stoppedListenerLeavesNothing() async throws {
        try await onLoop {
            let path = temporaryPath()
            let listener = try UnixListener(path: path, mode: 0o600)
            listener.start { close($0) }
            listener.stop()
            listener.stop()
            #expect(!FileManager.default.fileExists(atPath: path))
            #expect(throws: UnixSocketError.system(call: "connect", path: path, errorNumber: ENOENT)) {
                try connectToUnixSocket(at: path)
            }
        }
    }

    @Test func listenerThatIsFreedLeavesNothing() async throws {
        try await onLoop {
            let path = temporaryPath()
            var listener: UnixListener? = try UnixListener(path: path, mode: 0o600)
            #expect(listener?.path == path)
            listener = nil
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func socketOfADeadProcessIsReplaced() async throws {
        try await onLoop {
            let path = temporaryPath()
            // A copy of the file name outlives the listener, as after a crash.
            let old = try UnixListener(path: path + "-old", mode: 0o600)
            #expect(link(from: path + "-old", to: path) == 0)
            old.stop()
            #expect(FileManager.default.fileExists(atPath: path))
            let listener = try UnixListener(path: path, mode: 0o600)
            close(try connectToUnixSocket(at: path))
            listener.stop()
        }
    }

    @Test func socketOfALivingProcessIsLeftAlone() async throws {
        try await onLoop {
            let path = temporaryPath()
            let living = try UnixListener(path: path, mode: 0o600)
            #expect(throws: UnixSocketError.inUse(path)) { try UnixListener(path: path, mode: 0o600) }
            close(try connectToUnixSocket(at: path))
            living.stop()
        }
    }

    @Test func fileThatIsNoSocketIsLeftAlone() async throws {
        try await onLoop {
            let path = temporaryPath()
            try Data("kept".utf8).write(to: URL(filePath: path))
            #expect(throws: UnixSocketError.notASocket(path)) { try UnixListener(path: path, mode: 0o600) }
            #expect(try Data(contentsOf: URL(filePath: path)) == Data("kept".utf8))
            try FileManager.default.removeItem(atPath: path)
        }
    }

    @Test func pathHasALimit() async throws {
        try await onLoop {
            let base = temporaryPath() + "-"
            let longest = base + String(repeating: "x", count: 107 - base.utf8.count)
            let listener = try UnixListener(path: longest, mode: 0o600)
            close(try connectToUnixSocket(at: longest))
            listener.stop()
            let long = longest + "x"
            #expect(throws: UnixSocketError.pathTooLong(long)) { try UnixListener(path: long, mode: 0o600) }
            #expect(throws: UnixSocketError.pathTooLong(long)) { try connectToUnixSocket(at: long) }
        }
    }

    @Test func folderThatIsMissingIsSaid() async throws {
        try await onLoop {
            let path = "/nonexistent/alertd.sock"
            let error = UnixSocketError.system(call: "bind", path: path, errorNumber: ENOENT)
            #expect(throws: error) { try UnixListener(path: path, mode: 0o600) }
            #expect(error.description == "/nonexistent/alertd.sock: bind: No such file or directory")
        }
    }
}

private func temporaryPath() -> String {
    FileManager.default.temporaryDirectory.appending(path: "loop-\(UUID().uuidString)").path
}

private func link(from old: String, to new: String) -> Int32 {
    unsafe Glibc.link(old, new)
}
