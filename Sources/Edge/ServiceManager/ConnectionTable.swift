internal import CSystemd.Daemon
internal import Glibc

/// A table with a number for each connection, in memory that outlives the process if the service manager stores its
/// descriptor (``ServiceManager/store(_:name:)``). Changes take effect immediately, so the table is correct even
/// after the process was killed.
@safe
package final class ConnectionTable {
    /// The number of slots. It exceeds the 1,024 event readers that the settings allow: 1,100 × 16 bytes are 18 kB.
    package static let capacity = 1_100

    private struct Entry {
        /// 0 if the slot is free.
        var connection: UInt64 = 0
        var number: Int64 = 0
    }

    /// The first entry, which identifies the table. It must change with the layout.
    private static let mark = Entry(connection: 0x616C_6572_7464_0001, number: Int64(capacity))
    private static let byteCount = (capacity + 1) * MemoryLayout<Entry>.stride

    /// The descriptor of the memory.
    package let descriptor: Int32
    private let entries: UnsafeMutableBufferPointer<Entry>
    private var free: [Int]

    /// Creates an empty table. Returns nil if the system has no memory for it.
    package convenience init?() {
        let descriptor = unsafe memfd_create("alertd-connections", UInt32(alertd_memfd_closed_on_exec))
        guard descriptor >= 0 else { return nil }
        guard ftruncate(descriptor, Self.byteCount) == 0 else {
            close(descriptor)
            return nil
        }
        self.init(mapping: descriptor)
        unsafe entries[0] = Self.mark
    }

    /// Adopts the table of an earlier process. If the memory is not such a table, it returns nil and the caller keeps
    /// the descriptor.
    package convenience init?(adopting descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, Int(status.st_size) == Self.byteCount else { return nil }
        self.init(mapping: descriptor)
        let head = unsafe entries[0]
        guard head.connection == Self.mark.connection, head.number == Self.mark.number else { return nil }
        free = (1...Self.capacity).reversed().filter { unsafe entries[$0].connection == 0 }
    }

    private init?(mapping descriptor: Int32) {
        let memory = unsafe mmap(nil, Self.byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { return nil }
        self.descriptor = descriptor
        unsafe entries = UnsafeMutableBufferPointer(
            start: memory.bindMemory(to: Entry.self, capacity: Self.capacity + 1), count: Self.capacity + 1)
        free = Array((1...Self.capacity).reversed())
    }

    deinit {
        unsafe munmap(entries.baseAddress, Self.byteCount)
    }

    /// Returns an identity that a connection keeps for its lifetime, in any process; nil if the descriptor is not a
    /// socket.
    package static func identity(of descriptor: Int32) -> UInt64? {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        return UInt64(status.st_ino)
    }

    /// Finds the slot of a connection, or assigns a free one.
    ///
    /// - Returns: the slot; nil if the table is full.
    package func slot(of connection: UInt64) -> Int? {
        for place in 1...Self.capacity where unsafe entries[place].connection == connection { return place }
        guard let place = free.popLast() else { return nil }
        unsafe entries[place] = Entry(connection: connection, number: 0)
        return place
    }

    /// Returns the number of a connection; nil if it is not in the table.
    package func number(of connection: UInt64) -> Int64? {
        for place in 1...Self.capacity where unsafe entries[place].connection == connection {
            return unsafe entries[place].number
        }
        return nil
    }

    /// Sets the number in an assigned slot.
    package func set(_ number: Int64, at place: Int) {
        unsafe entries[place].number = number
    }

    /// Frees a slot.
    package func remove(_ place: Int) {
        unsafe entries[place] = Entry()
        free.append(place)
    }

    /// Frees the slots of all other connections.
    package func keepOnly(_ connections: Set<UInt64>) {
        for place in 1...Self.capacity {
            let connection = unsafe entries[place].connection
            if connection != 0, !connections.contains(connection) { remove(place) }
        }
    }
}
