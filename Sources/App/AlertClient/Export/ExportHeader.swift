internal import JSON

/// The description of an export in its first line: a JSON object or, in CSV, a comment with one.
struct ExportHeader: Equatable {
    static let currentFormat = 1
    static let prices = "prices"
    static let events = "events"
    static let candles = "candles"
    private static let commentMark = "# alertctl export: "

    /// The kind of records: `prices`, `candles` or `events`.
    var what: String
    var format = currentFormat
    /// The version of alertctl that wrote the export.
    var version: String
    /// The source of the prices: `wazirx`, `simulator`.
    var source: String
    /// True if the prices come from the simulated market.
    var simulated: Bool
    var exported: String
    var timeZone = "UTC"
    /// The requested patterns; empty for all symbols.
    var symbols: [String]
    var since: String?
    var until: String?
}

extension ExportHeader: JSONReadable, JSONWritable {
    init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        what = try object.read("alertctl_export")
        format = try object.read("format")
        version = try object.read("version")
        source = try object.read("source")
        simulated = try object.read("simulated")
        exported = try object.read("exported")
        timeZone = try object.read("time_zone")
        symbols = try object.read("symbols")
        since = try object.readIfPresent("since")
        until = try object.readIfPresent("until")
    }

    /// Writes the kind of records first, because its key identifies the object as a header.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("alertctl_export", what)
        writer.member("format", format)
        writer.member("version", version)
        writer.member("source", source)
        writer.member("simulated", simulated)
        writer.member("exported", exported)
        writer.member("time_zone", timeZone)
        writer.member("symbols", symbols)
        writer.member("since", since)
        writer.member("until", until)
        writer.endObject()
    }
}

extension ExportHeader {
    /// The maximum size of a header, in bytes. A header written by alertctl has about 300 bytes plus the symbol
    /// patterns.
    private static let limit = 64 << 10

    /// Reads the first line of JSON lines; nil if it is not a header.
    init?(json: String) {
        guard let document = try? JSONDocument(Array(json.utf8), limit: Self.limit) else { return nil }
        try? self.init(json: document.root)
    }

    /// Reads a comment of CSV; nil if it is not a header.
    init?(comment: String) {
        guard comment.hasPrefix(Self.commentMark) else { return nil }
        self.init(json: String(comment.dropFirst(Self.commentMark.count)))
    }

    var json: String { String(decoding: JSONWriter.text(of: self), as: UTF8.self) }

    var comment: String { Self.commentMark + json }
}

/// The last line of an export; without it, the export was interrupted.
struct ExportEnd: Equatable {
    private static let commentMark = "# complete, records: "

    var records: Int

    init(records: Int) {
        self.records = records
    }

    init?(comment: String) {
        guard comment.hasPrefix(Self.commentMark), let records = Int(comment.dropFirst(Self.commentMark.count)) else {
            return nil
        }
        self.records = records
    }

    var json: String { "{\"complete\":true,\"records\":\(records)}" }
    var comment: String { Self.commentMark + String(records) }
}
