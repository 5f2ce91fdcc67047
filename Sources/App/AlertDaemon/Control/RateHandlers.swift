internal import Configuration
internal import Control
internal import EventLoop
internal import ExchangeRates
internal import Market
internal import Time
internal import Varlink

/// The calls `Rates`, `RefreshRates` and `Convert`.
@LoopActor
struct RateHandlers: CallGroup {
    private let rates: RateQuery
    private let refresher: any RateRefresher
    private let past: any PastRateSource
    private let access: ControlAccess

    init(
        _ rates: RateQuery, _ refresher: any RateRefresher, _ past: any PastRateSource, _ access: ControlAccess
    ) {
        (self.rates, self.refresher, self.past, self.access) = (rates, refresher, past, access)
    }

    var handlers: [(ControlInterface.Method, VarlinkMethod)] {
        [
            (.rates, .query { call throws(VarlinkError) in try self.listRates(call) }),
            (.refreshRates, .single { call throws(VarlinkError) in try await self.refresh(call) }),
            (.convert, .query { call throws(VarlinkError) in try await self.convert(call) }),
        ]
    }

    private func listRates(_ call: VarlinkCall) throws(VarlinkError) {
        let parameters = try call.decodeParameters(as: RatesParameters.self)
        call.reply(rates.reply(with: try optional(parameters.currency, named: "currency") { Currency($0) }))
    }

    private func refresh(_ call: VarlinkCall) async throws(VarlinkError) {
        try access.changer(call)
        do {
            try await refresher.refresh()
        } catch {
            throw .refused("\(error)")
        }
        call.reply(Nothing())
    }

    private func convert(_ call: VarlinkCall) async throws(VarlinkError) {
        let parameters = try call.decodeParameters(as: ConvertParameters.self)
        guard let amount = try? Price(parameters.amount) else { throw .invalidParameter("amount") }
        guard let from = Currency(parameters.from) else { throw .invalidParameter("from") }
        guard let to = Currency(parameters.to) else { throw .invalidParameter("to") }
        if let date = try optional(parameters.date, named: "date", { CivilDate($0) }) {
            do throws(PastRatesFailure) {
                return call.reply(try await rates.convert(Money(amount, from), to: to, on: date, past))
            } catch {
                throw .refused(error.message)
            }
        }
        do {
            call.reply(try rates.convert(Money(amount, from), to: to))
        } catch {
            throw VarlinkError(
                ControlInterface.ErrorName.unconvertible.qualifiedName, Unconvertible(message: rates.reason(error)))
        }
    }
}
