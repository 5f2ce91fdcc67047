internal import Configuration
internal import Diagnostics
internal import Glibc
internal import PriceSources
internal import Storage
internal import Time

/// `alertd --restore FILE`: replaces the state file with a backup.
struct RestoreState {
    let backup: String
    let force: Bool
    let options: DaemonOptions

    /// Restores the backup.
    ///
    /// - Parameter write: writes a text to a descriptor.
    /// - Returns: the exit code.
    func run(write: (String, Int32) -> Void) -> Int32 {
        var time = timespec()
        // The call cannot fail: the clock exists on every Linux.
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        let now = WallTime(milliseconds: Int64(time.tv_sec) &* 1_000)
        do throws(RestorationError) {
            let restored = try Restoration(of: backup, to: folder, at: now).run(force: force)
            write(Self.text(for: restored, backup), STDOUT_FILENO)
            return 0
        } catch {
            write("alertd: \(visible(error.text))\n", STDERR_FILENO)
            return error.isDenied ? 4 : 1
        }
    }

    /// The folder that a daemon with these options would use.
    private var folder: String {
        let settings = try? SettingsLoader().load(options.configuration).settings
        let isSimulated = settings?.feed.source.profile.isSimulated ?? false
        return options.stateFolder + (isSimulated ? "/simulated" : "")
    }

    private static func text(for restored: Restored, _ backup: String) -> String {
        let events = restored.events == 1 ? "1 event" : "\(restored.events) events"
        let previous = restored.previous.map { "The previous state is in \($0).\n" } ?? ""
        return "Restored \(visible(restored.path)) from \(visible(backup)): \(events); "
            + "the next one gets the number \(restored.lastNumber + 1).\n" + previous
    }
}

extension RestorationError {
    /// True if the user lacks permission.
    fileprivate var isDenied: Bool {
        guard case .storage(let error) = self else { return false }
        return error.kind == .denied || error.kind == .readOnly
    }

    /// The problem and what to do about it.
    fileprivate var text: String {
        switch self {
        case .noFolder(let path):
            "\(path): there is no such directory; name another one with --state-dir, or start the daemon once"
        case .hasLog(let path):
            "\(path): has a log next to it (\(path)-wal), so it is not complete; make a backup with 'alertctl backup'"
        case .otherInstance(let backup, let present):
            "the backup is of another state file, created at \(backup); the current one was created at \(present); "
                + "use --force to restore it anyway"
        case .storage(let error) where error.kind == .inUse:
            "\(error.path): \(error.message); stop the daemon first, for example with 'systemctl stop alertd.socket "
                + "alertd.service', and start it again with 'systemctl start alertd'"
        case .storage(let error) where error.kind == .corrupt:
            "\(error.path): is damaged: \(error.message); use another backup"
        case .storage(let error): "\(error.path): \(error.message)"
        }
    }
}
