import Foundation
import TestSupport
import Testing

@testable import Arguments

private let hasBash = FileManager.default.isExecutableFile(atPath: "/bin/bash")

@Suite(.timeLimit(.minutes(1)))
struct CompletionTests {
    /// What bash offers for the words, of which the last is being typed.
    private func complete(_ words: [String]) throws -> [String] {
        let list = words.map { "'\($0)'" }.joined(separator: " ")
        let script =
            sample.completionScript(for: .bash) + """
                compopt() { :; }
                watchctl() { [[ $2 == symbols ]] && printf '%s\\n' btcinr btcusdt ethinr; }
                COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1)
                _watchctl
                printf '%s\\n' "${COMPREPLY[@]}"
                """
        return try runBash(["-c", script]).split(separator: "\n").map(String.init)
    }

    private func runBash(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["--norc"] + arguments
        let output = try alone {
            let output = Pipe()
            process.standardOutput = output
            process.standardError = output
            try process.run()
            return output
        }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self)
    }

    @Test(.enabled(if: hasBash)) func bashFindsNoFaultInItsScript() throws {
        #expect(try runBash(["-n", "-c", sample.completionScript(for: .bash)]) == "")
    }

    @Test(.enabled(if: hasBash)) func bashOffersCommandsOptionsAndValues() throws {
        #expect(try complete(["watchctl", ""]) == ["list", "show", "config", "read", "completion"])
        #expect(try complete(["watchctl", "co"]) == ["config", "completion"])
        #expect(try complete(["watchctl", "config", ""]) == ["check"])
        #expect(try complete(["watchctl", "list", "--t"]) == ["--top"])
        #expect(try complete(["watchctl", "list", "--j"]) == ["--json"])
        #expect(try complete(["watchctl", "--color", "a"]) == ["auto", "always"])
        #expect(try complete(["watchctl", "list", "--color", "=", "n"]) == ["never"])
        #expect(try complete(["watchctl", "list", "--color", "="]) == ["auto", "always", "never"])
        #expect(try complete(["watchctl", "completion", "b"]) == ["bash"])
    }

    @Test(.enabled(if: hasBash)) func bashAsksTheProgramForLiveWords() throws {
        #expect(try complete(["watchctl", "show", "btc"]) == ["btcinr", "btcusdt"])
        #expect(try complete(["watchctl", "--socket", "list", "show", "eth"]) == ["ethinr"])
        #expect(try complete(["watchctl", "show", "btcinr", ""]) == [])
        #expect(try complete(["watchctl", "read", "eth"]) == ["ethinr"])
        #expect(try complete(["watchctl", "read", "a", "b", "eth"]) == ["ethinr"])
    }

    @Test func zshKnowsEveryCommand() {
        let script = sample.completionScript(for: .zsh)
        #expect(script.hasPrefix("#compdef watchctl\n"))
        #expect(script.contains("'config:Look after the settings'"))
        #expect(script.contains("_watchctl_config_check() {"))
        #expect(script.contains("'(--color)--color=[Whether to use \\[colours\\]]:WHEN:(auto always never)'"))
        #expect(script.contains("'1:SYMBOL:_watchctl_live symbols'"))
        #expect(script.contains("'*:FILE:_watchctl_live symbols'"))
    }

    @Test func fishKnowsEveryCommand() {
        let lines = sample.completionScript(for: .fish).split(separator: "\n")
        #expect(
            lines.contains(
                "complete -c watchctl -n '__fish_seen_subcommand_from list' -s n -l top -d 'Only so many' -r"))
        #expect(
            lines.contains(
                "complete -c watchctl -n '__fish_seen_subcommand_from show' "
                    + "-a '(watchctl __complete symbols 2>/dev/null)' -d 'Which one'"))
    }
}
