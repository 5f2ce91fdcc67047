import Foundation
import TestSupport
import Testing

/// A real NATS server with JetStream, and its official client.
final class NATSServer {
    static let program = testServer("sbin/nats-server")
    static let isInstalled = FileManager.default.isExecutableFile(atPath: program) && ReceiverServer.python != nil

    let port: Int
    private let folder: TestFolder
    private let arguments: [String]
    private let certificates: Certificates?
    private let token = "sesame"
    private(set) var server: Program

    /// - Parameters:
    ///   - certificates: what it encrypts with.
    ///   - key: the public NKey of its only user, instead of a token.
    /// - Throws: when it does not start.
    init(tls certificates: Certificates? = nil, key: String? = nil) async throws {
        folder = TestFolder()
        self.certificates = certificates
        port = try #require(try await freePorts(1).first)
        var arguments = ["-a", "127.0.0.1", "-p", "\(port)", "-js", "-sd", "\(folder.path)/store"]
        if let key {
            arguments += ["-c", try folder.write("authorization: {users: [{nkey: \(key)}]}\n", to: "nats.conf")]
        } else {
            arguments += ["--auth", token]
        }
        if let certificates {
            arguments += ["--tls", "--tlscert", certificates.certificate, "--tlskey", certificates.key]
        }
        self.arguments = arguments
        server = try Program(Self.program, arguments)
        try await waitUntilReady()
    }

    private func waitUntilReady() async throws {
        _ = try await server.errors.line("start of the server") { $0.contains("Server is ready") }
    }

    /// Kills it, and starts it with what it has stored.
    func restart(while down: () async throws -> Void) async throws {
        server.signal(SIGKILL)
        _ = try await server.exitCode()
        try await down()
        server = try Program(Self.program, arguments)
        try await waitUntilReady()
    }

    /// Runs the client.
    func client(_ arguments: String...) async throws -> String {
        let url = "\(certificates == nil ? "nats" : "tls")://\(token)@localhost:\(port)"
        let finished = try await run(
            ReceiverServer.python ?? "",
            [sourceFile("nats_client.py"), url, certificates?.authority ?? "-"] + arguments)
        try #require(finished.code == 0, "\(finished)")
        return finished.output
    }

    func messages(_ stream: String) async throws -> [[String: Any]] {
        let text = try await client("messages", stream)
        return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    }
}
