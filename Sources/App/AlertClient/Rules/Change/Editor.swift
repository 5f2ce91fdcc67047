internal import Glibc

/// The user's editor.
struct Editor {
    /// The environment variables that name the editor, in order of precedence.
    static let variables = ["VISUAL", "EDITOR"]

    private let command: String

    /// Without these variables, the editor is `editor` as on Debian, else vi.
    init(_ variables: [String: String]) {
        let named = Self.variables.lazy.compactMap { variables[$0] }.first { !$0.isEmpty }
        command = named ?? (unsafe access("/usr/bin/editor", X_OK) == 0 ? "editor" : "vi")
    }

    /// The editors that accept a line number as `+7`.
    private static let takingLines: Set<String> = [
        "editor", "vi", "vim", "vim.basic", "vim.tiny", "nvim", "nano", "emacs", "emacsclient", "mg", "joe", "micro",
        "jed", "kak", "ne", "view", "rvim", "gvim", "zile",
    ]

    /// Returns the shell command; the file is its `$1`.
    func shellCommand(atLine line: Int?) -> String {
        let program = command.split(separator: " ").first?.split(separator: "/").last.map(String.init) ?? ""
        let option = line.flatMap { Self.takingLines.contains(program) ? "+\($0) " : nil } ?? ""
        return "\(command) \(option)\"$1\""
    }

    /// Opens a file and waits until the editor exits; false if it cannot be started or fails.
    func open(_ path: String, atLine line: Int?) -> Bool {
        let words = ["/bin/sh", "-c", shellCommand(atLine: line), "sh", path]
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        // Ctrl-C and Ctrl-\ are meant for the editor, so alertctl ignores their signals meanwhile.
        let former = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
        defer { for (number, handler) in former { _ = signal(number, handler) } }
        var attributes = posix_spawnattr_t()
        guard unsafe posix_spawnattr_init(&attributes) == 0 else { return false }
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for number in [SIGINT, SIGQUIT] { unsafe sigaddset(&signals, number) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var process: pid_t = 0
        guard unsafe posix_spawn(&process, "/bin/sh", nil, &attributes, &arguments, environ) == 0 else { return false }
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return false }
        }
        return status == 0
    }
}

/// A question on the terminal.
enum Question {
    /// Limit on the length of an answer; the rest of the line is ignored.
    private static let longestAnswer = 64

    /// Asks on standard error and reads a line from standard input; nil unless both are terminals.
    static func ask(_ text: String) -> Bool? {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
        _ = writeFully(Array(text.utf8)[...], to: STDERR_FILENO)
        var answer: [UInt8] = []
        var byte: UInt8 = 0
        while unsafe read(STDIN_FILENO, &byte, 1) == 1, byte != 0x0A {
            if answer.count < longestAnswer { answer.append(byte) }
        }
        let word = String(decoding: answer, as: UTF8.self).lowercased().drop { $0 == " " }.prefix { $0 != " " }
        return ["y", "yes"].contains(String(word))
    }
}
