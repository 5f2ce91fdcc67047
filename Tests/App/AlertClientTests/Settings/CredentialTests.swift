import Configuration
import Diagnostics
import Foundation
import Testing

@testable import AlertClient

/// `alertctl credential`, with folders of its own and pretended programs.
struct CredentialTests {
    /// A machine with systemd, whose programs only record that they were called.
    private final class Machine {
        let fixture = SettingsFixture()
        let run: Run
        private(set) var calls: [String] = []
        /// The bytes that systemd-creds was given.
        private(set) var encrypted: [UInt8] = []
        /// Nil on a machine that has no systemd-creds.
        var encryption: ProgramResult? = ProgramResult(code: 0, output: "Q0lQSEVS\n", errors: "")
        var state = "active"
        var restart = ProgramResult(code: 0, output: "", errors: "")

        init(isRoot: Bool = true) {
            run = fixture.run()
            run.environment.checkFiles = { SettingsLoader().check($0) }
            run.environment.isRoot = isRoot
            run.environment.credentialFolders.secrets = fixture.path + "/credentials"
            run.environment.credentialFolders.dropIns = fixture.path + "/unit.d"
            run.environment.exists = { $0 == "/run/systemd/system" }
            run.environment.runProgram = { [unowned self] name, arguments, input in
                calls.append(([name] + arguments).joined(separator: " "))
                switch (name, arguments.first) {
                case ("systemd-creds", _):
                    encrypted = input
                    return encryption
                case (_, "is-active"): return ProgramResult(code: 3, output: state + "\n", errors: "")
                case (_, "restart"): return restart
                default: return ProgramResult(code: 0, output: "", errors: "")
                }
            }
            enter("tk_secret")
        }

        func enter(_ secret: String) {
            run.environment.askSecret = { _ in .entered(Array(secret.utf8)) }
        }

        func text(_ name: String) -> String? { try? String(contentsOfFile: fixture.path + "/" + name, encoding: .utf8) }

        func files(_ folder: String) -> [String]? {
            try? FileManager.default.contentsOfDirectory(atPath: fixture.path + "/" + folder).sorted()
        }

        func shown(_ text: String) -> String { text.replacing(fixture.path, with: "/e") }
    }

