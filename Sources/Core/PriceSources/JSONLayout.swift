/// The layout of the responses of a generic JSON service: the settings of `source = "json"`.
package struct JSONLayout: Equatable, Sendable {
    /// A name that is the same for all markets, or a pointer to it in the element of each market.
    package enum Name: Equatable, Sendable {
        case fixed(String)
        case place(JSONPointer)

        /// The pointer; nil for a fixed name.
        package var pointer: JSONPointer? {
            if case .place(let pointer) = self { pointer } else { nil }
        }
    }

    /// The list of markets; nil if the whole response is one market.
    package var items: JSONPointer?
    /// The symbol; nil if the list is an object whose keys are the symbols.
    package var symbol: Name?
    /// The last price. This pointer and the following ones are relative to the element of a market.
    package var last: JSONPointer
    /// Nil if the response has no bid. The following pointers are optional, too.
    package var bid: JSONPointer?
    package var ask: JSONPointer?
    /// The volume of a day in the base asset.
    package var volume: JSONPointer?
    /// Seconds, milliseconds or microseconds since 1970.
    package var time: JSONPointer?
    /// The quote asset; nil if unknown.
    package var quote: Name?

    package init(last: JSONPointer) {
        self.last = last
    }
}
