internal import Control

/// The deliveries of events to each receiver.
struct Deliveries {
    /// The deliveries of each event, in the order of the receivers in the settings.
    private(set) var byEvent: [(number: Int, deliveries: [Delivery])] = []

    /// Requests the deliveries of events. A daemon of an earlier version does not know the call, so the result is
    /// empty.
    init(of numbers: [Int], _ connection: any ControlConnection) {
        for number in numbers {
            guard
                let reply = try? connection.call(
                    .listDeliveries, ListDeliveriesParameters(number: number), returning: ListDeliveriesReply.self)
            else { return }
            byEvent.append((number, reply.deliveries))
        }
    }

    private var isEmpty: Bool { byEvent.allSatisfy(\.deliveries.isEmpty) }

    /// Returns a table with one row for each event and receiver; `showsEvents` adds a column with the event numbers.
    func table(showsEvents: Bool = false) -> Table {
        let table = Table(
            key: "deliveries",
            columns: (showsEvents ? [Column("event", "EVENT", isNumeric: true)] : []) + [
                Column("receiver", "RECEIVER"), Column("state", "DELIVERY"), Column("time", "AT"),
                Column("detail", "DETAIL"),
            ],
            rows: byEvent.flatMap { number, deliveries in
                deliveries.map { delivery in
                    let emphasis: Emphasis = [.delivered, .queued].contains(delivery.state) ? .none : .alarm
                    return (showsEvents ? [Cell(.count(number))] : []) + [
                        Cell(.text(delivery.receiver)), Cell(.text(delivery.state), emphasis),
                        Cell(.time(delivery.time)), Cell(.text(delivery.detail)),
                    ]
                }
            }, whenEmpty: "")
        return isEmpty ? table.forPrograms : table
    }
}
