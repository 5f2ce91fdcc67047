import Foundation

/// An authority of certificates that only a test trusts; see `make-test-ca.sh`.
final class TestAuthority: Sendable {
    struct Certificate: Sendable {
        let certificate: String
        let key: String
    }

    private let folder: TemporaryFolder

    init() async throws {
        folder = try TemporaryFolder()
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "make-test-ca.sh").path
        let program = try Program("/bin/bash", [script, folder.path])
        guard try await program.exitCode() == 0 else { throw ExchangeError(words: program.errors) }
    }

    /// The file to trust.
    var authorityFile: String { "\(folder.path)/authority.pem" }
    /// For localhost, signed by the authority.
    var server: Certificate { named("server") }
    /// For another host, signed by the authority.
    var other: Certificate { named("other") }
    /// For localhost, signed by nobody.
    var untrusted: Certificate { named("untrusted") }

    private func named(_ name: String) -> Certificate {
        Certificate(certificate: "\(folder.path)/\(name).pem", key: "\(folder.path)/\(name).key")
    }
}
