package import Engine
package import EventLoop
package import ExchangeRates
package import Storage
package import Time

/// Where the pipeline gets the exchange rates for rules in a currency other than their market's.
@LoopActor
package protocol RuleRates: AnyObject {
    /// The rates in effect; nil while there are none.
    var ratesForRules: ReferenceRates? { get }

    /// The same as they are stored.
    var stored: [StoredRate] { get }

    /// Takes over rates that were saved by an earlier run, and when they were fetched; and former ones of currencies
    /// that they lack.
    func restore(_ rates: RateTable, former: RateTable?, fetched: WallTime)
}
