package import Market
package import Time

/// A decoder that turns a response of an exchange into tickers. It may keep its memory from one response to the next.
package protocol TickerDecoding: ~Copyable {
    /// Decodes a body with its padding, as in `HTTPResponse`.
    ///
    /// - Returns: At least one ticker, in the order of the elements.
    /// - Throws: ``DecodingFailure``. Then nothing in the response may be used.
    mutating func decode(_ paddedBody: [UInt8], received: Instant) throws(DecodingFailure) -> TickerBatch

    /// Returns the exchange's own error in a body, or nil if there is none.
    mutating func exchangeError(in paddedBody: [UInt8]) -> ExchangeError?
}

/// An error that an exchange reports in the body of a response. Its text is unchanged from the network.
package struct ExchangeError: Equatable, Sendable {
    /// The code as the exchange writes it: a number, or a word.
    package var code: String
    /// The message; empty if there is only a code.
    package var message: String
    /// The time until which the exchange wants no requests, or nil if it names none.
    package var until: WallTime?

    /// Creates an error. `until` is the end of a ban that the message names, or nil if it names none.
    package init(code: String, message: String, until: WallTime? = nil) {
        (self.code, self.message, self.until) = (code, message, until)
    }
}

/// The reason why a body gives no tickers or candles.
package enum DecodingFailure: Error, Equatable, Sendable {
    case emptyBody
    /// The first character that is not white space begins neither a JSON array nor an object.
    case notJSON(isHTML: Bool)
    case exchangeError(ExchangeError)
    /// An object that is not an error of the exchange.
    case unexpectedObject
    case emptyArray
    /// Invalid or truncated JSON: it is not known where elements begin and end.
    case structureLost
    /// An array in which no element decodes, with the number of elements and the fault of the first one.
    case noUsableElement(count: Int, example: String? = nil)
    case tooManyElements(limit: Int)
    case outOfMemory
}
