import Testing

@testable import Arguments

struct CompletionTests {
    /// The words that are offered; nil when the offer is not a list of words.
    private func words(_ line: String) -> [String]? {
        guard case .words(let words) = completion(line).offer else { return nil }
        return words.map(\.text)
    }

    private func completion(_ line: String) -> Completion {
        sample.completion(for: line.split(separator: " ", omittingEmptySubsequences: false).map(String.init))
    }

    @Test func commandsAreOffered() {
        #expect(words("") == ["list", "show", "config", "read", "completion"])
        #expect(words("--json co") == ["list", "show", "config", "read", "completion"])
        #expect(words("config ") == ["check"])
        #expect(words("list ") == [])
        #expect(words("config list ") == [])
    }

    @Test func optionsAreThoseOfTheCommandAndTheOnesAbove() {
        #expect(words("--")?.contains("--top") == false)
        #expect(words("list --") == ["--top", "--match", "--help", "--quiet", "--json", "--socket", "--color"])
        #expect(words("list -")?.prefix(3) == ["-n", "--top", "--match"])
        #expect(words("-- --") == ["list", "show", "config", "read", "completion"])
    }

    @Test func eachWordHasItsMeaning() {
        guard case .words(let commands) = completion("").offer, case .words(let options) = completion("-").offer else {
            return #expect(Bool(false))
        }
        #expect(commands.first == CompletionOffer.Word("list", "List all that is there"))
        #expect(options.first == CompletionOffer.Word("-h", "Show this help and exit"))
    }

    @Test(arguments: ["--color ", "--color = ", "--color = a", "list --color a", "--color=", "list --color=al"])
    func valuesOfAnOption(line: String) {
        #expect(words(line) == ["auto", "always", "never"])
        #expect(completion(line).prefix == (line.contains("r=") ? "--color=" : ""))
    }

    @Test func filesAndFoldersAreTheShellsToFind() {
        #expect(completion("--socket ").offer == .files)
        #expect(completion("-s ").offer == .files)
        #expect(completion("-qs ").offer == .files)
        #expect(completion("--socket=a").offer == .files)
        #expect(completion("config check ").offer == .files)
        #expect(completion("list --top ").offer == .words([]))
    }

    @Test func operandsAreKnownByTheirPlace() {
        #expect(completion("show ").offer == .live("symbols"))
        #expect(completion("show --json b").offer == .live("symbols"))
        #expect(completion("show btcinr ").offer == .words([]))
        #expect(completion("read a b ").offer == .live("symbols"))
        #expect(completion("--socket list show ").offer == .live("symbols"))
        #expect(words("completion b") == ["bash", "zsh"])
    }

    @Test func commandsAndOperandsOfACommandAreOffered() {
        let command = CommandLineSpecification(
            "queue", summary: "List what waits",
            operands: [OperandSpecification("RECEIVER", kind: .live("receivers"), help: "A receiver")],
            commands: [CommandLineSpecification("retry", summary: "Try now")])
        let retry = CompletionOffer.Word("retry", "Try now")
        #expect(command.completion(for: [""]).offer == .live("receivers", or: [retry]))
    }

    @Test func whatWasTypedIsKnown() {
        let arguments = completion("--socket /a -q --color=never list --top 3 --json ").arguments
        #expect(arguments.value("socket") == "/a")
        #expect(arguments.value("color") == "never")
        #expect(arguments.has("quiet") && arguments.has("json"))
        #expect(arguments.path == ["list"])
        #expect(completion("--socket = /a show ").arguments.value("socket") == "/a")
    }

    @Test func lettersAreReadAsTheParserReadsThem() {
        let both = completion("-qh show ").arguments
        #expect(both.has("quiet") && both.has("help"))
        let attached = completion("-qs/a show ")
        #expect(attached.arguments.has("quiet") && attached.arguments.value("socket") == "/a")
        #expect(attached.offer == .live("symbols"))
        #expect(completion("-sq show ").arguments.value("socket") == "q")
        #expect(!completion("-sq show ").arguments.has("quiet"))
        #expect(completion("-qs /a show ").arguments.value("socket") == "/a")
        #expect(completion("-xq show ").arguments.has("quiet"))
    }

    @Test func nonsenseIsNoOffence() {
        #expect(words("--nothing x y z --top=3 -Z - -- ")?.isEmpty == true)
        #expect(sample.completion(for: []).offer == sample.completion(for: [""]).offer)
    }
}
