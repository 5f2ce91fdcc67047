import Foundation
import TestSupport
import Testing

@testable import Arguments

/// The scripts in their real shells, with a program that answers them.
@Suite(.timeLimit(.minutes(10)))
final class ShellTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("watch-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let program = folder.appendingPathComponent("watchctl")
        // Says in a file what it was asked, and answers with what a line holds for it.
        let text = #"""
            #!/bin/bash
            printf '%s|' "$@" >"$(dirname "$0")/asked"
            [[ $1 == __complete ]] || exit 1
            echo 'noise' >&2
            case "${*: -2:1}" in
                show) printf '%s\t%s\n' btcinr 'one: 1' btcusdt 'two [2]' ethinr '' ;;
                chart) printf '%s\t%s\n' one:btcinr 1 two:btcinr 2 two:ethinr 3 ;;
                --rule) printf '%s\t%s\n' 'btc band' ok "it's; odd" firing 'eth:low' ok 'a\b' ok ;;
                --color | =) printf '%s\n' auto always never ;;
                check) echo :files ;;
                into) echo :directories ;;
                *) [[ ${*: -1} != --color=* ]] || printf '%s\n' --color=auto --color=always --color=never ;;
            esac
            """#
        try text.write(to: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private func offers(_ shell: CompletingShell, _ line: String) throws -> [String] {
        let script = sample.completionScript(for: try #require(Shell(rawValue: shell.rawValue)))
        return try shell.offers(line, of: "watchctl", script: script, folders: folder.path)
    }

    private static let shells = CompletingShell.allCases.filter(\.isInstalled)

    @Test(arguments: CompletingShell.allCases) func theShellIsInstalled(shell: CompletingShell) throws {
        guard !shell.isInstalled else { return }
        let isCI = ProcessInfo.processInfo.environment["CI"] == "true"
        try #require(!isCI, "\(shell) is missing, so that nothing of it is tested")
        try Test.cancel("\(shell) is not installed: its completions are not tested")
    }

    @Test(arguments: shells) func wordsAreOffered(shell: CompletingShell) throws {
        #expect(try offers(shell, "watchctl show b") == ["btcinr", "btcusdt"])
        #expect(try offers(shell, "watchctl --json show e") == ["ethinr"])
        #expect(try offers(shell, "watchctl show x").isEmpty)
    }

    @Test(arguments: shells) func valuesAreOfferedInBothForms(shell: CompletingShell) throws {
        #expect(try offers(shell, "watchctl --color a") == ["always", "auto"])
        // For bash the word begins after the equals sign.
        let whole = shell == .bash ? ["always", "auto"] : ["--color=always", "--color=auto"]
        #expect(try offers(shell, "watchctl --color=a") == whole)
    }

    @Test(arguments: shells) func namesWithSpacesAndSignsAreQuoted(shell: CompletingShell) throws {
        let all = try offers(shell, "watchctl tail --rule ")
        switch shell {
        case .bash: #expect(all == ["a\\\\b", "btc\\ band", "eth:low", "it\\'s\\;\\ odd"])
        case .zsh: #expect(all == ["a\\\\b", "btc\\ band", "eth:low", "it\\'s\\;\\ odd"])
        case .fish: #expect(all == ["a\\b", "btc band", "eth:low", "it's; odd"])
        }
        let begun = try offers(shell, "watchctl tail --rule btc\\ b")
        #expect(begun == (shell == .fish ? ["btc band"] : ["btc\\ band"]))
    }

    /// Bash takes a colon for the end of a word.
    @Test(arguments: shells) func namesWithColonsAreCompleted(shell: CompletingShell) throws {
        let rest = shell == .bash ? ["btcinr", "ethinr"] : ["two:btcinr", "two:ethinr"]
        #expect(try offers(shell, "watchctl chart two:").map { $0.replacing("\\", with: "") } == rest)
        #expect(try offers(shell, "watchctl chart two:e").map { $0.replacing("\\", with: "") } == [rest[1]])
        #expect(try offers(shell, "watchctl chart o").map { $0.replacing("\\", with: "") } == ["one:btcinr"])
    }

    @Test func bashLeavesAWordInQuotesAsItIs() throws {
        #expect(try offers(.bash, "watchctl tail --rule \"btc b") == ["btc band"])
    }

    @Test(arguments: shells) func filesAndFoldersAreFound(shell: CompletingShell) throws {
        let place = folder.path
        try FileManager.default.createDirectory(atPath: "\(place)/sub", withIntermediateDirectories: true)
        try "".write(toFile: "\(place)/some file", atomically: true, encoding: .utf8)
        let found = { (line: String) in
            try self.offers(shell, line).map { $0.split(separator: "/").last.map(String.init) ?? "" }.sorted()
        }
        #expect(try found("watchctl config check \(place)/s").count == 2)
        #expect(try found("watchctl into \(place)/s") == ["sub"])
    }

    /// The program gets the words one by one, the last of them empty when nothing of it was typed.
    @Test(arguments: shells) func theProgramIsAskedWithTheWords(shell: CompletingShell) throws {
        _ = try offers(shell, "watchctl --socket /tmp/x show ")
        let asked = try String(contentsOf: folder.appendingPathComponent("asked"), encoding: .utf8)
        #expect(asked == "__complete|--socket|/tmp/x|show||")
    }
}
