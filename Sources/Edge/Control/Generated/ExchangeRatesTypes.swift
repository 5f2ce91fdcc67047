// Made from org.alertd.Control.varlink by `make generate`; do not edit.

package import JSON

/// The value of one euro in a currency.
package struct ReferenceRate: Equatable, Sendable {
    package var currency: String
    package var rate: String

    package init(currency: String, rate: String) {
        self.currency = currency
        self.rate = rate
    }
}

extension ReferenceRate: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        currency = try object.read("currency")
        rate = try object.read("rate")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("currency", currency)
        writer.member("rate", rate)
        writer.endObject()
    }
}

/// A declaration that one unit of a currency counts as one unit of another.
package struct CurrencyPeg: Equatable, Sendable {
    package var currency: String
    package var countsAs: String

    package init(currency: String, countsAs: String) {
        self.currency = currency
        self.countsAs = countsAs
    }
}

extension CurrencyPeg: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        currency = try object.read("currency")
        countsAs = try object.read("counts_as")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("currency", currency)
        writer.member("counts_as", countsAs)
        writer.endObject()
    }
}

/// One step of a conversion: one unit of `base` is worth `rate` units of `quote`.
package struct RateStep: Equatable, Sendable {
    package var base: String
    package var quote: String
    package var rate: String
    package var basis: ControlInterface.RateBasis
    /// The date of a reference rate, or the first day of a fixed one.
    package var date: String?
    /// The publisher of a reference rate, the law of a fixed one, or the symbol of the market; nil for a peg.
    package var source: String?

    package init(
        base: String, quote: String, rate: String, basis: ControlInterface.RateBasis, date: String? = nil,
        source: String? = nil
    ) {
        self.base = base
        self.quote = quote
        self.rate = rate
        self.basis = basis
        self.date = date
        self.source = source
    }
}

extension RateStep: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        base = try object.read("base")
        quote = try object.read("quote")
        rate = try object.read("rate")
        basis = try object.read("basis")
        date = try object.readIfPresent("date")
        source = try object.readIfPresent("source")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("base", base)
        writer.member("quote", quote)
        writer.member("rate", rate)
        writer.member("basis", basis)
        writer.member("date", date)
        writer.member("source", source)
        writer.endObject()
    }
}
