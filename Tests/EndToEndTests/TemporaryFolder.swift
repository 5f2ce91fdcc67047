import Foundation

/// A folder of a test; it goes with its last reference. Its path is short enough for a socket.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = "/tmp/alertd-test-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file, its folders too, and says its path.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let file = URL(filePath: path).appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file, options: .atomic)
        return file.path
    }
}
