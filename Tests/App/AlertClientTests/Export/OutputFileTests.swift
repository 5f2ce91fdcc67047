import Foundation
import Testing

@testable import AlertClient

/// Whatever is at the path: only a regular file is ever replaced.
@Suite(.timeLimit(.minutes(10)))
struct OutputFileTests {
    private let folder = NSTemporaryDirectory() + "alertctl-\(UUID().uuidString.prefix(8))"

    private func inFolder(_ body: () throws -> Void) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body()
    }

    private func export(_ path: String, replaces: Bool = true) throws {
        let file = try OutputFile(path, mode: 0o666, replaces: replaces, takesStreams: true)
        try file.write(Array("new".utf8))
        try file.finish()
    }

    private func backUp(_ path: String) throws {
        let file = try OutputFile(path, mode: 0o600, replaces: true, takesStreams: false)
        try file.write(Array("new".utf8))
        try file.finish()
    }

    private func kind(_ path: String) -> UInt32 {
        var found = stat()
        return unsafe lstat(path, &found) == 0 ? found.st_mode & S_IFMT : 0
    }

    private func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    @Test func aPipeIsWrittenTo() throws {
        try inFolder {
            let path = folder + "/pipe"
            #expect(unsafe mkfifo(path, 0o600) == 0)
            // Open for both, so that nothing waits for the other end.
            let descriptor = unsafe open(path, O_RDWR | O_NONBLOCK)
            defer { close(descriptor) }
            try export(path)
            var buffer = [UInt8](repeating: 0, count: 16)
            let count = unsafe read(descriptor, &buffer, buffer.count)
            #expect(count == 3 && kind(path) == S_IFIFO)
            #expect(throws: ClientError.self) { try backUp(path) }
            #expect(kind(path) == S_IFIFO)
        }
    }

    @Test func aFolderThatIsMissingIsNamedAndNotTheTemporaryFile() throws {
        try inFolder {
            let path = folder + "/none/prices.csv"
            #expect {
                try export(path)
            } throws: { error in
                (error as? ClientError)?.message
                    == "\(path): cannot create the file in \(folder)/none: No such file or directory"
            }
        }
    }

    @Test func aDeviceIsWrittenTo() throws {
        try export("/dev/null")
        #expect(kind("/dev/null") == S_IFCHR)
        #expect(throws: ClientError.self) { try backUp("/dev/null") }
        #expect(kind("/dev/null") == S_IFCHR)
        #expect(throws: ClientError.self) { try export("/dev/full") }
    }

    @Test func aLinkToADeviceIsWrittenToAndStays() throws {
        try inFolder {
            let path = folder + "/link"
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/null")
            try export(path)
            #expect(kind(path) == S_IFLNK)
            #expect(throws: ClientError.self) { try backUp(path) }
        }
    }

    @Test(arguments: ["file", "nowhere", ".", "link"])
    func otherLinksAreRefused(to target: String) throws {
        try inFolder {
            let path = folder + "/link"
            try "old".write(toFile: folder + "/file", atomically: false, encoding: .utf8)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
            #expect(throws: ClientError.self) { try export(path) }
            #expect(throws: ClientError.self) { try backUp(path) }
            #expect(kind(path) == S_IFLNK && text(folder + "/file") == "old")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
        }
    }

    @Test func foldersAndSocketsAreRefused() throws {
        try inFolder {
            let path = folder + "/sub"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            #expect(throws: ClientError.file("\(path): is a directory")) { try export(path) }
            #expect(kind(path) == S_IFDIR)
        }
    }

    @Test func whatAppearsInTheMeantimeIsNotReplaced() throws {
        try inFolder {
            let path = folder + "/late"
            for replaces in [true, false] {
                let file = try OutputFile(path, mode: 0o666, replaces: replaces, takesStreams: true)
                try file.write(Array("new".utf8))
                #expect(unsafe mkfifo(path, 0o600) == 0)
                #expect(throws: ClientError.self) { try file.finish() }
                #expect(kind(path) == S_IFIFO)
                try FileManager.default.removeItem(atPath: path)
            }
        }
    }

    @Test func aFileThatIsReplacedKeepsItsRights() throws {
        try inFolder {
            let path = folder + "/file"
            try "old".write(toFile: path, atomically: false, encoding: .utf8)
            #expect(unsafe chmod(path, 0o640) == 0)
            try export(path)
            var found = stat()
            #expect(unsafe stat(path, &found) == 0 && found.st_mode & 0o777 == 0o640)
            #expect(text(path) == "new")
            #expect(throws: ClientError.self) { try export(path, replaces: false) }
        }
    }
}
