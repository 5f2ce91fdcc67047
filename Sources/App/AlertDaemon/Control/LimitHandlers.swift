internal import Control
internal import Engine
internal import EventLoop
internal import Events
internal import ExchangeRates
internal import Market
internal import Rules
internal import Storage
internal import Time
internal import Varlink

/// The calls `SetLimit`, `ResetLimits` and `ListOverrides`.
@LoopActor
struct LimitHandlers: CallGroup {
    private let query: PipelineQuery
    private let limits: any LimitController
    private let rates: RateQuery
    private let access: ControlAccess

    init(_ query: PipelineQuery, _ limits: any LimitController, _ rates: RateQuery, _ access: ControlAccess) {
        self.query = query
        self.limits = limits
        self.rates = rates
        self.access = access
    }

    var handlers: [(ControlInterface.Method, VarlinkMethod)] {
        [
            (.setLimit, .single { call throws(VarlinkError) in try self.setLimit(call) }),
            (.resetLimits, .single { call throws(VarlinkError) in try self.resetLimits(call) }),
            (.listOverrides, .query { call in self.listOverrides(call) }),
        ]
    }

    private func setLimit(_ call: VarlinkCall) throws(VarlinkError) {
        let author = try access.changer(call)
        let parameters = try call.decodeParameters(as: SetLimitParameters.self)
        let given = try changes(parameters)
        let (query, symbol) = try self.symbol(parameters, given.map(\.bound))
        let rule = try rule(parameters.rule, with: given.map(\.bound), on: symbol, query)
        let currency = try optional(parameters.currency, named: "currency") { Currency($0) }
        let wanted = try given.map { bound, change throws(VarlinkError) in
            (bound, try converted(change, from: currency, for: rule, on: symbol, query))
        }
        let engine = query.engine
        let now = query.clock.now().wall
        var made: [(override: LimitOverride, before: Price)] = []
        for (bound, change) in wanted {
            guard let before = engine.limit(of: bound, in: rule, on: symbol) else {
                throw .refused(
                    "\(bound.rawValue) of '\(rule.name)' is relative to a price that is not known yet; see "
                        + "'alertctl explain \(symbol)'")
            }
            guard let limit = change.applied(to: before) else {
                throw .refused("\(bound.rawValue) cannot be represented exactly; use fewer digits")
            }
            made.append(
                (
                    LimitOverride(
                        rule: rule.name, source: query.source, symbol: symbol, bound: bound, limit: limit,
                        currency: rule.currency,
                        author: author, since: now), before
                ))
        }
        // Setting a limit to its current value is not a change.
        let changed = made.filter { new in
            !query.overrides.contains { $0.isFor(theSameAs: new.override) && $0.means(theSameAs: new.override) }
        }
        if !changed.isEmpty {
            try put(
                changed.map(\.override), of: rule, on: symbol,
                notes: changed.map { limitSet($0.override, before: $0.before) })
        }
        call.reply(
            SetLimitReply(
                simulated: query.isSimulated,
                changes: zip(made, zip(given, wanted)).map { made, changes in
                    let isConverted = changes.0.1 != changes.1.1
                    return LimitChangeStatus(
                        override: query.overrideState(made.override), before: "\(made.before)",
                        given: isConverted ? changes.0.1.money.map { "\($0)" } : nil,
                        givenCurrency: isConverted ? currency.map { "\($0)" } : nil)
                }, saved: query.isSaving))
    }

    /// Returns the symbol and its source: the source of the rule if one is named, else the source that prefixes the
    /// symbol, else the only source that has a rule with these bounds for the symbol. If no source has such a rule, it
    /// is the first source that knows the symbol.
    ///
    /// - Throws: `NoSuchSymbol`, `NoSuchRule`; `Refused` if several sources fit.
    private func symbol(
        _ parameters: SetLimitParameters, _ bounds: [Bound]
    ) throws(VarlinkError) -> (query: PipelineQuery, symbol: Symbol) {
        if let name = parameters.rule {
            let query = query.on(rule: try query.rule(name).name)
            return (query, try query.symbol(parameters.symbol, of: try query.rule(name)))
        }
        let found = try query.known(parameters.symbol)
        guard SourcedText(parameters.symbol).source == nil else { return found }
        let fitting = query.lanes.filter { lane in
            lane.engine.rules.contains { rule in
                rule.matches(found.symbol) && bounds.allSatisfy(rule.hasLimit)
            }
        }
        guard fitting.count < 2 else {
            let names = fitting.map { "\($0.name):\(found.symbol)" }.joined(separator: ", ")
            throw .refused("several sources have such limits; choose one: \(names)")
        }
        return fitting.first.map { (query.of($0), found.symbol) } ?? found
    }

    /// Returns the change in the currency of the rule.
    ///
    /// - Throws: `Refused` if there is no conversion path, or if the rates are stale.
    private func converted(
        _ change: LimitChange, from currency: Currency?, for rule: Rule, on symbol: Symbol,
        _ query: PipelineQuery
    ) throws(VarlinkError) -> LimitChange {
        guard let currency, let amount = change.money,
            let own = rule.currency ?? query.engine.quote(of: symbol)?.currency, own != currency
        else { return change }
        let reply: ConvertReply
        do throws(ConversionError) {
            reply = try rates.convert(Money(amount, currency), to: own)
        } catch {
            throw .refused("\(error); give the limit in \(own)")
        }
        guard !reply.stale else { throw .refused("the exchange rates are stale; give the limit in \(own)") }
        guard let result = try? Price(reply.result) else {
            throw .refused("\(amount) \(currency) cannot be represented in \(own)")
        }
        return change.with(amount: result)
    }

