package import Engine
package import EventLoop
package import ExchangeRates
package import Storage
package import Time

/// The source of exchange rates for rules in a currency other than their market's.
@LoopActor
package protocol RuleRates: AnyObject {
    /// The rates in effect; nil while there are none.
    var ratesForRules: ReferenceRates? { get }

    /// The rates in effect, in the form in which they are stored.
    var stored: [StoredRate] { get }

    /// Restores rates that an earlier run saved. `former` has older rates of currencies that the last rates lack;
    /// `fetched` is the time when the last rates were fetched.
    func restore(_ rates: RateTable, former: RateTable?, fetched: WallTime)
}
