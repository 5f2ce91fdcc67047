package import EventLoop
package import ServiceManager

/// Where the readers of the event stream are, so that the next process can go on with their connections: for each the
/// number of the last event that it was sent whole.
@LoopActor
package struct ReaderCursors {
    /// The number of a reader of which it is not known what it was sent, or that was sent half a line.
    static let unknown: Int64 = -1

    private let table: ConnectionTable
    private let store: (Int32) -> Void

    /// - Parameters:
    ///   - table: where they are written.
    ///   - store: leaves a connection with the service manager.
    package init(_ table: ConnectionTable, store: @escaping (Int32) -> Void) {
        self.table = table
        self.store = store
    }

    /// Takes a place for a new reader, and has its connection kept.
    func add(_ descriptor: Int32, last: Int64) -> Int? {
        guard let place = adopt(descriptor, last: last) else { return nil }
        store(descriptor)
        return place
    }

    /// Takes the place of a reader whose connection is kept already.
    func adopt(_ descriptor: Int32, last: Int64) -> Int? {
        guard let connection = ConnectionTable.identity(of: descriptor),
            let place = table.place(of: connection)
        else { return nil }
        table.set(last, at: place)
        return place
    }

    /// The number of the last event that a reader of an earlier process had; nil when that is not known.
    func last(of descriptor: Int32) -> Int64? {
        ConnectionTable.identity(of: descriptor).flatMap(table.number).flatMap { $0 == Self.unknown ? nil : $0 }
    }

    /// To be called before sending and after it: a process that is killed between the two leaves ``unknown``.
    func set(_ number: Int64, at place: Int) {
        table.set(number, at: place)
    }

    func remove(_ place: Int) {
        table.remove(place)
    }

    /// Forgets all readers but these.
    func keepOnly(_ descriptors: [Int32]) {
        table.keepOnly(Set(descriptors.compactMap(ConnectionTable.identity)))
    }
}
