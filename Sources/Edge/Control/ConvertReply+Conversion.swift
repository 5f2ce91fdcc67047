package import ExchangeRates
internal import Market
package import Time

extension ConvertReply {
    /// Creates the reply for a conversion.
    ///
    /// - Parameters:
    ///   - conversion: The amount with its evidence.
    ///   - isStale: True if the reference rates are too old to rely on.
    ///   - isSimulated: True if market prices are simulated.
    ///   - date: The requested past date; nil for the latest rates.
    ///   - fetched: The time when the reference rates were fetched or last found unchanged; nil if unknown.
    package init(
        _ conversion: Conversion, isStale: Bool = false, isSimulated: Bool = false, on date: CivilDate? = nil,
        fetched: WallTime? = nil
    ) {
        let steps = conversion.steps.map { RateStep($0.rate) }
        self.init(
            amount: "\(conversion.original.amount)", from: "\(conversion.original.currency)",
            to: "\(conversion.result.currency)", result: "\(conversion.result.amount)", exact: conversion.isExact,
            on: date?.description, date: conversion.date?.description, stale: conversion.date != nil && isStale,
            pegged: conversion.restsOnPeg, official: conversion.isOfficial,
            simulated: isSimulated && steps.contains { $0.basis == .market },
            path: conversion.currencies.map(\.description).joined(separator: ">"),
            fetched: conversion.date == nil ? nil : fetched?.description, steps: steps)
    }
}

extension RateStep {
    /// Creates a step from a rate.
    package init(_ rate: ExchangeRate) {
        let (word, date, source): (ControlInterface.RateBasis, CivilDate?, String?) =
            switch rate.basis {
            case .reference(let date, let source): (.reference, date, source)
            case .fixed(let since, let source): (.fixed, since, source)
            case .peg: (.peg, nil, nil)
            case .market(let name): (.market, nil, name)
            }
        self.init(
            base: "\(rate.base)", quote: "\(rate.quote)", rate: "\(rate.rate)", basis: word, date: date?.description,
            source: source)
    }
}
