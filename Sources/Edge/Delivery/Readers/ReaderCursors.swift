package import EventLoop
package import ServiceManager

/// The positions of the readers of the event stream, so that the next process can continue with their connections: for
/// each, the number of the last event that it was sent completely.
@LoopActor
package struct ReaderCursors {
    /// The position of a reader that was sent half a line, or about which nothing is known.
    static let unknown: Int64 = -1

    private let table: ConnectionTable
    private let storing: (Int32) -> Void

    /// - Parameters:
    ///   - table: holds them in memory that outlives the process.
    ///   - store: stores a connection with the service manager.
    package init(_ table: ConnectionTable, store: @escaping (Int32) -> Void) {
        self.table = table
        storing = store
    }

    /// Stores the connection of a reader that has a row.
    func store(_ descriptor: Int32) {
        storing(descriptor)
    }

    /// Assigns a row of the table to a reader; nil when the table is full.
    func adopt(_ descriptor: Int32, last: Int64) -> Int? {
        guard let connection = ConnectionTable.identity(of: descriptor),
            let row = table.place(of: connection)
        else { return nil }
        table.set(last, at: row)
        return row
    }

    /// The number of the last event that a reader of an earlier process had; nil when it is not known.
    func last(of descriptor: Int32) -> Int64? {
        ConnectionTable.identity(of: descriptor).flatMap(table.number).flatMap { $0 < 0 ? nil : $0 }
    }

    /// To be called before and after sending: a process that is killed in between leaves ``unknown``.
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
