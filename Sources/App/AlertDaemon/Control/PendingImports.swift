internal import Control
internal import EventLoop
internal import History
internal import Market
internal import Time
internal import Varlink

/// Prices that clients have sent for import, but that are not in the history yet, by connection.
///
/// Many prices are added together, because each addition makes the history rebuild every block that the prices belong
/// to.
@LoopActor
final class PendingImports {
    /// The number of pending prices at which a connection's prices are added to the history: 16,384 × 64 bytes = 1
    /// MiB. Only users with permission to make changes can use this memory, on at most 128 connections.
    static let limit = 16_384

    private var samples: [ObjectIdentifier: [SymbolSample]] = [:]

    /// Adds the prices of a call. Pending prices are dropped when the connection closes.
    ///
    /// - Returns: all pending prices of the connection if they should now be added to the history; otherwise nil.
    /// - Throws: `InvalidParameter` if a column is not valid; nothing of the call is added in that case.
    func add(_ parameters: ImportPricesParameters, of call: VarlinkCall, now: WallTime) throws(VarlinkError)
        -> [SymbolSample]?
    {
        let new = try parameters.samples(before: now)
        let client = call.client
        if samples[client] == nil {
            samples[client] = []
            call.onClose { [weak self] in self?.samples[client] = nil }
        }
        samples[client, default: []] += new
        guard parameters.last || samples[client, default: []].count >= Self.limit else { return nil }
        defer { samples[client] = [] }
        return samples[client]
    }
}

extension ImportPricesParameters {
    fileprivate func samples(before now: WallTime) throws(VarlinkError) -> [SymbolSample] {
        let count = columns.reduce(0) { $0 + $1.timesMilliseconds.count }
        guard columns.count <= PageLimits.importedSymbols, count <= PageLimits.importedPrices else {
            throw .invalidParameter("columns")
        }
        var samples: [SymbolSample] = []
        samples.reserveCapacity(count)
        for column in columns {
            guard let symbol = Symbol(column.symbol) else { throw .invalidParameter("columns.symbol") }
            guard column.timesMilliseconds.count == column.prices.count else {
                throw .invalidParameter("columns.prices")
            }
            for (time, text) in zip(column.timesMilliseconds, column.prices) {
                guard time > 0, time <= now.milliseconds else { throw .invalidParameter("columns.times_ms") }
                guard let price = try? Price(text), price.isPositive else { throw .invalidParameter("columns.prices") }
                let moment = WallTime(milliseconds: Int64(time))
                samples.append(SymbolSample(symbol: symbol, time: moment, price: price))
            }
        }
        return samples
    }
}
