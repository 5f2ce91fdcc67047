internal import Arguments
internal import Configuration
internal import Control
internal import Diagnostics
internal import ExchangeRates
internal import Market

/// The currency that the user wants prices in.
enum DisplayChoice: Equatable {
    /// The currency in the daemon's settings.
    case settings
    /// Each price in its own currency.
    case quote
    /// With the option or variable that names it.
    case currency(Currency, from: String)

    /// The variable that is used without the option.
    static let variable = "ALERTCTL_CURRENCY"

    /// Reads the option `--currency`, else the variable.
    init(_ arguments: ParsedArguments, _ variables: [String: String]) throws(ClientError) {
        if let text = arguments.value("currency") {
            self = try Self.read(text, from: "--currency")
        } else if let text = variables[Self.variable], !text.isEmpty {
            self = try Self.read(text, from: Self.variable)
        } else {
            self = .settings
        }
    }

    private static func read(_ text: String, from place: String) throws(ClientError) -> DisplayChoice {
        if text.lowercased() == DisplaySettings.quoteWord { return .quote }
        guard let currency = Currency(text) else { throw unknown(text, from: place) }
        return .currency(currency, from: place)
    }

    private static func unknown(_ text: String, from place: String, others: [Currency] = []) -> ClientError {
        .usage(
            "\(place) takes a currency such as USD, or 'quote', but got '\(visible(text))'; "
                + currencyAdvice(text, others: others))
    }

    /// The currency that the user named; nil if none was named.
    var named: Currency? { if case .currency(let currency, _) = self { currency } else { nil } }

    /// Refuses a currency that neither this program nor the daemon knows.
    ///
    /// - Parameters:
    ///   - reply: The rates of the daemon.
    ///   - typed: What the user may have written for it.
    /// - Throws: ``ClientError/usage(_:)`` with advice.
    func check(_ reply: RatesReply, typed: [String?]) throws(ClientError) {
        guard case .currency(let currency, let place) = self, !currency.isKnown else { return }
        let names =
            reply.rates.map(\.currency) + reply.pegs.flatMap { [$0.currency, $0.countsAs] }
            + reply.markets.flatMap { [$0.base, $0.quote] }
        let others = names.compactMap { Currency($0) }
        let written = typed.compactMap(\.self).first { Currency($0) == currency } ?? "\(currency)"
        guard others.contains(currency) else { throw Self.unknown(written, from: place, others: others) }
    }
}

extension DisplayChoice {
    /// The currency that prices are shown in, as text; nil if the daemon does not say.
    func text(_ rates: RatesReply?) -> String? {
        let currency: Currency?
        switch self {
        case .quote: currency = nil
        case .currency(let chosen, _): currency = chosen
        case .settings:
            guard let rates else { return nil }
            currency = rates.displayCurrency.flatMap { Currency($0) }
        }
        guard let currency else { return "each market's own currency" }
        return "\(currency)" + (rates?.date.map { ", at exchange rates of \($0)" } ?? "")
    }
}

extension Context {
    /// Reads an amount. A sign that several currencies share means that of the display; the daemon is asked for it only
    /// if it matters.
    ///
    /// - Throws: ``WrittenAmountError``.
    func amount(_ text: String, preferring preferred: Currency? = nil) throws(WrittenAmountError) -> WrittenAmount {
        let known = preferred ?? choice.named
        do throws(WrittenAmountError) {
            return try WrittenAmount(text, preferring: known)
        } catch {
            guard case .ambiguousSign = error, known == nil, let display = displayCurrency else { throw error }
            return try WrittenAmount(text, preferring: display)
        }
    }

    /// The currency of the display, as the user or the daemon's settings name it; nil if none does.
    var displayCurrency: Currency? {
        guard choice == .settings else { return choice.named }
        let reply = try? connect().call(.rates, RatesParameters(), returning: RatesReply.self)
        return reply?.displayCurrency.flatMap { Currency($0) }
    }

    /// How to show prices: in the currency of `--currency`, ALERTCTL_CURRENCY or the settings, else in US dollars.
    ///
    /// Programs (`--json`, `--plain`, `--csv`) get each price in its own currency unless the option is given.
    func display(_ connection: any ControlConnection) throws(ClientError) -> PriceDisplay {
        let isAsked = arguments.has("currency")
        guard choice != .quote, format.isHuman || isAsked else {
            return .own(hasUnicode: formatter.hasUnicode)
        }
        let wanted = choice.named
        let reply = try connection.call(
            .rates, RatesParameters(currency: wanted.map { "\($0)" }), returning: RatesReply.self)
        let typed = [arguments.value("currency"), environment.variables[DisplayChoice.variable]]
        try choice.check(reply, typed: typed)
        let currency = choice == .settings ? reply.displayCurrency.flatMap { Currency($0) } : wanted
        return PriceDisplay(
            in: currency, by: DisplayRates(reply), convertsForPrograms: isAsked, hasUnicode: formatter.hasUnicode)
    }
}
