// Made from org.alertd.Control.varlink by `make generate`; do not edit.

package import JSON

/// The reply of `ListReceivers`.
package struct ListReceiversReply: Equatable, Sendable {
    package var receivers: [ReceiverStatus]

    package init(receivers: [ReceiverStatus]) {
        self.receivers = receivers
    }
}

extension ListReceiversReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        receivers = try object.read("receivers")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("receivers", receivers)
        writer.endObject()
    }
}

/// The parameters of `ListQueue`.
package struct ListQueueParameters: Equatable, Sendable {
    package var receiver: String

    package init(receiver: String) {
        self.receiver = receiver
    }
}

extension ListQueueParameters: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        receiver = try object.read("receiver")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("receiver", receiver)
        writer.endObject()
    }
}

/// The reply of `ListQueue`.
package struct ListQueueReply: Equatable, Sendable {
    /// The number of all queued events.
    package var count: Int
    package var entries: [QueueEntry]

    package init(count: Int, entries: [QueueEntry]) {
        self.count = count
        self.entries = entries
    }
}

extension ListQueueReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        count = try object.read("count")
        entries = try object.read("entries")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("count", count)
        writer.member("entries", entries)
        writer.endObject()
    }
}

/// The parameters of `ListDeliveries`.
package struct ListDeliveriesParameters: Equatable, Sendable {
    package var number: Int

    package init(number: Int) {
        self.number = number
    }
}

extension ListDeliveriesParameters: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        number = try object.read("number")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("number", number)
        writer.endObject()
    }
}

/// The reply of `ListDeliveries`.
package struct ListDeliveriesReply: Equatable, Sendable {
    package var deliveries: [Delivery]

    package init(deliveries: [Delivery]) {
        self.deliveries = deliveries
    }
}

extension ListDeliveriesReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        deliveries = try object.read("deliveries")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("deliveries", deliveries)
        writer.endObject()
    }
}

/// The parameters of `RetryQueue`.
package struct RetryQueueParameters: Equatable, Sendable {
    /// The only receiver to try; all if nil.
    package var receiver: String?

    package init(receiver: String? = nil) {
        self.receiver = receiver
    }
}

extension RetryQueueParameters: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        receiver = try object.readIfPresent("receiver")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("receiver", receiver)
        writer.endObject()
    }
}

/// The parameters of `DropQueue`.
package struct DropQueueParameters: Equatable, Sendable {
    package var receiver: String

    package init(receiver: String) {
        self.receiver = receiver
    }
}

extension DropQueueParameters: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        receiver = try object.read("receiver")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("receiver", receiver)
        writer.endObject()
    }
}

/// The reply of `DropQueue`.
package struct DropQueueReply: Equatable, Sendable {
    /// The number of events that were dropped.
    package var dropped: Int

    package init(dropped: Int) {
        self.dropped = dropped
    }
}

extension DropQueueReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        dropped = try object.read("dropped")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("dropped", dropped)
        writer.endObject()
    }
}
