internal import Glibc

/// The user's access to this machine's journal. libsystemd does not report files that it may not open.
enum JournalAccess: Equatable {
    /// The user can read the entries of the system.
    case readable
    /// The user can read only the user's own entries.
    case denied
    /// There is no journal.
    case missing

    /// - Parameters:
    ///   - folders: the folders in which journald keeps its files.
    ///   - machine: the id of this machine, which is the name of a subfolder.
    ///   - fault: the error number of `access` for a path and a mode; nil if it succeeds.
    init(
        folders: [String], machine: String,
        fault: (_ path: String, _ mode: Int32) -> Int32? = { unsafe access($0, $1) == 0 ? nil : errno }
    ) {
        let files = folders.map { "\($0)/\(machine)/system.journal" }
        if folders.allSatisfy({ fault($0, F_OK) != nil }) {
            self = .missing
        } else if files.contains(where: { fault($0, R_OK) == nil }) {
            self = .readable
        } else {
            // If the system has no journal file, there is nothing to which access could be denied.
            self = files.contains { [nil, EACCES].contains(fault($0, F_OK)) } ? .denied : .readable
        }
    }
}
