import Configuration
import Control
import Foundation
import Receivers
import Testing
import Time

@testable import AlertClient

/// `alertctl receivers add` and `remove`, with folders of their own and pretended programs.
struct ReceiverAdditionTests {
    /// A machine with the service, and a user who answers.
    private final class Machine {
        let fixture = SettingsFixture()
        let run: Run
        private(set) var calls: [String] = []
        private(set) var asked: [String] = []
        /// The answers to questions, one after the other; then nobody is there.
        var answers: [String] = []
        var secrets: [String] = []
        var isYes: Bool?
        private(set) var stored: [UInt8] = []

        /// `isService` says whether the settings are those of the system service.
        init(isService: Bool = true, isRoot: Bool = true, settings: String = "") {
            run = fixture.run()
            try? fixture.write(settings + "[[rule]]\nsymbol = \"btcinr\"\nmax = 1\n", to: "alertd.toml")
            run.environment.isRoot = isRoot
            run.environment.credentialFolders.secrets = fixture.path + "/credentials"
            run.environment.credentialFolders.dropIns = fixture.path + "/unit.d"
            run.environment.credentialFolders.settings = isService ? fixture.settings : "/none/alertd.toml"
            run.environment.exists = { FileManager.default.fileExists(atPath: $0) || $0 == "/run/systemd/system" }
            run.environment.runProgram = { [unowned self] name, arguments, input in
                calls.append(([name] + arguments).joined(separator: " "))
                if name == "systemd-creds" { stored = input }
                return ProgramResult(code: 0, output: name == "systemd-creds" ? "CIPHER" : "active\n", errors: "")
            }
            run.environment.askLine = { [unowned self] prompt in
                asked.append(prompt)
                return answers.isEmpty ? .noTerminal : .entered(Array(answers.removeFirst().utf8))
            }
            run.environment.askSecret = { [unowned self] prompt in
                asked.append(prompt)
                return secrets.isEmpty ? .noTerminal : .entered(Array(secrets.removeFirst().utf8))
            }
            run.environment.ask = { [unowned self] _ in isYes }
            let names = ReceiverChoice.names.map { $0.replacing("_", with: "-") } + ["phone", "chat"]
            run.daemon.replies[.listReceivers] = ListReceiversReply(
                receivers: names.map { name in
                    ReceiverStatus(
                        name: name, type: "", state: .ok, message: nil, queued: 0, oldest: nil, delivered: 0,
                        refused: 0, expired: 0, dropped: 0, lastSuccess: nil, lastFailure: nil, nextAttempt: nil)
                })
            answerTests(.delivered)
        }

        func answerTests(_ result: ControlInterface.DeliveryResult) {
            guard var reply = run.daemon.replies[.drill] as? DrillReply else { return }
            reply.results = [DrillResult(sink: "phone", result: result, detail: "its answer")]
            run.daemon.replies[.drill] = reply
        }

        func text(_ name: String) -> String? { try? String(contentsOfFile: fixture.path + "/" + name, encoding: .utf8) }

