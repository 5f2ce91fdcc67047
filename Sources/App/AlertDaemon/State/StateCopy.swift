internal import Control
internal import EventLoop
internal import Glibc
internal import History
internal import Storage
internal import Text
internal import UnixSockets

/// A copy of the state file that is read once, piece by piece. Its file is unlinked as soon as it is open.
@LoopActor
final class StateCopy {
    /// The number of pages that are copied before other tasks run: 256 × 4 KiB = 1 MiB.
    private static let pagesPerTurn: Int32 = 256
    /// The maximum number of attempts to copy a locked file, one per turn of the loop.
    private static let patience = 1_000

    let size: Int
    private let descriptor: Int32
    private var place = 0
    private var sum: UInt32 = 0

    /// Creates the copy in the folder of the store, a little at a time, while the store is in use.
    init(of store: Store) async throws(StorageError) {
        // The name is always the same, so leftovers of a crash are removed here.
        let path = "\(store.path).backup"
        for name in [path, path + ".partial", path + ".partial-journal"] { unsafe unlink(name) }
        let backup = try Backup(of: store, to: path)
        var attempts = 0
        var isDone = false
        while !isDone {
            do throws(StorageError) {
                isDone = try backup.step(pages: Self.pagesPerTurn)
            } catch {
                attempts += 1
                guard error.kind == .locked, attempts < Self.patience else { throw error }
            }
            await Task.yield()
        }
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        let failure = errno
        unsafe unlink(path)
        var status = stat()
        guard descriptor >= 0, unsafe fstat(descriptor, &status) == 0 else {
            throw StorageError(.io, path: path, message: UnixSockets.describe(errorNumber: failure))
        }
        size = Int(status.st_size)
    }

    isolated deinit {
        close(descriptor)
    }

    /// True once the whole copy has been read.
    var isAtEnd: Bool { place == size }

    /// The CRC-32C of the bytes read so far, as eight hexadecimal digits.
    var checksum: String {
        let digits = String(sum, radix: 16)
        return String(repeating: "0", count: max(0, 8 - digits.utf8.count)) + digits
    }

    /// Returns the next piece in base64; nil at the end, or if it cannot be read.
    func next() -> String? {
        var bytes = [UInt8](repeating: 0, count: min(PageLimits.backupBytes, size - place))
        guard !bytes.isEmpty else { return nil }
        let count = unsafe pread(descriptor, &bytes, bytes.count, place)
        guard count > 0 else { return nil }
        sum = CRC32C.checksum(of: bytes.span, count: count, continuing: sum)
        place += count
        return Base64.text(of: bytes[..<count])
    }
}
