internal import JSON

/// The state of `alertctl notify`: a small file in the user's state folder.
struct DesktopState: Equatable {
    /// The control socket of the daemon that assigned the event number.
    var socket: String
    /// The number of the last event that was shown or skipped.
    var last: Int
    /// The name of the server that shows the notifications. Notification numbers mean nothing to another server.
    var server: String?
    /// The numbers of shown notifications by alert, oldest first.
    var shown: [(alert: String, id: UInt32)] = []

    /// The maximum number of notifications to remember. Users do not leave more than that open.
    static let limit = 200
    private static let byteLimit = 1 << 20

    init(socket: String, last: Int) {
        self.socket = socket
        self.last = last
    }

    /// Reads the file; nil if it is damaged.
    init?(_ content: [UInt8]) {
        guard let document = try? JSONDocument(content, limit: Self.byteLimit),
            var object = try? document.root.object(),
            let socket = try? object.member("socket")?.string(), let last = try? object.member("last")?.integer(),
            last >= 0
        else { return nil }
        self.init(socket: socket, last: last)
        server = try? object.member("server")?.string()
        shown = ((try? object.member("shown")?.object())??.members ?? []).compactMap { key, value in
            (try? value.integer()).flatMap { UInt32(exactly: $0) }.map { (key, $0) }
        }
    }

    var content: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("socket", socket)
        writer.member("last", last)
        writer.member("server", server)
        writer.key("shown")
        writer.beginObject()
        for (alert, id) in shown {
            writer.key(alert)
            writer.integer(Int64(id))
        }
        writer.endObject()
        writer.endObject()
        return writer.bytes + [0x0A]
    }

    func id(of alert: String) -> UInt32 { shown.last { $0.alert == alert }?.id ?? 0 }

    func contains(_ id: UInt32) -> Bool { shown.contains { $0.id == id } }

    mutating func set(_ id: UInt32, of alert: String) {
        remove(alert)
        shown.append((alert, id))
        if shown.count > Self.limit { shown.removeFirst() }
    }

    mutating func remove(_ alert: String) { shown.removeAll { $0.alert == alert } }

    mutating func remove(_ id: UInt32) { shown.removeAll { $0.id == id } }

    static func == (left: Self, right: Self) -> Bool { left.content == right.content }
}
