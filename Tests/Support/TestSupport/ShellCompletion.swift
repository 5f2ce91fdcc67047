internal import Foundation

/// A real shell, asked for the completions that it offers when Tab is pressed.
package enum CompletingShell: String, CaseIterable, Sendable {
    case bash
    case zsh
    case fish

    private var path: String { self == .bash ? "/bin/bash" : "/usr/bin/\(rawValue)" }

    /// Whether it is installed.
    package var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// Its completions at the end of the line, sorted; in zsh as they would be inserted, with quoting.
    ///
    /// - Parameters:
    ///   - line: the line typed so far, without single quotes.
    ///   - program: the first word of the line.
    ///   - script: the completion script of the program.
    ///   - folders: searched first for the program.
    ///   - variables: environment variables for the shell.
    /// - Returns: the completions.
    /// - Throws: when the shell cannot be started.
    package func offers(
        _ line: String, of program: String, script: String, folders: String, variables: [String: String] = [:]
    ) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("shell-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try script.write(to: folder.appendingPathComponent("_\(program)"), atomically: true, encoding: .utf8)
        let driver = folder.appendingPathComponent("driver")
        try self.driver(program).write(to: driver, atomically: true, encoding: .utf8)
        let environment = ["PATH": "\(folders):/usr/bin:/bin", "HOME": folder.path, "TERM": "dumb"]
        let output = try ChildProcess.run(
            path, options + [driver.path, folder.path, line], environment: environment.merging(variables) { $1 }
        ).output
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
        return Set(lines.map { String($0.prefix { $0 != "\t" }) }).sorted()
    }

    private var options: [String] {
        switch self {
        case .bash: ["--norc"]
        case .zsh: ["-f"]
        case .fish: ["--no-config"]
        }
    }

    /// A script that prints the completions of its second argument, with the completion script as its first.
    private func driver(_ program: String) -> String {
        switch self {
        case .bash: Self.bashDriver(program)
        case .zsh: Self.zshDriver
        case .fish: "source $argv[1]/_\(program); complete -C $argv[2]\n"
        }
    }

    /// Splits words as readline does: at spaces that are not escaped or quoted, and at equals signs and colons.
    private static func bashDriver(_ program: String) -> String {
        #"""
        source "$1/_\#(program)"
        compopt() { :; }
        COMP_LINE=$2 COMP_WORDS=() word=
        for ((i = 0; i < ${#COMP_LINE}; i++)); do
            character=${COMP_LINE:i:1}
            if [[ $character == ' ' && $word != *\\ && $word != \"* ]]; then
                COMP_WORDS+=("$word") word=
            elif [[ $character == [=:] && $word != \"* ]]; then
                COMP_WORDS+=("$word" "$character") word=
            else
                word+=$character
            fi
        done
        [[ -z $word && ${COMP_WORDS[-1]} == [=:] ]] || COMP_WORDS+=("$word")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _\#(program)
        printf '%s\n' "${COMPREPLY[@]}"

        """#
    }

    /// An interactive zsh on its own terminal; what it would insert into the line is written to a file.
    private static let zshDriver = #"""
        zmodload zsh/zpty
        export FOLDER=$1 OFFERS=$1/offers
        : >$OFFERS
        cat >$FOLDER/inside <<'end'
        fpath=($FOLDER $fpath)
        autoload -Uz compinit && compinit -D -u
        bindkey '^I' complete-word
        compadd() {
            if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
            local -a hits
            builtin compadd -A hits "$@"
            print -rl -- $hits >>$OFFERS
            builtin compadd "$@"
        }
        comppostfuncs=(exit)
        end
        zpty inner zsh -f -i
        zpty -w inner "PROMPT=; source $FOLDER/inside"
        zpty -n -w inner "$2"$'\t'
        while zpty -r inner chunk; do :; done
        cat $OFFERS

        """#
}
