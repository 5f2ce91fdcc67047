// Made from org.alertd.Control.varlink by `make generate`; do not edit.

package import JSON

/// A check that compares the prices of two sources.
package struct CheckStatus: Equatable, Sendable {
    package var name: String
    /// The two markets with their sources, such as `kraken:btcusd`; the first is compared with the second.
    package var first: String
    package var second: String
    /// The largest difference that is not reported, in percent of the second price.
    package var withinPercent: String
    package var forMilliseconds: Int
    package var state: ControlInterface.CheckState
    /// Details of the state as text: why the prices cannot be compared, or `5m of 10m` while it is about to change.
    package var note: String?
    /// The difference at the last comparison, in percent of the second price.
    package var differencePercent: String?
    /// When they were last compared.
    package var compared: String?

    package init(
        name: String, first: String, second: String, withinPercent: String, forMilliseconds: Int,
        state: ControlInterface.CheckState, note: String? = nil, differencePercent: String? = nil,
        compared: String? = nil
    ) {
        self.name = name
        self.first = first
        self.second = second
        self.withinPercent = withinPercent
        self.forMilliseconds = forMilliseconds
        self.state = state
        self.note = note
        self.differencePercent = differencePercent
        self.compared = compared
    }
}

extension CheckStatus: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        name = try object.read("name")
        first = try object.read("first")
        second = try object.read("second")
        withinPercent = try object.read("within_percent")
        forMilliseconds = try object.read("for_ms")
        state = try object.read("state")
        note = try object.readIfPresent("note")
        differencePercent = try object.readIfPresent("difference_percent")
        compared = try object.readIfPresent("compared")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", name)
        writer.member("first", first)
        writer.member("second", second)
        writer.member("within_percent", withinPercent)
        writer.member("for_ms", forMilliseconds)
        writer.member("state", state)
        writer.member("note", note)
        writer.member("difference_percent", differencePercent)
        writer.member("compared", compared)
        writer.endObject()
    }
}
