internal import Engine
internal import History
internal import Market

/// What a poll in which nothing happened changes, as bytes: for each source its name, the record of the engine, and the
/// rows of the open block. Texts and bytes follow their length; what is missing has a length of 0.
extension [UInt8] {
    /// Appends the changes of sources.
    ///
    /// - Returns: whether they are of this kind; otherwise something is missing.
    mutating func appendQuiet(_ sources: [SourceChanges]) -> Bool {
        appendVariable(UInt64(sources.count))
        for source in sources {
            guard source.history.parts.count <= 1 else { return false }
            appendSized("\(source.source)".utf8)
            switch source.engine {
            case nil: appendVariable(0)
            case .part(let alerts, .record(let record)) where alerts.isEmpty: appendSized(record.bytes)
            default: return false
            }
            guard let rows = source.history.parts.first else {
                appendVariable(0)
                continue
            }
            appendSized(rows.bytes)
            appendVariable(UInt64(bitPattern: rows.block))
            appendVariable(UInt64(clamping: rows.firstRow))
            appendVariable(UInt64(clamping: rows.rowCount))
        }
        return true
    }

    private mutating func appendSized(_ bytes: some Collection<UInt8>) {
        appendVariable(UInt64(bytes.count))
        append(contentsOf: bytes)
    }
}

extension ByteReader {
    /// The changes that all further bytes are; nil when they are anything else.
    mutating func quietSources(_ bytes: [UInt8]) -> [SourceChanges]? {
        guard let count = variable(bytes.span), count <= bytes.count else { return nil }
        var sources: [SourceChanges] = []
        for _ in 0..<count {
            guard let source = quietSource(bytes) else { return nil }
            sources.append(source)
        }
        return position == bytes.count ? sources : nil
    }

    private mutating func quietSource(_ bytes: [UInt8]) -> SourceChanges? {
        guard let text = sized(bytes), let name = SourceName(String(decoding: text, as: UTF8.self)),
            let record = sized(bytes), let rows = sized(bytes)
        else { return nil }
        var changes = SourceChanges(name)
        if !record.isEmpty {
            changes.engine = .part(alerts: [], state: .record(EngineRecord(bytes: record, isQuiet: true)))
        }
        guard !rows.isEmpty else { return changes }
        guard let block = variable(bytes.span), let firstRow = variable(bytes.span).flatMap({ Int(exactly: $0) }),
            let rowCount = variable(bytes.span).flatMap({ Int(exactly: $0) })
        else { return nil }
        changes.history.parts = [
            StoredOpenRows(block: Int64(bitPattern: block), firstRow: firstRow, rowCount: rowCount, bytes: rows)
        ]
        changes.history.isUnchanged = true
        return changes
    }

    private mutating func sized(_ bytes: [UInt8]) -> [UInt8]? {
        guard let count = variable(bytes.span), count <= bytes.count - position else { return nil }
        defer { position += Int(count) }
        return Array(bytes[position..<position + Int(count)])
    }
}
