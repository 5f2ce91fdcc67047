internal import Configuration
internal import Control
internal import Engine
internal import EventLoop
internal import Events
internal import Market
internal import Rules
internal import Time
internal import Varlink

/// The calls `AddSilence`, `ListSilences` and `ExpireSilences`.
@LoopActor
struct SilenceHandlers: CallGroup {
    private let query: PipelineQuery
    private let silences: any SilenceController
    private let access: ControlAccess

    init(_ query: PipelineQuery, _ silences: any SilenceController, _ access: ControlAccess) {
        self.query = query
        self.silences = silences
        self.access = access
    }

    var handlers: [(ControlInterface.Method, VarlinkMethod)] {
        [
            (.addSilence, .single { call throws(VarlinkError) in try await self.addSilence(call) }),
            (.listSilences, .query { call throws(VarlinkError) in try await self.listSilences(call) }),
            (.expireSilences, .single { call throws(VarlinkError) in try await self.expireSilences(call) }),
        ]
    }

    private func addSilence(_ call: VarlinkCall) async throws(VarlinkError) {
        let user = try access.changer(call)
        let parameters = try call.decodeParameters(as: AddSilenceParameters.self)
        let request = try self.request(parameters)
        let record: SilenceRecord
        do {
            record = try silences.addSilence(request, by: user)
        } catch {
            throw refusal(error)
        }
        access.record("silence \(record.number) by \(user): \(record.text), until \(record.ends)")
        var slices = WorkSlices(for: call)
        guard let state = try await query.states(&slices, of: [record]).first else { return }
        call.reply(AddSilenceReply(silence: state, note: query.hint(on: state), saved: query.isSaving))
    }

    private func listSilences(_ call: VarlinkCall) async throws(VarlinkError) {
        let parameters = try call.decodeParameters(as: ListSilencesParameters.self)
        silences.updateSilences()
        let records = query.silences.records.filter { parameters.all ?? false || $0.isActive }
        let page = records.dropFirst(try pageStart(parameters.next)).prefix(PageLimits.silences)
        var slices = WorkSlices(for: call)
        call.reply(
            ListSilencesReply(
                silences: try await query.states(&slices, of: Array(page)),
                next: page.endIndex < records.count ? page.endIndex : nil))
    }

    private func expireSilences(_ call: VarlinkCall) async throws(VarlinkError) {
        let user = try access.changer(call)
        let parameters = try call.decodeParameters(as: ExpireSilencesParameters.self)
        let numbers = parameters.numbers.map { Set($0.map { Int64($0) }) }
        let records: [SilenceRecord]
        do {
            records = try silences.expireSilences(numbers, by: user)
        } catch {
            throw refusal(error)
        }
        for record in records { access.record("silence \(record.number) ended by \(user): \(record.text)") }
        var slices = WorkSlices(for: call)
        let shown = Array(records.prefix(PageLimits.silences))
        call.reply(
            ExpireSilencesReply(
                silences: try await query.states(&slices, of: shown), count: records.count, saved: query.isSaving))
    }

    private func request(_ parameters: AddSilenceParameters) throws(VarlinkError) -> SilenceRequest {
        let until = try optional(parameters.until, named: "until") { WallTime(rfc3339: $0) }
        let length: SilenceLength
        switch (parameters.durationMilliseconds, until) {
        case (let count?, nil): length = .lasting(Milliseconds(Int64(count)))
        case (nil, let time?): length = .until(time)
        case (nil, nil) where parameters.daily != nil: length = .lasting(SilenceList.longest)
        default: throw .invalidParameter(until == nil ? "duration_ms" : "until")
        }
        let (symbols, source) = try query.pattern(parameters.symbol, named: "symbol", source: parameters.source)
        return SilenceRequest(
            source: source, symbols: symbols ?? source.flatMap { _ in SymbolPattern("*") }, rule: parameters.rule,
            severity: try optional(parameters.severity, named: "severity") { Severity(rawValue: $0.rawValue) },
            length: length, comment: parameters.comment,
            daily: try daily(parameters.daily))
    }

    /// Parses daily hours.
    ///
    /// - Throws: `Refused` for a time zone that this machine does not know.
    private func daily(_ text: String?) throws(VarlinkError) -> SilenceHours? {
        let daily = try optional(text, named: "daily") { SilenceHours($0) }
        if let zone = daily?.zone, !WallClock.shared.knows(zone) {
            throw .refused(
                "there is no time zone \(zone) in \(timeZoneFolder); use a name such as Europe/Stockholm, or install "
                    + "the package tzdata")
        }
        return daily
    }

    private func refusal(_ refusal: SilenceRefusal) -> VarlinkError {
        switch refusal {
        case .unknown(let number): .noSuchThing(.silence, "\(number)")
        case .matchesEverything: .refused("a silence needs symbols, a rule or a severity; '*' means all symbols")
        case .noTime: .refused("the silence would end immediately; give a duration, or an end in the future")
        case .tooLong: .refused("a silence lasts at most \(SilenceList.longest); for a longer time, change the rule")
        case .badText:
            .refused(
                "names and comments must be one line of 1 to \(SilenceList.textLimit) bytes without control characters")
        case .tooMany:
            .refused("there are already \(SilenceList.limit) active silences; end some, or use a broader pattern")
        case .over(let record):
            .refused("silence \(record.number) has already ended, at \(record.ended ?? record.ends)")
        }
    }
}

extension SilenceRecord {
    /// The criteria and the hours of the silence: `btc*, rule 'band', severity critical`.
    fileprivate var text: String {
        let parts = [
            silence.source.map { "source \($0)" }, silence.symbols.map(\.text), silence.rule.map { "rule '\($0)'" },
            silence.severity.map { "severity \($0.rawValue)" },
        ]
        return (parts + [daily.map { "daily \($0)" }]).compactMap(\.self).joined(separator: ", ")
            + (comment.map { " (\($0))" } ?? "")
    }
}
