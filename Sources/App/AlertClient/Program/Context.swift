internal import Arguments
internal import Control
internal import Diagnostics
internal import Market
internal import Time

/// The context of a running command: its arguments, options and environment.
struct Context {
    static let defaultSocket = "/run/alertd/org.alertd.Control"
    static let defaultTimeout = Milliseconds.seconds(5)

    let arguments: ParsedArguments
    private(set) var environment: ClientEnvironment
    let format: OutputFormat
    let formatter: HumanFormatter
    let target: ConnectionTarget
    /// The currency to show prices in.
    private(set) var choice: DisplayChoice

    init(_ arguments: ParsedArguments, in environment: ClientEnvironment) throws(ClientError) {
        self.arguments = arguments
        format = try OutputFormat(arguments)
        formatter = HumanFormatter(arguments, in: environment)
        self.environment = environment
        choice = try DisplayChoice(arguments, environment.variables)
        let timeout = try Self.timeout(arguments)
        let named = environment.variables["ALERTD_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
        let socket = arguments.value("socket") ?? named ?? Self.ownSocket(environment) ?? Self.defaultSocket
        target = ConnectionTarget(socket: socket, timeout: timeout)
    }

    /// The socket of the user's own daemon, which runs without root; nil if there is none.
    private static func ownSocket(_ environment: ClientEnvironment) -> String? {
        guard let folder = environment.variables["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { return nil }
        let socket = "\(folder)/alertd/\(ControlInterface.name)"
        return environment.exists(socket) ? socket : nil
    }

    private static func timeout(_ arguments: ParsedArguments) throws(ClientError) -> Milliseconds {
        guard let text = arguments.value("timeout") else { return defaultTimeout }
        return try duration(text, of: "timeout", such: "500ms or 5s")
    }

    /// Reads the value of an option that takes a duration.
    ///
    /// - Parameters:
    ///   - text: The value.
    ///   - option: The name of the option.
    ///   - examples: Examples for the error message, such as `5m or 1h`.
    ///   - least: The shortest valid duration.
    /// - Returns: The duration.
    /// - Throws: ``ClientError/usage(_:)`` if the text is not a duration, or is too short.
    static func duration(
        _ text: String, of option: String, such examples: String, atLeast least: Milliseconds = Milliseconds(1)
    ) throws(ClientError) -> Milliseconds {
        if let length = Milliseconds.written(text), length >= least { return length }
        let bound = least > Milliseconds(1) ? " of at least \(least)" : ""
        throw .usage("--\(option) takes a duration\(bound), such as \(examples), but got '\(visible(text))'")
    }

    /// Returns the value of an option that takes a whole number; nil if the option is absent.
    func number(_ option: String) throws(ClientError) -> Int? {
        guard let text = arguments.value(option) else { return nil }
        guard let number = Int(text), number >= 0 else { throw .usage("--\(option) takes a whole number of 0 or more") }
        return number
    }

    /// Returns the context with another choice of display currency.
    func with(choice: DisplayChoice) -> Context {
        var context = self
        context.choice = choice
        return context
    }

    func connect() throws(ClientError) -> any ControlConnection {
        try environment.connect(target)
    }

    /// Connects for a call that may take this long; `--timeout` takes precedence.
    func connect(waiting limit: Milliseconds) throws(ClientError) -> any ControlConnection {
        var target = target
        if arguments.value("timeout") == nil { target.timeout = max(target.timeout, limit) }
        return try environment.connect(target)
    }

    /// Writes a message to standard error, unless --quiet is given. Control characters are escaped.
    func warn(_ text: String) {
        warn(lines: [text])
    }

    /// Writes a message of several lines.
    func warn(lines: [String]) {
        guard !arguments.has("quiet") else { return }
        environment.warn(lines.map { visible($0) + "\n" }.joined())
    }

    /// Shows the report in the requested format, unless --quiet is given.
    func show(_ report: Report) {
        if arguments.has("quiet") { return }
        let rendered = format.render(report, with: formatter)
        environment.warn(rendered.errors)
        write(rendered.output)
    }

    /// True if the report needs no pager: it fits the screen, or is not for people.
    func fitsScreen(_ report: Report) -> Bool {
        !format.isHuman || !isLong(format.render(report, with: formatter).output)
    }

    /// Writes a text; in a pager if it is for people and does not fit the screen.
    private func write(_ text: String) {
        if format.isHuman, isLong(text), environment.page(text) { return }
        environment.write(text)
    }

    /// Limit on the output that is buffered for a pager; longer output is written directly.
    private static let mostPagedBytes = 8 << 20

    /// Runs a body that writes its output piece by piece, and shows the output in a pager if it does not fit the
    /// screen.
    func paging<Result, Failure: Error>(
        _ body: (Context) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard format.isHuman, environment.isTerminal else { return try body(self) }
        var collected = ""
        var isOver = false
        var inner = self
        inner.environment.write = { [environment] text in
            guard !isOver else { return environment.write(text) }
            collected += text
            guard collected.utf8.count > Self.mostPagedBytes else { return }
            environment.write(collected)
            isOver = true
        }
        defer { if !isOver { write(collected) } }
        return try body(inner)
    }

    /// True if the text does not fit the screen and a pager is allowed.
    private func isLong(_ text: String) -> Bool {
        guard environment.isTerminal, let height = environment.height, !arguments.has("no-pager") else { return false }
        return text.utf8.count { $0 == 0x0A } >= height
    }
}
