internal import Control
internal import Engine
internal import EventLoop
internal import Market
internal import Rules
internal import Time

extension PipelineQuery {
    var checkStatuses: [CheckStatus] { checks.all.map { CheckStatus($0, at: clock.now()) } }
}

extension CheckStatus {
    fileprivate init(_ entry: PriceChecks.Entry, at now: Instant) {
        let check = entry.check
        let changing = entry.state.changing.map { now.boot.since($0.boot) }
        let note = entry.obstacle ?? changing.map { "\($0.approximate) of \(check.hold)" }
        self.init(
            name: check.name, first: check.first.description, second: check.second.description,
            withinPercent: check.within.description, forMilliseconds: Int(clamping: check.hold.count),
            state: entry.state.isDiverged ? .diverged : entry.last == nil ? .waiting : .together, note: note,
            differencePercent: entry.last?.comparison.percent.description, compared: entry.last?.time.description)
    }
}
