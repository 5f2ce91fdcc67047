import Foundation
import Testing

/// Scripted receivers over real HTTP and SMTP: `receivers.py`.
final class ReceiverServer {
    private let program: Program
    let port: Int
    /// Nil where the package aiosmtpd is not installed.
    let mailPort: Int?

    /// The interpreter with the packages of `Scripts/receiver-tools`; nil where it was not set up.
    static let python = ProcessInfo.processInfo.environment["ALERTD_RECEIVER_PYTHON"]

    /// Starts the program. `script` has the answers by path, and `secret` is the signing secret of the webhooks, if
    /// their signatures are to be verified. With certificates, it speaks HTTPS.
    init(_ script: [String: [Any]] = [:], secret: String? = nil, tls: Certificates? = nil) async throws {
        let text = String(decoding: try JSONSerialization.data(withJSONObject: script), as: UTF8.self)
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "receivers.py").path
        program = try Program(
            Self.python ?? "/usr/bin/python3",
            [path, text, secret ?? ""] + (tls.map { [$0.certificate, $0.key] } ?? []))
        let line = try await program.output.line("ports") { $0.contains("\"http\"") }
        let ports = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        port = try #require(ports?["http"] as? Int)
        mailPort = ports?["smtp"] as? Int
    }

    func url(_ name: String) -> String { "http://127.0.0.1:\(port)/\(name)" }

    /// The requests so far.
    var requests: [[String: Any]] {
        program.output.lines.dropFirst().compactMap {
            (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
        }
    }

    /// The requests of a receiver.
    func requests(_ name: String) -> [[String: Any]] { requests.filter { $0["name"] as? String == name } }

    /// Settings of webhooks with these names.
    func webhooks(_ names: [String], _ keys: String = "") -> String {
        names.map { "[[receiver]]\nname = \"\($0)\"\ntype = \"webhook\"\nurl = \"\(url($0))\"\n\(keys)\n" }.joined()
    }
}
