internal import Arguments
internal import Configuration
internal import Control
internal import Diagnostics

/// Runs the command that the arguments name.
///
/// - Parameters:
///   - arguments: the arguments without the name of the program.
///   - environment: the program's interface to its surroundings.
/// - Returns: the exit code of the process.
package func runClient(_ arguments: [String], in environment: ClientEnvironment) -> Int32 {
    if arguments.first == CompleteWords.name {
        CompleteWords.run(Array(arguments.dropFirst()), in: environment)
        return ExitCode.success.rawValue
    }
    if arguments.first == "__man" {
        environment.write(ClientCommandLine.manualPage)
        return ExitCode.success.rawValue
    }
    do {
        let parsed = try ClientCommandLine.specification.parse(arguments)
        return run(parsed, in: environment).rawValue
    } catch {
        let text = error.text
        // Parsing failed, but the format for the error is still known.
        let isJSON = arguments.contains("--json")
        environment.warn(isJSON ? ClientError.usage(text.droppingName).json : text + "\n")
        return ExitCode.usage.rawValue
    }
}

extension String {
    /// The text without a leading `alertctl: `.
    fileprivate var droppingName: String { hasPrefix("alertctl: ") ? String(dropFirst("alertctl: ".count)) : self }
}

/// Describes the settings error that prevents the service from starting; nil if the settings are valid or cannot be
/// read.
private func settingsFault(_ environment: ClientEnvironment) -> String? {
    guard environment.exists(CheckCommand.defaultFile) else { return nil }
    let errors = environment.checkFiles([CheckCommand.defaultFile]).flatMap(\.findings).filter { $0.severity == .error }
    guard let first = errors.first else { return nil }
    let rest = errors.count > 1 ? "; 'alertctl check' shows all \(errors.count) errors" : ""
    return "It cannot start with its settings: \(visible(FindingRenderer.placedSentence(first)))\(rest)\n"
}

extension ClientError {
    /// If an unknown symbol is the name of an asset, such as `bitcoin`, returns the error with a suggestion for this
    /// asset; otherwise returns it unchanged.
    func clarified(
        _ names: @autoclosure () -> AssetNames, _ connect: () throws(ClientError) -> any ControlConnection
    ) -> ClientError {
        guard case .noSuchSymbol(let what) = self, let asset = names().asset(named: what.symbol) else { return self }
        do throws(ClientError) {
            let parameters = GetSymbolParameters(symbol: asset)
            _ = try connect().call(.getSymbol, parameters, returning: GetSymbolReply.self)
        } catch .noSuchSymbol(let nearer) {
            return .noSuchSymbol(NoSuchSymbol(symbol: what.symbol, suggestion: nearer.suggestion))
        } catch { return self }
        return .noSuchSymbol(NoSuchSymbol(symbol: what.symbol, suggestion: asset))
    }
}

private func run(_ arguments: ParsedArguments, in environment: ClientEnvironment) -> ExitCode {
    let environment = environment.limited(by: arguments)
    if arguments.wantsHelp {
        environment.write(ClientCommandLine.specification.helpText(for: arguments.path) ?? "")
        return .success
    }
    do throws(ClientError) {
        let context = try Context(arguments, in: environment)
        if arguments.has("version") { return VersionCommand.showOwn(context) }
        guard let name = arguments.path.first else { return try StatusCommand.runShort(context) }
        guard let command = allCommands.first(where: { $0.specification.name == name }) else { return .usage }
        try command.checkFormat(arguments)
        let code: ExitCode
        do throws(ClientError) {
            code = try command.run(context)
        } catch {
            throw error.clarified(context.assetNames()) { () throws(ClientError) in try context.connect() }
        }
        if let failure = environment.outputFailure() { throw .file(failure) }
        return code
    } catch {
        guard !arguments.has("json") else {
            environment.warn(error.json)
            return error.exitCode
        }
        environment.warn("alertctl: \(error.message)\n")
        if case .notRunning(Context.defaultSocket) = error, let why = settingsFault(environment) {
            environment.warn(why)
        }
        return error.exitCode
    }
}
