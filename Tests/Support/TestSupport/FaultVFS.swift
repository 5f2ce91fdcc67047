private import CFaultVFS
internal import Synchronization

/// An SQLite VFS that passes everything on to the system's own, and fails where a test asks for it. Syncs do not reach
/// the disk, so that a test with many of them is fast.
@safe
package final class FaultVFS {
    /// The operations of a VFS.
    package enum Operation: String, CaseIterable, Sendable {
        case open, read, write, sync, truncate, delete, lock, sharedMemory, sharedLock, access
    }

    /// How a call fails.
    package enum Fault: String, CaseIterable, Sendable {
        /// The device fails; the call does nothing.
        case device
        /// There is no space; the call does nothing.
        case noRoom
        /// A write stores the first half of its bytes, then there is no space.
        case half
        /// Nothing is written, and files are opened for reading only.
        case readOnly
        /// Power is lost: this call and all later changes do nothing, until ``settle(seed:)``.
        case power
    }

    /// Its name in SQLite.
    package let name: String
    private let pointer: OpaquePointer
    private let text: UnsafeMutablePointer<CChar>
    private static let count = Atomic<Int>(0)

    package init() {
        name = "fault-\(Self.count.add(1, ordering: .relaxed).newValue)"
        let bytes = name.utf8CString
        unsafe text = .allocate(capacity: bytes.count)
        for (index, byte) in bytes.enumerated() { unsafe text[index] = byte }
        guard let made = unsafe fault_vfs_make(text) else { preconditionFailure("no memory for a VFS") }
        unsafe pointer = made
    }

    deinit {
        unsafe fault_vfs_free(pointer)
        unsafe text.deallocate()
    }

    /// Makes one call fail, and resets the count of calls.
    ///
    /// - Parameters:
    ///   - operations: the kinds of calls to count.
    ///   - which: the call that fails, counted from 1; 0 for none.
    ///   - fault: how it fails.
    ///   - isLasting: whether all later calls fail as well.
    package func arm(_ operations: [Operation], which: Int64, _ fault: Fault, isLasting: Bool = false) {
        let mask = operations.reduce(UInt32(0)) { $0 | $1.mask }
        unsafe fault_vfs_arm(pointer, mask, which, fault.code, isLasting ? 1 : 0)
    }

    /// Kills the process at one call: it and all later changes do nothing, until it is armed again; what was written
    /// before stays.
    package func armKill(_ operations: [Operation], which: Int64) {
        let mask = operations.reduce(UInt32(0)) { $0 | $1.mask }
        unsafe fault_vfs_arm(pointer, mask, which, Int32(FAULT_KILL), 0)
    }

    /// Called at the call that fails.
    package var onHit: () -> Void = {} {
        didSet {
            let context = unsafe Unmanaged.passUnretained(self).toOpaque()
            unsafe fault_vfs_on_hit(
                pointer,
                { context in
                    guard let context = unsafe context else { return }
                    unsafe Unmanaged<FaultVFS>.fromOpaque(context).takeUnretainedValue().onHit()
                }, context)
        }
    }

    /// Lets all later changes do nothing, until it is armed again.
    package func switchOff() { unsafe fault_vfs_switch_off(pointer) }

    /// How often a file was synced.
    package var syncs: Int64 { unsafe fault_vfs_syncs(pointer) }

    /// Stops all failures.
    package func disarm() {
        arm([], which: 0, .device)
    }

    /// The number of calls counted since it was armed.
    package var calls: Int64 { unsafe fault_vfs_calls(pointer) }
    /// Whether a call has failed since it was armed.
    package var hasHit: Bool { unsafe fault_vfs_has_hit(pointer) != 0 }

    /// Restores power: synced data is kept; of later writes the seed decides which are kept, dropped or torn. All files
    /// have to be closed.
    ///
    /// - Returns: whether the files could be written.
    package func settle(seed: UInt64) -> Bool {
        unsafe fault_vfs_settle(pointer, seed) == 0
    }
}

extension FaultVFS.Operation {
    fileprivate var mask: UInt32 {
        let bit =
            switch self {
            case .open: FAULT_OPEN
            case .read: FAULT_READ
            case .write: FAULT_WRITE
            case .sync: FAULT_SYNC
            case .truncate: FAULT_TRUNCATE
            case .delete: FAULT_DELETE
            case .lock: FAULT_LOCK
            case .sharedMemory: FAULT_SHARED_MEMORY
            case .sharedLock: FAULT_SHARED_LOCK
            case .access: FAULT_ACCESS
            }
        return UInt32(bit)
    }
}

extension FaultVFS.Fault {
    fileprivate var code: Int32 {
        let code =
            switch self {
            case .device: FAULT_DEVICE
            case .noRoom: FAULT_NO_ROOM
            case .half: FAULT_HALF
            case .readOnly: FAULT_READ_ONLY
            case .power: FAULT_POWER
            }
        return Int32(code)
    }
}
