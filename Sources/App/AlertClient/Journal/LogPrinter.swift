internal import Journal
internal import Market
internal import Time

/// A printer that writes journal entries one at a time, in the requested format.
struct LogPrinter {
    let context: Context
    let filter: LogFilter
    let journal: any JournalSource

    /// Shows the newest entries that the filter accepts, oldest first.
    ///
    /// - Parameters:
    ///   - last: the maximum number of entries; nil for all.
    ///   - isFollowing: true to keep waiting for new entries.
    /// - Returns: the number of entries shown.
    /// - Throws: ``JournalError``.
    func show(last: Int?, isFollowing: Bool) throws(JournalError) -> Int {
        if context.format == .plain(hasHeader: true) { put(Self.columns.map(\.key)) }
        if context.format == .csv(hasHeader: true) { context.environment.write(csvHeader(Self.columns) + "\n") }
        var count = 0
        // The backward search ends at the first entry to show and returns it, so the loop does not read it again.
        var record = if let last { try start(of: last) } else { try startOfRange() }
        while true {
            while let shown = record, isEarlyEnough(shown) {
                if filter.accepts(shown) {
                    show(shown)
                    count += 1
                }
                record = try journal.next()
            }
            guard isFollowing, context.environment.outputFailure() == nil else { return count }
            try journal.wait()
            record = try journal.next()
        }
    }

    private func startOfRange() throws(JournalError) -> JournalRecord? {
        try journal.seek(to: filter.range.since ?? WallTime(milliseconds: 0))
        return try journal.next()
    }

    /// Moves back past `number` entries that the filter accepts, and returns the entry to start at.
    private func start(of number: Int) throws(JournalError) -> JournalRecord? {
        if let until = filter.range.until { try journal.seek(to: until) } else { try journal.seekToEnd() }
        guard number > 0 else {
            // The journal finds new entries if its position is at the last entry, but not if it is past the last
            // entry.
            _ = try journal.previous()
            return nil
        }
        var first: JournalRecord?
        var found = 0
        while found < number, let record = try journal.previous() {
            if let since = filter.range.since, record.time < since { return try journal.next() }
            first = record
            if filter.accepts(record), isEarlyEnough(record) { found += 1 }
        }
        return first
    }

    private func isEarlyEnough(_ record: JournalRecord) -> Bool {
        filter.range.until.map { record.time < $0 } ?? true
    }

    private func show(_ record: JournalRecord) {
        let row = Self.row(record)
        switch context.format {
        case .json:
            context.environment.write(jsonText(of: row, Self.columns) + "\n")
        case .plain: put(row.map { plain($0.value) })
        case .csv: context.environment.write(csvLine(row, Self.columns) + "\n")
        case .human: context.environment.write(line(for: record) + "\n")
        }
    }

    private func put(_ fields: [String]) {
        context.environment.write(fields.joined(separator: "\t") + "\n")
    }

    /// Returns `2026-11-21 07:14:03  warning  btc band  btcinr at …`.
    private func line(for record: JournalRecord) -> String {
        let formatter = context.formatter
        let level = Self.level(record.priority)
        let padding = String(repeating: " ", count: max(0, "critical".count - level.count))
        let emphasis: Emphasis = record.priority <= 4 ? .alarm : record.priority >= 6 ? .muted : .none
        let speaker = record.identifier == "alertd" ? record.values[.rule] : record.identifier
        let texts = [speaker.map { formatter.text(Cell(.text($0))) }, formatter.text(Cell(.text(record.message)))]
        return "\(formatter.stamp(record.time.description))  \(formatter.styled(level, emphasis))\(padding)  "
            + texts.compactMap(\.self).joined(separator: "  ")
    }

    private static func level(_ priority: Int) -> String {
        LogCommand.priorities.last { $0.value <= priority }?.key ?? "critical"
    }

    private static let columns =
        ["time", "level", "kind", "message"].map { Column($0, $0) } + fields.map { Column(key($0), nil) }
        + ["identifier", "pid", "message_id", "cursor"].map { Column($0, nil) }

    private static func row(_ record: JournalRecord) -> [Cell] {
        let facts: [Value] = [
            .time(record.time.description), .text(level(record.priority)), .text(record.kind), .text(record.message),
        ]
        let values = fields.map { value(record.values[$0], of: $0) }
        let origin: [Value] = [
            .text(record.identifier), .count(record.process), .text(record.messageID), .text(record.cursor),
        ]
        return (facts + values + origin).map { Cell($0) }
    }

    /// The fields that have a column of the same name. The kind has a separate column, because entries that are not
    /// events have a kind too.
    private static let fields = JournalField.allCases.filter { $0 != .kind }

    /// Returns the key of a field: `sample_age_ms` for `ALERTD_SAMPLE_AGE_MS`.
    private static func key(_ field: JournalField) -> String {
        field.rawValue.dropFirst("ALERTD_".count).lowercased()
    }

    private static func value(_ text: String?, of field: JournalField) -> Value {
        switch field {
        case .number, .count, .sampleAge: .count(text.flatMap { Int($0) })
        default: .text(text)
        }
    }
}
