/// The names of assets: `Bitcoin` for `btc`.
package struct AssetNames: Sendable {
    /// The largest file: far more than all assets of an exchange need.
    private static let fileLimit = 1 << 20
    /// A longer name is cut.
    private static let lengthLimit = 64

    private var names: [String: String] = [:]
    /// The assets that the user named, not the files that come with the program.
    private var own: Set<String> = []
    /// What is wrong with the files, one line each; they are ignored from there on.
    package private(set) var faults: [String] = []

    /// No names.
    package init() {}

    /// Reads files of names; later ones replace names of earlier ones. A missing file is not a fault.
    ///
    /// - Parameters:
    ///   - paths: The files, in TOML with one table `names`.
    ///   - files: Where they are read from.
    package init(_ paths: [String], files: any SettingsFiles) {
        for path in paths {
            switch files.contents(of: path, limit: Self.fileLimit) {
            case .missing: continue
            case .failed(let reason, _): faults.append("\(path): \(reason)")
            case .found(let bytes): read(bytes, path)
            }
        }
    }

    /// The same with names that a price service knows: they come before those of the program's own file, and after
    /// those of the user.
    package func adding(_ served: [String: String]) -> AssetNames {
        var all = self
        for (asset, name) in served where !own.contains(asset.lowercased()) {
            all.names[asset.lowercased()] = String(name.prefix(Self.lengthLimit))
        }
        return all
    }

    /// The file that comes with the program.
    private static func isShipped(_ path: String) -> Bool { path.hasSuffix("share/alertd/assets.toml") }

    /// Whether no asset has a name.
    package var isEmpty: Bool { names.isEmpty }

    /// The name of an asset, in either case; nil if it is not known.
    package func name(of asset: String) -> String? { names[asset.lowercased()] }

    /// The asset with a name, in either case: `btc` for `Bitcoin`; of several, the one with the shortest code. Nil if
    /// none has it.
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
