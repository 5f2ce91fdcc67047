internal import Control
internal import Engine
internal import EventLoop
internal import Events
internal import Feeds
internal import Market
internal import Rules
internal import Storage
internal import Time
internal import Varlink

/// What the command `limit` asks for.
extension ControlService {
    func setLimit(_ call: VarlinkCall) throws(VarlinkError) {
        let author = try changer(call)
        let parameters = try call.decodeParameters(as: SetLimitParameters.self)
        let symbol = try known(parameters.symbol)
        let wanted = try changes(parameters)
        let rule = try self.rule(parameters.rule, with: wanted.map(\.bound), on: symbol)
        let engine = daemon.pipeline.engine
        let now = daemon.clock.now().wall
        var made: [(override: LimitOverride, before: Price)] = []
        for (bound, change) in wanted {
            guard let before = engine.limit(of: bound, in: rule, on: symbol), let limit = change.applied(to: before)
            else { throw refused("\(bound.rawValue) could not be held exactly; use fewer digits") }
            made.append(
                (
                    LimitOverride(
                        rule: rule.name, symbol: symbol, bound: bound, limit: limit, currency: rule.currency,
                        author: author, since: now), before
                ))
        }
        try put(made.map(\.override), of: rule, on: symbol, notes: made.map { note($0.override, before: $0.before) })
        call.reply(
            SetLimitReply(
                simulated: daemon.feed.isSimulated,
                changes: made.map {
                    LimitChangeStatus(override: daemon.pipeline.overrideState($0.override), before: "\($0.before)")
                }, saved: !daemon.pipeline.stateStore.isDegraded))
    }

    func resetLimits(_ call: VarlinkCall) throws(VarlinkError) {
        let user = try changer(call)
        let parameters = try call.decodeParameters(as: ResetLimitsParameters.self)
        let symbol = try Self.optional(parameters.symbol, named: "symbol") { Symbol($0) }
        let isNamed = symbol != nil || parameters.rule != nil
        let pipeline = daemon.pipeline
        let chosen = pipeline.engine.overrides.filter {
            (isNamed || parameters.all == true) && (symbol == nil || $0.symbol == symbol)
                && (parameters.rule == nil || $0.rule == parameters.rule)
        }
        let states = chosen.map(pipeline.overrideState)
        if !chosen.isEmpty {
            pipeline.change(
                overrides: pipeline.engine.overrides.filter { !chosen.contains($0) },
                notes: chosen.map { note(reset: $0, by: user) })
        }
        call.reply(ResetLimitsReply(reset: states, saved: !pipeline.stateStore.isDegraded))
    }

    func listOverrides(_ call: VarlinkCall) {
        let pipeline = daemon.pipeline
        call.reply(ListOverridesReply(overrides: pipeline.engine.overrides.map(pipeline.overrideState)))
    }

    private func changes(_ parameters: SetLimitParameters) throws(VarlinkError) -> [(bound: Bound, LimitChange)] {
        var wanted: [(bound: Bound, LimitChange)] = []
        for (bound, text) in [(Bound.min, parameters.min), (.max, parameters.max)] {
            guard let text else { continue }
            guard let change = LimitChange(text) else { throw .invalidParameter(bound.rawValue) }
            wanted.append((bound, change))
        }
        guard !wanted.isEmpty else { throw .invalidParameter("max") }
        return wanted
    }

    /// The rule that is meant: the one of that name, or the only one with such limits for the symbol.
    private func rule(_ name: String?, with bounds: [Bound], on symbol: Symbol) throws(VarlinkError) -> Rule {
        if let name { _ = try inForce(name) }
        let what = bounds.map(\.rawValue).joined(separator: " and ")
        let fitting = daemon.pipeline.engine.rules.filter { rule in
            (name == nil || rule.name == name) && rule.matches(symbol)
                && bounds.allSatisfy { rule.limit(of: $0) != nil }
        }
        guard let rule = fitting.first else {
            let which = name.map { "the rule “\($0)” has no \(what)" } ?? "no rule has a \(what)"
            throw refused("\(which) for \(symbol); 'alertctl limit \(symbol)' shows what there is")
        }
        guard fitting.count == 1 else {
            let names = fitting.prefix(10).map { "“\($0.name)”" }.joined(separator: ", ")
            throw refused("several rules have a \(what) for \(symbol): \(names); choose one with --rule")
        }
        return rule
    }

    private func put(
        _ new: [LimitOverride], of rule: Rule, on symbol: Symbol, notes: [Occurrence]
    ) throws(VarlinkError) {
        let others = daemon.pipeline.engine.overrides.filter { old in !new.contains { old.isFor(theSameAs: $0) } }
        let own = (others + new).filter { $0.rule == rule.name && $0.symbol == symbol }
        if case .failure(let error) = rule.band(own) { throw refused("it cannot be: \(error.text)") }
        guard others.count + new.count <= Pipeline.overrideLimit else {
            throw refused(
                "\(Pipeline.overrideLimit) limits are changed already; 'alertctl limit reset' puts those of the "
                    + "settings in force again")
        }
        daemon.pipeline.change(overrides: others + new, notes: notes)
    }
}

// MARK: Events

extension ControlService {
    /// `limit of “btc band” on btcinr: max 7600000 INR in place of 7500000, by alice`
    private func note(_ override: LimitOverride, before: Price) -> Occurrence {
        let currency = daemon.pipeline.currency(of: override).map { " \($0)" } ?? ""
        return note(
            override,
            "\(override.bound.rawValue) \(override.limit)\(currency) in place of \(before), by \(override.author)")
    }

    private func note(reset override: LimitOverride, by author: UserIdentity) -> Occurrence {
        let settings = daemon.pipeline.settingsLimit(of: override).map { ", \($0)" } ?? ""
        return note(override, "\(override.bound.rawValue) as in the settings again\(settings), by \(author)")
    }

    private func note(_ override: LimitOverride, _ what: String) -> Occurrence {
        Occurrence(
            time: daemon.clock.now().wall, kind: .rulesChanged, rule: override.rule, symbol: override.symbol,
            severity: .info, text: "limit of “\(override.rule)” on \(override.symbol): \(what)")
    }
}

extension Pipeline {
    func overrideState(_ override: LimitOverride) -> OverrideStatus {
        OverrideStatus(
            rule: override.rule, symbol: override.symbol.description, bound: .init(override.bound),
            limit: override.limit.description, settingsLimit: settingsLimit(of: override)?.description,
            currency: currency(of: override)?.description, by: override.author.description,
            user: Int(override.author.id), since: override.since.description,
            state: .init(rawValue: engine.issue(of: override)?.name ?? "in_force"))
    }

    fileprivate func settingsLimit(of override: LimitOverride) -> Price? {
        engine.rules.first { $0.name == override.rule }?.limit(of: override.bound)
    }

    fileprivate func currency(of override: LimitOverride) -> Currency? {
        override.currency ?? symbolQuote(override.symbol)
    }

    private func symbolQuote(_ symbol: Symbol) -> Currency? {
        engine.quote(of: symbol)?.currency
    }
}
