internal import Arguments

/// One thing that the program can be notified to do.
protocol Command: SendableMetatype {
    static var specification: CommandLineSpecification { get }

    /// Does it. What it returns is how the program ends.
    static func run(_ context: Context) throws(ClientError) -> ExitCode
}

/// All commands, in the order of the help. Those of `config` are found by the last word of their path.
let allCommands: [any Command.Type] = [
    StatusCommand.self, ListCommand.self, ShowCommand.self, HistoryCommand.self, AlertsCommand.self,
    RulesCommand.self, ExplainCommand.self, WhyCommand.self, LimitCommand.self, SilenceCommand.self, AckCommand.self,
    ArmCommand.self, DrillCommand.self, EventsCommand.self, TailCommand.self, LogCommand.self, RatesCommand.self,
    ConvertCommand.self, ExportCommand.self, ImportCommand.self, BackupCommand.self, CheckCommand.self,
    ConfigCommand.self, TestCommand.self, BacktestCommand.self, DiffCommand.self, ReloadCommand.self,
    PollCommand.self, CompletionCommand.self, VersionCommand.self, HelpCommand.self,
]
