package import JSON
package import Market

/// The format of a source's responses: everything that a ``RecordDecoder`` needs to know about them.
package protocol RecordFormat: Sendable {
    /// The positions of the tickers and their fields. Read once, when a decoder is created.
    var shape: RecordShape { get }

    /// Returns the market of a name that the source uses.
    ///
    /// - Parameters:
    ///   - name: The symbol, or the name of the element.
    ///   - detail: The value of ``detailField``; empty if there is none.
    /// - Returns: The market, or nil if the name is invalid.
    mutating func market(_ name: String, _ detail: String) -> ListedMarket?

    /// The field that a market depends on in addition to its name, or nil if there is none.
    var detailField: RecordShape.Field? { get }

    /// Returns the source's own error in a response without tickers, or nil if there is none.
    func error(in root: JSONValue) -> ExchangeError?
}

extension RecordFormat {
    package var detailField: RecordShape.Field? { nil }
}

extension JSONObject {
    /// Returns a member that is a string or a number as text, or nil for anything else.
    mutating func text(_ key: StaticString) -> String? {
        guard let value = member(key) else { return nil }
        return (try? value.string()) ?? (try? value.numberText())
    }
}
