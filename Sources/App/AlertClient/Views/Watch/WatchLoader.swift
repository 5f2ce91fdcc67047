internal import Charts
internal import Configuration
internal import Control
internal import Events
internal import Market
internal import Time

/// The loader of the live view: reads its data from the daemon and performs its actions.
///
/// An unreachable daemon is not an error: the view shows this and keeps trying to connect.
final class WatchLoader {
    /// The interval between status requests.
    static let statusInterval = Milliseconds.seconds(2)
    /// Maximum number of events to load.
    private static let eventLimit = 300

    let context: Context
    private let names: AssetNames
    private var connection: (any ControlConnection)?
    /// The time of each source's last data when prices were last read; nil if prices must be read again.
    private var received: [String?]?
    private var lastEvent = 0
    private var rates: RatesReply?
    private var silences: [SilenceStatus] = []
    /// The current choice of display currency.
    private var currency: DisplayChoice
    private let currencies: [DisplayChoice]

    init(_ context: Context) {
        self.context = context
        names = context.assetNames()
        currency = context.choice
        let usual = ["USD", "SEK"].compactMap { name in
            Currency(name).map { DisplayChoice.currency($0, from: "--currency") }
        }
        currencies = [context.choice] + usual + (context.choice == .quote ? [] : [.quote])
    }

    /// Reads the status. Also reads prices, alerts and events if the status shows new ones, or if `isForced` is true.
    func refresh(_ data: inout WatchData, isForced: Bool = false) {
        do throws(ClientError) {
            let connection = try connected()
            let status = try connection.status()
            let isNew = isForced || status.dataTimes != received || data.fault != nil
            let hasEvents = isForced || status.lastEvent != lastEvent || data.fault != nil
            data.status = status
            if isNew { try readPrices(&data, connection) }
            if isNew || hasEvents { try readEvents(&data, connection) }
            if isNew || hasEvents || status.silences != silences.count { readRatesAndSilences(status, connection) }
            let formatter = HumanFormatter(context.arguments, in: context.environment)
            data.health = Health(status, rates: rates, silences: silences, formatter)
            (received, lastEvent) = (status.dataTimes, status.lastEvent)
            data.fault = nil
        } catch {
            lose(error, &data)
        }
    }

    func lose(_ error: ClientError, _ data: inout WatchData) {
        connection = nil
        received = nil
        data.fault =
            switch error.exitCode {
            case .notRunning: "alertd is not running; waiting for it"
            case .timedOut: "alertd does not respond"
            default: error.message
            }
    }

    func connected() throws(ClientError) -> any ControlConnection {
        if let connection { return connection }
        // A short timeout, so that the view never freezes for long.
        var target = context.target
        target.timeout = min(target.timeout, .seconds(2))
        let new = try context.environment.connect(target)
        connection = new
        return new
    }

    private func readPrices(_ data: inout WatchData, _ connection: any ControlConnection) throws(ClientError) {
        let old = Dictionary(data.symbols.compactMap { symbol in symbol.last.map { (symbol.symbol, $0) } }) { $1 }
        data.symbols = try connection.all(.listTickers, ListTickersParameters(), returning: ListTickersReply.self)
            .symbols.map { data.hasSeveralSources ? $0.namedWithSource : $0 }
        data.previous = old
        let display = try context.with(choice: currency).display(connection)
        data.display = display
        let names = names.adding(assetNames(of: data.symbols))
        data.names = { names.name(of: $0) }
    }

    private func readEvents(_ data: inout WatchData, _ connection: any ControlConnection) throws(ClientError) {
        data.alerts = try connection.all(.listAlerts, ListAlertsParameters(), returning: ListAlertsReply.self).alerts
            .map { data.hasSeveralSources ? $0.namedWithSource : $0 }
        let parameters = ListEventsParameters(limit: Self.eventLimit, newestFirst: true)
        data.events = try connection.call(.listEvents, parameters, returning: ListEventsReply.self).events
            .map { data.hasSeveralSources ? $0.namedWithSource : $0 }
    }

    /// Reads the rates and silences, which the health depends on but the status does not contain.
    private func readRatesAndSilences(_ status: DaemonStatus, _ connection: any ControlConnection) {
        rates = try? connection.call(.rates, Nothing(), returning: RatesReply.self)
        silences = Health.silences(status, connection).filter { $0.state == .active }
    }

