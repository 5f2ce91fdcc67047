import Testing

@testable import Arguments

/// A program whose commands and operands may be in the same position, and whose options mean other things in a command.
private let mixed = CommandLineSpecification(
    "mix", summary: "Mix",
    options: [.help, OptionSpecification("top", help: "The top one")],
    operands: [
        OperandSpecification("FROM", kind: .file, help: "What to mix"),
        OperandSpecification("INTO", kind: .directory, isOptional: true, isRepeated: true, help: "Where to"),
    ],
    commands: [
        CommandLineSpecification(
            "list", summary: "List",
            options: [
                OptionSpecification("top", short: "t", value: "NUMBER", kind: .oneOf(["1", "2"]), help: "How many")
            ])
    ])

struct MixedCommandTests {
    @Test func aCommandIsOneOnlyInTheFirstPlace() throws {
        #expect(try mixed.parse(["list"]).path == ["list"])
        #expect(try mixed.parse(["a"]).operands == ["a"])
        let parsed = try mixed.parse(["a", "list", "b", "c"])
        #expect(parsed.path == [])
        #expect(parsed.operands == ["a", "list", "b", "c"])
    }

    @Test func theOptionOfTheCommandComesBeforeThatOfTheProgram() throws {
        #expect(try mixed.parse(["list", "--top", "2"]).value("top") == "2")
        let before = try mixed.parse(["--top", "list"])
        #expect(before.has("top"))
        #expect(before.value("top") == nil)
        #expect(before.values("top") == [])
        #expect(mixed.completion(for: ["list", "--top", ""]).offer == .words([.init("1"), .init("2")]))
    }

    @Test func eachOperandIsCompletedAsItsKind() {
        let offer = { (words: [String]) in mixed.completion(for: words).offer }
        #expect(offer([""]) == .words([.init("list", "List")]))
        #expect(offer(["a", ""]) == .directories)
        #expect(offer(["a", "list", ""]) == .directories)
        #expect(offer(["-", ""]) == .directories)
        #expect(offer(["--", "--top", ""]) == .directories)
        #expect(offer(["a", "--", "-"]) == .directories)
    }

    @Test func operandsAreCountedOneByOne() {
        let kinds: [ValueKind] = [.live("a"), .file, .directory]
        let program = CommandLineSpecification(
            "p", summary: "s", operands: kinds.map { OperandSpecification("X", kind: $0, help: "h") })
        let offers = (0...3).map { program.completion(for: Array(repeating: "x", count: $0) + [""]).offer }
        #expect(offers == [.live("a"), .files, .directories, .words([])])
    }

    @Test func valuesKeepTheirEqualsSigns() {
        let values = { (words: [String]) in mixed.completion(for: ["list"] + words + [""]).arguments.values("top") }
        #expect(values(["--top=a=b"]) == ["a=b"])
        #expect(values(["--top="]) == [""])
        #expect(values(["--top=a==b", "--top", "c"]) == ["a==b", "c"])
    }

    @Test func usageSaysWhatMayBeLeftOutAndWhatMayCome() {
        #expect(mixed.helpText()?.hasPrefix("Usage: mix [OPTION]... [COMMAND] FROM [INTO]...\nMix.\n") == true)
        #expect(mixed.helpText()?.contains("\nOperands:\n  FROM  What to mix\n  INTO  Where to\n") == true)
        #expect(
            sample.helpText(for: ["config", "check"])?.hasPrefix("Usage: watchctl config check [OPTION]... [FILE]\n")
                == true)
        #expect(sample.helpText(for: ["config"])?.hasPrefix("Usage: watchctl config [OPTION]... COMMAND\n") == true)
        #expect(sample.helpText(for: ["read"])?.hasPrefix("Usage: watchctl read [OPTION]... FILE...\n") == true)
        let bare = CommandLineSpecification("bare", summary: "Bare")
        #expect(bare.helpText() == "Usage: bare\nBare.\n")
    }

    @Test func whatWasTypedIsShownUpToEightyCharacters() {
        let long = String(repeating: "x", count: 81)
        let error = #expect(throws: UsageError.self) { try sample.parse([long]) }
        #expect(error?.message == "unknown command '\(long.dropLast())'")
    }

    @Test func aMistakeNamesItsCommand() {
        let error = UsageError(command: "mix list", message: "m", advice: "do it")
        #expect(error.text == "mix: m; do it\nTry 'mix list --help'.")
        #expect(UsageError(command: "mix", message: "m").text == "mix: m\nTry 'mix --help'.")
        let found = #expect(throws: UsageError.self) { try mixed.parse(["list", "--top", "many"]) }
        #expect(
            found
                == UsageError(
                    command: "mix list", message: "'many' is not a valid value for option --top (1, 2)", advice: nil))
    }

    @Test func commandsAreFoundByTheirPath() {
        #expect(sample.chain([])?.map(\.name) == ["watchctl"])
        #expect(sample.chain(["config", "check"])?.map(\.name) == ["watchctl", "config", "check"])
        #expect(sample.chain(["config", "list"]) == nil)
        #expect(sample.command("list")?.name == "list")
        #expect(sample.command("check") == nil)
        #expect(sample.flattened.map { $0.path.joined(separator: " ") }.contains("config check"))
        #expect(
            sample.flattened[1].options.map(\.name) == ["top", "match", "help", "quiet", "json", "socket", "color"])
    }

    @Test func specificationsDifferByWhatTheyTake() {
        #expect(mixed == mixed)
        let changes: [(inout CommandLineSpecification) -> Void] = [
            { $0.name = "other" }, { $0.options.removeLast() }, { $0.operands.removeLast() }, { $0.commands = [] },
        ]
        for change in changes {
            var other = mixed
            change(&other)
            #expect(other != mixed)
        }
    }
}
