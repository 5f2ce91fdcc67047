/// Why something of the state file could not be read or written.
package struct StorageError: Error, Equatable, Sendable {
    /// What went wrong, as far as it decides what to do.
    package enum Kind: String, CaseIterable, Sendable {
        /// No room on the disk, or a quota.
        case full
        /// The file system, the folder or the file may not be written.
        case readOnly = "read_only"
        /// Another program holds the file locked.
        case locked
        /// The file is damaged.
        case corrupt
        /// A newer version of the program made the file.
        case newerSchema = "newer_schema"
        /// The file is a database of another program, or no ordinary file.
        case foreign
        /// Another daemon keeps its state in the folder.
        case inUse = "in_use"
        /// The file was removed or replaced while it was open.
        case replaced
        /// No permission to read, or a folder that is not there.
        case denied
        /// The device or the file system failed.
        case io
        /// An event is to be written under a number that another event has.
        case numberTaken = "number_taken"
        /// The file to be written exists.
        case exists
        /// The store is not open.
        case closed
        /// Anything else: no memory, or a fault of the program.
        case other
    }

    package let kind: Kind
    /// The file that it is about.
    package let path: String
    /// SQLite's own words, or the system's.
    package let message: String
    /// SQLite's extended result code; 0 when SQLite has no part in it.
    package let code: Int32

    package init(_ kind: Kind, path: String, message: String, code: Int32 = 0) {
        self.kind = kind
        self.path = path
        self.message = message
        self.code = code
    }

    /// What a person can do.
    package var advice: String {
        switch kind {
        case .full: "make room on its file system"
        case .readOnly: "make its file system, folder and file writable"
        case .locked: "end the program that holds it locked"
        case .corrupt: "check the disk; the damaged file is set aside when it is opened next"
        case .newerSchema: "run the version that made it, or move the file away"
        case .foreign: "move the file away, or choose another folder"
        case .inUse: "stop the other daemon, or choose another folder"
        case .replaced: "nothing: it is opened anew"
        case .denied: "give the daemon's user access to its folder and file"
        case .io: "check the disk and the kernel's log"
        case .numberTaken: "nothing: the events get other numbers"
        case .exists: "choose another name, or remove the file"
        case .closed: "nothing: it is opened again with the next attempt"
        case .other: "report it with the words above"
        }
    }

    /// Whether the store has closed the file because of it, so that it has to be opened anew.
    package var requiresReopening: Bool {
        switch kind {
        case .corrupt, .replaced, .closed, .newerSchema, .foreign: true
        default: false
        }
    }
}

extension StorageError: CustomStringConvertible {
    /// `/var/lib/alertd/alertd.db: database or disk is full; make room on its file system`
    package var description: String { "\(path): \(message); \(advice)" }
}
