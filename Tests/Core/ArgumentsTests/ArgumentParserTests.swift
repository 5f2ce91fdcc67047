import Testing

@testable import Arguments

struct ArgumentParserTests {
    /// A command line, and what it means: path, operands and options, one after the other.
    struct Row: CustomTestStringConvertible {
        var line: String
        var meaning: String

        init(_ line: String, _ meaning: String) {
            self.line = line
            self.meaning = meaning
        }

        var testDescription: String { line }
    }

    @Test(arguments: [
        Row("", "|"),
        Row("list", "list|"),
        Row("list --top 5", "list| top=5"),
        Row("list --top=5", "list| top=5"),
        Row("list --top=", "list| top="),
        Row("list --match a=b", "list| match=a=b"),
        Row("list --match=a=b", "list| match=a=b"),
        Row("list -n 5", "list| top=5"),
        Row("list -n5", "list| top=5"),
        Row("list -qn5", "list| quiet top=5"),
        Row("list -qn 5 --json", "list| quiet json top=5"),
        Row("--json list", "list| json"),
        Row("-s x list -n -5", "list| socket=x top=-5"),
        Row("list --top 1 --top 2", "list| top=2"),
        Row("show btcinr --json", "show|btcinr json"),
        Row("show --json btcinr", "show|btcinr json"),
        Row("show -- --json", "show|--json"),
        Row("show -", "show|-"),
        Row("config check", "config check|"),
        Row("config check a.toml", "config check|a.toml"),
        Row("completion bash", "completion|bash"),
        Row("show --help", "show| help"),
        Row("config -h", "config| help"),
        Row("config verify a.toml", "config check|a.toml"),
        Row("list --colour never", "list| color=never"),
        Row("list --colour=never", "list| color=never"),
    ])
    func reads(row: Row) throws {
        let parsed = try sample.parse(row.line.split(separator: " ").map(String.init))
        var words = parsed.operands
        words += ["help", "quiet", "json"].filter(parsed.has)
        words += ["socket", "color", "top", "match"].compactMap { name in parsed.value(name).map { "\(name)=\($0)" } }
        let isFirstOperand = !parsed.operands.isEmpty
        let text = words.joined(separator: " ")
        #expect(
            "\(parsed.path.joined(separator: " "))|\(isFirstOperand || words.isEmpty ? "" : " ")\(text)" == row.meaning)
    }

    @Test(arguments: [
        Row("lst", "unknown command 'lst'; did you mean 'list'?"),
        Row("frobnicate", "unknown command 'frobnicate'"),
        Row("--jsn", "unknown option --jsn; did you mean --json?"),
        Row("--js", "unknown option --js"),
        Row("--top 5", "unknown option --top; it belongs after the command 'list'"),
        Row("list --tpo 5", "unknown option --tpo; did you mean --top?"),
        Row("list -x", "unknown option -x"),
        Row("list -qx", "unknown option -x"),
        Row("list --top", "option --top needs a value: NUMBER"),
        Row("list -n", "option -n needs a value: NUMBER"),
        Row("--json=yes", "option --json takes no value"),
        Row(
            "--color alway",
            "'alway' is not a valid value for option --color (auto, always, never); did you mean always?"
        ),
        Row("show", "SYMBOL is missing"),
        Row("show a b", "unexpected argument 'b'; it takes SYMBOL only"),
        Row("list a", "unexpected argument 'a'; it takes no operands"),
        Row("show a 000", "unexpected argument '000'; put quotes around a value with spaces, such as '12 000'"),
        Row("config", "'config' needs a command: check"),
        Row("config chek", "unknown command 'chek'; did you mean 'check'?"),
        Row("config verfy", "unknown command 'verfy'; did you mean 'verify'?"),
        Row("config frobnicate", "unknown command 'frobnicate'; 'config' takes check"),
        Row("ls", "unknown command 'ls'; did you mean 'watchctl list'?"),
        Row("--colr always", "unknown option --colr; did you mean --color?"),
        Row("completion csh", "'csh' is not a valid value for SHELL (bash, zsh); did you mean zsh?"),
        Row("list \u{1B}[2J", "unexpected argument '\\u{1b}[2J'; it takes no operands"),
        Row("--\u{202E}x", "unknown option --\\u{202e}x"),
    ])
    func refuses(row: Row) {
        let error = #expect(throws: UsageError.self) {
            try sample.parse(row.line.split(separator: " ").map(String.init))
        }
        let said = (error?.message ?? "") + (error?.advice.map { "; \($0)" } ?? "")
        #expect(said == row.meaning)
    }

    /// Without a name there is no file, and no symbol.
    @Test(arguments: [
        (["list", "--socket", ""], "option --socket must not be empty"),
        (["list", "-s", ""], "option -s must not be empty"),
        (["list", "--socket="], "option --socket must not be empty"), (["read", ""], "FILE must not be empty"),
        (["show", ""], "SYMBOL must not be empty"),
    ])
    func refusesEmptyNames(arguments: [String], message: String) {
        let error = #expect(throws: UsageError.self) { try sample.parse(arguments) }
        #expect(error?.message == message)
    }

    @Test func anErrorNamesTheHelpOfItsCommand() {
        let error = #expect(throws: UsageError.self) { try sample.parse(["config", "check", "--nix"]) }
        #expect(error?.text == "watchctl: unknown option --nix\nTry 'watchctl config check --help'.")
    }

    @Test func aRepeatedOperandTakesAllThatFollow() throws {
        #expect(try sample.parse(["read", "a", "-q", "-", "c"]).operands == ["a", "-", "c"])
        let error = #expect(throws: UsageError.self) { try sample.parse(["read"]) }
        #expect(error?.message == "FILE is missing")
    }

    @Test func allValuesOfARepeatedOptionAreKept() throws {
        let parsed = try sample.parse(["list", "--match", "a", "--match=b"])
        #expect(parsed.values("match") == ["a", "b"])
    }
}
