package import JSON
package import Market

/// How a source writes its responses: all that a ``RecordDecoder`` needs to know about it.
package protocol RecordFormat: Sendable {
    /// Where the tickers and their fields are; read once, when a decoder is made.
    var shape: RecordShape { get }

    /// The market of a name that the source uses.
    ///
    /// - Parameters:
    ///   - name: the symbol, or the name of the element.
    ///   - detail: the field of ``detailField``; empty when there is none.
    /// - Returns: nil when the name is not a valid one.
    mutating func market(_ name: String, _ detail: String) -> ListedMarket?

    /// What else a market depends on than its name.
    var detailField: RecordShape.Field? { get }

    /// The source's own error in a response without tickers; nil when there is none.
    func error(in root: JSONValue) -> ExchangeError?
}

extension RecordFormat {
    package var detailField: RecordShape.Field? { nil }
}

extension JSONObject {
    /// A member that is a string or a number, as text; nil for anything else.
    mutating func text(_ key: StaticString) -> String? {
        guard let value = member(key) else { return nil }
        return (try? value.string()) ?? (try? value.numberText())
    }
}