    private func resetLimits(_ call: VarlinkCall) throws(VarlinkError) {
        let user = try access.changer(call)
        let parameters = try call.decodeParameters(as: ResetLimitsParameters.self)
        let written = parameters.symbol.map(SourcedText.init)
        let symbol = try optional(written?.symbol, named: "symbol") { Symbol($0) }
        let source = try written?.source.map { name throws(VarlinkError) in try query.source(name).source }
        let isNamed = symbol != nil || parameters.rule != nil
        let chosen = query.overrides.filter {
            (isNamed || parameters.all == true) && (symbol == nil || $0.symbol == symbol)
                && (parameters.rule == nil || $0.rule == parameters.rule)
                && (source == nil || $0.source == source)
        }
        let states = chosen.map(query.overrideState)
        if !chosen.isEmpty {
            limits.change(
                overrides: query.overrides.filter { !chosen.contains($0) },
                notes: chosen.map { limitReset($0, by: user) })
        }
        call.reply(ResetLimitsReply(reset: states, saved: query.isSaving))
    }

    private func listOverrides(_ call: VarlinkCall) {
        call.reply(ListOverridesReply(overrides: query.overrides.map(query.overrideState)))
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

    /// Returns the only rule that has these bounds for the symbol; if a name is given, the rule must have this name.
    ///
    /// - Throws: `NoSuchRule`, or `Refused` if no rule or several rules fit.
    private func rule(
        _ name: String?, with bounds: [Bound], on symbol: Symbol, _ query: PipelineQuery
    ) throws(VarlinkError) -> Rule {
        if let name { _ = try query.rule(name) }
        let what = bounds.map(\.rawValue).joined(separator: " and ")
        let fitting = query.engine.rules.filter { rule in
            (name == nil || rule.name == name) && rule.matches(symbol)
                && bounds.allSatisfy(rule.hasLimit)
        }
        guard let rule = fitting.first else {
            let which = name.map { "the rule '\($0)' has no \(what)" } ?? "no rule has a \(what)"
            throw .refused(
                "\(which) for \(symbol); 'alertctl limit \(symbol)' lists its limits, and 'alertctl rule add' adds a "
                    + "rule")
        }
        guard fitting.count == 1 else {
            let names = fitting.prefix(10).map { "'\($0.name)'" }.joined(separator: ", ")
            throw .refused("several rules have a \(what) for \(symbol): \(names); choose one with --rule")
        }
        return rule
    }

    private func put(
        _ new: [LimitOverride], of rule: Rule, on symbol: Symbol, notes: [Occurrence]
    ) throws(VarlinkError) {
        let others = query.overrides.filter { old in !new.contains { old.isFor(theSameAs: $0) } }
        let own = (others + new).filter { $0.rule == rule.name && $0.symbol == symbol }
        let base = query.engine.base(of: rule, on: symbol)
        if case .failure(let error) = rule.tests(own, from: base) { throw .refused("invalid limit: \(error.text)") }
        guard others.count + new.count <= Pipeline.overrideLimit else {
            throw .refused(
                "\(Pipeline.overrideLimit) limits are already changed; 'alertctl limit reset' restores the configured "
                    + "limits")
        }
        limits.change(overrides: others + new, notes: notes)
    }

    /// Creates the event `BTC/INR: maximum ₹76,00,000.00 set for 'btc band', was ₹75,00,000.00 (by alice)`.
    private func limitSet(_ override: LimitOverride, before: Price) -> Occurrence {
        let title = override.bound.title(amounts(override.limit, of: override))
        let old = amounts(before, of: override).joined()
        return occurrence(override, "\(title) set for '\(override.rule)', was \(old) (by \(override.author))")
    }

    /// Creates the event `BTC/INR: maximum ₹75,00,000.00 restored for 'btc band', as configured (by alice)`.
    private func limitReset(_ override: LimitOverride, by author: UserIdentity) -> Occurrence {
        let configured = query.settingsLimit(of: override).map { amounts($0, of: override) } ?? []
        let title = override.bound.title(configured)
        return occurrence(override, "\(title) restored for '\(override.rule)', as configured (by \(author))")
    }

    private func amounts(_ price: Price, of override: LimitOverride) -> [String] {
        EventAmounts(limit: .price(price), currency: query.currency(of: override)).limits
    }

    private func occurrence(_ override: LimitOverride, _ what: String) -> Occurrence {
        let market = override.symbol.marketName(quotedIn: query.on(override)?.engine.quote(of: override.symbol))
        let source = query.lanes.count > 1 ? "\(override.source): " : ""
        return Occurrence(
            time: query.clock.now().wall, kind: .rulesChanged, source: override.source, rule: override.rule,
            symbol: override.symbol,
            severity: .info, text: "\(source)\(market): \(what)")
    }
}
