import Foundation
import Glibc
import ServiceManager
import Testing

struct CredentialsTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "cred-\(UUID().uuidString)").path

    /// What is read from a credential with these bytes.
    private func read(_ bytes: [UInt8], mode: Int = 0o400) throws -> String? {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/proxy"))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(folder)/proxy")
        return try Credentials(folder: folder).secret("proxy")?.reveal()
    }

    @Test(arguments: ["a", "http://user:hunter2@proxy:1\n", "geheim\r\n", "pâté €", " spaces stay "])
    func aCredentialIsItsLine(text: String) throws {
        #expect(try read(Array(text.utf8)) == text.trimmingCharacters(in: .newlines))
    }

    /// Some editors begin a file with a byte order mark.
    @Test func aByteOrderMarkIsNotPartOfAKey() throws {
        #expect(try read([0xEF, 0xBB, 0xBF] + Array("hunter2\n".utf8)) == "hunter2")
        #expect(throws: CredentialError.self) { try read([0xEF, 0xBB, 0xBF, 0x0A]) }
    }

    @Test func withoutCredentialsThereIsNone() throws {
        #expect(try Credentials(folder: nil).secret("proxy") == nil)
        #expect(try Credentials(folder: "").secret("proxy") == nil)
        #expect(try Credentials(folder: "/nonexistent").secret("proxy") == nil)
    }

    @Test(
        arguments: [
            ([], "empty"), ([0x0A], "empty"), ([0x61, 0x0A, 0x62], "one line"), ([0x61, 0], "one line"),
            ([0xFF, 0xFE], "one line"), ([0x61, 0x0A, 0x0A], "one line"),
            ([UInt8](repeating: 0x61, count: 4_097), "longer than 4096"),
        ] as [([UInt8], String)])
    func whatIsNoLineOfTextIsRefused(bytes: [UInt8], reason: String) throws {
        let error = try #require(throws: CredentialError.self) { try read(bytes) }
        #expect(error.reason.contains(reason), "\(error)")
    }

    @Test func theLongestIsTaken() throws {
        #expect(try read([UInt8](repeating: 0x61, count: 4_096))?.count == 4_096)
    }

    @Test(arguments: [0o404, 0o644, 0o602, 0o666])
    func whatEverybodyMayReadIsRefused(mode: Int) throws {
        let error = try #require(throws: CredentialError.self) { try read(Array("hunter2".utf8), mode: mode) }
        #expect(error.reason.contains("everyone"))
        #expect(!"\(error)".contains("hunter2"))
    }

    /// systemd's own: for root's group or by an access list.
    @Test(arguments: [0o400, 0o440, 0o600])
    func whatTheServiceAloneMayReadIsTaken(mode: Int) throws {
        #expect(try read(Array("x".utf8), mode: mode) == "x")
    }

    @Test func theNamesAreKnown() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in ["proxy", "mail"] { try Data("x".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }
        #expect(Credentials(folder: folder).names == ["mail", "proxy"])
        #expect(Credentials(folder: nil).names.isEmpty && Credentials(folder: "/nonexistent").names.isEmpty)
    }

    @Test func aFolderIsNoCredential() throws {
        try FileManager.default.createDirectory(
            atPath: "\(folder)/proxy", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let error = try #require(throws: CredentialError.self) { try Credentials(folder: folder).secret("proxy") }
        #expect(error.reason == "it is not a regular file")
    }

    @Test func aSecretIsNotShown() {
        let secret = Secret("hunter2")
        var dumped = ""
        dump([secret], to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), "\([secret])", "\(["a": secret])", dumped] {
            #expect(!text.contains("hunter2"), "\(text)")
        }
        #expect(secret.reveal() == "hunter2")
    }
}
