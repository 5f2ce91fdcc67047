import Control
import Testing

@testable import AlertClient

struct RestoreTests {
    private func run(_ result: ProgramResult?, _ line: String) -> (run: Run, words: [String]) {
        let run = Run()
        var words: [String] = []
        run.environment.runDaemon = {
            words = $0
            return result
        }
        run(line)
        return (run, words)
    }

    @Test func theProgramOfTheDaemonRestoresIt() {
        let text = "Restored /s/alertd.db from a.db: 1 event; the next one gets the number 2.\nThe previous is in b.\n"
        let result = ProgramResult(code: 0, output: text, errors: "")
        let (done, words) = run(result, "restore a.db --state-dir /s --config c.toml --force")
        #expect(done.output == text && done.daemon.asked.isEmpty)
        #expect(words == ["--restore", "a.db", "--state-dir", "/s", "--config", "c.toml", "--force"])
        let (json, few) = run(result, "restore a.db --json")
        #expect(few == ["--restore", "a.db"])
        #expect(json.output.hasPrefix(#"{"file":"a.db","messages":["Restored "#))
    }

    @Test func failuresAreThoseOfTheProgram() {
        let failed = run(ProgramResult(code: 1, output: "", errors: "alertd: a.db: is damaged\n"), "restore a.db").run
        #expect(failed.errors == "alertctl: a.db: is damaged\n" && failed.output.isEmpty)
        let denied = Run()
        denied.environment.runDaemon = { _ in ProgramResult(code: 4, output: "", errors: "alertd: /s: denied\n") }
        #expect(denied("restore a.db") == 77)
        #expect(denied.errors == "alertctl: /s: denied; run the command as root, for example with sudo\n")
        let missing = run(nil, "restore a.db").run
        #expect(missing.errors.contains("cannot run alertd"))
    }

    @Test func aProgramIsRunToItsEnd() {
        let shell = CapturedProgram("/bin/sh")
        #expect(
            shell.run(["-c", "echo a; echo b >&2; exit 3"]) == ProgramResult(code: 3, output: "a\n", errors: "b\n"))
        #expect(shell.run(["-c", "cat"])?.output.isEmpty == true)
        #expect(shell.run(["-c", "kill -9 $$"])?.code == -1)
        #expect(CapturedProgram("/no/such/program").run([]) == nil)
    }
}
