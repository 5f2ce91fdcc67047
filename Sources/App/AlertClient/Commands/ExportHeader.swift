internal import FoundationEssentials

/// What an export says of itself: the first line, as an object in JSON lines and in a comment in CSV.
struct ExportHeader: Codable, Equatable {
    static let currentFormat = 1
    static let prices = "prices"
    static let events = "events"
    private static let commentMark = "# alertctl export: "

    /// `prices` or `events`.
    var what: String
    var format = currentFormat
    /// Of the alertctl that wrote it.
    var version: String
    /// Where the prices came from: `wazirx`, `simulator`.
    var source: String
    /// Whether the prices are made up.
    var simulated: Bool
    var exported: String
    var timeZone = "UTC"
    /// The patterns that were asked for; empty for all symbols.
    var symbols: [String]
    var since: String?
    var until: String?

    enum CodingKeys: String, CodingKey {
        case what = "alertctl_export"
        case format, version, source, simulated, exported
        case timeZone = "time_zone"
        case symbols, since, until
    }
}

extension ExportHeader {
    /// Reads the first line of JSON lines; nil when it is none.
    init?(json: String) {
        guard let header = try? JSONDecoder().decode(Self.self, from: Data(json.utf8)) else { return nil }
        self = header
    }

    /// Reads a comment of CSV; nil when it is none.
    init?(comment: String) {
        guard comment.hasPrefix(Self.commentMark) else { return nil }
        self.init(json: String(comment.dropFirst(Self.commentMark.count)))
    }

    /// In the order of the fields above, so that what it is comes first.
    var json: String {
        jsonObject([
            (CodingKeys.what.rawValue, jsonString(what)), ("format", String(format)), ("version", jsonString(version)),
            ("source", jsonString(source)), ("simulated", simulated ? "true" : "false"),
            ("exported", jsonString(exported)), (CodingKeys.timeZone.rawValue, jsonString(timeZone)),
            ("symbols", AlertClient.json(.list(symbols))), ("since", AlertClient.json(.time(since))),
            ("until", AlertClient.json(.time(until))),
        ])
    }

    var comment: String { Self.commentMark + json }
}

/// The last line of an export: without it, the export was interrupted.
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
