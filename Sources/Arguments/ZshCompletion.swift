extension CommandLineSpecification {
    /// One function a command, each a call of `_arguments`.
    var zshScript: String {
        let functions = flattened.map { zshFunction($0) }.joined(separator: "\n")
        return """
            #compdef \(name)

            _\(name)_live() {
                local -a words
                words=(${(f)"$(\(name) __complete $1 2>/dev/null)"})
                compadd -a words
            }

            \(functions)
            _\(name) "$@"

            """
    }

    private func zshFunction(_ flat: FlatCommand) -> String {
        let function = zshName(flat.path)
        var specifications = flat.options.flatMap(zshOption)
        guard !flat.command.commands.isEmpty else {
            specifications += flat.command.operands.enumerated().map { index, operand in
                let number = operand.isRepeated ? "*" : "\(index + 1)"
                let place = "\(number)\(operand.isOptional ? "::" : ":")\(zshText(operand.name))"
                return shellQuoted(place + ":" + zshAction(operand.kind))
            }
            return "\(function)() {\n    _arguments -s -S \\\n" + zshJoined(specifications) + "\n}\n"
        }
        specifications += [shellQuoted("1:command:->command"), shellQuoted("*::argument:->argument")]
        return """
            \(function)() {
                local context state state_descr line
                typeset -A opt_args
                _arguments -C -s -S \\
            \(zshJoined(specifications)) && return
                case $state in
                    command)
                        local -a commands
                        commands=(
            \(flat.command.commands.map { "                " + shellQuoted("\($0.name):\($0.summary)") }
                .joined(separator: "\n"))
                        )
                        _describe command commands ;;
                    argument)
                        case $words[1] in
            \(flat.command.commands.map { "                \($0.name)) \(zshName(flat.path + [$0.name])) ;;" }
                .joined(separator: "\n"))
                        esac ;;
                esac
            }

            """
    }

    private func zshName(_ path: [String]) -> String {
        "_" + ([name] + path).joined(separator: "_")
    }

    private func zshJoined(_ specifications: [String]) -> String {
        specifications.map { "        " + $0 }.joined(separator: " \\\n")
    }

    private func zshOption(_ option: OptionSpecification) -> [String] {
        option.typed.map { typed in
            let others = option.typed.joined(separator: " ")
            let isLong = typed.hasPrefix("--")
            let value = option.valueName.map { ":\(zshText($0)):\(zshAction(option.kind))" } ?? ""
            let join = option.valueName == nil ? "" : isLong ? "=" : "+"
            return shellQuoted("(\(others))\(typed)\(join)[\(zshText(option.help))]\(value)")
        }
    }

    private func zshAction(_ kind: ValueKind) -> String {
        switch kind {
        case .any: " "
        case .oneOf(let words): "(\(words.joined(separator: " ")))"
        case .file: "_files"
        case .directory: "_files -/"
        case .live(let words): "_\(name)_live \(words)"
        }
    }
}

/// The text with what `_arguments` would take for its own escaped.
private func zshText(_ text: String) -> String {
    var result = ""
    for character in text {
        if "[]:\\".contains(character) { result.append("\\") }
        result.append(character)
    }
    return result
}
