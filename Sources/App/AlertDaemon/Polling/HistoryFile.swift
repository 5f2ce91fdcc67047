internal import Configuration
internal import EventLoop
internal import Glibc
internal import Time

/// The file with the reference rates of all dates in the state folder: a copy of the last response, which may be
/// removed at any time.
@LoopActor
struct HistoryFile {
    private static let prefix = "rates-history-"
    /// The number of bytes to write at a time, between which other tasks run.
    private static let slice = 256 << 10

    let folder: String

    /// The file name contains a hash of the address, so that a file from another source is not used.
    private func path(_ address: String) -> String { "\(folder)/\(Self.name(of: address))" }

    private static func name(of address: String) -> String {
        // FNV-1a is enough, because addresses come only from the settings.
        let hash = address.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return prefix + String(hash, radix: 16)
    }

    /// Opens the file for the address; nil if there is none.
    func open(_ address: String) -> KeptHistory? { KeptHistory(path(address)) }

    /// Replaces the file, and removes the files of other addresses. If the new file cannot be written completely, the
    /// old one stays.
    ///
    /// The file is not synced to disk, because its reader rejects a file that a crash has cut off.
    func write(_ body: ArraySlice<UInt8>, of address: String, fetched: WallTime) async {
        let path = path(address)
        let temporary = path + ".part"
        removeOthers(than: Self.name(of: address))
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = unsafe Glibc.open(temporary, flags, 0o600 as mode_t)
        guard descriptor >= 0 else { return }
        var isComplete = true
        var rest = body
        while !rest.isEmpty, isComplete, !Task.isCancelled {
            isComplete = Self.writeAll(rest.prefix(Self.slice), to: descriptor)
            rest = rest.dropFirst(Self.slice)
            await Task.yield()
        }
        let (seconds, milliseconds) = fetched.milliseconds.floored(by: 1_000)
        let time = timespec(tv_sec: Int(seconds), tv_nsec: Int(milliseconds) * 1_000_000)
        let isDated = unsafe futimens(descriptor, [time, time]) == 0
        isComplete = isComplete && rest.isEmpty && isDated
        close(descriptor)
        guard isComplete, unsafe rename(temporary, path) == 0 else {
            _ = unsafe unlink(temporary)
            return
        }
    }

    private static func writeAll(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Removes the files of other addresses, and the remains of an interrupted write.
    private func removeOthers(than name: String) {
        guard case .found(let names) = LocalFiles().names(in: folder) else { return }
        for other in names where other.hasPrefix(Self.prefix) && other != name {
            _ = unsafe unlink("\(folder)/\(other)")
        }
    }
}

/// An open file with the reference rates of all dates.
final class KeptHistory {
    private let descriptor: Int32
    /// The time when the file was fetched, stored as its modification time.
    let fetched: WallTime

    /// Opens a file; nil if it is missing or is not a regular file.
    fileprivate init?(_ path: String) {
        descriptor = unsafe Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        var found = stat()
        guard descriptor >= 0, unsafe fstat(descriptor, &found) == 0, found.st_mode & S_IFMT == S_IFREG else {
            if descriptor >= 0 { close(descriptor) }
            return nil
        }
        let seconds = min(max(Int64(found.st_mtim.tv_sec), 0), WallTime.latest.milliseconds / 1_000)
        fetched = WallTime(milliseconds: seconds * 1_000 + Int64(found.st_mtim.tv_nsec) / 1_000_000)
    }

    deinit {
        close(descriptor)
    }

    /// Returns the next bytes; nil at the end or after an error.
    func read(_ limit: Int) -> ArraySlice<UInt8>? {
        var buffer = [UInt8](repeating: 0, count: limit)
        var count: Int
        repeat { count = unsafe Glibc.read(descriptor, &buffer, limit) } while count < 0 && errno == EINTR
        return count > 0 ? buffer[..<count] : nil
    }
}
