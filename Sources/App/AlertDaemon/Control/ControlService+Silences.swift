internal import Control
internal import Delivery
internal import Diagnostics
internal import Engine
internal import EventLoop
internal import Events
internal import Journal
internal import Market
internal import Rules
internal import Time
internal import Varlink

/// What the command `silence` asks for.
extension ControlService {
    func addSilence(_ call: VarlinkCall) throws(VarlinkError) {
        let user = try changer(call)
        let parameters = try call.decodeParameters(as: AddSilenceParameters.self)
        let request = try Self.request(parameters)
        let pipeline = daemon.pipeline
        do {
            let record = try pipeline.addSilence(request, by: user)
            let state = pipeline.state(of: record)
            log("silence \(record.number) by \(user): \(record.words), until \(record.ends)")
            call.reply(
                AddSilenceReply(silence: state, note: pipeline.note(on: state), saved: !pipeline.stateStore.isDegraded))
        } catch {
            throw refusal(error)
        }
    }

    func listSilences(_ call: VarlinkCall) throws(VarlinkError) {
        let parameters = try call.decodeParameters(as: ListSilencesParameters.self)
        daemon.pipeline.updateSilences(at: daemon.clock.now())
        let records = daemon.pipeline.silences.records.filter { parameters.all ?? false || $0.isInForce }
        call.reply(ListSilencesReply(silences: daemon.pipeline.states(of: records)))
    }

    func expireSilences(_ call: VarlinkCall) throws(VarlinkError) {
        let user = try changer(call)
        let parameters = try call.decodeParameters(as: ExpireSilencesParameters.self)
        let numbers = parameters.numbers.map { Set($0.map { Int64($0) }) }
        let pipeline = daemon.pipeline
        do {
            let records = try pipeline.expireSilences(numbers, by: user)
            for record in records { log("silence \(record.number) ended by \(user): \(record.words)") }
            call.reply(
                ExpireSilencesReply(silences: pipeline.states(of: records), saved: !pipeline.stateStore.isDegraded))
        } catch {
            throw refusal(error)
        }
    }

    /// Who calls, if they may change something.
    func changer(_ call: VarlinkCall) throws(VarlinkError) -> UserIdentity {
        guard permission.mayChange(call.peer) else { throw .permissionDenied }
        return UserIdentity(call.peer)
    }

    /// Says in the log what somebody changed.
    func log(_ words: String) {
        daemon.log.notice(words, id: .changedByHand)
    }

    private static func request(_ parameters: AddSilenceParameters) throws(VarlinkError) -> SilenceRequest {
        let until = try optional(parameters.until, named: "until") { WallTime(rfc3339: $0) }
        let length: SilenceLength
        switch (parameters.durationMilliseconds, until) {
        case (let count?, nil): length = .lasting(Milliseconds(Int64(count)))
        case (nil, let time?): length = .until(time)
        default: throw .invalidParameter(until == nil ? "duration_ms" : "until")
        }
        return SilenceRequest(
            symbols: try optional(parameters.symbol, named: "symbol", SymbolPattern.init), rule: parameters.rule,
            severity: try optional(parameters.severity, named: "severity") { Severity(rawValue: $0.rawValue) },
            length: length,
            comment: parameters.comment)
    }

    private func refusal(_ refusal: SilenceRefusal) -> VarlinkError {
        switch refusal {
        case .unknown(let number): noSuchThing(.silence, "\(number)")
        case .matchesEverything: refused("a silence names symbols, a rule or a severity; '*' stands for all symbols")
        case .noTime: refused("it would be over at once; give it a length, or an end that is to come")
        case .tooLong: refused("a silence lasts \(SilenceList.longest) at most; for longer, change the rule")
        case .badText:
            refused("names and comments are one line of 1 to \(SilenceList.textLimit) bytes without control characters")
        case .tooMany:
            refused("there are \(SilenceList.limit) silences already; end some, or silence more with a pattern")
        case .over(let record): refused("silence \(record.number) is over since \(record.ended ?? record.ends)")
        }
    }

    func refused(_ words: String) -> VarlinkError {
        VarlinkError(ControlInterface.ErrorName.refused.qualifiedName, Refused(message: words))
    }

    func noSuchThing(
        _ kind: ControlInterface.ThingKind, _ name: String, among names: [String] = [], areFew: Bool = false
    ) -> VarlinkError {
        VarlinkError(
            ControlInterface.ErrorName.noSuchThing.qualifiedName,
            NoSuchThing(
                kind: kind, name: name, suggestion: nearest(to: name, among: names), known: areFew ? names : nil))
    }
}

extension SilenceRecord {
    /// What it holds back: `btc*, rule “band”, severity critical`.
    fileprivate var words: String {
        let parts = [
            silence.symbols.map(\.text), silence.rule.map { "rule “\($0)”" },
            silence.severity.map { "severity \($0.rawValue)" },
        ]
        return parts.compactMap(\.self).joined(separator: ", ") + (comment.map { " (\($0))" } ?? "")
    }
}

extension Pipeline {
    /// The silences, each with how many alerts it matches.
    func states(of records: [SilenceRecord]) -> [SilenceStatus] {
        let views = records.isEmpty ? [] : engine.alerts()
        return records.map { state(of: $0, among: views) }
    }

    private func state(of record: SilenceRecord, among views: [AlertView]) -> SilenceStatus {
        let now = clock.now()
        let matching = views.filter {
            record.isInForce && record.silence.matches($0.symbol, rule: $0.rule.name, $0.rule.severity, at: now)
        }
        return SilenceStatus(record, alerts: matching.count, firing: matching.count { $0.condition == .firing })
    }

    func state(of record: SilenceRecord) -> SilenceStatus {
        state(of: record, among: engine.alerts())
    }

    /// What whoever made the silence may not have meant.
    func note(on silence: SilenceStatus) -> String? {
        guard silence.alerts == 0 else { return nil }
        guard let rule = silence.rule, !engine.rules.contains(where: { $0.name == rule }) else {
            return "it matches no alert now"
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
            state: record.isInForce ? .inForce : record.endedBy == nil ? .over : .expired,
            created: record.created.description, createdBy: record.creator.description,
            createdByUID: Int(record.creator.id), comment: record.comment, ends: record.ends.description,
            until: isUntil, ended: record.ended?.description, endedBy: record.endedBy?.description,
            endedByUID: record.endedBy.map { Int($0.id) }, alerts: alerts, firing: firing)
    }
}
