internal import Control
internal import EventLoop
internal import History
internal import Market
internal import Time
internal import Varlink

/// Prices that clients have sent to be imported and that are not in the history yet, by connection.
///
/// The history takes many at once much cheaper than few, because it makes each block that they fall into anew.
@LoopActor
final class PendingImports {
    /// Prices of one client that wait, at most: 16,384 × 64 bytes are 1 MiB. Only those who may change something can
    /// fill it, on 64 connections at most.
    static let limit = 16_384

    private var samples: [ObjectIdentifier: [SymbolSample]] = [:]

    /// Adds what a call brings; what waits is let go when its connection closes.
    ///
    /// - Returns: all that waits for the connection when it is to be taken up now, else nil.
    /// - Throws: `InvalidParameter` when a column makes no sense; then nothing of the call is added.
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
        guard columns.count <= Self.symbolLimit, count <= Self.limit else { throw .invalidParameter("columns") }
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
