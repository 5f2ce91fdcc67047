internal import EventLoop
internal import Market
internal import Receivers
internal import Time

/// The progress of a receiver of prices.
struct PriceProgress {
    /// The time up to which the receiver has the prices of each source. For sources that are missing, sending begins
    /// with the newest prices.
    var positions: [SourceName: WallTime] = [:]
    /// The markets whose prices have not ended.
    var open: Set<PriceSeries.Key> = []
    /// The earliest time of the next attempt.
    var notBefore: BootTime?
}

// Prices need no queue: prices that were not accepted are still in the history. Each poll triggers an attempt, so
// there is no timer either.
extension ReceiverWorker {
    /// The maximum number of samples in a request, which are about 150 kB.
    static let samplesPerRequest = 5_000

    /// Sends the prices that the service does not have yet, unless a request is in progress.
    func sendPrices() {
        guard receiver.kind.profile.sendsPrices, task == nil, !service.isStopping,
            service.mayNotify(), let host = service.host, canContinue()
        else { return }
        if let notBefore = prices.notBefore, clock.now().boot < notBefore { return }
        let batch = nextPrices(from: host)
        guard !batch.series.isEmpty else {
            prices.positions.merge(batch.positions) { $1 }
            return
        }
        task = Loop.shared.start { [self, service] in
            let decision = await send(batch)
            task = nil
            guard !service.isStopping, !Task.isCancelled else { return }
            apply(prices: decision, of: batch)
            wake()
            if batch.hasMore, case .delivered = decision { sendPrices() }
        }
    }

    private func nextPrices(from host: any NotificationHost) -> PriceBatch {
        let now = clock.now().wall
        let oldest = WallTime(milliseconds: now.milliseconds - receiver.maximumAge.count)
        let positions = prices.positions.mapValues { max($0, oldest) }
        var batch = host.prices(
            of: receiver.filter.symbols, after: positions, limit: Self.samplesPerRequest)
        // A market that no longer has a price gets the end of its series once.
        guard !batch.hasMore else { return batch }
        for key in prices.open.subtracting(batch.open).sorted(by: { $0.symbol < $1.symbol }) {
            batch.series.append(PriceSeries(key, [PriceSeries.Sample(nil, at: now)]))
        }
        return batch
    }

    private func send(_ batch: PriceBatch) async -> DeliveryDecision {
        do throws(ReceiverFault) {
            let (format, client) = try ready()
            guard let message = format.message(with: batch.series) else { return .refused("it takes no prices") }
            return await deliver([message], by: client, format)
        } catch {
            return .stopped(error.text)
        }
    }
}
