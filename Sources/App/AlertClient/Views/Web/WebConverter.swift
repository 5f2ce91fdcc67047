internal import Configuration
internal import Control
internal import Diagnostics
internal import ExchangeRates
internal import HTTPServer
internal import JSON
internal import Market
internal import ReferenceRateFiles

/// A conversion that the page requests: the amount as the user wrote it, and the codes of the currencies.
struct WebConversion: Equatable {
    /// The maximum number of target currencies. Each of them is a call, and more results could not be compared at a
    /// glance.
    static let targetLimit = 8
    /// The maximum length of the amount, in bytes.
    private static let amountLimit = 128

    let amount: String
    let from: String
    let to: [String]

    /// Parses the query of a request.
    ///
    /// - Throws: ``ClientError/usage(_:)``, which names the invalid parameter.
    init(_ request: HTTPServerRequest) throws(ClientError) {
        try self.init(
            amount: try request.needed("amount"), from: try request.needed("from"),
            to: request.query.filter { $0.name == "to" }.map(\.value))
    }

    /// - Throws: ``ClientError/usage(_:)``, which names the invalid member.
    init(amount: String, from: String, to: [String]) throws(ClientError) {
        guard amount.utf8.count <= Self.amountLimit, amount.contains(where: { $0 != " " }) else {
            throw .usage("amount: write a number such as 1234.5 or 1 000,50")
        }
        guard (1...Self.targetLimit).contains(to.count) else {
            throw .usage("to: an amount is converted to 1 to \(Self.targetLimit) currencies")
        }
        var codes: [String] = []
        for text in to { codes.append(try Self.code(text, "to")) }
        (self.amount, self.from, self.to) = (amount, try Self.code(from, "from"), codes)
    }

    private static func code(_ text: String, _ name: String) throws(ClientError) -> String {
        guard let currency = Currency(text), text.contains(where: \.isLetter) else {
            throw .usage("\(name): '\(visible(text))' is not the code of a currency")
        }
        return "\(currency)"
    }

    func request(_ context: Context) throws(ClientError) -> ConversionRequest {
        try ConversionRequest(amount: amount, from: from, to: to, context)
    }
}

/// The results of a conversion, with their evidence.
struct WebConversionAnswer {
    /// The result in one currency, or the reason why there is none.
    enum Result {
        case converted(ConvertReply)
        case failed(to: String, reason: String)
    }

    let amount: String
    let from: String
    let results: [Result]
    let formatter: HumanFormatter
}

extension WebConversionAnswer: JSONWritable {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("amount", amount)
        writer.member("from", from)
        writer.list("results", results) { result, writer in
            writer.beginObject()
            switch result {
            case .converted(let reply): write(reply, &writer)
            case .failed(let currency, let reason):
                writer.member("to", currency)
                writer.member("fault", reason)
            }
            writer.endObject()
        }
        writer.endObject()
    }

    private func write(_ reply: ConvertReply, _ writer: inout JSONWriter) {
        let text = ConversionText(reply, formatter)
        writer.member("to", reply.to)
        writer.member("text", text.line)
        writer.member("result", reply.result)
        writer.member("date", reply.date)
        writer.flag("exact", reply.exact)
        writer.flag("stale", reply.stale)
        writer.flag("pegged", reply.pegged)
        writer.flag("simulated", reply.simulated)
        writer.flag("official", reply.official)
        writer.key("path")
        writer.beginArray()
        for currency in reply.path.split(separator: ">") { writer.string(String(currency)) }
        writer.endArray()
        writer.key("steps")
        writer.beginArray()
        for step in text.steps { writer.string(step) }
        writer.endArray()
    }
}

// MARK: The daemon

extension WebDaemon {
    /// Converts at the latest rates.
    func conversion(_ conversion: WebConversion) throws(ClientError) -> WebConversionAnswer {
        let request = try conversion.request(context)
        let results = try results(of: request)
        // If all targets fail for the same reason, the cause is the amount or its currency.
        if case .failed(_, let reason) = results.first, results.allSatisfy({ $0.reason == reason }) {
            throw .unconvertible(Unconvertible(message: reason))
        }
        return WebConversionAnswer(
            amount: "\(request.amount)", from: "\(request.source)", results: results, formatter: pageFormatter)
    }

