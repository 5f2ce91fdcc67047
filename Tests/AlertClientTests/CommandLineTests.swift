import Control
import Foundation
import TestSupport
import Testing

@testable import AlertClient
@testable import Arguments

@Suite(.timeLimit(.minutes(1)))
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
        #expect(socket("__complete symbols", ["ALERTD_SOCKET": "/a"]) == "/a")
    }

    @Test func helpIsTheSameHoweverItIsAskedFor() {
        #expect(Run().output("help list") == Run().output("list --help"))
        #expect(Run().output("help") == Run().output("-h"))
        #expect(Run().output("list --help").hasPrefix("Usage: alertctl list [OPTION]...\n"))
        let config = Run()
        #expect(config("help config") == 0)
        #expect(config.output.contains("check  Check a settings file"))
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
                let words = example.line.split(separator: " ").dropFirst().prefix { $0 != "|" && $0 != ">" }
                let plain = words.map { word in String(word.filter { $0 != "'" }) }
                #expect(throws: Never.self) { try ClientCommandLine.specification.parse(plain) }
            }
        }
    }

    @Test func completionAsksTheDaemonAndIsSilentWithoutOne() {
        #expect(Run().output("__complete symbols") == "btcinr\nshibinr\nethusdt\ndeadinr\n")
        #expect(Run().output("__complete rules") == "btc band\ngone\n")
        #expect(Run().output("__complete nothing") == "")
        let run = Run()
        run.daemon.connectionErrors = [.notRunning(socket: "/s")]
        #expect(run("__complete symbols") == 0)
        #expect(run.output + run.errors == "")
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash")))
    func bashFindsNoFaultInTheCompletion() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["--norc", "-n", "-c", Run().output("completion bash")]
        try alone { try process.run() }
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test func versionNeedsNoDaemon() {
        let run = Run()
        run.daemon.connectionErrors = [.notRunning(socket: "/s")]
        #expect(run("version") == 0)
        #expect(run.output.hasPrefix("alertctl "))
        #expect(Run().output("--version") == Run().output("version"))
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
