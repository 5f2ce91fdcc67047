/// Settings files in which one file has different content, as it would be after a change.
package struct ReplacedFile: SettingsFiles {
    private let base: any SettingsFiles
    private let path: String
    private let bytes: [UInt8]

    /// - Parameters:
    ///   - path: The file, which need not exist. The path must equal the one that the loader builds from the main
    ///     file's folder.
    ///   - bytes: The content of that file.
    ///   - base: The other files.
    package init(_ path: String, with bytes: [UInt8], in base: any SettingsFiles) {
        (self.path, self.bytes, self.base) = (path, bytes, base)
    }

    package func contents(of path: String, limit: Int) -> FileAnswer<[UInt8]> {
        guard path == self.path else { return base.contents(of: path, limit: limit) }
        return bytes.count <= limit ? .found(bytes) : .failed("it is larger than \(limit) bytes")
    }

    package func names(in folder: String) -> FileAnswer<[String]> {
        let names = base.names(in: folder)
        guard let slash = path.lastIndex(of: "/"), path[..<slash] == folder else { return names }
        let own = String(path[path.index(after: slash)...])
        return switch names {
        case .found(let others): .found(others.contains(own) ? others : others + [own])
        case .missing: .found([own])
        case .failed: names
        }
    }
}
