/// A shell with support for completion scripts.
package enum Shell: String, CaseIterable, Sendable {
    case bash
    case zsh
    case fish
}

extension CommandLineSpecification {
    /// Returns a script with which the shell completes the arguments of this program.
    ///
    /// The script contains no options or commands. It runs `PROGRAM __complete WORD...` while the user types, which
    /// prints `:files`, `:directories`, or one completion per line, followed by a tab and its meaning.
    package func completionScript(for shell: Shell) -> String {
        switch shell {
        case .bash: bashScript
        case .zsh: zshScript
        case .fish: fishScript
        }
    }

    /// Bash splits words at equals signs and colons, filters no candidates, and leaves quoting to the script. The
    /// script joins words with colons, such as `kraken:btcusd`, and then offers only the part after the last colon.
    private var bashScript: String {
        #"""
        # bash completion for \#(name)
        _\#(name)() {
            local -a words=()
            local current place word quote= split=
            COMPREPLY=()
            for ((place = 1; place <= COMP_CWORD; place++)); do
                word=${COMP_WORDS[place]}
                if ((${#words[@]} > 0)) && [[ $word == :* || ${words[-1]} == *: ]]; then
                    words[-1]+=$word
                else
                    words+=("$word")
                fi
            done
            current=${words[-1]}
            [[ $current == = ]] && current=
            local typed=${current//\\/}
            if [[ $typed == [\"\']* ]]; then
                quote=${typed:0:1} typed=${typed:1}
            fi
            if [[ $current == *:* && $current != "${COMP_WORDS[COMP_CWORD]}" ]]; then
                split=${typed%"${typed##*:}"}
            fi
            while IFS=$'\t' read -r word _; do
                case $word in
                    :files)
                        compopt -o filenames
                        mapfile -t COMPREPLY < <(compgen -f -- "$typed")
                        return ;;
                    :directories)
                        compopt -o filenames
                        mapfile -t COMPREPLY < <(compgen -d -- "$typed")
                        return ;;
                esac
                [[ $word == "$typed"* ]] || continue
                word=${word#"$split"}
                [[ $quote ]] || printf -v word %q "$word"
                COMPREPLY+=("$word")
            done < <(\#(name) __complete "${words[@]:0:${#words[@]}-1}" "$current" 2>/dev/null)
        }
        complete -F _\#(name) \#(name)

        """#
    }

    /// The script for zsh. It works both as a file in `fpath` and when it is sourced.
    private var zshScript: String {
        #"""
        #compdef \#(name)

        _\#(name)() {
            local -a lines described typed
            local line word
            (( CURRENT > 2 )) && typed=("${(@Q)words[2,CURRENT-1]}")
            lines=("${(@f)$(\#(name) __complete "${typed[@]}" "$PREFIX" 2>/dev/null)}")
            case $lines[1] in
                :files)
                    [[ $PREFIX == --*=* ]] && compset -P '*='
                    _files
                    return ;;
                :directories)
                    [[ $PREFIX == --*=* ]] && compset -P '*='
                    _files -/
                    return ;;
            esac
            for line in $lines; do
                word=${${${line%%$'\t'*}//\\/\\\\}//:/\\:}
                [[ $line == *$'\t'* ]] && word+=:${line#*$'\t'}
                described+=("$word")
            done
            _describe \#(name) described
        }

        if [[ $funcstack[1] == _\#(name) ]]; then
            _\#(name) "$@"
        else
            compdef _\#(name) \#(name)
        fi

        """#
    }

    private var fishScript: String {
        #"""
        # fish completion for \#(name)
        function __\#(name)_complete
            set -l typed (commandline -opc)
            set -e typed[1]
            set -l current (commandline -ct)
            set -l offers (\#(name) __complete $typed "$current" 2>/dev/null)
            set -l before (string match -r -- '^--[^=]*=' "$current")
            set -l rest (string replace -r -- '^--[^=]*=' '' "$current")
            switch "$offers[1]"
                case :files
                    for file in (__fish_complete_path "$rest")
                        printf '%s\n' "$before$file"
                    end
                case :directories
                    for file in (__fish_complete_directories "$rest" '')
                        printf '%s\n' "$before$file"
                    end
                case '*'
                    printf '%s\n' $offers
            end
        end
        complete -c \#(name) -f -a '(__\#(name)_complete)'

        """#
    }
}
