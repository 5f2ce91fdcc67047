internal import Foundation

/// A program that reads manual pages and reports errors.
package enum ManualReader: String, CaseIterable, Sendable {
    case mandoc
    case groff

    /// Whether it is installed.
    package var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/\(rawValue)") }

    /// What it reports about the page; empty when there are no errors.
    package func faults(in page: String) throws -> String {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).man")
        defer { try? FileManager.default.removeItem(at: file) }
        try page.write(to: file, atomically: true, encoding: .utf8)
        let output = try ChildProcess.run("/usr/bin/\(rawValue)", options + [file.path], mergesErrors: true).output
        return String(decoding: output, as: UTF8.self)
    }

    private var options: [String] {
        switch self {
        case .mandoc: ["-T", "lint", "-W", "warning"]
        // As `man --local-file` runs it, with all warnings.
        case .groff: ["-man", "-Tutf8", "-Kutf8", "-ww", "-z"]
        }
    }
}
