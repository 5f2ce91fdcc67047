/// The tables of the main file and of the files in `conf.d`, merged into one file.
///
/// A key in a later file replaces the same key of the same table in an earlier one. `[[source]]`, `[[receiver]]`,
/// `[[check]]` and `[[rule]]` tables are appended to those of earlier files.
struct MergedSettings {
    /// The texts, by the file index of a position.
    private(set) var sources: [SourceText] = []
    private(set) var byteCount = 0
    private var files: [[TOMLEntry]] = []

    mutating func add(_ entries: [TOMLEntry], from source: SourceText) {
        let file = sources.count
        sources.append(source)
        byteCount += source.byteCount
        files.append(file == 0 ? entries : entries.map { $0.moved(toFile: file) })
    }

    /// Returns the known tables, each merged from all files. Reports unknown tables, and tables with the wrong
    /// brackets.
    func entries(_ context: FileContext) -> [TOMLEntry] {
        var merged: [TOMLEntry] = []
        for entry in files.joined() {
            guard let table = SettingsReference.Table(rawValue: entry.key) else {
                context.unknownTable(entry)
                continue
            }
            if let place = merged.firstIndex(where: { $0.key == entry.key }) {
                merged[place].add(entry, of: table, context)
            } else {
                merged.append(entry)
            }
        }
        return merged
    }
}

extension TOMLEntry {
    /// True if the entry is a table without keys, which has no effect.
    var isEmptyTable: Bool {
        if case .table(let entries) = node.value { entries.isEmpty } else { false }
    }

    /// Adds the content of the same table in a later file.
    fileprivate mutating func add(_ other: TOMLEntry, of table: SettingsReference.Table, _ context: FileContext) {
        switch (node.value, other.node.value) {
        case (.table(var entries), .table(let others)) where !table.hasMany:
            for entry in others {
                if let place = entries.firstIndex(where: { $0.key == entry.key }) {
                    entries[place] = entry
                } else {
                    entries.append(entry)
                }
            }
            node.value = .table(entries)
        case (.array(let elements), .array(let others)) where table.hasMany:
            node.value = .array(elements + others)
        default:
            // If the entry that is kept has the wrong shape too, the reader of its table reports it.
            if table.fits(other.node.value), !table.fits(node.value) {
                context.wrongShape(self, of: table)
                self = other
            } else {
                context.wrongShape(other, of: table)
            }
        }
    }

    fileprivate func moved(toFile file: Int) -> TOMLEntry {
        var entry = self
        entry.keyPosition.file = file
        entry.node = node.moved(toFile: file)
        return entry
    }
}

extension TOMLNode {
    /// Recurses as deep as the document, whose depth the parser limits.
    fileprivate func moved(toFile file: Int) -> TOMLNode {
        var node = self
        node.position.file = file
        switch value {
        case .table(let entries): node.value = .table(entries.map { $0.moved(toFile: file) })
        case .array(let elements): node.value = .array(elements.map { $0.moved(toFile: file) })
        default: break
        }
        return node
    }
}

extension SettingsReference.Table {
    fileprivate func fits(_ value: TOMLValue) -> Bool {
        switch value {
        case .table: !hasMany
        case .array: hasMany
        default: false
        }
    }
}
