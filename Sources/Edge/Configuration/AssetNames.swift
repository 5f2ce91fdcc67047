/// The names of assets: `Bitcoin` for `btc`.
package struct AssetNames: Sendable {
    /// The maximum size of a file in bytes, far more than all assets of an exchange need.
    private static let fileLimit = 1 << 20
    /// The maximum length of a name in characters. Longer names are cut.
    private static let lengthLimit = 64

    private var names: [String: String] = [:]
    /// The assets named in the user's files rather than in the file that comes with the program.
    private var own: Set<String> = []
    /// Faults in the files, one line each. A malformed file is ignored, and so is each faulty entry of any other
    /// file.
    package private(set) var faults: [String] = []

    package init() {}

    /// Reads files of names. Later files override earlier ones. A missing file is not a fault.
    ///
    /// - Parameters:
    ///   - paths: TOML files with a table `names`.
    ///   - files: The file system to read from.
    package init(_ paths: [String], files: any SettingsFiles) {
        for path in paths {
            switch files.contents(of: path, limit: Self.fileLimit) {
            case .missing: continue
            case .failed(let reason, _): faults.append("\(path): \(reason)")
            case .found(let bytes): read(bytes, path)
            }
        }
    }

    /// Returns the names together with the names of a price service, which override the program's own file, but not
    /// the user's files.
    package func adding(_ served: [String: String]) -> AssetNames {
        var all = self
        for (asset, name) in served where !own.contains(asset.lowercased()) {
            all.names[asset.lowercased()] = String(name.prefix(Self.lengthLimit))
        }
        return all
    }

    /// Returns true for the file that comes with the program.
    private static func isShipped(_ path: String) -> Bool { path.hasSuffix("share/alertd/assets.toml") }

    package var isEmpty: Bool { names.isEmpty }

    /// Returns the name of an asset, whose code may be in either case, or nil if it is unknown.
    package func name(of asset: String) -> String? { names[asset.lowercased()] }

    /// Returns the asset with a name, ignoring case: `btc` for `Bitcoin`. If several assets have the name, returns
    /// the one with the shortest code. Returns nil if none has it.
    package func asset(named name: String) -> String? {
        let wanted = name.lowercased()
        return names.filter { $0.value.lowercased() == wanted }.keys
            .min { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
    }

    private mutating func read(_ bytes: [UInt8], _ path: String) {
        switch TOMLDocument(parsing: bytes) {
        case .malformed(let message, let position):
            faults.append("\(path):\(position.line):\(position.column): \(message)")
        case .table(let entries):
            for entry in entries {
                guard entry.key == "names", case .table(let names) = entry.node.value else {
                    faults.append("\(path):\(entry.keyPosition.line): '\(entry.key)' is not known; use [names]")
                    continue
                }
                read(names, path)
            }
        }
    }

    private mutating func read(_ entries: [TOMLEntry], _ path: String) {
        for entry in entries {
            guard case .string(let name) = entry.node.value, !name.isEmpty else {
                faults.append("\(path):\(entry.keyPosition.line): the name of '\(entry.key)' is not a string")
                continue
            }
            names[entry.key.lowercased()] = String(name.prefix(Self.lengthLimit))
            if !Self.isShipped(path) { own.insert(entry.key.lowercased()) }
        }
    }
}
