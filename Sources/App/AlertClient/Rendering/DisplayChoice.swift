internal import Arguments
internal import Configuration
internal import Control
internal import Diagnostics
internal import ExchangeRates
internal import Market

/// The user's choice of display currency.
enum DisplayChoice: Equatable {
    /// The currency in the daemon's settings.
    case settings
    /// Each price in its own currency.
    case quote
    /// A currency, and the option or variable that names it.
    case currency(Currency, from: String)

    /// The environment variable that applies if `--currency` is absent.
    static let variable = "ALERTCTL_CURRENCY"

    /// Reads `--currency`, else the environment variable.
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

    /// The currency that the user named; nil for other choices.
    var named: Currency? { if case .currency(let currency, _) = self { currency } else { nil } }

    /// Checks that this program or the daemon knows the chosen currency.
    ///
    /// - Parameters:
    ///   - reply: The daemon's rates.
    ///   - typed: The texts in which the user may have typed the currency; the error quotes the text that matches.
    /// - Throws: ``ClientError/usage(_:)`` with advice if neither knows it.
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
    /// Describes the display currency; nil if it depends on the daemon's settings and these are unknown.
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
    /// Parses an amount. If several currencies share the sign, the display currency is meant. It is requested from the
    /// daemon only in this case.
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

    /// The display currency that the user or the daemon's settings name; nil if neither does.
    var displayCurrency: Currency? {
        guard choice == .settings else { return choice.named }
        let reply = try? connect().call(.rates, RatesParameters(), returning: RatesReply.self)
        return reply?.displayCurrency.flatMap { Currency($0) }
    }

    /// Returns the display for prices: in the currency of `--currency`, else of ALERTCTL_CURRENCY, else of the
    /// daemon's settings, whose default is US dollars.
    ///
    /// Programs (`--json`, `--plain`, `--csv`) get each price in its own currency unless `--currency` is given.
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
