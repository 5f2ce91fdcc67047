internal import CDirectRead
internal import Glibc

/// Wakes a disk that was idle: its first access then takes several times as long as the next ones.
///
/// It begins to read a block that nobody needs, past the page cache, and does not wait for it. Meanwhile, a commit that
/// is about to wait for the disk is put together. Where that is not possible, as on a file system without direct reads,
/// the commit takes as long as it does.
@safe
final class DiskWaker {
    private let descriptor: Int32
    private let place: Int64
    private let context: UInt
    private let block: UnsafeMutableRawPointer
    private var isReading = false

    /// As large, and as aligned, as any disk requires.
    private static let blockSize: Int64 = 4_096

    /// Opens a file on the disk; nil when it cannot be read directly.
    ///
    /// - Parameters:
    ///   - file: its path. Not that of a database: SQLite's locks on it would go when it is closed.
    ///   - end: the end of the block to read, or up to 4,095 bytes after it. The block should seldom be written, as a
    ///     read would wait until that is done.
    init?(file: String, end: Int64) {
        place = max(0, end / Self.blockSize - 1) * Self.blockSize
        descriptor = unsafe cdirectread_open_file(file)
        guard descriptor >= 0 else { return nil }
        context = cdirectread_open()
        unsafe block = .allocate(byteCount: Int(Self.blockSize), alignment: Int(Self.blockSize))
        guard context != 0 else { return nil }
    }

    deinit {
        // Until then, the kernel may write to the block.
        if context != 0 { cdirectread_close(context) }
        unsafe block.deallocate()
        close(descriptor)
    }

    /// Begins to read the block; does nothing while it is still being read.
    ///
    /// - Returns: whether the disk is being woken by it.
    @discardableResult
    func wake() -> Bool {
        guard !isReading || cdirectread_end(context) != 0 else { return false }
        isReading = unsafe cdirectread_begin(context, descriptor, block, Int(Self.blockSize), place) != 0
        return isReading
    }
}
