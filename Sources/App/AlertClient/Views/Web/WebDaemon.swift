internal import Arguments
internal import Charts
internal import Configuration
internal import Control
internal import Diagnostics
internal import HTTPServer
internal import Market
internal import Time

/// The page's connection to the daemon. If there is none, a use reconnects, except shortly after a timeout.
final class WebDaemon {
    /// The timeout of a call, unless `--timeout` is given.
    private static let patience = Milliseconds.seconds(2)
    /// The currencies that the page offers, in addition to the one that the user or the settings name.
    private static let usualCurrencies = ["USD", "EUR", "SEK", "INR"]

    let context: Context
    let names: AssetNames
    private var connection: (any ControlConnection)?
    private var meanwhile: (descriptor: Int32, body: () -> Void)?
    /// The time of the last call that timed out. Until ``patience`` has passed, other calls fail immediately so that
    /// requests do not queue up.
    private var unansweredSince: WallTime?

    init(_ context: Context) {
        self.context = context
        names = context.assetNames()
    }

    var formatter: HumanFormatter { HumanFormatter(context.arguments, in: context.environment) }

    /// Registers a body that runs whenever the descriptor becomes readable while a call waits for the daemon.
    func whileWaiting(on descriptor: Int32, _ body: @escaping () -> Void) { meanwhile = (descriptor, body) }

    /// Runs a body with a connection to the daemon, and connects first if necessary. A probe is made even shortly
    /// after a call has timed out.
    func use<Result>(
        isProbe: Bool = false, _ body: (any ControlConnection) throws(ClientError) -> Result
    ) throws(ClientError) -> Result {
        if let unansweredSince, !isProbe,
            context.environment.now().since(unansweredSince).count.magnitude < Self.patience.count.magnitude
        {
            throw .timedOut(timeout)
        }
        let connection = try connected()
        do throws(ClientError) {
            let result = try body(connection)
            unansweredSince = nil
            return result
        } catch {
            if case .timedOut = error { unansweredSince = context.environment.now() }
            if !error.leavesConnection { self.connection = nil }
            throw error
        }
    }

    private func connected() throws(ClientError) -> any ControlConnection {
        if let connection { return connection }
        var target = context.target
        target.timeout = timeout
        let new = try context.environment.connect(target)
        if let meanwhile { new.whileWaiting(on: meanwhile.descriptor, meanwhile.body) }
        connection = new
        return new
    }

    private var timeout: Milliseconds {
        context.arguments.value("timeout") == nil ? min(context.target.timeout, Self.patience) : context.target.timeout
    }

    /// Returns the status of the daemon, with everything that needs attention.
    func status() throws(ClientError) -> WebStatus {
        try use(isProbe: true) { connection throws(ClientError) in
            let status = try connection.status()
            // A daemon of an earlier version does not know the method.
            let rates = try? connection.call(.rates, Nothing(), returning: RatesReply.self)
            let formatter = formatter
            let health = Health(
                status, rates: rates, silences: Health.silences(status, connection), formatter)
            return WebStatus(status, health, formatter.now)
        }
    }

    /// Returns a display for prices in this currency; an empty text means the currency of the user or the settings.
    func display(_ currency: String, _ connection: any ControlConnection) throws(ClientError) -> PriceDisplay {
        try context.with(choice: try choice(currency)).display(connection)
    }

    private func choice(_ text: String) throws(ClientError) -> DisplayChoice {
        guard !text.isEmpty else { return context.choice }
        if text == "quote" { return .quote }
        guard let currency = Currency(text) else { throw .usage("'\(text)' is not a currency") }
        return .currency(currency, from: "currency")
    }

    func market(in currency: String) throws(ClientError) -> WebMarket {
        let favourites = try Favourites(context.environment).symbols
        return try use { connection throws(ClientError) in
            var data = WatchData()
            data.status = try connection.status()
            data.symbols = try connection.all(.listTickers, ListTickersParameters(), returning: ListTickersReply.self)
                .symbols
            data.alerts = try connection.all(.listAlerts, ListAlertsParameters(), returning: ListAlertsReply.self)
                .alerts
            let parameters = ListEventsParameters(limit: WebMarket.eventLimit, newestFirst: true)
            data.events = try connection.call(.listEvents, parameters, returning: ListEventsReply.self).events
            data.display = try display(currency, connection)
            let names = names.adding(assetNames(of: data.symbols))
            data.names = { names.name(of: $0) }
            let silences = try connection.all(
                .listSilences, ListSilencesParameters(), returning: ListSilencesReply.self
            ).silences
            return WebMarket(
                data: data, silences: silences.filter { $0.state == .active }, favourites: Set(favourites),
                currencies: currencies(data.display), formatter: formatter)
        }
    }

    private func currencies(_ display: PriceDisplay) -> [String] {
        var names = Self.usualCurrencies
        let others = [context.choice.named, display.currency].compactMap { $0.map { "\($0)" } }
        for name in others where !names.contains(name) { names.insert(name, at: 0) }
        return names + ["quote"]
    }

    /// Adds or removes a favourite. The name is a symbol, prefixed with its source if there are several. The file is
    /// read again each time because `alertctl favourites` may have changed it. As with that command, only a symbol
    /// that the daemon lists can be added, and any can be removed.
    func setFavourite(_ name: String, _ isOn: Bool) throws(ClientError) {
        guard Symbol(SourcedText(name).symbol) != nil else {
            throw .usage("symbol: '\(visible(name))' is not a symbol")
        }
        if isOn { try refuseUnlisted(name) }
        _ = try Favourites.update(context.environment) { Favourites.changed($0, name, isOn: isOn) }
    }

    /// Refuses a symbol that the daemon does not list. Without a daemon, it is accepted.
    private func refuseUnlisted(_ name: String) throws(ClientError) {
        do throws(ClientError) {
            try use { connection throws(ClientError) in
                do throws(ClientError) {
                    try Favourites.checkListed(name, connection)
                } catch {
                    throw error.clarified(names) { () throws(ClientError) in connection }
                }
            }
        } catch {
            if case .noSuchSymbol = error { throw error }
        }
    }
}
