internal import Diagnostics

/// The format that the ending of a file name promises.
enum FileEnding {
    /// The endings of common files, by format. A name with another ending, such as a date, promises no format.
    private static let formats: [String: [String]] = [
        "CSV": ["csv"], "JSON lines": ["jsonl", "ndjson"], "OpenMetrics": ["om", "prom", "openmetrics"],
        "SVG": ["svg"], "HTML": ["html", "htm"], "SQLite": ["db", "sqlite", "sqlite3"], "JSON": ["json"],
        "text": ["txt", "tsv", "md"], "spreadsheet": ["xlsx", "xls", "ods"], "XML": ["xml"], "TOML": ["toml"],
        "image": ["png", "jpg", "jpeg", "gif", "webp", "bmp", "tif", "tiff", "avif", "ico"],
        "document": ["pdf", "ps", "eps", "doc", "docx", "odt"], "Parquet": ["parquet"],
        "compressed": ["gz", "bz2", "xz", "zst", "zip", "7z", "tar", "tgz"],
    ]

    /// Returns the ending in lower case; nil for a name without one, and for a hidden file.
    static func of(_ path: String) -> String? {
        guard let name = path.split(separator: "/").last, let dot = name.lastIndex(of: "."), dot != name.startIndex
        else { return nil }
        return name[name.index(after: dot)...].lowercased()
    }

    /// Returns the format of an ending; nil if this program does not know it.
    static func format(of ending: String) -> String? {
        formats.first { $0.value.contains(ending) }?.key
    }

    /// Rejects a file name if its ending promises a format other than the file's.
    ///
    /// - Throws: ``ClientError/usage(_:)``.
    static func check(_ path: String, is format: String) throws(ClientError) {
        guard let ending = of(path), let promised = Self.format(of: ending), promised != format else { return }
        let own = formats[format]?.first ?? ""
        throw .usage(
            "\(visible(path)): the file is written as \(format), not as .\(ending); use a name that ends in .\(own)")
    }
}
