package import EventLoop
package import ServiceManager

/// The positions of the readers of the event stream, so that the next process can continue with their connections. A
/// position is the number of the last event that was sent completely.
@LoopActor
package struct ReaderCursors {
    /// The position of a reader that was sent part of a line, or whose position is not known.
    static let unknown: Int64 = -1

    private let table: ConnectionTable
    private let storing: (Int32) -> Void

    /// - Parameters:
    ///   - table: the positions, in memory that outlives the process.
    ///   - store: stores a connection with the service manager.
    package init(_ table: ConnectionTable, store: @escaping (Int32) -> Void) {
        self.table = table
        storing = store
    }

    /// Stores the connection of a reader with the service manager.
    func store(_ descriptor: Int32) {
        storing(descriptor)
    }

    /// Assigns a row of the table to a reader. Returns nil if the table is full or the connection cannot be
    /// identified.
    func adopt(_ descriptor: Int32, last: Int64) -> Int? {
        guard let connection = ConnectionTable.identity(of: descriptor),
            let row = table.slot(of: connection)
        else { return nil }
        table.set(last, at: row)
        return row
    }

    /// Returns the number of the last event that a reader of an earlier process has, or nil if it is not known.
    func last(of descriptor: Int32) -> Int64? {
        ConnectionTable.identity(of: descriptor).flatMap(table.number).flatMap { $0 < 0 ? nil : $0 }
    }

    /// Sets the position of a reader: ``unknown`` before sending and the number afterwards, so that a process killed
    /// in between leaves ``unknown``.
    func set(_ number: Int64, at row: Int) {
        table.set(number, at: row)
    }

    func remove(_ row: Int) {
        table.remove(row)
    }

    /// Removes all readers except these.
    func keepOnly(_ descriptors: [Int32]) {
        table.keepOnly(Set(descriptors.compactMap(ConnectionTable.identity)))
    }
}
