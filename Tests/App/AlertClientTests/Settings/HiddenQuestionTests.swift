import Foundation
import Glibc
import Testing

@testable import AlertClient

/// The question for a secret, in a pseudo-terminal.
struct HiddenQuestionTests {
    /// Asks, types the answer once the question is shown, and returns what the terminal showed as well.
    private func ask(
        _ typed: String, isShown: Bool = false
    ) throws -> (answer: SecretAnswer, shown: String, isRestored: Bool) {
        let emulator = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var (lock, number): (Int32, UInt32) = (0, 0)
        try #require(unsafe ioctl(emulator, 0x4004_5431, &lock) == 0, "TIOCSPTLCK")
        try #require(unsafe ioctl(emulator, 0x8004_5430, &number) == 0, "TIOCGPTN")
        let program = unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        try #require(program >= 0)
        defer {
            close(emulator)
            close(program)
        }
        let typist = Thread {
            _ = Self.shown(emulator, upTo: "Secret: ")
            let bytes = Array(typed.utf8)
            _ = unsafe write(emulator, bytes, bytes.count)
        }
        typist.start()
        let answer = HiddenQuestion.ask("Secret: ", isShown: isShown, input: program, output: program)
        var attributes = termios()
        _ = unsafe tcgetattr(program, &attributes)
        let isRestored = attributes.c_lflag & tcflag_t(ECHO) != 0 && attributes.c_lflag & tcflag_t(ISIG) != 0
        return (answer, Self.shown(emulator, upTo: "\n"), isRestored)
    }

    /// The output of the program up to a text that has to come.
    private static func shown(_ emulator: Int32, upTo end: String) -> String {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while !text.contains(end) {
            var descriptor = pollfd(fd: emulator, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&descriptor, 1, 10_000) > 0 else { return text }
            let count = unsafe read(emulator, &buffer, buffer.count)
            guard count > 0 else { return text }
            text += String(decoding: buffer[..<count], as: UTF8.self)
        }
        return text
    }

    @Test func theAnswerIsNotShown() throws {
        let (answer, shown, isRestored) = try ask("s3cr3t\n")
        #expect(answer == .entered(Array("s3cr3t".utf8)))
        #expect(shown == "\r\n")
        #expect(isRestored)
    }

    @Test func anotherAnswerIsShown() throws {
        let (answer, shown, isRestored) = try ask("https://example.org\n", isShown: true)
        #expect(answer == .entered(Array("https://example.org".utf8)))
        #expect(shown == "https://example.org\r\n" && isRestored)
    }

    @Test(arguments: ["half\u{3}", "\u{3}", "\u{4}"])
    func interruptingCancels(_ typed: String) throws {
        let (answer, _, isRestored) = try ask(typed)
        #expect(answer == .cancelled)
        #expect(isRestored)
    }

    @Test func withoutATerminalNobodyIsAsked() {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        #expect(HiddenQuestion.ask("Secret: ", input: descriptor, output: descriptor) == .noTerminal)
    }
}
