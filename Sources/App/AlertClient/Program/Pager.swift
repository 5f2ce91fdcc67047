internal import Glibc

/// The program that shows long output a screen at a time, as git and systemctl do.
struct Pager {
    /// The variables that name it, and the options of less.
    static let variables = ["ALERTCTL_PAGER", "PAGER", "LESS", "LESSCHARSET", "LESSCHARDEF"]

    private let command: String
    /// Whether less gets its options from the user.
    private let hasOptions: Bool
    /// Whether the user says how less decodes text.
    private let hasCharacterSet: Bool

    /// Nil if the user wants none.
    init?(_ variables: [String: String]) {
        let chosen = variables["ALERTCTL_PAGER"] ?? variables["PAGER"] ?? "less"
        guard !["", "cat"].contains(chosen) else { return nil }
        command = chosen
        hasOptions = variables["LESS"] != nil
        hasCharacterSet = ["LESSCHARSET", "LESSCHARDEF"].contains { variables[$0] != nil }
    }

    /// Shows a text, and waits for the end of the pager; false if it cannot be started.
    func show(_ text: String) -> Bool {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return false }
        // The pager must not hold the end that it waits for.
        _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
        guard let process = start(reading: ends[0]) else {
            close(ends[0])
            close(ends[1])
            return false
        }
        close(ends[0])
        // The user may leave the pager before it has read everything.
        let former = signal(SIGPIPE, SIG_IGN)
        _ = writeFully(Array(text.utf8)[...], to: ends[1])
        close(ends[1])
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        _ = signal(SIGPIPE, former)
        // The shell's code for a command that it does not find.
        return status >> 8 & 0xFF != 127
    }

    private func start(reading input: Int32) -> pid_t? {
        var actions = unsafe posix_spawn_file_actions_t()
        guard unsafe posix_spawn_file_actions_init(&actions) == 0 else { return nil }
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        guard unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) == 0 else { return nil }
        // F: leave if the text fits the screen; R: show colours; X: keep the text on the screen.
        if !hasOptions { unsafe setenv("LESS", "FRX", 1) }
        // The text is ASCII unless the user's locale is one of UTF-8, which less would not see if it is not installed.
        if !hasCharacterSet { unsafe setenv("LESSCHARSET", "utf-8", 1) }
        let words = ["/bin/sh", "-c", "exec \(command)"]
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        var process: pid_t = 0
        let result = unsafe posix_spawn(&process, "/bin/sh", &actions, nil, &arguments, environ)
        return result == 0 ? process : nil
    }
}