        func files(_ folder: String) -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: fixture.path + "/" + folder)) ?? []).sorted()
        }

        /// Standard input with a text.
        func pipe(_ text: String) throws {
            let pipe = Pipe()
            try pipe.fileHandleForWriting.write(contentsOf: Array(text.utf8))
            try pipe.fileHandleForWriting.close()
            kept = pipe
            run.environment.standardInput = pipe.fileHandleForReading.fileDescriptor
        }

        private var kept: Pipe?
    }

    @Test func questionsLeadToAReceiver() throws {
        let machine = Machine()
        machine.answers = ["ftp://x", "https://ntfy.example.org/alerts"]
        machine.secrets = ["tk_abc"]
        #expect(machine.run("receivers add ntfy phone") == 0, "\(machine.run.errors)")
        #expect(
            machine.text("conf.d/receiver-phone.toml") == """
                # Written by 'alertctl receivers add'; 'alertctl receivers remove phone' removes it.
                [[receiver]]
                name = "phone"
                type = "ntfy"
                url = "https://ntfy.example.org/alerts"
                credential = "receiver-phone"

                """)
        #expect(try machine.fixture.mode(machine.fixture.path + "/conf.d/receiver-phone.toml") == 0o644)
        #expect(machine.stored == Array("tk_abc".utf8) && machine.files("credentials") == ["receiver-phone.cred"])
        #expect(machine.calls.last == "systemctl restart alertd.service")
        // Where one gets it, and what was wrong with the first answer.
        #expect(machine.run.errors.contains("Choose a topic that nobody guesses"))
        #expect(machine.run.errors.contains("an address does not start with https://"))
        #expect(machine.run.output.contains("Restarted the service.") && machine.run.output.contains("its answer"))
        #expect((machine.run.daemon.parameters.last as? DrillParameters)?.sink == "phone")
        #expect(!(machine.run.output + machine.run.errors).contains("tk_abc"))
    }

    @Test func anOptionalSecretMayBeLeftOut() {
        let machine = Machine()
        machine.answers = ["https://ntfy.example.org/alerts"]
        machine.secrets = [""]
        #expect(machine.run("receivers add ntfy phone") == 0)
        #expect(machine.text("conf.d/receiver-phone.toml")?.contains("credential") == false)
        // Nothing that needs a restart.
        #expect(machine.calls.isEmpty && machine.run.daemon.asked.contains(.reload))
    }

    @Test func scriptsGiveAllAtOnce() throws {
        let machine = Machine()
        try machine.pipe("123456:ABC-DEF\n")
        #expect(
            machine.run("receivers add telegram --set chat=-100 --set severity=warning --secret-stdin --json") == 0,
            "\(machine.run.errors)")
        let text = try #require(machine.text("conf.d/receiver-telegram.toml"))
        #expect(text.contains("\nchat = \"-100\"\n") && text.contains("\nseverity = \"warning\"\n"))
        #expect(text.contains("\ncredential = \"receiver-telegram\"\n"))
        #expect(machine.stored == Array("123456:ABC-DEF".utf8) && machine.asked.isEmpty)
        #expect(machine.run.output.contains("\"written\":true"))
    }

    @Test func allThatIsMissingIsSaid() {
        let machine = Machine()
        #expect(machine.run("receivers add matrix --json") == 2)
        for word in ["--set url=", "--set room=", "--secret-stdin", "In Element"] {
            #expect(machine.run.errors.contains(word), "\(machine.run.errors)")
        }
        #expect(machine.files("conf.d").isEmpty && machine.calls.isEmpty)
    }

    /// Every type and service, as scripts add them.
    @Test(arguments: ReceiverChoice.names) func eachTypeCanBeAdded(name: String) throws {
        let machine = Machine()
        try machine.pipe(name == "telegram" ? "1:a\n" : "https://example.org/hooks/abcdef?key=1\n")
        let values = [
            "url": ReceiverKind(rawValue: name)?.profile.example ?? "", "from": "a@example.org",
            "to": "b@example.org,c@d.ef", "chat": "-1", "room": "!a:example.org", "user": "u1",
        ]
        let choice = try ReceiverChoice(named: name)
        var words = ["receivers", "add", name]
        for question in choice.questions where question.isRequired {
            words += ["--set", "\(question.key)=\(try #require(values[question.key]))"]
        }
        let draft = choice.draft("x", comment: "")
        if choice.secret(draft) != nil { words.append("--secret-stdin") }
        #expect(machine.run(words) == 0, "\(machine.run.errors)")
        let loaded = try SettingsLoader().load(machine.fixture.settings)
        let standard = choice.standardName
        #expect(loaded.settings.receivers.map(\.name) == [standard])
        #expect(loaded.warnings.isEmpty, "\(loaded.warnings)")
        // Whatever was added can be removed.
        #expect(machine.run(["receivers", "remove", standard]) == 0, "\(machine.run.errors)")
        for folder in ["conf.d", "credentials", "unit.d"] { #expect(machine.files(folder).isEmpty) }
    }

    @Test func aLoginOfMailHasAPassword() {
        let machine = Machine()
        machine.answers = ["smtp://mail.example.org", "a@example.org", "b@example.org, c@example.org", "me"]
        machine.secrets = ["password"]
        #expect(machine.run("receivers add email") == 0, "\(machine.run.errors)")
        let text = machine.text("conf.d/receiver-email.toml")
        #expect(text?.contains("to = [\"b@example.org\", \"c@example.org\"]\nuser = \"me\"\n") == true, "\(text ?? "")")
        #expect(machine.stored == Array("password".utf8))
        let open = Machine()
        open.answers = ["smtp://127.0.0.1:25", "a@example.org", "b@example.org", ""]
        #expect(open.run("receivers add email") == 0 && open.stored.isEmpty)
    }

    @Test func secretAddressesAreChecked() throws {
        let machine = Machine()
        machine.secrets = ["example.org", "http://ha.local/api/webhook/x", "http://ha.local/api/webhook/x"]
        machine.isYes = false
        #expect(machine.run("receivers add home-assistant chat") == 2)
        #expect(machine.run.errors.contains("the address does not start with https://"))
        #expect(machine.run.errors.contains("plain http to another machine") && machine.stored.isEmpty)
        machine.secrets = ["http://ha.local/api/webhook/x"]
        machine.isYes = true
        #expect(machine.run("receivers add home-assistant chat") == 0, "\(machine.run.errors)")
        #expect(machine.text("conf.d/receiver-chat.toml")?.contains("\nallow_http = true\n") == true)
        #expect(machine.text("conf.d/receiver-chat.toml")?.contains("\nurl_credential = \"receiver-chat\"\n") == true)
    }

    @Test(arguments: [
        ("receivers add ntfi", "did you mean ntfy?"), ("receivers add googlechat", "did you mean google-chat?"),
        ("receivers add ntfy a/b", "is not the name of a receiver"), ("receivers add ntfy .a", "is not the name"),
        ("receivers add ntfy journal", "which is the name of a sink"),
        ("receivers add ntfy taken", "already a receiver"),
        ("receivers add ntfy \(String(repeating: "a", count: 56))", "use up to 55 letters"),
        ("receivers add ntfy phone --set color=red", "there is no key 'color'"),
        ("receivers add ntfy phone --set severty=info", "did you mean 'severity'?"),
        ("receivers add ntfy phone --set severity=bad", "`severity` is \"bad\""),
        ("receivers add ntfy phone --set chat=5", "`chat` is not used by ntfy"),
        ("receivers add ntfy phone --set name=a", "there is no key 'name'"),
        ("receivers add ntfy phone --set url", "--set takes KEY=VALUE"),
        ("receivers add webhook phone --set headers=a", "which is a table"),
        ("receivers add teams phone --set body=a", "teams has a body of its own"),
    ])
    func mistakesAreSaidBeforeASecretIsAskedFor(line: String, expected: String) {
        let machine = Machine(settings: "[[receiver]]\nname = \"taken\"\ntype = \"ntfy\"\nurl = \"https://a.org/b\"\n")
        machine.secrets = ["tk_abc"]
        #expect(machine.run(line) == 2)
        #expect(machine.run.errors.contains(expected), "\(machine.run.errors)")
        #expect(machine.asked.isEmpty && machine.files("conf.d").isEmpty && machine.calls.isEmpty)
    }

    /// Keys may need each other, whatever their order, and the credential.
    @Test func optionsAreCheckedTogether() throws {
        let machine = Machine()
        try machine.pipe("abcdef")
        let words = ["credential_header=X-Api-Key", "method=GET", "url=https://a.org/b", "body=a={{ text }}"]
        let type = "content_type=application/x-www-form-urlencoded"
        let sets = (words + [type]).flatMap { ["--set", $0] }
        #expect(machine.run(["receivers", "add", "webhook", "phone", "--secret-stdin"] + sets) == 0)
        let loaded = try SettingsLoader().load(machine.fixture.settings)
        #expect(loaded.settings.receivers.first?.request.method == .get)
        #expect(loaded.settings.receivers.first?.credential == "receiver-phone")
    }

    @Test func anExistingFileStays() throws {
        let machine = Machine()
        try machine.fixture.write("# mine\n", to: "conf.d/receiver-phone.toml")
        let line = "receivers add ntfy phone --set url=https://a.org/b --quiet"
        #expect(machine.run(line) == 2 && machine.run.errors.contains("already exists"))
        #expect(machine.text("conf.d/receiver-phone.toml") == "# mine\n")
        #expect(machine.run(line + " --force") == 0)
        #expect(machine.text("conf.d/receiver-phone.toml")?.contains("https://a.org/b") == true)
    }

    @Test func aForeignCredentialStays() throws {
        let machine = Machine()
        try machine.fixture.write("[Service]\nLoadCredential=receiver-phone:/x\n", to: "unit.d/own.conf")
        try machine.pipe("tk_abc")
        #expect(machine.run("receivers add ntfy phone --set url=https://a.org/b --secret-stdin") == 1)
        #expect(machine.run.errors.contains("own.conf already passes 'receiver-phone'"), "\(machine.run.errors)")
        #expect(machine.files("conf.d").isEmpty && machine.stored.isEmpty)
    }

    /// The service's credentials are not those of another daemon.
    @Test func anotherDaemonsSecretsAreItsOwn() throws {
        let machine = Machine(isService: false)
        #expect(machine.run("receivers add slack chat") == 0, "\(machine.run.errors)")
        #expect(machine.asked.isEmpty && machine.calls.isEmpty && machine.files("unit.d").isEmpty)
        #expect(machine.run.output.contains("pass the credential 'receiver-chat' to their daemon yourself"))
        machine.run.daemon.connectionErrors = [.notRunning(socket: "/s")]
        let words = ["receivers", "add", "slack", "phone", "--config", machine.fixture.settings]
        #expect(machine.run(words) == 0, "\(machine.run.errors)")
        #expect(machine.run.output.contains("pass the credential 'receiver-phone' to their daemon yourself"))
        try machine.pipe("https://a.org/b")
        #expect(machine.run("receivers add discord third --secret-stdin") == 2)
        #expect(machine.run.errors.contains("belongs to another daemon") && machine.files("conf.d").count == 2)
    }

    @Test func onlyRootStoresSecrets() {
        let machine = Machine(isRoot: false)
        machine.secrets = ["https://a.org/b"]
        #expect(machine.run("receivers add slack chat") == ExitCode.notAllowed.rawValue)
        #expect(machine.asked.isEmpty && machine.files("conf.d").isEmpty)
    }

    @Test func aFailedReloadIsUndone() {
        let machine = Machine()
        machine.run.daemon.errors[.reload] = .timedOut(.seconds(30))
        #expect(machine.run("receivers add ntfy phone --set url=https://a.org/b --json") != 0)
        #expect(machine.files("conf.d").isEmpty)
    }

    @Test func aFailedTestIsAnExitCode() {
        let machine = Machine()
        machine.answerTests(.failed)
        #expect(machine.run("receivers add ntfy phone --set url=https://a.org/b --quiet") == 1)
        #expect(machine.files("conf.d") == ["receiver-phone.toml"])
        #expect(machine.run("receivers add ntfy phone --set url=https://a.org/b --quiet --force --no-test") == 0)
    }

    @Test func aDryRunOnlyShows() {
        let machine = Machine()
        #expect(machine.run("receivers add teams chat --dry-run") == 0, "\(machine.run.errors)")
        #expect(machine.run.output.contains("url_credential = \"receiver-chat\"") && machine.asked.isEmpty)
        #expect(machine.files("conf.d").isEmpty && machine.calls.isEmpty && machine.run.daemon.asked == [.status])
    }

    // MARK: remove

    @Test func onlyItsOwnFilesAreRemoved() throws {
        let machine = Machine(settings: "[[receiver]]\nname = \"taken\"\ntype = \"ntfy\"\nurl = \"https://a.org/b\"\n")
        #expect(machine.run("receivers remove taken") == 1)
        #expect(machine.run.errors.contains("alertd.toml:2, which 'alertctl receivers add' has not written"))
        #expect(machine.run("receivers remove takn") != 0 && machine.run.errors.contains("did you mean 'taken'?"))
        try machine.fixture.write("# mine\n", to: "conf.d/receiver-phone.toml")
        #expect(machine.run("receivers remove phone") == 1 && machine.files("conf.d").count == 1)
        #expect(machine.run(["receivers", "remove", "../alertd"]) != 0 && machine.text("alertd.toml") != nil)
    }

    @Test func aReceiverThatARuleNamesStays() throws {
        let machine = Machine()
        #expect(machine.run("receivers add ntfy phone --set url=https://a.org/b --quiet") == 0)
        try machine.fixture.write(
            "[[rule]]\nsymbol = \"ethinr\"\nmax = 1\nnotify = [\"phone\"]\n", to: "rules.d/a.toml")
        #expect(machine.run("receivers remove phone") != 0)
        #expect(machine.run.errors.contains("there is no receiver named \"phone\""), "\(machine.run.errors)")
        #expect(machine.files("conf.d") == ["receiver-phone.toml"])
    }

    @Test func aSharedCredentialStays() throws {
        let machine = Machine()
        machine.secrets = ["https://a.org/b"]
        #expect(machine.run("receivers add slack chat") == 0)
        try machine.fixture.write(
            "[[receiver]]\nname = \"b\"\ntype = \"slack\"\nurl_credential = \"receiver-chat\"\n", to: "conf.d/b.toml")
        #expect(machine.run("receivers remove chat") == 0, "\(machine.run.errors)")
        #expect(machine.files("credentials") == ["receiver-chat.cred"] && machine.files("conf.d") == ["b.toml"])
    }
}
