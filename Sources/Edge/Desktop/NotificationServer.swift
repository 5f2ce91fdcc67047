/// What shows notifications on a desktop; tests implement it without one.
package protocol NotificationServer: AnyObject {
    /// The name of the running server; nil without one. Another server has another name.
    var name: String? { get throws(DesktopError) }

    /// Whether bodies are markup, in which `&`, `<` and `>` have a meaning.
    var hasMarkup: Bool { get throws(DesktopError) }

    /// Shows a notification.
    ///
    /// - Returns: its number, while this server runs.
    func show(_ notification: DesktopNotification) throws(DesktopError) -> UInt32

    /// What has happened since the last call; empty if nothing did.
    func signals() throws(DesktopError) -> [DesktopSignal]

    /// What to wait for until something happens; the descriptor is -1 if nothing can.
    var wait: (descriptor: Int32, events: Int16, milliseconds: Int32) { get }
}

/// A notification as a server shows it.
package struct DesktopNotification: Equatable, Sendable {
    /// How much it matters; the raw values are those of the desktop's protocol.
    package enum Urgency: UInt8, Sendable {
        case low = 0
        case normal = 1
        case critical = 2
    }

    /// The one that it takes the place of; 0 for none.
    package var replaces: UInt32 = 0
    /// One line of plain text.
    package var summary: String
    /// Plain text or markup.
    package var body: String
    /// What users can choose, with its label.
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

/// What a server reports.
package enum DesktopSignal: Equatable, Sendable {
    /// It came, went or was replaced; nil when there is none now.
    case server(String?)
    case action(id: UInt32, key: String)
    case closed(id: UInt32)
}

/// Why something cannot be shown.
package enum DesktopError: Error, Equatable, Sendable {
    /// There is no bus, or the connection to it has ended.
    case noBus(String)
    /// There is no server of notifications, or it did not answer.
    case noServer(String)
    /// The server refused the notification.
    case refused(String)
}
