internal import Configuration
internal import Control
internal import Desktop
internal import Glibc
internal import Journal
internal import Market
internal import Time
internal import UnixSockets

extension ClientEnvironment {
    /// The environment of this process: its variables, terminal and clock, and the daemon at the control socket.
    package static var system: ClientEnvironment {
        openStandardDescriptors()
        var failure: Int32?
        var environment = ClientEnvironment(
            now: wallTime,
            write: { text in
                guard failure == nil, !writeFully(Array(text.utf8)[...], to: STDOUT_FILENO) else { return }
                failure = errno
            },
            warn: { _ = writeFully(Array($0.utf8)[...], to: STDERR_FILENO) },
            connect: { (target) throws(ClientError) in try SocketConnection(target) },
            pause: { usleep(UInt32(clamping: $0.count) &* 1_000) },
            checkFiles: { SettingsLoader(files: settingsFiles($0)).check($0) })
        environment.variables = variables(["ALERTD_SOCKET", "NO_COLOR", "CLICOLOR_FORCE", "FORCE_COLOR", "TERM"])
            .merging(
                variables([
                    "LC_ALL", "LC_CTYPE", "LANG", "COLUMNS", "LINES", "COLORTERM", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME",
                    "XDG_STATE_HOME", "HOME",
                    DisplayChoice.variable, "COLORFGBG", TerminalBackground.variable,
                ])
            ) {
                first, _ in first
            }
        let folder = configurationFolder(environment.variables)
        environment.userFolder = folder
        environment.webFolders = { sharedFiles("web") }
        environment.assetFiles = {
            sharedFiles("assets.toml") + ["/etc/alertd/assets.toml"] + (folder.map { ["\($0)/assets.toml"] } ?? [])
        }
        environment.exists = { path in unsafe access(path, F_OK) == 0 }
        environment.outputFailure = { failure.map { "cannot write to standard output: \(describe($0))" } }
        environment.isTerminal = isatty(STDOUT_FILENO) == 1
        environment.width = terminalWidth(environment.variables["COLUMNS"])
        environment.height = terminalHeight(environment.variables["LINES"])
        environment.page = { Pager(variables(Pager.variables))?.show($0) ?? false }
        environment.zone = localZone
        environment.decimalSign = localDecimalSign
        environment.settingsFiles = settingsFiles
        environment.ask = Question.ask
        environment.edit = { path, line in Editor(variables(Editor.variables)).open(path, atLine: line) }
        environment.runDaemon = { CapturedProgram(ownFolder.map { "\($0)/alertd" } ?? "alertd").run($0) }
        environment.runProgram = { name, arguments, input in
            CapturedProgram.find(name).flatMap { $0.run(arguments, input: input) }
        }
        environment.isRoot = geteuid() == 0
        environment.askSecret = { HiddenQuestion.ask($0) }
        environment.askLine = { HiddenQuestion.ask($0, isShown: true) }
        environment.workingFolder = { process in link("/proc/\(process)/cwd") }
        environment.openJournal = { (scope) throws(JournalError) in
            try JournalReader(scope: scope, unit: LogCommand.unit)
        }
        environment.openDesktop = { () throws(DesktopError) in try BusNotificationServer() }
        environment.read = UserFile.read
        environment.replace = { path, content in (try? UserFile.replace(path, content)) != nil }
        environment.wait = { descriptor, events, limit in
            var entry = pollfd(fd: descriptor, events: events, revents: 0)
            _ = unsafe poll(&entry, 1, Int32(clamping: limit.count))
        }
        environment.canReadSystemJournal = { JournalReader.isSystemReadable }
        return environment
    }

    private static func settingsFiles(_ paths: [String]) -> any SettingsFiles {
        LocalFiles(as: FileReader.service(of: paths))
    }

    private static func variables(_ names: [String]) -> [String: String] {
        var found: [String: String] = [:]
        for name in names {
            if let value = unsafe getenv(name) { found[name] = unsafe String(cString: value) }
        }
        return found
    }

    /// COLUMNS takes precedence over the terminal's width, so that users and tests can choose the width.
    private static func terminalWidth(_ columns: String?) -> Int? {
        if let columns, let width = Int(columns), width > 0 { return width }
        return terminalSize.map { Int($0.ws_col) }
    }

    private static func terminalHeight(_ lines: String?) -> Int? {
        if let lines, let height = Int(lines), height > 0 { return height }
        return terminalSize.map { Int($0.ws_row) }
    }

    /// The size of the terminal; nil without one.
    private static var terminalSize: winsize? {
        var size = winsize()
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        return size
    }
}

/// The folder for the user's own files; nil without a home folder.
private func configurationFolder(_ variables: [String: String]) -> String? {
    if let folder = variables["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return "\(folder)/alertctl" }
    return variables["HOME"].flatMap { $0.hasPrefix("/") ? "\($0)/.config/alertctl" : nil }
}

/// Returns the path of a file in `share/alertd`: in the prefix where this program is installed, or in the checkout
/// where it was built. Empty if the path of the program is unknown.
private func sharedFiles(_ name: String) -> [String] {
    guard let program = link("/proc/self/exe") else { return [] }
    var folders = program.split(separator: "/").dropLast()
    let isBuild = folders.contains(".build")
    if isBuild { folders = folders.prefix { $0 != ".build" } } else { folders = folders.dropLast() }
    return ["/" + (folders + ["share", "alertd", Substring(name)]).joined(separator: "/")]
}

/// The folder that contains this program.
private var ownFolder: String? {
    link("/proc/self/exe").flatMap { path in path.lastIndex(of: "/").map { String(path[..<$0]) } }
}

/// Returns the target of a symbolic link; nil if it cannot be read.
private func link(_ path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
        guard let start = bytes.baseAddress else { return -1 }
        return unsafe readlink(path, start.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
}

private func wallTime() -> WallTime {
    var time = timespec()
    // This cannot fail: every Linux has this clock.
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return WallTime(milliseconds: Int64(time.tv_sec) &* 1_000 &+ Int64(time.tv_nsec) / 1_000_000)
}

/// Returns the decimal sign of the locale; a point if the locale is not installed.
private func localDecimalSign() -> Character {
    guard let locale = unsafe newlocale(1 << LC_NUMERIC, "", nil) else { return "." }
    defer { unsafe freelocale(locale) }
    // RADIXCHAR: Swift does not import this macro.
    guard let text = unsafe nl_langinfo_l(0x10000, locale) else { return "." }
    return unsafe String(cString: text) == "," ? "," : "."
}

private func localZone(at time: WallTime) -> LocalZone {
    var seconds = time_t(time.milliseconds / 1_000)
    var fields = unsafe tm()
    guard unsafe localtime_r(&seconds, &fields) != nil else { return LocalZone(offsetSeconds: 0, name: "UTC") }
    let name = unsafe fields.tm_zone.map { unsafe String(cString: $0) } ?? ""
    return LocalZone(offsetSeconds: unsafe fields.tm_gmtoff, name: name)
}
