internal import Configuration
internal import Control
internal import Delivery
internal import Diagnostics
internal import Engine
internal import EventLoop
internal import Feeds
internal import Market
internal import Time
internal import Varlink

/// Answers the calls of `org.alertd.Control`.
@LoopActor
final class ControlService {
    let daemon: Daemon
    let permission: Permission
    let imports = PendingImports()
    /// Whether a copy of the state file is being made or sent: one at a time.
    var isBackingUp = false

    init(_ daemon: Daemon, permission: Permission) {
        self.daemon = daemon
        self.permission = permission
    }

    /// The interface as the server takes it.
    var interface: VarlinkInterface {
        let handlers: [(ControlInterface.Method, VarlinkMethod)] = [
            (.status, .single { call in call.reply(StatusReply(status: self.daemon.status())) }),
            (.listTickers, .single { call throws(VarlinkError) in try self.listTickers(call) }),
            (.getSymbol, .single { call throws(VarlinkError) in try self.getSymbol(call) }),
            (.listAlerts, .single { call throws(VarlinkError) in try self.listAlerts(call) }),
            (.listRules, .single { call in call.reply(ListRulesReply(rules: self.daemon.pipeline.rules())) }),
            (.monitorEvents, .stream { call throws(VarlinkError) in try await self.monitorEvents(call) }),
            (.reload, .single { call throws(VarlinkError) in try self.reload(call) }),
            (.rates, .single { call throws(VarlinkError) in try self.rates(call) }),
            (.convert, .single { call throws(VarlinkError) in try self.convert(call) }),
            (.poll, .single { call throws(VarlinkError) in try await self.poll(call) }),
            (.listPrices, .single { call throws(VarlinkError) in try self.listPrices(call) }),
            (.listBars, .single { call throws(VarlinkError) in try self.listBars(call) }),
            (.exportPrices, .single { call throws(VarlinkError) in try self.exportPrices(call) }),
            (.importPrices, .single { call throws(VarlinkError) in try self.importPrices(call) }),
            (.listEvents, .single { call throws(VarlinkError) in try await self.listEvents(call) }),
            (.explain, .single { call throws(VarlinkError) in try self.explain(call) }),
            (.setLimit, .single { call throws(VarlinkError) in try self.setLimit(call) }),
            (.listOverrides, .single { call in self.listOverrides(call) }),
            (.resetLimits, .single { call throws(VarlinkError) in try self.resetLimits(call) }),
            (.backup, .stream { call throws(VarlinkError) in try await self.backup(call) }),
            (.addSilence, .single { call throws(VarlinkError) in try self.addSilence(call) }),
            (.listSilences, .single { call throws(VarlinkError) in try self.listSilences(call) }),
            (.expireSilences, .single { call throws(VarlinkError) in try self.expireSilences(call) }),
            (.acknowledge, .single { call throws(VarlinkError) in try await self.acknowledge(call) }),
            (.arm, .single { call throws(VarlinkError) in try self.arm(call) }),
            (.drill, .single { call throws(VarlinkError) in try self.drill(call) }),
        ]
        let methods = handlers.map { ($0.0.rawValue, $0.1) }
        return VarlinkInterface(
            name: ControlInterface.name, description: ControlInterface.description,
            methods: Dictionary(methods) { first, _ in first })
    }

    private func listTickers(_ call: VarlinkCall) throws(VarlinkError) {
        let parameters = try call.decodeParameters(as: ListTickersParameters.self)
        let match = try Self.optional(parameters.match, named: "match", SymbolPattern.init)
        let quote = try Self.optional(parameters.quote, named: "quote") { Asset($0) }
        let pipeline = daemon.pipeline
        call.reply(
            ListTickersReply(
                simulated: daemon.feed.isSimulated, source: daemon.feed.name,
                received: pipeline.batch?.received.wall.description,
                symbols: pipeline.symbols(match: match, quote: quote)))
    }

    private func getSymbol(_ call: VarlinkCall) throws(VarlinkError) {
        let name = try call.decodeParameters(as: GetSymbolParameters.self).symbol
        let symbol = try known(name)
        guard let state = daemon.pipeline.symbol(symbol) else { throw noSuchSymbol(name) }
        let window = daemon.pipeline.window(of: symbol, now: daemon.clock.now())
        call.reply(
            GetSymbolReply(
                simulated: daemon.feed.isSimulated, symbol: state, alerts: daemon.pipeline.alerts(of: symbol),
                window: window?.summary, prices: window?.prices ?? []))
    }

    private func listAlerts(_ call: VarlinkCall) throws(VarlinkError) {
        let parameters = try call.decodeParameters(as: ListAlertsParameters.self)
        let symbol: Symbol? = if let name = parameters.symbol { try known(name) } else { nil }
        call.reply(
            ListAlertsReply(
                simulated: daemon.feed.isSimulated,
                alerts: daemon.pipeline.alerts(of: symbol, firingOnly: parameters.firingOnly ?? false)))
    }

    private func reload(_ call: VarlinkCall) throws(VarlinkError) {
        guard permission.mayChange(call.peer) else { throw .permissionDenied }
        switch daemon.reload() {
        case .success(let result): call.reply(ReloadReply(result: result))
        case .failure(let error):
            let findings = FindingRenderer().render(error.findings).split(separator: "\n").map(String.init)
            throw VarlinkError(
                ControlInterface.ErrorName.reloadFailed.qualifiedName, ReloadFailed(findings: findings))
        }
    }

    private func poll(_ call: VarlinkCall) async throws(VarlinkError) {
        guard permission.mayChange(call.peer) else { throw .permissionDenied }
        do {
            call.reply(PollReply(result: PollResult(try await daemon.pollNow())))
        } catch {
            let rest = if case .tooSoon(let rest) = error { rest } else { Milliseconds.zero }
            throw VarlinkError(
                ControlInterface.ErrorName.pollTooSoon.qualifiedName,
                PollTooSoon(retryAfterMilliseconds: Int(clamping: rest.count)))
        }
    }

    /// The symbol of that name, if it was seen or a rule names it.
    func known(_ name: String) throws(VarlinkError) -> Symbol {
        guard let symbol = Symbol(name) else { throw noSuchSymbol(name) }
        let pipeline = daemon.pipeline
        guard pipeline.symbol(symbol) != nil || !pipeline.engine.alerts(of: symbol).isEmpty else {
            throw noSuchSymbol(name)
        }
        return symbol
    }

    private func noSuchSymbol(_ name: String) -> VarlinkError {
        let names = daemon.pipeline.batch?.tickers.map(\.symbol.description) ?? []
        return VarlinkError(
            ControlInterface.ErrorName.noSuchSymbol.qualifiedName,
            NoSuchSymbol(symbol: name, suggestion: nearest(to: name.lowercased(), among: names)))
    }

    static func optional<Text, Value>(
        _ text: Text?, named name: String, _ parse: (Text) -> Value?
    ) throws(VarlinkError) -> Value? {
        guard let text else { return nil }
        guard let value = parse(text) else { throw .invalidParameter(name) }
        return value
    }
}

extension PollResult {
    fileprivate init(_ poll: PollSummary) {
        self.init(
            state: poll.failure.map { .init(rawValue: $0.kind.rawValue) } ?? .ok,
            message: poll.failure?.sentence, symbols: poll.symbols,
            badElements: poll.badElements, durationMilliseconds: Int(clamping: poll.duration.count), events: poll.events
        )
    }
}
