/// An error in reading or writing the state file.
package struct StorageError: Error, Equatable, Sendable {
    /// The kinds of errors that call for different actions.
    package enum Kind: String, CaseIterable, Sendable {
        /// The disk is full, or a quota was reached.
        case full
        /// The file system, the folder or the file is not writable.
        case readOnly = "read_only"
        /// Another program has locked the file.
        case locked
        /// The file is damaged.
        case corrupt
        /// Another version of the program created the file.
        case otherSchema = "other_schema"
        /// The file is a database of another program, or not a regular file.
        case foreign
        /// Another daemon uses the folder.
        case inUse = "in_use"
        /// The file was removed or replaced while it was open.
        case replaced
        /// No permission to read, or a folder that does not exist.
        case denied
        /// The device or the file system failed.
        case io
        /// Another event already has the number of an event to be written.
        case numberTaken = "number_taken"
        /// The file to be written already exists.
        case exists
        /// The store is not open.
        case closed
        /// Anything else: out of memory, or a bug.
        case other
    }

    package let kind: Kind
    package let path: String
    /// The message, without a full stop.
    package let message: String
    /// SQLite's extended result code, or 0 if the error is not SQLite's.
    package let code: Int32

    package init(_ kind: Kind, path: String, message: String, code: Int32 = 0) {
        self.kind = kind
        self.path = path
        self.message = message
        self.code = code
    }

    /// Advice on what to do about the error.
    package var advice: String {
        switch kind {
        case .full: "free some space on its file system"
        case .readOnly: "make its file system, directory and file writable"
        case .locked: "stop the program that has locked it"
        case .corrupt: "check the disk; the damaged file is renamed the next time it is opened"
        case .otherSchema: "run the version that created it, or move the file away"
        case .foreign: "move the file away, or choose another directory"
        case .inUse: "stop the other daemon, or choose another directory"
        case .replaced: "nothing to do: it is reopened"
        case .denied: "give the daemon's user access to the file and its directory"
        case .io: "check the disk and the kernel's log"
        case .numberTaken: "nothing to do: the events get new numbers"
        case .exists: "choose another name, or remove the file"
        case .closed: "nothing to do: it is reopened at the next attempt"
        case .other: "report it as a bug, with this message"
        }
    }

    /// True if the store has closed the file because of this error, so that it must be opened again.
    package var requiresReopening: Bool {
        switch kind {
        case .corrupt, .replaced, .closed, .otherSchema, .foreign: true
        default: false
        }
    }
}

extension StorageError: CustomStringConvertible {
    /// A text such as `/var/lib/alertd/alertd.db: database or disk is full; free some space on its file system`.
    package var description: String { "\(path): \(message); \(advice)" }
}
