internal import Configuration
internal import Control
internal import Diagnostics
internal import Engine
internal import EventLoop
internal import Events
internal import Market
internal import Rules
internal import Time
internal import Varlink

extension PipelineQuery {
    /// Returns the states of silences, each with the number of alerts that it matches.
    func states(
        _ slices: inout WorkSlices, of records: [SilenceRecord]
    ) async throws(VarlinkError) -> [SilenceStatus] {
        var matches = [(alerts: Int, firing: Int)](repeating: (0, 0), count: records.count)
        let now = clock.now()
        for query in lanes.map(of) {
            let active = records.indices.filter {
                records[$0].isActive && (records[$0].silence.source ?? query.source) == query.source
            }
            guard !active.isEmpty else { continue }
            try await query.forEachAlert(&slices) { engine, place in
                guard engine.rules.indices.contains(place.rule) else { return 0 }
                let rule = engine.rules[place.rule]
                let isFiring = engine.isFiring(place)
                for index in active
                where records[index].silence.matches(place.symbol, rule: rule.name, rule.severity, at: now) {
                    matches[index].alerts += 1
                    matches[index].firing += isFiring ? 1 : 0
                }
                return 1 + active.count / 4
            }
        }
        return zip(records, matches).map { record, matches in
            let isWaiting =
                record.daily.map { $0.end(at: now.wall, WallClock.shared.minutes(in: $0.zone)) == nil } ?? false
            return SilenceStatus(record, alerts: matches.alerts, firing: matches.firing, isWaiting: isWaiting)
        }
    }

    /// Returns a hint if the silence matches nothing; nil if it matches alerts.
    func hint(on silence: SilenceStatus) -> String? {
        guard silence.alerts == 0 else { return nil }
        let names = lanes.flatMap { $0.engine.rules.map(\.name) }
        guard let rule = silence.rule, !names.contains(rule) else {
            return "the silence matches no alerts now" + advice(on: silence.symbol)
        }
        let near = nearest(to: rule, among: names).map { "; did you mean '\($0)'?" } ?? ""
        return "there is no rule '\(rule)' now\(near)"
    }

    /// Returns `; did you mean btcinr?` for a symbol that no response lists; empty without a suggestion.
    private func advice(on symbol: String?) -> String {
        let listed = lanes.flatMap { $0.batch?.tickers.map(\.symbol.description) ?? [] }
        guard let symbol, !symbol.contains("*"), !listed.isEmpty, !listed.contains(symbol) else { return "" }
        let meant = symbolMeant(by: symbol, among: listed).map { "; did you mean \($0)?" } ?? ""
        return ": there is no symbol '\(symbol)'\(meant)"
    }
}

extension SilenceStatus {
    fileprivate init(_ record: SilenceRecord, alerts: Int, firing: Int, isWaiting: Bool) {
        let silence = record.silence
        let isUntil = if case .at = silence.end { true } else { false }
        self.init(
            number: Int(clamping: silence.number), source: silence.source?.description, symbol: silence.symbols?.text,
            rule: silence.rule,
            severity: silence.severity.map(ControlInterface.Severity.init),
            state: !record.isActive ? .expired : isWaiting ? .waiting : .active,
            created: record.created.description, createdBy: record.creator.description,
            createdByUID: Int(record.creator.id), comment: record.comment, ends: record.ends.description,
            until: isUntil, ended: record.ended?.description, endedBy: record.endedBy?.description,
            endedByUID: record.endedBy.map { Int($0.id) }, alerts: alerts, firing: firing,
            daily: record.daily?.description)
    }
}
