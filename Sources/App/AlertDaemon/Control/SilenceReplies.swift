internal import Control
internal import Diagnostics
internal import Engine
internal import EventLoop
internal import Events
internal import Market
internal import Rules
internal import Time

extension PipelineQuery {
    /// The silences, each with how many alerts it matches.
    func states(of records: [SilenceRecord]) -> [SilenceStatus] {
        let views = records.isEmpty ? [] : engine.alerts()
        return records.map { state(of: $0, among: views) }
    }

    private func state(of record: SilenceRecord, among views: [AlertView]) -> SilenceStatus {
        let now = clock.now()
        let matching = views.filter {
            record.isActive && record.silence.matches($0.symbol, rule: $0.rule.name, $0.rule.severity, at: now)
        }
        return SilenceStatus(record, alerts: matching.count, firing: matching.count { $0.condition == .firing })
    }

    func state(of record: SilenceRecord) -> SilenceStatus {
        state(of: record, among: engine.alerts())
    }

    /// A hint when the silence matches nothing; nil when it matches alerts.
    func note(on silence: SilenceStatus) -> String? {
        guard silence.alerts == 0 else { return nil }
        guard let rule = silence.rule, !engine.rules.contains(where: { $0.name == rule }) else {
            return "the silence matches no alerts now"
        }
        let near = nearest(to: rule, among: engine.rules.map(\.name)).map { "; did you mean “\($0)”?" } ?? ""
        return "there is no rule “\(rule)” now\(near)"
    }
}

extension SilenceStatus {
    fileprivate init(_ record: SilenceRecord, alerts: Int, firing: Int) {
        let silence = record.silence
        let isUntil = if case .at = silence.end { true } else { false }
        self.init(
            number: Int(clamping: silence.number), symbol: silence.symbols?.text, rule: silence.rule,
            severity: silence.severity.map(ControlInterface.Severity.init),
            state: record.isActive ? .active : .expired,
            created: record.created.description, createdBy: record.creator.description,
            createdByUID: Int(record.creator.id), comment: record.comment, ends: record.ends.description,
            until: isUntil, ended: record.ended?.description, endedBy: record.endedBy?.description,
            endedByUID: record.endedBy.map { Int($0.id) }, alerts: alerts, firing: firing)
    }
}
