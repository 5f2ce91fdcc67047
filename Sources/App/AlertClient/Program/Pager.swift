internal import Glibc

/// The pager: a program that shows long output a screen at a time, as in git and systemctl.
struct Pager {
    /// The environment variables that name the pager, and those that configure less.
    static let variables = ["ALERTCTL_PAGER", "PAGER", "LESS", "LESSCHARSET", "LESSCHARDEF"]

    private let command: String
    /// True if the user has set options of less.
    private let hasOptions: Bool
    /// True if the user has set the character set of less.
    private let hasCharacterSet: Bool

    /// Returns nil if the user has turned the pager off.
    init?(_ variables: [String: String]) {
        let chosen = variables["ALERTCTL_PAGER"] ?? variables["PAGER"] ?? "less"
        guard !["", "cat"].contains(chosen) else { return nil }
        command = chosen
        hasOptions = variables["LESS"] != nil
        hasCharacterSet = ["LESSCHARSET", "LESSCHARDEF"].contains { variables[$0] != nil }
    }

    /// Shows a text and waits until the pager exits; false if it cannot be started.
    func show(_ text: String) -> Bool {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return false }
        // The pager must not inherit the write end: it would never see the end of its input.
        _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
        guard let process = start(reading: ends[0]) else {
            close(ends[0])
            close(ends[1])
            return false
        }
        close(ends[0])
        // The user may quit the pager before it has read everything.
        let former = signal(SIGPIPE, SIG_IGN)
        _ = writeFully(Array(text.utf8)[...], to: ends[1])
        close(ends[1])
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        _ = signal(SIGPIPE, former)
        // 127 is the shell's exit code for a command that was not found.
        return status >> 8 & 0xFF != 127
    }

    private func start(reading input: Int32) -> pid_t? {
        var actions = unsafe posix_spawn_file_actions_t()
        guard unsafe posix_spawn_file_actions_init(&actions) == 0 else { return nil }
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        guard unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) == 0 else { return nil }
        // F: exit if the text fits the screen; R: show colours; X: keep the text on the screen.
        if !hasOptions { unsafe setenv("LESS", "FRX", 1) }
        // The text is ASCII unless the user's locale is a UTF-8 locale. If that locale is not installed, less would
        // not recognize it.
        if !hasCharacterSet { unsafe setenv("LESSCHARSET", "utf-8", 1) }
        let words = ["/bin/sh", "-c", "exec \(command)"]
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        var process: pid_t = 0
        let result = unsafe posix_spawn(&process, "/bin/sh", &actions, nil, &arguments, environ)
        return result == 0 ? process : nil
    }
}
