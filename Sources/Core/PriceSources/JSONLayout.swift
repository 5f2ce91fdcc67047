/// Where a response has its prices when no source of its own exists for it: the settings of `source = "json"`.
package struct JSONLayout: Equatable, Sendable {
    /// A name that is the same for all markets, or its place in the element of each.
    package enum Name: Equatable, Sendable {
        case fixed(String)
        case place(JSONPointer)

        /// The place; nil for a fixed name.
        package var pointer: JSONPointer? {
            if case .place(let pointer) = self { pointer } else { nil }
        }
    }

    /// The place of the list; nil when the whole response is one market.
    package var items: JSONPointer?
    /// Nil when the list is an object, in which each element has the name of its market.
    package var symbol: Name?
    /// The last price, from the element of a market, as all that follow.
    package var last: JSONPointer
    /// Nil if the response has none, like the two that follow.
    package var bid: JSONPointer?
    package var ask: JSONPointer?
    /// The volume of a day in the base asset.
    package var volume: JSONPointer?
    /// Seconds, milliseconds or microseconds since 1970.
    package var time: JSONPointer?
    /// The asset of the prices; nil when it is not known.
    package var quote: Name?

    package init(last: JSONPointer) {
        self.last = last
    }
}
