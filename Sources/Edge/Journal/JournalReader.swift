internal import CSystemd.Journal
internal import Glibc
internal import Market
package import Time

/// A reader of alertd's entries in this machine's journal.
@safe
package final class JournalReader: JournalSource {
    /// The length at which values are truncated. No line that people read is longer.
    private static let longestValue = 64 << 10

    private let journal: OpaquePointer

    /// Opens the journal.
    ///
    /// - Parameters:
    ///   - scope: the entries to read.
    ///   - unit: the name of the service unit.
    /// - Throws: ``JournalError``; `denied` if the scope is `system` and the user may not read the system's entries.
    package init(scope: JournalScope, unit: String) throws(JournalError) {
        let access = Self.access
        if access == .missing { throw .missing }
        if access == .denied, case .system = scope { throw .denied }
        var opened: OpaquePointer?
        let status = unsafe sd_journal_open(&opened, Int32(SD_JOURNAL_LOCAL_ONLY))
        guard status >= 0, let journal = unsafe opened else { throw .failed(-status) }
        unsafe self.journal = journal
        unsafe sd_journal_set_data_threshold(journal, Self.longestValue)
        try match(scope, unit: unit)
    }

    deinit {
        unsafe sd_journal_close(journal)
    }

    /// True if the entries of the system can be read.
    package static var isSystemReadable: Bool { access == .readable }

    private static var access: JournalAccess {
        JournalAccess(folders: ["/var/log/journal", "/run/log/journal"], machine: machineID)
    }

    private static var machineID: String {
        var text = [CChar](repeating: 0, count: 33)
        guard unsafe alertd_machine_id(&text) >= 0 else { return "" }
        return String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func match(_ scope: JournalScope, unit: String) throws(JournalError) {
        for alternative in scope.alternatives(unit: unit, user: getuid()) {
            for text in alternative {
                let bytes = Array(text.utf8)
                try check(unsafe sd_journal_add_match(journal, bytes, bytes.count))
            }
            try check(unsafe sd_journal_add_disjunction(journal))
        }
    }

    /// Moves before the first entry at or after the time, which ``next()`` then returns.
    package func seek(to time: WallTime) throws(JournalError) {
        let microseconds = UInt64(clamping: time.milliseconds).multipliedReportingOverflow(by: 1_000).partialValue
        try check(unsafe sd_journal_seek_realtime_usec(journal, microseconds))
    }

    /// Moves after the last entry, which ``previous()`` then returns.
    package func seekToEnd() throws(JournalError) {
        try check(unsafe sd_journal_seek_tail(journal))
    }

    /// Moves to the next entry that matches and returns it; nil at the end.
    package func next() throws(JournalError) -> JournalRecord? {
        try check(unsafe sd_journal_next(journal)) > 0 ? try record() : nil
    }

    /// Moves to the previous entry that matches and returns it; nil at the beginning.
    package func previous() throws(JournalError) -> JournalRecord? {
        try check(unsafe sd_journal_previous(journal)) > 0 ? try record() : nil
    }

    /// Waits until entries are added, without a time limit.
    package func wait() throws(JournalError) {
        try check(unsafe sd_journal_wait(journal, .max))
    }

    private func record() throws(JournalError) -> JournalRecord {
        var microseconds: UInt64 = 0
        try check(unsafe sd_journal_get_realtime_usec(journal, &microseconds))
        return JournalRecord(
            time: WallTime(milliseconds: Int64(clamping: microseconds / 1_000)), cursor: cursor, value: value)
    }

    /// Returns the value of a field of the current entry. Invalid UTF-8 is replaced.
    private func value(_ field: String) -> String? {
        var data: UnsafeRawPointer?
        var count = 0
        let status = unsafe sd_journal_get_data(journal, field, &data, &count)
        guard status >= 0, let data = unsafe data else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(start: data, count: count).dropFirst(field.utf8.count + 1)
        return unsafe String(decoding: bytes, as: UTF8.self)
    }

    private var cursor: String {
        var text: UnsafeMutablePointer<CChar>?
        guard unsafe sd_journal_get_cursor(journal, &text) >= 0, let text = unsafe text else { return "" }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }

    @discardableResult
    private func check(_ status: Int32) throws(JournalError) -> Int32 {
        guard status >= 0 else { throw .failed(-status) }
        return status
    }
}