    /// The formatter for the page. It uses Unicode even if the terminal does not, because browsers show signs such as
    /// ₹.
    var pageFormatter: HumanFormatter {
        var formatter = formatter
        formatter.hasUnicode = true
        return formatter
    }

    private func results(of request: ConversionRequest) throws(ClientError) -> [WebConversionAnswer.Result] {
        try use { connection throws(ClientError) in
            var results: [WebConversionAnswer.Result] = []
            for parameters in request.parameters {
                do throws(ClientError) {
                    results.append(.converted(try ConvertCommand.reply(to: parameters, connection, context)))
                } catch {
                    switch error {
                    case .unconvertible(let what):
                        results.append(.failed(to: parameters.to, reason: what.message))
                    case .usage(let reason): results.append(.failed(to: parameters.to, reason: reason))
                    default: throw error
                    }
                }
            }
            return results
        }
    }

    /// Returns the currencies that can be converted, national currencies before coins.
    func currencies() throws(ClientError) -> [WebCurrency] {
        try use { connection throws(ClientError) in
            let rates = try connection.call(.rates, Nothing(), returning: RatesReply.self)
            let symbols = try connection.all(.listTickers, ListTickersParameters(), returning: ListTickersReply.self)
                .symbols
            let national = Set(([rates.base] + rates.rates.map(\.currency)).compactMap { Currency($0) })
            let former = rates.rates.isEmpty ? [] : Set(FixedRate.all.map(\.currency))
            let traded = symbols.flatMap { [$0.base, $0.quote].compactMap(\.self) }
            let coins = Set((traded + rates.pegs.map(\.currency)).compactMap { Currency($0) })
            let names = names.adding(assetNames(of: symbols))
            return national.union(former).union(coins).map { currency in
                let isNational = currency.isNational || national.contains(currency)
                return WebCurrency(currency, name: names.name(of: "\(currency)"), isNational: isNational)
            }.sorted()
        }
    }
}

extension WebConversionAnswer.Result {
    fileprivate var reason: String? { if case .failed(_, let reason) = self { reason } else { nil } }
}

/// A currency in the lists of the page, with the words that people search it by.
struct WebCurrency: Equatable {
    let code: String
    let name: String?
    /// The sign of the currency; nil if amounts are written with its code.
    let symbol: String?
    /// Search words: the areas where the currency is used, and other names.
    let words: [String]
    let isNational: Bool
    /// True if the euro has replaced the currency.
    let isFormer: Bool

    init(_ currency: Currency, name: String?, isNational: Bool) {
        code = "\(currency)"
        let sign = CurrencyStyle.of(currency).symbol
        let entry = NationalCurrency.of(currency)
        symbol = sign == code ? entry?.symbol : sign
        self.name = entry?.name ?? name
        words = entry.map { $0.areas + $0.otherWords } ?? []
        self.isNational = isNational
        isFormer = FixedRate.of(currency) != nil
    }
}

extension WebCurrency: Comparable {
    /// Orders national currencies in use first, then former ones, then coins, each by name.
    static func < (left: Self, right: Self) -> Bool {
        let order = { (currency: Self) in
            (currency.isNational ? currency.isFormer ? 1 : 0 : 2, currency.name ?? currency.code, currency.code)
        }
        return order(left) < order(right)
    }
}

extension WebCurrency: JSONWritable {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("code", code)
        writer.member("name", name)
        writer.member("symbol", symbol)
        writer.key("words")
        writer.beginArray()
        for word in words { writer.string(word) }
        writer.endArray()
        writer.flag("coin", !isNational)
        writer.endObject()
    }
}

/// The reply with all currencies for the lists of the page.
struct WebCurrencies: JSONWritable {
    let currencies: [WebCurrency]

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.list("currencies", currencies) { $0.write(to: &$1) }
        writer.endObject()
    }
}
