/// A server that shows notifications on a desktop. Tests implement it without a desktop.
package protocol NotificationServer: AnyObject {
    /// The name of the running server, or nil if there is none. It changes when another server takes over.
    var name: String? { get throws(DesktopError) }

    /// True if bodies are markup, in which `&`, `<` and `>` have a meaning.
    var hasMarkup: Bool { get throws(DesktopError) }

    /// Shows a notification.
    ///
    /// - Returns: its number, which is valid while this server runs.
    func show(_ notification: DesktopNotification) throws(DesktopError) -> UInt32

    /// Returns the signals since the last call; empty if there were none.
    func signals() throws(DesktopError) -> [DesktopSignal]

    /// The descriptor, events and timeout for a call of `poll` that waits for the next signal. The descriptor is -1
    /// if there can be none.
    var wait: (descriptor: Int32, events: Int16, milliseconds: Int32) { get }
}

/// A notification that a server shows.
package struct DesktopNotification: Equatable, Sendable {
    /// The urgency of a notification. The raw values are those of the desktop's protocol.
    package enum Urgency: UInt8, Sendable {
        case low = 0
        case normal = 1
        case critical = 2
    }

    /// The number of the notification that this one replaces; 0 for none.
    package var replaces: UInt32 = 0
    /// One line of plain text.
    package var summary: String
    /// Plain text or markup.
    package var body: String
    /// The actions that a user can choose, with their labels.
    package var actions: [(key: String, label: String)] = []
    package var urgency: Urgency

    package init(_ summary: String, _ body: String, urgency: Urgency) {
        self.summary = summary
        self.body = body
        self.urgency = urgency
    }

    package static func == (left: Self, right: Self) -> Bool {
        (left.replaces, left.summary, left.body, left.urgency) == (
            right.replaces, right.summary, right.body, right.urgency
        )
            && left.actions.elementsEqual(right.actions) { $0 == $1 }
    }
}

/// A signal from a notification server.
package enum DesktopSignal: Equatable, Sendable {
    /// The server started, ended or was replaced. The name is nil if there is no server now.
    case server(String?)
    case action(id: UInt32, key: String)
    case closed(id: UInt32)
}

/// The reason why a notification cannot be shown.
package enum DesktopError: Error, Equatable, Sendable {
    /// There is no bus, or the connection to it has ended.
    case noBus(String)
    /// There is no notification server, or it did not answer.
    case noServer(String)
    /// The server refused the notification.
    case refused(String)
}
