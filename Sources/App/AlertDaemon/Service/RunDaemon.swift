internal import Arguments
internal import Configuration
internal import Control
internal import Delivery
internal import Diagnostics
internal import EventLoop
internal import Glibc
internal import HTTP
internal import Journal
internal import Manual
internal import ServiceManager
internal import UnixSockets

/// Runs `alertd` with the arguments that follow the name of the program.
///
/// - Returns: the exit code.
package func runDaemon(_ arguments: [String]) -> Int32 {
    openStandardDescriptors()
    if arguments.first == "__man" { return writeManual(arguments.dropFirst().first ?? "alertd.8") }
    if arguments.first == "__presets" {
        write(ManualPages.presets, to: STDOUT_FILENO)
        return 0
    }
    if arguments.first == "__preview" { return writePreview(Array(arguments.dropFirst())) }
    let parsed: ParsedArguments
    do {
        parsed = try DaemonOptions.commandLine.parse(arguments)
    } catch {
        write(error.text + "\n", to: STDERR_FILENO)
        return 2
    }
    if parsed.wantsHelp {
        write(DaemonOptions.commandLine.helpText() ?? "", to: STDOUT_FILENO)
        return 0
    }
    if parsed.has("version") {
        write("alertd \(Version.current)\n", to: STDOUT_FILENO)
        return 0
    }
    let options = DaemonOptions(parsed) { name in unsafe getenv(name).map { unsafe String(cString: $0) } }
    if let backup = parsed.value("restore") {
        return RestoreState(backup: backup, force: parsed.has("force"), options: options).run { text, descriptor in
            write(text, to: descriptor)
        }
    }
    return parsed.has("check") ? checkSettings(options.configuration) : serve(options)
}

/// Writes the manual page for `alertd __man PAGE`, which `make install` calls.
private func writeManual(_ name: String) -> Int32 {
    guard let page = DaemonOptions.manualPage(name) else { return 2 }
    write(page, to: STDOUT_FILENO)
    return 0
}

/// Runs `alertd __preview FILE RECEIVER KIND`, which `alertctl receivers preview` calls: writes the requests as JSON,
/// one per line.
private func writePreview(_ arguments: [String]) -> Int32 {
    guard arguments.count == 3 else { return 2 }
    do throws(PreviewError) {
        write(try previewLines(arguments[0], arguments[1], arguments[2]), to: STDOUT_FILENO)
        return 0
    } catch {
        write("alertd: \(error.text)\n", to: STDERR_FILENO)
        return 1
    }
}

/// Checks the settings. The output is the same as that of `alertctl config check`.
private func checkSettings(_ path: String) -> Int32 {
    do {
        // As root, use the permissions of the service's user, which must be able to read the files.
        let files = LocalFiles(as: FileReader.service(of: [path]))
        let warnings = try SettingsLoader(files: files).load(path).warnings
        write(warnings.isEmpty ? "\(path): no errors\n" : FindingRenderer().render(warnings), to: STDOUT_FILENO)
        return 0
    } catch {
        write(FindingRenderer().render(error.findings), to: STDOUT_FILENO)
        return 6
    }
}

private func serve(_ options: DaemonOptions) -> Int32 {
    ignoreWriteSignals()
    let services = ServiceManager()
    let passed = services.takePassedDescriptors()
    let watchdog = services.takeWatchdog()
    return Loop.shared.run {
        let log = Log(isJournal: stderrIsJournal())
        let loaded: LoadedSettings
        do throws(SettingsError) {
            loaded = try SettingsLoader().load(options.configuration)
        } catch {
            // On a terminal, the line with its caret shows more than the sentence alone.
            if stderrIsJournal() {
                for finding in error.findings { log.write(finding) }
            } else {
                write(FindingRenderer().render(error.findings), to: STDERR_FILENO)
            }
            let first = error.findings.first { $0.severity == .error }.map(FindingRenderer.placedSentence)
            let summary = FindingRenderer.summary(error.findings)
            services.failed(
                errorNumber: EINVAL, status: ([summary] + (first.map { [$0] } ?? [])).joined(separator: "; "))
            return 6
        }
        do throws(StartError) {
            var context = ServiceManagerContext(
                services: services, inheritedDescriptors: InheritedDescriptors(passed), watchdog: watchdog)
            for sentence in context.inheritedDescriptors.closeUnknown(services) {
                log.warning(sentence, id: .descriptorClosed)
            }
            context.credentials = Credentials(folder: options.credentialsFolder)
            context.proxy = try readProxy(context.credentials)
            if let proxy = context.proxy { log.info("using the proxy \(proxy)", id: .proxyUsed) }
            // `consume` hands over the loaded settings, so that no second copy of the rules stays in memory while the
            // daemon runs.
            let daemon = try Daemon(options, loaded: consume loaded, log: log, context: context)
            await daemon.run()
            return 0
        } catch {
            log.error(error.message, id: .startFailed)
            services.failed(errorNumber: error.errorNumber, status: error.message)
            return error.exitCode
        }
    }
}

extension Log {
    /// Writes a finding in the settings files, with its position.
    func write(_ finding: Finding) {
        let level: LogLevel = finding.severity == .error ? .error : .warning
        write(level, FindingRenderer.placedSentence(finding), id: .settingsFinding)
    }
}

/// Writes the whole text; a failure cannot be reported anywhere.
private func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 || errno == EINTR else { return }
        rest = rest.dropFirst(max(0, count))
    }
}

private func readProxy(_ credentials: Credentials) throws(StartError) -> ProxyAddress? {
    do {
        return try proxy(from: credentials)
    } catch {
        throw StartError(message: error.description, errorNumber: EINVAL)
    }
}
