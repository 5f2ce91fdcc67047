internal import EventLoop
internal import Glibc
internal import Time
internal import UnixSockets

/// A running `alertd` from the same build.
@LoopActor
final class Daemon {
    let pid: pid_t
    let eventSocket: String
    let controlSocket: String
    /// The time at which it reported readiness.
    let ready: ContinuousClock.Instant

    private init(pid: pid_t, folder: String, ready: ContinuousClock.Instant) {
        self.pid = pid
        eventSocket = "\(folder)/events.sock"
        controlSocket = "\(folder)/org.alertd.Control"
        self.ready = ready
    }

    /// Starts the daemon and waits for `READY=1`, like a service manager.
    static func start(_ settings: String, folder: String) async throws -> Daemon {
        let notify = try NotifySocket(path: "\(folder)/notify")
        defer { notify.stop() }
        let arguments = [
            "\(programFolder())/alertd", "--config", settings, "--runtime-dir", folder, "--state-dir", folder,
        ]
        let pid = try spawn(arguments, environment: ["NOTIFY_SOCKET=\(folder)/notify"], silent: true)
        guard await notify.waitUntilReady() else { throw BenchmarkError(message: "alertd did not become ready") }
        return Daemon(pid: pid, folder: folder, ready: ContinuousClock.now)
    }

    func stop() async {
        kill(pid, SIGTERM)
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, WNOHANG) == 0 {
            try? await sleep(for: .milliseconds(2))
        }
    }
}

/// The readiness socket, in the role of a service manager.
@LoopActor
private final class NotifySocket {
    private let descriptor: Int32
    private let path: String
    private let readiness = OneShot<Bool, Never>()
    private var watch: DescriptorWatch?
    private var limit: LoopTimer?

    init(path: String) throws {
        self.path = path
        unsafe unlink(path)
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8.prefix(107)) }
        let isBound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe bind(descriptor, generic, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isBound else { throw BenchmarkError(message: "\(path): \(describe(errorNumber: errno))") }
        watch = DescriptorWatch(descriptor, for: .readable) { [weak self] _ in self?.receive() }
        limit = LoopTimer { [weak self] in self?.readiness.finish(.success(false)) }
        limit?.arm(after: .seconds(10))
    }

    func waitUntilReady() async -> Bool { await readiness.wait() }

    func stop() {
        limit?.disarm()
        watch?.end()
        close(descriptor)
        unsafe unlink(path)
    }

    private func receive() {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
        let text = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        if text.contains("READY=1") { readiness.finish(.success(true)) }
    }
}

/// Returns the folder of this program, which contains the other programs as well.
func programFolder() -> String {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
        guard let start = bytes.baseAddress else { return 0 }
        return unsafe readlink("/proc/self/exe", start.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    let path = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
}

/// Starts a program. Its environment consists of the given variables and `PATH`.
func spawn(_ arguments: [String], environment: [String], silent: Bool) throws -> pid_t {
    guard let program = arguments.first else { throw BenchmarkError(message: "no program") }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    if silent { unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0) }
    let words = unsafe arguments.map { unsafe strdup($0) }
    let variables = unsafe (environment + ["PATH=/usr/bin:/bin"]).map { unsafe strdup($0) }
    defer { unsafe (words + variables).forEach { unsafe free($0) } }
    var pid: pid_t = 0
    let failure = unsafe posix_spawn(&pid, program, &actions, nil, words + [nil], variables + [nil])
    guard failure == 0 else { throw BenchmarkError(message: "\(program): \(describe(errorNumber: failure))") }
    return pid
}

func write(_ text: String, to path: String) throws {
    guard let file = unsafe fopen(path, "w") else {
        throw BenchmarkError(message: "\(path): \(describe(errorNumber: errno))")
    }
    unsafe fputs(text, file)
    unsafe fclose(file)
}

/// Returns the number of voluntary context switches of the process.
func switches(of pid: pid_t) -> Int {
    field("voluntary_ctxt_switches:", of: "/proc/\(pid)/status")
}

/// Returns the memory of the process in kilobytes: the proportional set size (Pss), and its anonymous part.
func memoryKilobytes(of pid: pid_t) -> (pss: Int, anonymous: Int) {
    let path = "/proc/\(pid)/smaps_rollup"
    return (field("Pss:", of: path), field("Pss_Anon:", of: path))
}

/// Returns the number after a name at the start of a line, or 0 if there is none.
func field(_ name: String, of path: String) -> Int {
    let line = (try? lines(of: path))?.first { $0.hasPrefix(name) }
    let number = line?.dropFirst(name.count).drop { !$0.isNumber }.prefix { $0.isNumber }
    return number.flatMap { Int($0) } ?? 0
}

/// Returns the lines in the first 16 KiB of a file.
func lines(of path: String) throws -> [Substring] {
    guard let file = unsafe fopen(path, "r") else {
        throw BenchmarkError(message: "\(path): \(describe(errorNumber: errno))")
    }
    defer { unsafe fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    let count = unsafe fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n")
}
