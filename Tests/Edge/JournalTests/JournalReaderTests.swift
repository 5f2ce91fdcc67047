import Glibc
import Testing
import Time

@testable import Journal

/// What is read from the journal; that it is read is tested with the programs.
struct JournalReaderTests {
    @Test func aRecordHasTheFieldsOfTheEntry() {
        let fields = [
            "MESSAGE": "feed: request timed out", "MESSAGE_ID": MessageID.feedFailed.text, "PRIORITY": "4",
            "SYSLOG_IDENTIFIER": "systemd", "_PID": "812", "ALERTD_FAILURE": "timeout", "ALERTD_COUNT": "3",
            "ALERTD_UNKNOWN": "x",
        ]
        let record = JournalRecord(time: WallTime(milliseconds: 1_234), cursor: "s=1;i=2") { fields[$0] }
        #expect(record.time == WallTime(milliseconds: 1_234) && record.cursor == "s=1;i=2")
        #expect(record.message == "feed: request timed out" && record.kind == "feed_failed")
        #expect(record.priority == 4 && record.identifier == "systemd" && record.process == 812)
        #expect(record.values == [.failure: "timeout", .count: "3"])
    }

    @Test func whatAnEntryLacksHasAUsualValue() {
        let record = JournalRecord(time: WallTime(milliseconds: 0), cursor: "") { _ in nil }
        #expect(record.priority == 6 && record.message.isEmpty && record.process == nil)
        #expect(record.identifier == nil && record.messageID == nil && record.values.isEmpty)
    }

    @Test func numbersThatAreNoneCountAsMissing() {
        let record = JournalRecord(time: WallTime(milliseconds: 0), cursor: "") { _ in "many" }
        #expect(record.priority == 6 && record.process == nil)
    }

    @Test func theSystemHasTheEntriesOfTheUnitAndWhatSystemdSaysOfIt() {
        #expect(
            JournalScope.system.alternatives(unit: "alertd.service", user: 7)
                == [["_SYSTEMD_UNIT=alertd.service"], ["UNIT=alertd.service", "_PID=1"]])
    }

    /// Otherwise another user could write entries that look like those of one's own daemon.
    @Test func eachAlternativeOfAUserIsLimitedToThatUser() {
        let alternatives = JournalScope.user.alternatives(unit: "alertd.service", user: 1_000)
        #expect(alternatives.allSatisfy { $0.contains("_UID=1000") })
        #expect(
            alternatives.map { $0[0] }
                == ["_SYSTEMD_USER_UNIT=alertd.service", "USER_UNIT=alertd.service", "SYSLOG_IDENTIFIER=alertd"])
        let system = JournalScope.system.alternatives(unit: "alertd.service", user: 1_000)
        #expect(JournalScope.both.alternatives(unit: "alertd.service", user: 1_000) == system + alternatives)
    }
}

/// Whether the journal can be read, by what `access` says of its files.
struct JournalAccessTests {
    private let system = ["/var/log/journal/abc/system.journal", "/run/log/journal/abc/system.journal"]

    /// With folders that exist, files that can be read, and the errors of others; 0 for a file that exists but cannot
    /// be read.
    private func access(
        folders: [String] = ["/var/log/journal"], readable: [String] = [], faults: [String: Int32] = [:]
    ) -> JournalAccess {
        JournalAccess(folders: ["/var/log/journal", "/run/log/journal"], machine: "abc") { path, mode in
            if folders.contains(path) || readable.contains(path) { return nil }
            let fault = faults[path] ?? ENOENT
            return fault == 0 ? (mode == R_OK ? EACCES : nil) : fault
        }
    }

    @Test func withoutAFolderThereIsNoJournal() {
        #expect(access(folders: []) == .missing)
        #expect(access(folders: [], readable: system) == .missing)
        #expect(access(folders: ["/run/log/journal"]) != .missing)
    }

    @Test func oneReadableFileOfTheSystemIsEnough() {
        for file in system { #expect(access(readable: [file]) == .readable) }
        #expect(access(readable: [system[1]], faults: [system[0]: 0]) == .readable)
    }

    @Test func aFileThatIsThereButCannotBeReadIsDenied() {
        for file in system {
            #expect(access(faults: [file: 0]) == .denied)
            #expect(access(faults: [file: EACCES]) == .denied, "its folder cannot be searched")
        }
    }

    @Test func withoutAFileOfTheSystemNothingIsDenied() {
        #expect(access() == .readable)
        #expect(access(faults: [system[0]: ENOENT, system[1]: ENOENT]) == .readable)
        #expect(access(readable: ["/var/log/journal/other/system.journal"]) == .readable)
    }
}
