import Glibc
import Testing
import Time

@testable import Storage

/// A help, not a duty: whatever happens to it, commits go on.
struct DiskWakerTests {
    private let folder: TestFolder
    private let file: String

    init() throws {
        folder = try TestFolder()
        file = "\(folder.path)/alertd.db-wal"
        write([UInt8](repeating: 1, count: 3 * 4_096), to: file)
    }

    /// Not every file system has direct reads.
    private static let hasDirectReads = (try? TestFolder()).map { folder in
        write([1], to: "\(folder.path)/file")
        return DiskWaker(file: "\(folder.path)/file", end: 1) != nil
    }

    @Test(.enabled(if: hasDirectReads == true, "needs a file system with direct reads"))
    func itReadsOnceAtATimeAsOftenAsNeeded() throws {
        let waker = try #require(DiskWaker(file: file, end: 3 * 4_096))
        for _ in 0..<5 {
            #expect(eventually { waker.wake() })
        }
    }

    @Test(
        .enabled(if: hasDirectReads == true, "needs a file system with direct reads"), arguments: [0, 4_095, 1 << 40])
    func anyPlaceWillDo(end: Int64) throws {
        let waker = try #require(DiskWaker(file: file, end: end))
        #expect(waker.wake())
        #expect(unsafe truncate(file, 0) == 0)
        #expect(eventually { waker.wake() })
    }

    @Test(.enabled(if: hasDirectReads == true, "needs a file system with direct reads"))
    func itMayGoWhileItReads() throws {
        for _ in 0..<20 { #expect(try #require(DiskWaker(file: file, end: 4_096)).wake()) }
    }

    @Test func whatIsNoFileOnADiskIsLeftAlone() throws {
        #expect(DiskWaker(file: "\(folder.path)/none", end: 4_096) == nil)
        #expect(DiskWaker(file: "/proc/self/stat", end: 4_096) == nil)
        try #require(unsafe symlink(file, "\(folder.path)/link") == 0)
        #expect(DiskWaker(file: "\(folder.path)/link", end: 4_096) == nil)
    }

    /// Only a disk that may be asleep is woken, and only once the log has a block to read.
    @Test(.enabled(if: hasDirectReads == true, "needs a file system with direct reads"))
    func aStoreWakesADiskThatWasIdle() throws {
        let store = Store(folder: folder.path)
        _ = try store.open(at: noon)
        #expect(!store.wakeDisk(at: noon))
        store.extendLog()
        #expect(store.wakeDisk(at: noon))
        try store.commit(StoreChanges(time: noon, events: [Sample.bare(1)]))
        #expect(!store.wakeDisk(at: WallTime(milliseconds: noon.milliseconds + 99)))
        #expect(eventually { store.wakeDisk(at: WallTime(milliseconds: noon.milliseconds + 100)) })
        try store.commit(StoreChanges(time: noon.plus(seconds: 1), events: [Sample.bare(2)]))
        #expect(try store.restore().events.count == 2)
        store.close()
        #expect(!store.wakeDisk(at: noon.plus(seconds: 9)))
    }

    /// Waits until the kernel has read the block, at most ten seconds.
    private func eventually(_ condition: () -> Bool) -> Bool {
        for _ in 0..<10_000 {
            if condition() { return true }
            poll(nil, 0, 1)
        }
        return false
    }
}
