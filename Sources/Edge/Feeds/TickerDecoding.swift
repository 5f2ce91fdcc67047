package import Market
package import Time

/// Turns a response of an exchange into tickers. A decoder may keep its memory from one response to the next.
package protocol TickerDecoding: ~Copyable {
    /// Reads a body as `HTTPResponse` holds it.
    ///
    /// - Returns: at least one ticker, in the order of the elements.
    /// - Throws: ``DecodingFailure``, and then nothing of the response may be used.
    mutating func decode(_ paddedBody: [UInt8], received: Instant) throws(DecodingFailure) -> TickerBatch

    /// The exchange's own error in a body; nil when there is none.
    mutating func exchangeError(in paddedBody: [UInt8]) -> ExchangeError?
}

/// An error that an exchange reports in the body of a response, unchanged: the text comes from the network.
package struct ExchangeError: Equatable, Sendable {
    /// As the exchange writes it: a number, or a word.
    package var code: String
    /// What it says; empty when there is only a code.
    package var message: String
    /// Until when it does not want to be asked, if it says so.
    package var until: WallTime?

    /// `until` is the end of a ban that the message names; nil if it names none.
    package init(code: String, message: String, until: WallTime? = nil) {
        (self.code, self.message, self.until) = (code, message, until)
    }
}

/// Why a body gives no tickers.
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
    /// An array without a single element that decodes; how many there were, and what is wrong with the first one.
    case noUsableElement(count: Int, example: String? = nil)
    case tooManyElements(limit: Int)
    case outOfMemory
}
