internal import CBus
internal import Glibc
internal import UnixSockets

/// The notification server on the user's bus.
@safe
package final class BusNotificationServer: NotificationServer {
    private let bus: OpaquePointer
    private static let icon = "dialog-information"
    private static let criticalIcon = "dialog-warning"

    /// Connects to the user's bus.
    ///
    /// - Throws: `noBus`.
    package init() throws(DesktopError) {
        var opened: OpaquePointer?
        let status = unsafe alertd_bus_open(&opened)
        guard status >= 0, let bus = unsafe opened else { throw .noBus(Self.reason(status)) }
        unsafe self.bus = unsafe bus
    }

    deinit { unsafe alertd_bus_close(bus) }

    private static func reason(_ status: Int32) -> String { describe(errorNumber: -status) }

    /// Classifies a failed call: the connection is gone, there is no server, or the server refused.
    private static func error(_ status: Int32, _ text: String = "") -> DesktopError {
        let reason = text.isEmpty ? reason(status) : text
        switch -status {
        case ENOTCONN, ECONNRESET, EPIPE, ESHUTDOWN: return .noBus(reason)
        case EHOSTUNREACH, ENXIO, ENOENT, ETIMEDOUT, ESRCH, EIO: return .noServer(reason)
        default: return .refused(reason)
        }
    }

    package var name: String? {
        get throws(DesktopError) {
            var text = [CChar](repeating: 0, count: Int(ALERTD_BUS_TEXT_BYTES))
            let status = unsafe alertd_bus_server(bus, &text)
            guard status >= 0 else { throw Self.error(status) }
            let name = Self.text(text)
            return name.isEmpty ? nil : name
        }
    }

    package var hasMarkup: Bool {
        get throws(DesktopError) {
            let status = unsafe alertd_bus_has_markup(bus)
            guard status >= 0 else { throw Self.error(status) }
            return status > 0
        }
    }

    package func show(_ notification: DesktopNotification) throws(DesktopError) -> UInt32 {
        var id: UInt32 = 0
        var reason = [CChar](repeating: 0, count: Int(ALERTD_BUS_TEXT_BYTES))
        let isCritical = notification.urgency == .critical
        let texts =
            notification.actions.flatMap { [$0.key, $0.label] } + [
                isCritical ? Self.criticalIcon : Self.icon, notification.summary, notification.body,
            ]
        let copies = unsafe texts.map { unsafe strdup($0) }
        defer { unsafe copies.forEach { unsafe free($0) } }
        let pointers = unsafe copies.map { unsafe UnsafePointer($0) }
        let actions = unsafe Array(pointers.dropLast(3)) + [nil]
        let status = unsafe actions.withUnsafeBufferPointer { actions in
            // A critical notification stays until the user has seen it.
            var raw = unsafe alertd_bus_notification(
                replaces: notification.replaces, icon: pointers[texts.count - 3], summary: pointers[texts.count - 2],
                body: pointers[texts.count - 1], actions: actions.baseAddress, urgency: notification.urgency.rawValue,
                timeout: isCritical ? 0 : -1)
            return unsafe alertd_bus_notify(bus, &raw, &id, &reason)
        }
        guard status >= 0 else { throw Self.error(status, Self.text(reason)) }
        return id
    }

    package func signals() throws(DesktopError) -> [DesktopSignal] {
        var found: [DesktopSignal] = []
        while true {
            var signal = alertd_bus_signal()
            let status = unsafe alertd_bus_process(bus, &signal)
            guard status >= 0 else { throw Self.error(status) }
            let text = unsafe withUnsafeBytes(of: &signal.text) { unsafe Self.text($0) }
            switch signal.kind {
            case ALERTD_BUS_SERVER: found.append(.server(text.isEmpty ? nil : text))
            case ALERTD_BUS_ACTION: found.append(.action(id: signal.id, key: text))
            case ALERTD_BUS_CLOSED: found.append(.closed(id: signal.id))
            default: break
            }
            if status == 0 { return found }
        }
    }

    package var wait: (descriptor: Int32, events: Int16, milliseconds: Int32) {
        let events = unsafe alertd_bus_events(bus)
        return (
            unsafe alertd_bus_descriptor(bus), Int16(clamping: max(0, events)), unsafe alertd_bus_timeout(bus)
        )
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    @unsafe
    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}
