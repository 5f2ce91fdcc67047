// Made from org.alertd.Control.varlink by `make generate`; do not edit.

package import JSON

/// A receiver that does not accept notifications.
package struct FailingReceiver: Equatable, Sendable {
    package var name: String
    /// Whether it sends nothing until its settings or credential change.
    package var stopped: Bool
    package var message: String?
    /// The name of the systemd credential with its token, password or address; nil if it has none.
    package var credential: String?

    package init(name: String, stopped: Bool, message: String? = nil, credential: String? = nil) {
        self.name = name
        self.stopped = stopped
        self.message = message
        self.credential = credential
    }
}

extension FailingReceiver: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        name = try object.read("name")
        stopped = try object.read("stopped")
        message = try object.readIfPresent("message")
        credential = try object.readIfPresent("credential")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", name)
        writer.member("stopped", stopped)
        writer.member("message", message)
        writer.member("credential", credential)
        writer.endObject()
    }
}

/// A receiver of notifications. Counts are of events since the start.
package struct ReceiverStatus: Equatable, Sendable {
    package var name: String
    /// `webhook`, `ntfy`, `email` and so on.
    package var type: String
    package var state: ControlInterface.ReceiverState
    /// Why it fails or has stopped; nil while it works.
    package var message: String?
    /// The number of queued events, and the time of the oldest of them.
    package var queued: Int
    package var oldest: String?
    package var delivered: Int
    /// Those that it permanently refused.
    package var refused: Int
    /// Those that could not be delivered within `max_age`.
    package var expired: Int
    /// Those that a user dropped, or that no longer fitted into the queue.
    package var dropped: Int
    package var lastSuccess: String?
    package var lastFailure: String?
    /// When the next attempt is made; nil if none is scheduled.
    package var nextAttempt: String?

    package init(
        name: String, type: String, state: ControlInterface.ReceiverState, message: String? = nil, queued: Int,
        oldest: String? = nil, delivered: Int, refused: Int, expired: Int, dropped: Int, lastSuccess: String? = nil,
        lastFailure: String? = nil, nextAttempt: String? = nil
    ) {
        self.name = name
        self.type = type
        self.state = state
        self.message = message
        self.queued = queued
        self.oldest = oldest
        self.delivered = delivered
        self.refused = refused
        self.expired = expired
        self.dropped = dropped
        self.lastSuccess = lastSuccess
        self.lastFailure = lastFailure
        self.nextAttempt = nextAttempt
    }
}

extension ReceiverStatus: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        name = try object.read("name")
        type = try object.read("type")
        state = try object.read("state")
        message = try object.readIfPresent("message")
        queued = try object.read("queued")
        oldest = try object.readIfPresent("oldest")
        delivered = try object.read("delivered")
        refused = try object.read("refused")
        expired = try object.read("expired")
        dropped = try object.read("dropped")
        lastSuccess = try object.readIfPresent("last_success")
        lastFailure = try object.readIfPresent("last_failure")
        nextAttempt = try object.readIfPresent("next_attempt")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", name)
        writer.member("type", type)
        writer.member("state", state)
        writer.member("message", message)
        writer.member("queued", queued)
        writer.member("oldest", oldest)
        writer.member("delivered", delivered)
        writer.member("refused", refused)
        writer.member("expired", expired)
        writer.member("dropped", dropped)
        writer.member("last_success", lastSuccess)
        writer.member("last_failure", lastFailure)
        writer.member("next_attempt", nextAttempt)
        writer.endObject()
    }
}

/// The delivery of an event to a receiver.
package struct Delivery: Equatable, Sendable {
    package var receiver: String
    package var state: ControlInterface.DeliveryState
    /// When it ended; nil while it is queued.
    package var time: String?
    /// Details as text; nil if there are none.
    package var detail: String?

    package init(receiver: String, state: ControlInterface.DeliveryState, time: String? = nil, detail: String? = nil) {
        self.receiver = receiver
        self.state = state
        self.time = time
        self.detail = detail
    }
}

extension Delivery: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        receiver = try object.read("receiver")
        state = try object.read("state")
        time = try object.readIfPresent("time")
        detail = try object.readIfPresent("detail")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("receiver", receiver)
        writer.member("state", state)
        writer.member("time", time)
        writer.member("detail", detail)
        writer.endObject()
    }
}

/// An event that is queued for a receiver.
package struct QueueEntry: Equatable, Sendable {
    package var number: Int
    /// The time of the event.
    package var time: String

    package init(number: Int, time: String) {
        self.number = number
        self.time = time
    }
}

extension QueueEntry: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        number = try object.read("number")
        time = try object.read("time")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("number", number)
        writer.member("time", time)
        writer.endObject()
    }
}
