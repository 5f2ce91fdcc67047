import Control
import Foundation
import Testing

@testable import AlertClient

@Suite(.timeLimit(.minutes(10)))
struct RuleEditTests {
    private let place = SettingsFixture()
    private let rule = "[[rule]]\nname = \"high\"\nsymbol = \"btcinr\"\nmax = 7600000\n"

    /// A run with an editor that gives each text in turn.
    private func run(_ texts: String...) -> (run: Run, opened: Opened) {
        let run = place.run()
        let opened = Opened()
        run.environment.edit = { path, line in
            opened.files.append("\(path.split(separator: "/").last ?? ""):\(line ?? 0)")
            opened.path = path
            guard opened.files.count <= texts.count else { return true }
            return (try? texts[opened.files.count - 1].write(toFile: path, atomically: false, encoding: .utf8)) != nil
        }
        return (run, opened)
    }

    private final class Opened {
        var files: [String] = []
        var path = ""
    }

    @Test func whatWasEditedIsCheckedAndLoaded() throws {
        let (run, opened) = run(rule)
        #expect(run(["rule", "edit"]) == 0, "\(run.errors)")
        #expect(opened.files == ["alertctl.toml:0"])
        #expect(place.rules == rule && run.daemon.asked.last == .reload)
        #expect(run.output.hasPrefix("Changed \(place.ruleFile).\n"), "\(run.output)")
        #expect(!FileManager.default.fileExists(atPath: opened.path))
        #expect(!opened.path.hasPrefix(place.path))
    }

    @Test func aRuleIsOpenedWhereItIs() throws {
        try place.write("# x\n\n" + rule, to: "rules.d/other.toml")
        let (run, opened) = run()
        #expect(run(["rule", "edit", "high"]) == 0, "\(run.errors)")
        #expect(opened.files == ["other.toml:3"])
        #expect(run.output == "Nothing was changed.\n" && !run.daemon.asked.contains(.reload))
        let (other, _) = self.run()
        #expect(other(["rule", "edit", "low"]) == 4)
    }

    @Test func errorsAreEditedAgain() throws {
        let (run, opened) = run(rule.replacing("7600000", with: "x"), rule)
        run.environment.ask = { $0 == "Edit again? [y/N] " }
        #expect(run(["rule", "edit"]) == 0, "\(run.errors)")
        #expect(opened.files == ["alertctl.toml:0", "alertctl.toml:4"])
        #expect(run.errors.contains("\(place.ruleFile):4:7: error: ") && place.rules == rule)
    }

    /// The editor opens at an error of the file that is edited, whatever else is wrong.
    @Test func errorsElsewhereAreNotOpened() throws {
        try place.write("[[rule]]\nname = 1\n", to: "rules.d/aaa.toml")
        let faulty = rule.replacing("7600000", with: "x")
        let (run, opened) = run(faulty, faulty)
        run.environment.ask = { _ in opened.files.count < 2 }
        #expect(run(["rule", "edit"]) == 1)
        #expect(opened.files == ["alertctl.toml:0", "alertctl.toml:4"], "\(run.errors)")
    }

    @Test func whoGivesUpKeepsTheText() throws {
        let (run, opened) = run("nonsense\n")
        #expect(run(["rule", "edit"]) == 1)
        defer { try? FileManager.default.removeItem(at: URL(filePath: opened.path).deletingLastPathComponent()) }
        #expect(run.errors.hasSuffix("alertctl: nothing was changed; your version is in \(opened.path)\n"))
        #expect(try String(contentsOfFile: opened.path, encoding: .utf8) == "nonsense\n")
        #expect(try place.mode(opened.path) == 0o600 && place.rules == nil)
    }

    @Test func brokenSettingsAreOpenedAtTheFirstError() throws {
        try place.write("[[rule]]\nmax = 1\n", to: "rules.d/other.toml")
        let (run, opened) = run(rule)
        #expect(run(["rule", "edit", "high"]) == 0, "\(run.errors)")
        #expect(opened.files == ["other.toml:1"])
        #expect(run.errors.contains("the rules are not known until this is fixed; opening the first error"))
        #expect(try String(contentsOfFile: place.path + "/rules.d/other.toml", encoding: .utf8) == rule)
    }

    /// With errors in several files, one file after the other is corrected; no daemon is asked to load the rest.
    @Test func filesAreCorrectedOneByOne() throws {
        try place.write("[[rule]]\nmax = 1\n", to: "rules.d/aaa.toml")
        try place.write("[[rule]]\nmax = 2\n", to: "rules.d/bbb.toml")
        let (first, opened) = run(rule)
        #expect(first(["rule", "edit", "high"]) == 6, "\(first.errors)")
        #expect(opened.files == ["aaa.toml:1"] && !first.daemon.asked.contains(.reload))
        #expect(try String(contentsOfFile: place.path + "/rules.d/aaa.toml", encoding: .utf8) == rule)
        #expect(first.output.hasPrefix("Changed ") && first.errors.contains("bbb.toml:1:1: error: "), "\(first.errors)")
        let (second, again) = run(rule.replacing("high", with: "low"))
        #expect(second(["rule", "edit", "low"]) == 0, "\(second.errors)")
        #expect(again.files == ["bbb.toml:1"] && second.daemon.asked.last == .reload)
    }

    @Test func changesOfOthersAreNotOverwritten() throws {
        try place.write(rule, to: "rules.d/alertctl.toml")
        let (run, opened) = run(rule + "# edited\n")
        defer { try? FileManager.default.removeItem(at: URL(filePath: opened.path).deletingLastPathComponent()) }
        let edit = run.environment.edit
        run.environment.edit = { [place] path, line in
            (try? place.write("# theirs\n", to: "rules.d/alertctl.toml")) != nil && edit(path, line)
        }
        #expect(run(["rule", "edit"]) == 1)
        #expect(run.errors.contains("was changed by somebody else in the meantime") && place.rules == "# theirs\n")
        #expect(run.errors.contains("your version is in "))
    }

    @Test func anEditorThatFailsChangesNothing() throws {
        let (run, _) = run()
        run.environment.edit = { _, _ in false }
        #expect(run(["rule", "edit"]) == 1)
        #expect(run.errors == "alertctl: the editor failed; set EDITOR to another one\n" && place.rules == nil)
    }

    @Test func theLineIsGivenToEditorsThatTakeOne() {
        #expect(Editor(["EDITOR": "vim -u NONE", "VISUAL": ""]).shellCommand(atLine: 7) == "vim -u NONE +7 \"$1\"")
        #expect(
            Editor(["VISUAL": "/usr/bin/nano", "EDITOR": "x"]).shellCommand(atLine: 7) == "/usr/bin/nano +7 \"$1\"")
        #expect(Editor(["EDITOR": "code --wait"]).shellCommand(atLine: 7) == "code --wait \"$1\"")
        #expect(Editor(["EDITOR": "vi"]).shellCommand(atLine: nil) == "vi \"$1\"")
    }

    @Test func theEditorIsStartedByTheShell() throws {
        try place.write("old\n", to: "a file")
        let path = place.path + "/a file"
        #expect(Editor(["EDITOR": "sed -i s/old/new/"]).open(path, atLine: nil))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "new\n")
        #expect(!Editor(["EDITOR": "false"]).open(path, atLine: nil))
        #expect(!Editor(["EDITOR": "/no/such/editor"]).open(path, atLine: nil))
    }
}
