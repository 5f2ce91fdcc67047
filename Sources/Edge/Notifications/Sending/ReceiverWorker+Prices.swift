internal import EventLoop
internal import Market
internal import Receivers
internal import Time

/// How far a receiver of prices has got.
struct PriceProgress {
    /// Until when it has the prices of each source; those that are missing begin with the next poll.
    var positions: [SourceName: WallTime] = [:]
    /// The markets whose prices have not ended.
    var open: Set<PriceSeries.Key> = []
    /// The earliest time of the next attempt.
    var notBefore: BootTime?
}

// Prices need no queue: what was not accepted is still in the history of prices. Each poll is the occasion for an
// attempt, so there is no timer either.
extension ReceiverWorker {
    /// The most samples of a request: some 150 kB.
    static let samplesPerRequest = 5_000

    /// Sends the prices that the service does not have yet, unless it is being sent something.
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
            take(prices: decision, of: batch)
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
        // The end of what no longer has a price, once.
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
