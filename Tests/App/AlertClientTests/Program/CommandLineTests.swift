import Control
import Foundation
import Market
import TestSupport
import Testing
import Time

@testable import AlertClient
@testable import Arguments

@Suite(.timeLimit(.minutes(10)))
struct CommandLineTests {
    @Test func theSocketIsThatOfTheOptionThenOfTheVariableThenTheDefault() {
        func socket(_ line: String, _ variables: [String: String]) -> String? {
            let run = Run(variables: variables)
            run(line)
            return run.target?.socket
        }
        #expect(socket("status", [:]) == "/run/alertd/org.alertd.Control")
        #expect(socket("status", ["ALERTD_SOCKET": ""]) == "/run/alertd/org.alertd.Control")
        #expect(socket("status", ["ALERTD_SOCKET": "/a"]) == "/a")
        #expect(socket("--socket /b status", ["ALERTD_SOCKET": "/a"]) == "/b")
        #expect(socket("__complete show x", ["ALERTD_SOCKET": "/a"]) == "/a")
    }

    @Test func helpIsTheSameHoweverItIsAskedFor() {
        #expect(Run().output("help list") == Run().output("list --help"))
        #expect(Run().output("help") == Run().output("-h"))
        for words in ["silence add", "limit list"] {
            #expect(Run().output("help \(words)") == Run().output("\(words) --help"))
        }
        #expect(Run().output("help silence add").hasPrefix("Usage: alertctl silence add "))
        let unknown = Run()
        #expect(unknown("help silence ad") != 0)
        #expect(unknown.errors.contains("did you mean 'add'?"))
        #expect(Run().output("list --help").hasPrefix("Usage: alertctl list [OPTION]... [SEARCH]\n"))
        let config = Run()
        #expect(config("help config") == 0)
        #expect(config.output.contains("check  Check a settings file"))
    }

    @Test(arguments: [
        ("limit set extra", "unknown command 'limit set'\nTry 'alertctl limit --help'.\n"),
        ("limit rest", "unknown command 'limit rest'; did you mean 'reset'?\nTry 'alertctl limit --help'.\n"),
        ("list bitcoin", "unknown command 'list bitcoin'\nTry 'alertctl list --help'.\n"),
        ("status extra", "unexpected argument 'extra'; it takes no operands\nTry 'alertctl status --help'.\n"),
    ])
    func helpNamesWhatIsNotACommand(words: String, message: String) {
        let run = Run()
        #expect(run("help \(words)") == 2)
        #expect(run.output.isEmpty && run.errors == "alertctl: \(message)", "\(run.errors)")
    }

    @Test func everyCommandHasHelpWithinAnOrdinaryTerminal() {
        for command in ClientCommandLine.specification.commands {
            let run = Run()
            #expect(run("\(command.name) --help") == 0)
            #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
        }
    }

    @Test func everyExampleIsACommandLineThatCanBeRead() throws {
        for command in [ClientCommandLine.specification] + ClientCommandLine.specification.commands {
            for example in command.examples where example.line.hasPrefix("alertctl") {
                let words = words(of: example.line).dropFirst().prefix { $0 != "|" && $0 != ">" }
                #expect(throws: Never.self) { try ClientCommandLine.specification.parse(Array(words)) }
            }
        }
    }

    /// The words of a line as a shell parts them; what is between quotes is one.
    private func words(of line: String) -> [String] {
        line.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
            index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
        }
    }

    private func offered(_ line: String) -> [String] {
        let run = Run()
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        #expect(run(["__complete"] + words) == 0)
        return run.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    }

    @Test func completionAsksTheDaemon() {
        #expect(offered("show ") == ["btcinr", "shibinr", "ethusdt", "deadinr"])
        #expect(offered("tail --rule ") == ["btc band", "gone"])
        #expect(offered("list --quote=") == ["--quote=inr", "--quote=usdt"])
        #expect(offered("convert 1 ").prefix(1) == ["EUR"])
        #expect(offered("help sho") == ClientCommandLine.specification.commands.map(\.name))
        #expect(offered("config check ") == [":files"])
        #expect(offered("--color ") == ["auto", "always", "never"])
        #expect(offered("nothing at all ") == [])
    }

    @Test func completionIsSilentWithoutADaemon() {
        let run = Run()
        run.daemon.connectionErrors = [.notRunning(socket: "/s")]
        #expect(run("__complete show x") == 0)
        #expect(run.output + run.errors == "")
        #expect(run("__complete --timeout nonsense show x") == 0)
        #expect(run.output + run.errors == "")
    }

    @Test func completionAsksWhereTheLineSays() {
        let run = Run()
        run("__complete --socket /b show x")
        #expect(run.target == ConnectionTarget(socket: "/b", timeout: .seconds(1)))
    }

    /// A kind that nobody answers would be an offer that never comes.
    @Test func eachKindOfLiveWordIsKnown() {
        for flat in ClientCommandLine.specification.flattened {
            for case .live(let kind) in flat.command.operands.map(\.kind) + flat.options.map(\.kind) {
                #expect(CompleteWords.Kind(rawValue: kind) != nil, "\(flat.path): \(kind)")
            }
        }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash")))
    func bashFindsNoFaultInTheCompletion() throws {
        let arguments = ["--norc", "-n", "-c", Run().output("completion bash")]
        #expect(try ChildProcess.run("/bin/bash", arguments).code == 0)
    }

    @Test func versionNeedsNoDaemon() {
        let run = Run()
        run.daemon.connectionErrors = [.notRunning(socket: "/s")]
        #expect(run("version") == 0)
        #expect(run.output.hasPrefix("alertctl "))
    }

    @Test func theOptionShowsOnlyTheOwnVersion() {
        let run = Run()
        #expect(run("--version") == 0)
        #expect(run.output == "alertctl \(Version.current)\n")
        #expect(run.daemon.asked.isEmpty)
        #expect(Run().output("--version --json") == "{\"alertctl\":\"\(Version.current)\"}\n")
    }

    @Test func theManualPageIsMadeFromTheSameData() {
        let page = Run().output("__man alertctl.1")
        #expect(page.hasPrefix(".TH \"ALERTCTL\" \"1\" \"\(Version.date)\" \"alertd \(Version.current)\"\n"))
        for flat in ClientCommandLine.specification.flattened.dropFirst() {
            #expect(page.contains(".SS \"\(flat.path.joined(separator: " "))".replacing("-", with: "\\-")))
            for option in flat.command.options {
                #expect(page.contains("\\-\\-\(option.name.replacing("-", with: "\\-"))\\fR"), "\(option.name)")
            }
        }
        for code in ExitCode.allCases { #expect(page.contains(".TP\n\\fB\(code.rawValue)\\fR\n")) }
    }

    @Test(.enabled(if: ManualReader.mandoc.isInstalled, "mandoc is not installed"))
    func mandocFindsNoFaultInTheManualPage() throws {
        #expect(try ManualReader.mandoc.faults(in: Run().output("__man")) == "")
    }

    @Test(.enabled(if: ManualReader.groff.isInstalled, "groff is not installed"))
    func groffFindsNoFaultInTheManualPage() throws {
        #expect(try ManualReader.groff.faults(in: Run().output("__man")) == "")
    }
}
