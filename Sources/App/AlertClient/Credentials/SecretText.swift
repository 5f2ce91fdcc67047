internal import Glibc

/// A reader of secrets. A secret is one line of text, because the daemon accepts nothing else.
enum SecretText {
    /// The longest secret that the daemon accepts.
    static let limitBytes = 4_096

    /// The UTF-8 byte order mark, which some editors put at the start of a text.
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Reads the secret of a credential from standard input, or asks the user for it.
    static func read(named name: String, _ context: Context) throws(ClientError) -> [UInt8] {
        let bytes: [UInt8]
        switch context.environment.askSecret("Secret for '\(name)' (not shown): ") {
        case .entered(let line): bytes = line
        case .cancelled: throw .usage("cancelled; nothing was changed")
        case .noTerminal: bytes = try input(context.environment.standardInput)
        }
        return try checked(bytes)
    }

    /// Reads a secret from standard input.
    static func fromInput(_ context: Context) throws(ClientError) -> [UInt8] {
        try checked(try input(context.environment.standardInput))
    }

    /// Returns a secret without the byte order mark and the line end that an editor or `echo` adds.
    static func checked(_ bytes: [UInt8]) throws(ClientError) -> [UInt8] {
        var line = bytes[...]
        if line.starts(with: mark) { line = line.dropFirst(mark.count) }
        if line.last == UInt8(ascii: "\n") {
            line.removeLast()
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
        }
        guard !line.isEmpty else { throw refusal("it is empty") }
        guard line.count <= limitBytes else { throw refusal("it is longer than \(limitBytes) bytes") }
        guard line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), String(validating: line, as: UTF8.self) != nil else {
            throw refusal("it is not one line of text in UTF-8")
        }
        return Array(line)
    }

    private static func refusal(_ reason: String) -> ClientError {
        .file("standard input: the secret cannot be used: \(reason); nothing was changed")
    }

    /// Reads standard input to its end, or until the input is clearly longer than a secret may be.
    private static func input(_ descriptor: Int32) throws(ClientError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while bytes.count <= 2 * limitBytes {
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .file("standard input: cannot read: \(describe(errno))") }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }
}

/// The user's answer to a question.
package enum SecretAnswer: Equatable, Sendable {
    case entered([UInt8])
    case cancelled
    /// Standard input or standard error is not a terminal, so the user cannot be asked.
    case noTerminal
}

/// A question to the user, by default asked without echo.
enum HiddenQuestion {
    private static let interrupt: UInt8 = 0x03

    /// Asks on standard error, and reads a line of standard input, with the echo off unless `isShown` is set; both must
    /// be a terminal.
    static func ask(
        _ text: String, isShown: Bool = false, input: Int32 = STDIN_FILENO, output: Int32 = STDERR_FILENO
    ) -> SecretAnswer {
        var attributes = termios()
        guard isatty(output) == 1, unsafe tcgetattr(input, &attributes) == 0 else { return .noTerminal }
        // Ctrl+C must end the line instead of the program, which would leave the echo off.
        var hidden = attributes
        hidden.c_lflag &= ~tcflag_t(isShown ? ISIG : ECHO | ISIG)
        hidden.c_lflag |= tcflag_t(ICANON)
        unsafe withUnsafeMutableBytes(of: &hidden.c_cc) { unsafe $0[Int(VEOL)] = interrupt }
        guard unsafe tcsetattr(input, TCSAFLUSH, &hidden) == 0 else { return .noTerminal }
        defer {
            _ = unsafe tcsetattr(input, TCSAFLUSH, &attributes)
            if !isShown { _ = writeFully([0x0A], to: output) }
        }
        _ = writeFully(Array(text.utf8)[...], to: output)
        return line(input)
    }

    private static func line(_ input: Int32) -> SecretAnswer {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = unsafe read(input, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1, byte != interrupt else { return line.isEmpty || count == 1 ? .cancelled : .entered(line) }
            if byte == 0x0A { return .entered(line) }
            if line.count <= SecretText.limitBytes { line.append(byte) }
        }
    }
}
