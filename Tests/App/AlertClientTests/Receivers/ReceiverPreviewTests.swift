import Configuration
import Testing

@testable import AlertClient

/// `alertctl receivers preview`
struct ReceiverPreviewTests {
    private static let settings = """
        [[receiver]]
        name = "hook"
        type = "webhook"
        url = "https://example.org/a"
        [[receiver]]
        name = "prices"
        type = "remote_write"
        url = "https://example.org/w"
        [[rule]]
        symbol = "btcinr"
        max = 1
        """

    private func run(_ result: ProgramResult?) -> (Run, Calls) {
        let run = Run(width: 120)
        let calls = Calls()
        run.environment.checkFiles = { paths in
            SettingsLoader(files: ReplacedFile(paths[0], with: Array(Self.settings.utf8), in: LocalFiles())).check(
                paths)
        }
        run.environment.runDaemon = { words in
            calls.words.append(words)
            return result
        }
        return (run, calls)
    }

    private final class Calls { var words: [[String]] = [] }

    private static let answer = ProgramResult(
        code: 0,
        output:
            #"{"method":"POST","address":"https://example.org/a","headers":["A: b"],"body":"{\n \"x\u001b\": 1\n}"}"#
            + "\n",
        errors: "")

    @Test func theRequestIsShown() {
        let (run, calls) = run(Self.answer)
        let output = run.output("receivers preview hook --config /none/alertd.toml")
        #expect(output.hasPrefix("POST https://example.org/a\nA: b\n\n{\n \"x") && output.contains("\": 1\n}\n"))
        #expect(!output.contains("\u{1B}"))
        #expect(calls.words == [["__preview", "/none/alertd.toml", "hook", "fired"]])
        _ = run.output("receivers preview hook --config /none/alertd.toml --kind group")
        #expect(calls.words.last?.last == "group")
    }

    @Test func programsGetItsParts() {
        let (run, _) = run(Self.answer)
        let output = run.output("receivers preview hook --config /none/alertd.toml --json")
        #expect(
            output.contains(#""receiver":"hook","kind":"fired""#) && output.contains(#""headers":["A: b"]"#),
            "\(output)")
    }

    @Test func mistakesAreSaid() {
        let (run, calls) = run(nil)
        #expect(run("receivers preview hok --config /a.toml") != 0 && run.errors.contains("did you mean 'hook'?"))
        #expect(run("receivers preview prices --config /a.toml") != 0 && run.errors.contains("gets prices"))
        #expect(run("receivers preview hook --config /a.toml --kind fird") == 2 && run.errors.contains("fird"))
        #expect(calls.words.isEmpty)
        #expect(run("receivers preview hook --config /a.toml") != 0 && run.errors.contains("cannot run alertd"))
    }

    @Test func whatTheProgramSaysIsPassedOn() {
        let (run, _) = run(
            ProgramResult(code: 1, output: "", errors: "alertd: the address does not end with a topic\n"))
        #expect(run("receivers preview hook --config /a.toml") == 1)
        #expect(run.errors.contains("the receiver 'hook' cannot send: the address does not end with a topic"))
    }
}
