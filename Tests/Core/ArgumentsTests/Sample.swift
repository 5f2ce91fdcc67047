@testable import Arguments

/// A small program with every kind of option and operand.
let sample = CommandLineSpecification(
    "watchctl", summary: "Look at a watcher",
    discussion: [
        "It's a sample. It says something long enough to be wrapped when it is shown on eighty columns of text."
    ],
    examples: [Example("watchctl list --top 3", "The first three.")],
    options: [
        .help,
        OptionSpecification("quiet", short: "q", help: "Say nothing"),
        OptionSpecification("json", help: "Print JSON"),
        OptionSpecification("socket", short: "s", value: "PATH", kind: .file, help: "The socket to talk to"),
        OptionSpecification(
            "color", aliases: ["colour"], value: "WHEN", kind: .oneOf(["auto", "always", "never"]),
            help: "Whether to use [colours]"),
    ],
    commands: [
        CommandLineSpecification(
            "list", summary: "List all that is there",
            options: [
                OptionSpecification("top", short: "n", value: "NUMBER", help: "Only the first NUMBER"),
                OptionSpecification("match", value: "PATTERN", help: "Only these"),
            ]),
        CommandLineSpecification(
            "show", summary: "Show one",
            operands: [OperandSpecification("SYMBOL", kind: .live("symbols"), help: "Which one")]),
        CommandLineSpecification(
            "config", summary: "Manage settings",
            commands: [
                CommandLineSpecification(
                    "check", aliases: ["verify", "test"], summary: "Check a file",
                    operands: [OperandSpecification("FILE", kind: .file, isOptional: true, help: "The file")])
            ], requiresCommand: true),
        CommandLineSpecification(
            "read", summary: "Read files",
            operands: [OperandSpecification("FILE", kind: .live("symbols"), isRepeated: true, help: "Files")]),
        CommandLineSpecification(
            "completion", summary: "Print a script",
            operands: [OperandSpecification("SHELL", kind: .oneOf(["bash", "zsh"]), help: "Which shell")]),
    ], hints: ["ls": "watchctl list"], exitCodes: [(0, "All is well."), (2, "Invalid usage.")])