    /// Reads the chart of the selected symbol.
    func readChart(_ state: inout WatchState) {
        guard state.mode == .detail, let symbol = state.selected else { return }
        do throws(ClientError) {
            let connection = try connected()
            // A new formatter is needed, because the context's formatter has the time at which the command started.
            let formatter = HumanFormatter(context.arguments, in: context.environment)
            var request = ChartRequest(symbol, formatter)
            let oldest = state.data.status?.history.oldest.flatMap { WallTime(rfc3339: $0) }
            request.setLength(.seconds(state.range.seconds), until: formatter.now, oldest: oldest)
            state.data.chart = try LiveCharts(connection, state.data.display, formatter).chart(request).chart
        } catch {
            switch error {
            case .noSuchSymbol: state.message = (error.message, true)
            default: lose(error, &state.data)
            }
        }
    }

    /// Switches to the next display currency.
    func nextCurrency(_ data: inout WatchData) {
        let index = currencies.firstIndex(of: currency) ?? -1
        let before = data.display.currency
        // The currency of the settings may also be in the list, so skip choices that change nothing.
        for step in 1...currencies.count {
            currency = currencies[(index + step) % currencies.count]
            refresh(&data, isForced: true)
            if data.display.currency != before || data.fault != nil { return }
        }
    }
}

// MARK: Actions

extension WatchLoader {
    /// Performs a change.
    ///
    /// - Returns: the message for the user, and true if the change failed.
    func change(_ action: WatchAction) -> (text: String, isFault: Bool) {
        do throws(ClientError) {
            return (try perform(action, try connected()), false)
        } catch {
            if case .callDenied = error {
                return ("not allowed: only root and members of alertd-admin may change this", true)
            }
            if !error.leavesConnection { connection = nil }
            return (error.message, true)
        }
    }

    /// Adds or removes a favourite, and reads the list again because other commands may have changed it. The symbol
    /// may have been delisted since the prices were read; it is then not added.
    func setFavourite(_ name: String, isOn: Bool, _ state: inout WatchState) {
        do throws(ClientError) {
            if isOn { try refuseUnlisted(name) }
            let names = try Favourites.update(context.environment) { Favourites.changed($0, name, isOn: isOn) }
            state.favourites = Set(names)
        } catch {
            state.message = (error.message, true)
        }
    }

    /// Refuses a symbol that the daemon does not list. Without a daemon, it is accepted.
    private func refuseUnlisted(_ name: String) throws(ClientError) {
        do throws(ClientError) {
            try Favourites.checkListed(name, try connected())
        } catch {
            if case .noSuchSymbol = error { throw error }
            if !error.leavesConnection { connection = nil }
        }
    }

    private func perform(_ action: WatchAction, _ connection: any ControlConnection) throws(ClientError) -> String {
        switch action {
        case .setLimit(let rule, let symbol, let isMax, let value):
            let parameters = SetLimitParameters(
                symbol: symbol, rule: rule, min: isMax ? nil : value, max: isMax ? value : nil)
            let reply = try connection.call(.setLimit, parameters, returning: SetLimitReply.self)
            return "limit set" + (reply.saved ? "" : "; not saved yet")
                + "; 'alertctl limit reset \(symbol)' restores the configured one"
        case .silence(let symbol, let hours):
            let parameters = AddSilenceParameters(symbol: symbol, durationMilliseconds: hours * 3_600_000)
            let reply = try connection.call(.addSilence, parameters, returning: AddSilenceReply.self)
            return "silence \(reply.silence.number) until \(context.formatter.time(reply.silence.ends))"
        case .acknowledge(let rule, let symbol):
            let parameters = AcknowledgeParameters(rule: rule, symbol: symbol)
            let reply = try connection.call(.acknowledge, parameters, returning: AcknowledgeReply.self)
            return reply.changed > 0 ? "acknowledged '\(rule)'" : "'\(rule)' is not firing, or acknowledged already"
        case .arm(let rule, let symbol):
            let parameters = ArmParameters(rule: rule, symbol: symbol)
            let reply = try connection.call(.arm, parameters, returning: ArmReply.self)
            return reply.alerts.isEmpty ? "'\(rule)' was not disarmed" : "re-armed '\(rule)'"
        case .setFavourite, .nextCurrency, .keepConversion, .readChart, .mouse, .quit: return ""
        }
    }
}

// With several sources, the view prefixes each symbol with its source, in the syntax of the calls.

extension WatchData {
    fileprivate var hasSeveralSources: Bool { status?.hasSeveralSources ?? false }
}

extension SymbolStatus {
    fileprivate var namedWithSource: SymbolStatus {
        var named = self
        named.symbol = sourced
        return named
    }
}

extension AlertStatus {
    fileprivate var namedWithSource: AlertStatus {
        var named = self
        named.symbol = sourced
        return named
    }
}

extension EventRecord {
    fileprivate var namedWithSource: EventRecord {
        var named = self
        if let source { named.symbol = symbol.map { "\(source):\($0)" } }
        return named
    }
}