    @Test func setEncryptsTheSecretAndRestartsTheService() throws {
        let machine = Machine()
        #expect(machine.run("credential set phone") == 0)
        #expect(machine.encrypted == Array("tk_secret".utf8))
        #expect(machine.text("credentials/phone.cred") == "Q0lQSEVS\n")
        #expect(try machine.fixture.mode(machine.fixture.path + "/credentials/phone.cred") == 0o600)
        #expect(
            machine.shown(machine.text("unit.d/credential-phone.conf") ?? "") == """
                # Written by 'alertctl credential set'; 'alertctl credential remove phone' removes it.
                [Service]
                LoadCredentialEncrypted=phone:/e/credentials/phone.cred

                """)
        #expect(try machine.fixture.mode(machine.fixture.path + "/unit.d/credential-phone.conf") == 0o644)
        #expect(
            machine.calls == [
                "systemd-creds encrypt --name=phone - -", "systemctl daemon-reload",
                "systemctl is-active alertd.service", "systemctl restart alertd.service",
            ])
        #expect(
            machine.shown(machine.run.output) == """
                Stored 'phone' in /e/credentials/phone.cred, encrypted for this machine.
                Restarted the service.
                No setting names it yet.

                """)
        #expect(machine.run.errors == "")
    }

    @Test func withoutEncryptionTheFileIsForRootOnly() throws {
        let machine = Machine()
        machine.encryption = nil
        #expect(machine.run("credential set phone") == 0)
        #expect(machine.text("credentials/phone.secret") == "tk_secret")
        #expect(try machine.fixture.mode(machine.fixture.path + "/credentials/phone.secret") == 0o600)
        #expect(machine.text("unit.d/credential-phone.conf")?.contains("\nLoadCredential=phone:/") == true)
        #expect(machine.run.errors.contains("this machine has no systemd-creds"))
        #expect(machine.run.output.contains(", which only root can read."))
        // A later one that is encrypted replaces it.
        machine.encryption = ProgramResult(code: 0, output: "CIPHER", errors: "")
        #expect(machine.run("credential set phone --json") == 0)
        #expect(machine.files("credentials") == ["phone.cred"])
        machine.encryption = ProgramResult(code: 1, output: "", errors: "No TPM2.\nFailed to encrypt.\n")
        #expect(machine.run("credential set phone") == 0)
        #expect(machine.files("credentials") == ["phone.secret"])
        #expect(machine.run.errors.contains("cannot encrypt the secret here (Failed to encrypt.)"))
    }

    @Test(arguments: [
        ("a", "a"), ("a\n", "a"), ("a\r\n", "a"), ("\u{FEFF}a\n", "a"), (" a ", " a "), ("ä", "ä"),
        (String(repeating: "x", count: 4_096) + "\n", String(repeating: "x", count: 4_096)),
    ])
    func whatEditorsAddIsRemoved(_ input: String, _ secret: String) throws {
        #expect(try SecretText.checked(Array(input.utf8)) == Array(secret.utf8))
    }

    @Test(arguments: [
        ("", "it is empty"), ("\n", "it is empty"), ("\u{FEFF}", "it is empty"), ("a\n\n", "it is not one line"),
        ("a\nb", "it is not one line"), ("a\0", "it is not one line"),
        (String(repeating: "x", count: 4_097), "it is longer than 4096 bytes"),
    ])
    func otherSecretsAreRefused(_ input: String, _ reason: String) {
        let machine = Machine()
        machine.enter(input)
        #expect(machine.run("credential set phone") == 1)
        #expect(machine.run.errors.contains(reason), "\(machine.run.errors)")
        #expect(machine.calls.isEmpty && machine.files("credentials") == nil && machine.files("unit.d") == nil)
    }

    @Test func theSecretCanComeFromAPipe() throws {
        let machine = Machine()
        machine.run.environment.askSecret = { _ in .noTerminal }
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Array("from a pipe\n".utf8))
        try pipe.fileHandleForWriting.close()
        machine.run.environment.standardInput = pipe.fileHandleForReading.fileDescriptor
        #expect(machine.run("credential set phone") == 0)
        #expect(machine.encrypted == Array("from a pipe".utf8))
    }

    @Test func cancellingChangesNothing() {
        let machine = Machine()
        machine.run.environment.askSecret = { _ in .cancelled }
        #expect(machine.run("credential set phone") == 2)
        #expect(machine.calls.isEmpty && machine.files("unit.d") == nil)
    }

    @Test(arguments: ["set phone", "remove phone"])
    func onlyRootMayChangeCredentials(_ line: String) {
        let machine = Machine(isRoot: false)
        machine.run.environment.askSecret = { _ in
            Issue.record("asked although it cannot work")
            return .cancelled
        }
        #expect(machine.run("credential \(line)") == 77)
        #expect(
            machine.run.errors == "alertctl: not allowed: only root may change the credentials of the service; "
                + "run the command as root, for example with sudo\n")
    }

    @Test(arguments: ["../x", ".x", "a/b", "a:b", "%n", "a\u{11}", String(repeating: "x", count: 65)])
    func namesAreNamesOfFiles(_ name: String) {
        let machine = Machine()
        #expect(machine.run(["credential", "set", name]) == 2)
        #expect(machine.run.errors.contains("is not the name of a credential"))
    }

    @Test(arguments: [
        ("inactive", ["systemctl daemon-reload", "systemctl is-active alertd.service"]),
        (
            "failed",
            [
                "systemctl daemon-reload", "systemctl is-active alertd.service",
                "systemctl reset-failed alertd.service", "systemctl restart alertd.service",
            ]
        ),
    ])
    func aServiceThatDoesNotRunStartsOnlyAfterAFailure(_ state: String, _ calls: [String]) {
        let machine = Machine()
        machine.state = state
        #expect(machine.run("credential set phone") == 0)
        #expect(Array(machine.calls.dropFirst()) == calls)
    }

    @Test func aRestartThatFailsIsReported() {
        let machine = Machine()
        machine.restart = ProgramResult(code: 1, output: "", errors: "Job failed.\n")
        #expect(machine.run("credential set phone") == 1)
        let said = "the change was made, but 'systemctl restart alertd.service' failed: Job failed.;"
        #expect(machine.run.errors.contains(said))
        #expect(machine.files("unit.d") == ["credential-phone.conf"])
    }

    @Test func withoutSystemdTheFilesAreWritten() {
        let machine = Machine()
        machine.run.environment.exists = { _ in false }
        #expect(machine.run("credential set phone") == 0)
        #expect(machine.calls == ["systemd-creds encrypt --name=phone - -"])
        #expect(machine.run.output.contains("systemd is not running here"))
    }

    @Test func removeRemovesAllThatSetHasWritten() throws {
        let machine = Machine()
        try machine.fixture.write(
            "[[receiver]]\nname = \"phone\"\ntype = \"telegram\"\nchat = \"1\"\ncredential = \"phone\"\n",
            to: "conf.d/a.toml")
        machine.run("credential set phone")
        machine.run("credential set other")
        #expect(machine.run("credential remove other") == 0)
        #expect(machine.files("unit.d") == ["credential-phone.conf"])
        #expect(machine.run("credential remove phone --json") == 0)
        #expect(machine.run.output.contains("The settings still name it at"))
        #expect(machine.files("unit.d") == nil && machine.files("credentials") == nil)
        #expect(machine.calls.last == "systemctl restart alertd.service")
        #expect(machine.run("credential remove phone") == 4)
        #expect(machine.run.errors.contains("no credential 'phone' is stored; 'alertctl credential list' shows"))
    }

    @Test func othersDropInsAreLeftAlone() throws {
        let machine = Machine()
        try machine.fixture.write("[Service]\nLoadCredential=phone:/e/p\n", to: "unit.d/override.conf")
        #expect(machine.run("credential set phone") == 1)
        #expect(machine.shown(machine.run.errors).contains("/e/unit.d/override.conf already passes 'phone'"))
        #expect(machine.run("credential remove phone") == 1)
        #expect(machine.shown(machine.run.errors).contains("'phone' was not stored by alertctl"))
        #expect(machine.text("unit.d/override.conf")?.contains("LoadCredential=phone") == true)
    }

    @Test func listShowsWhatIsPassedAndWhatIsMissing() throws {
        let machine = Machine(isRoot: false)
        let lost = machine.fixture.path + "/lost"
        try machine.fixture.write(
            """
            # LoadCredential=no:/x
            [Service]
            LoadCredential = lost:\(lost)
            SetCredential=here:s3cr3t
            LoadCredential=store
            """, to: "unit.d/override.conf")
        try machine.fixture.write("[Service]\nLoadCredential=b:/x\n", to: "unit.d/b.conf~")
        try machine.fixture.write(
            "[[receiver]]\nname = \"phone\"\ntype = \"telegram\"\nchat = \"1\"\ncredential = \"phone\"\n",
            to: "conf.d/a.toml")
        #expect(machine.run("credential list") == 0)
        // The widths of the columns depend on the length of the folder's name.
        let rows = machine.shown(machine.run.output).split(separator: "\n").map { row in
            row.split(separator: " ").joined(separator: " ")
        }
        #expect(
            rows == [
                "NAME KIND FILE DROP-IN NAMED AT", "here inline - /e/unit.d/override.conf",
                "lost plain /e/lost (missing) /e/unit.d/override.conf", "store plain - /e/unit.d/override.conf",
                "phone - (not set) - /e/conf.d/a.toml:5",
            ])
        #expect(machine.run("credential list --json") == 0)
        #expect(!machine.run.output.contains("s3cr3t"))
    }

    @Test func listSaysThatThereAreNone() {
        let machine = Machine()
        #expect(machine.run("credential list") == 0)
        #expect(machine.run.output == "The service has no credentials, and the settings name none.\n")
    }
}
