extension CommandLineSpecification {
    /// Needs bash 4 and nothing else; knows that bash splits `--name=value` at the equals sign.
    var bashScript: String {
        let commands = flattened
        let paths = commands.dropFirst().map { "\"\($0.path.joined(separator: "/"))\"" }
        return """
            # bash completion for \(name)
            _\(name)() {
                local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
                local path="" word i operands=0
                if [[ $current == = ]]; then
                    current=""
                elif [[ $previous == = ]]; then
                    previous=${COMP_WORDS[COMP_CWORD-2]}
                fi
                for ((i = 1; i < COMP_CWORD; i++)); do
                    word=${COMP_WORDS[i]}
                    case $word in
                        \(bashValueOptions(commands)))
                            ((i++))
                            [[ ${COMP_WORDS[i]} == = ]] && ((i++)) ;;
                        -*) ;;
                        *)
                            case "${path:+$path/}$word" in
                                \(paths.isEmpty ? "\"\"" : paths.joined(separator: " | "))) path=${path:+$path/}$word ;;
                                *) ((operands++)) ;;
                            esac ;;
                    esac
                done
                case "$path:$previous" in
            \(bashValues(commands))
                esac
                if [[ $current == -* ]]; then
                    case $path in
            \(bashOptionNames(commands))
                    esac
                    return
                fi
                case "$path:$operands" in
            \(bashOperands(commands))
                esac
            }
            complete -F _\(name) \(name)

            """
    }

    private func bashValueOptions(_ commands: [FlatCommand]) -> String {
        var names: [String] = []
        for option in commands.flatMap(\.command.options) where option.valueName != nil {
            names += option.typed.filter { !names.contains($0) }
        }
        return names.isEmpty ? "\"\"" : names.joined(separator: " | ")
    }

    private func bashValues(_ commands: [FlatCommand]) -> String {
        commands.flatMap { flat in
            flat.options.filter { $0.valueName != nil }.map { option in
                let patterns = option.typed.map { "\"\(flat.path.joined(separator: "/")):\($0)\"" }
                return "        \(patterns.joined(separator: " | "))) \(bashReply(option.kind)); return ;;"
            }
        }.joined(separator: "\n")
    }

    private func bashOptionNames(_ commands: [FlatCommand]) -> String {
        commands.map { flat in
            let names = flat.options.flatMap(\.typed).joined(separator: " ")
            return "            \"\(flat.path.joined(separator: "/"))\") \(bashReply(.oneOf([names]))) ;;"
        }.joined(separator: "\n")
    }

    private func bashOperands(_ commands: [FlatCommand]) -> String {
        commands.flatMap { flat -> [String] in
            let path = flat.path.joined(separator: "/")
            let operands = flat.command.operands.enumerated().map {
                "        \"\(path):\($0.element.isRepeated ? "\"*" : "\($0.offset)\"")) "
                    + "\(bashReply($0.element.kind)) ;;"
            }
            guard !flat.command.commands.isEmpty else { return operands }
            return ["        \"\(path):0\") \(bashReply(.oneOf(flat.command.commands.map(\.name)))) ;;"] + operands
        }.joined(separator: "\n")
    }

    private func bashReply(_ kind: ValueKind) -> String {
        switch kind {
        case .any: "COMPREPLY=()"
        case .oneOf(let words):
            "mapfile -t COMPREPLY < <(compgen -W \(shellQuoted(words.joined(separator: " "))) -- \"$current\")"
        case .file:
            "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$current\")"
        case .directory:
            "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$current\")"
        case .live(let words):
            "mapfile -t COMPREPLY < <(\(name) __complete \(words) 2>/dev/null | "
                + "while IFS= read -r word; do [[ $word == \"$current\"* ]] && printf '%q\\n' \"$word\"; done)"
        }
    }
}
