internal import Charts
internal import Configuration
internal import HTTPServer

/// The static files of the page, read once at the start.
struct WebFiles {
    static let names = [
        "index.html", "page.css", "icon.svg", "page.js", "list.js", "detail.js", "convert.js", "combobox.js",
        "server.js",
        "texts.js",
    ]
    /// Size limit of a file; the largest has about 17 kB.
    private static let limit = 256_000

    private var contents: [String: [UInt8]] = [:]

    /// - Throws: ``ClientError/file(_:)`` if a file is missing.
    init(_ environment: ClientEnvironment) throws(ClientError) {
        let folders = environment.webFolders()
        for name in Self.names {
            guard let bytes = Self.read(name, in: folders, environment.files) else {
                let places = folders.joined(separator: " or ")
                throw .file("\(name): not in \(places.isEmpty ? "share/alertd/web" : places); install alertd again")
            }
            contents["/\(name)"] = bytes
        }
        contents["/"] = contents["/index.html"]
        contents["/chart.css"] = Array(SVGStyle.css.utf8)
    }

    private static func read(_ name: String, in folders: [String], _ files: any SettingsFiles) -> [UInt8]? {
        for folder in folders {
            if case .found(let bytes) = files.contents(of: "\(folder)/\(name)", limit: limit) { return bytes }
        }
        return nil
    }

    var paths: [String] { contents.keys.sorted() }

    func response(_ path: String) -> HTTPServerResponse? {
        guard let bytes = contents[path] else { return nil }
        return HTTPServerResponse(type: Self.type(path), body: bytes)
    }

    private static func type(_ path: String) -> String {
        switch path.split(separator: ".").last {
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        default: "text/html; charset=utf-8"
        }
    }
}
