internal import Control
internal import Market

/// A sender of prices to the daemon, which makes calls of bounded size and adds up the results.
struct SampleSender {
    /// The number of prices that are collected and sorted by time before they are sent, because the daemon stores
    /// prices in blocks by time: 65,536 × 64 bytes = 4 MiB.
    private static let sortLimit = 65_536

    private let connection: any ControlConnection
    /// The source to import for; nil for the daemon's only source.
    private let source: String?
    private var waiting: [ImportedSample] = []
    /// The sum of the results, including those of earlier senders.
    private(set) var result: ImportPricesReply

    init(_ connection: any ControlConnection, source: String?, _ result: ImportPricesReply) {
        self.connection = connection
        self.source = source
        self.result = result
    }

    mutating func add(_ sample: ImportedSample) throws(ClientError) {
        waiting.append(sample)
        if waiting.count == Self.sortLimit { try send(isLast: false) }
    }

    /// Sends the remaining prices, and makes the daemon save everything.
    mutating func finish() throws(ClientError) {
        try send(isLast: true)
    }

    private mutating func send(isLast: Bool) throws(ClientError) {
        waiting.sort { $0.milliseconds < $1.milliseconds }
        var start = 0
        repeat {
            let columns = columns(from: &start)
            let parameters = ImportPricesParameters(
                source: source, columns: columns, last: isLast && start == waiting.count)
            let reply = try connection.call(.importPrices, parameters, returning: ImportPricesReply.self)
            result.added += reply.added
            result.duplicates += reply.duplicates
            result.conflicting += reply.conflicting
            result.tooOld += reply.tooOld
        } while start < waiting.count
        waiting.removeAll(keepingCapacity: true)
    }

    /// Returns the prices of one call, beginning at `start`, and moves `start` past them.
    private func columns(from start: inout Int) -> [PriceColumn] {
        var columns: [PriceColumn] = []
        var places: [Symbol: Int] = [:]
        let end = min(waiting.count, start + PageLimits.importedPrices)
        while start < end {
            let sample = waiting[start]
            if places[sample.symbol] == nil {
                guard columns.count < PageLimits.importedSymbols else { break }
                places[sample.symbol] = columns.count
                columns.append(PriceColumn(symbol: sample.symbol.description, timesMilliseconds: [], prices: []))
            }
            guard let place = places[sample.symbol] else { break }
            columns[place].timesMilliseconds.append(Int(sample.milliseconds))
            columns[place].prices.append(sample.price.description)
            start += 1
        }
        return columns
    }
}
