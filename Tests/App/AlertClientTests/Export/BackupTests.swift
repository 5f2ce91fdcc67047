import Control
import Foundation
import History
import Testing

@testable import AlertClient

@Suite(.timeLimit(.minutes(10)))
struct BackupTests {
    private let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

    /// What the daemon answers, in three pieces.
    private func replies(checksum: String? = nil, size: Int? = nil) -> [BackupReply] {
        let pieces = [bytes[..<40_000], bytes[40_000..<80_000], bytes[80_000...]]
        let sum = String(CRC32C.checksum(of: bytes.span, count: bytes.count), radix: 16)
        let padded = String(repeating: "0", count: 8 - sum.count) + sum
        return [BackupReply(size: size ?? bytes.count)]
            + pieces.map { BackupReply(data: Data($0).base64EncodedString()) }
            + [BackupReply(crc32c: checksum ?? padded)]
    }

    private func run(_ replies: [BackupReply], _ line: String) -> Run {
        let run = Run(width: 80)
        run.daemon.streamed[.backup] = replies
        run(line)
        return run
    }

    private func place() -> String { NSTemporaryDirectory() + "alertctl-\(UUID().uuidString.prefix(8)).db" }

    @Test func theCopyIsWhatWasSent() throws {
        let path = place()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let done = run(replies(), "backup \(path)")
        #expect(done.output == "\(path): 97.6 KiB, verified\n")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(bytes))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let again = Run()
        again.daemon.streamed[.backup] = replies()
        #expect(again("backup \(path)") == 1)
        #expect(again.errors == "alertctl: \(path): already exists; --force overwrites it\n")
        #expect(again("backup --force --json \(path)") == 0)
        #expect(again.output == #"{"file":"\#(path)","bytes":100000}"# + "\n")
    }

    @Test func whatIsNotWholeIsNotThere() {
        let broken: [([BackupReply], String)] = [
            (replies(checksum: "00000000"), "the copy is damaged"),
            (replies(size: 5), "the copy is damaged: 100000 of 5 bytes"),
            (replies().dropLast(), "the daemon closed the connection"), ([], "the daemon closed the connection"),
            ([BackupReply(size: 2), BackupReply(data: "?")], "not valid base64"),
        ]
        for (replies, words) in broken {
            let path = place()
            let failed = run(replies, "backup \(path)")
            #expect(failed.errors.contains(words), "\(failed.errors)")
            #expect(failed.output == "")
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func whatKeepsItFromBeingMade() {
        let denied = Run()
        denied.daemon.errors[.backup] = .callDenied
        #expect(denied("backup \(place())") == 77)
        let failed = Run()
        failed.daemon.errors[.backup] = .storeFailed(StoreFailed(message: "no room in /var/lib/alertd"))
        #expect(failed("backup \(place())") == 1)
        #expect(failed.errors == "alertctl: no room in /var/lib/alertd\n")
        let nowhere = Run()
        nowhere.daemon.streamed[.backup] = replies()
        #expect(nowhere("backup /nowhere/at/all.db") == 1)
        #expect(nowhere.errors.contains("/nowhere/at/all.db"))
        #expect(nowhere.errors.contains("No such file or directory"))
    }
}
