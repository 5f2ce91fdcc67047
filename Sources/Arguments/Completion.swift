/// A shell that a completion script can be made for.
package enum Shell: String, CaseIterable, Sendable {
    case bash
    case zsh
    case fish
}

extension CommandLineSpecification {
    /// A script that teaches the shell to complete this program. Words of kind ``ValueKind/live(_:)`` are asked of
    /// `PROGRAM __complete KIND` while the user types.
    package func completionScript(for shell: Shell) -> String {
        switch shell {
        case .bash: bashScript
        case .zsh: zshScript
        case .fish: fishScript
        }
    }

    /// Every command with its path of names, this one first with an empty path, and the options it may be given.
    var flattened: [FlatCommand] { flattened(path: [], inherited: []) }

    private func flattened(path: [String], inherited: [OptionSpecification]) -> [FlatCommand] {
        let options = self.options + inherited
        return [FlatCommand(path: path, command: self, options: options)]
            + commands.flatMap { $0.flattened(path: path + [$0.name], inherited: options) }
    }
}

struct FlatCommand {
    var path: [String]
    var command: CommandLineSpecification
    /// Its own and those of the commands above it.
    var options: [OptionSpecification]
}

extension OptionSpecification {
    /// The names as they are typed: `-n`, `--top`.
    var typed: [String] { (short.map { ["-\($0)"] } ?? []) + ["--" + name] }
}

/// The text as one word of a POSIX shell or of fish.
func shellQuoted(_ text: String) -> String {
    var result = "'"
    for character in text {
        result += character == "'" ? "'\\''" : String(character)
    }
    return result + "'"
}
