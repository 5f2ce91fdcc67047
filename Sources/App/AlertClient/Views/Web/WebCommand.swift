internal import Arguments
internal import Diagnostics
internal import Glibc
internal import HTTPServer
internal import Time

/// `alertctl web`: serves a live page for the browser.
enum WebCommand: Command {
    static let specification = CommandLineSpecification(
        "web", summary: "Show prices, charts and alerts in a browser",
        discussion: [
            "A live page with the list of symbols, charts whose limits can be moved, alerts, silences, events and a "
                + "converter. Only this machine can reach it. It has the permissions of the user who runs the command, "
                + "and stays until you press Ctrl+C. The address that it prints opens once; Enter prints another one.",
            "From another machine, forward the port with ssh: 'ssh -L 8000:127.0.0.1:8000 server', and run "
                + "'alertctl web --listen 127.0.0.1:8000' there.",
            "For a telephone, put a reverse proxy with TLS and a login of its own before it, and name its address with "
                + "--base-url: 'alertctl web --listen 127.0.0.1:8000 --base-url https://example.org/prices/'. The page "
                + "has the permissions of the user who runs the command, so whoever passes the login and has the "
                + "printed address can change limits. docs/charts.md shows the settings of Caddy and nginx.",
            "It needs libmicrohttpd, which is in the package libmicrohttpd12 or libmicrohttpd12t64.",
        ],
        examples: [
            Example("alertctl web", "Print an address to open."),
            Example("alertctl web --listen 127.0.0.1:8000", "On a port of your choice."),
        ],
        options: [
            OptionSpecification(
                "listen", value: "ADDRESS",
                help: "An address of this machine with a port, or the path of a Unix socket (default: 127.0.0.1 and a "
                    + "free port)"),
            OptionSpecification(
                "base-url", value: "URL",
                help: "Where a reverse proxy publishes the page, such as https://example.org/prices/",
                details: "Links, the cookie and the checks of where requests come from follow it; for https, browsers "
                    + "send the cookie over TLS only. It needs --listen, as the proxy has to know the port or socket. "
                    + "The proxy may pass requests on with or without the path of the URL."),
        ])

    static let refusedFormats = FormatOption.allCases

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let address = try address(context)
        let base = try base(context)
        let site = try WebSite(context, base: base)
        let (server, port) = try start(site, address)
        let place = WebPlace(address, port: port, base: base)
        let loop = WebLoop(server: server, site: site, place: place, context: context)
        loop.run()
        return .success
    }

    private static func address(_ context: Context) throws(ClientError) -> ListenAddress {
        do throws(HTTPServerError) {
            let address = try ListenAddress(context.arguments.value("listen") ?? "127.0.0.1:0")
            guard address.isLocal else {
                throw .badAddress("\(address)")
            }
            return address
        } catch {
            throw .usage("--listen takes an address of this machine with a port, such as 127.0.0.1:8000, or a path")
        }
    }

    private static func base(_ context: Context) throws(ClientError) -> WebBase? {
        guard let text = context.arguments.value("base-url") else { return nil }
        guard context.arguments.value("listen") != nil else {
            throw .usage("--base-url needs --listen, such as 127.0.0.1:8000: the address that the proxy connects to")
        }
        return try WebBase(text)
    }

    private static func start(
        _ site: WebSite, _ address: ListenAddress
    ) throws(ClientError) -> (HTTPServer, port: UInt16) {
        var limits = HTTPServerLimits()
        limits.bodyBytes = WebSite.bodyLimit
        limits.streams = WebSessions.limit
        do throws(HTTPServerError) {
            let listener = try address.listen()
            let port = ListenAddress.port(of: listener) ?? 0
            let server = try HTTPServer(
                listening: listener, routes: site.routes, limits: limits, gate: { site.refusal($0) }, now: bootTime)
            return (server, port)
        } catch {
            throw .file("cannot serve the page: \(error)")
        }
    }
}

/// The address of the page for a browser.
struct WebPlace {
    private let page: String
    private let note: String

    init(_ address: ListenAddress, port: UInt16, base: WebBase? = nil) {
        if let base {
            (page, note) = (base.origin + base.path, "")
            return
        }
        switch address {
        case .unix(let path): (page, note) = ("http://localhost/", " at the Unix socket \(visible(path))")
        case .internet(let name, _):
            (page, note) = ("http://\(name.contains(":") ? "[\(name)]" : name):\(port)/", "")
        }
    }

    func text(token: String) -> String { "\(page)?token=\(token)\(note)" }
}

/// The event loop that serves the page until the process is stopped.
private struct WebLoop {
    let server: HTTPServer
    let site: WebSite
    let place: WebPlace
    let context: Context

    func run() {
        printAddress()
        var next = bootTime().advanced(by: WebSite.interval)
        var watchesInput = context.environment.isTerminal
        site.whileWaiting(on: server.descriptor) { server.run() }
        while true {
            let hasInput = wait(until: site.hasReaders ? next : nil, watchesInput: watchesInput)
            server.run()
            site.answerWaiting()
            if hasInput { watchesInput = readLine() }
            let now = bootTime()
            if now >= next {
                site.tick()
                next = now.advanced(by: WebSite.interval)
            }
        }
    }

    private func printAddress() {
        context.environment.write(place.text(token: site.newToken()) + "\n")
        context.warn("alertctl: open this address in a browser; it works once. Ctrl+C stops the page.")
    }

    /// Waits for requests, input, or a time.
    ///
    /// - Returns: true if there is input.
    private func wait(until time: BootTime?, watchesInput: Bool) -> Bool {
        let limits = [time.map { max(.zero, $0.since(bootTime())) }, server.timeout].compactMap(\.self)
        let milliseconds = limits.min().map { Int32(clamping: $0.count) } ?? -1
        var polled = [
            pollfd(fd: server.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(
                fd: watchesInput ? context.environment.standardInput : -1, events: Int16(POLLIN), revents: 0),
        ]
        _ = unsafe poll(&polled, 2, milliseconds)
        return polled[1].revents != 0
    }

    /// Reads a line from the terminal and prints another address.
    ///
    /// - Returns: false at the end of input.
    private func readLine() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe read(context.environment.standardInput, &bytes, bytes.count)
        guard count > 0 else { return false }
        printAddress()
        return true
    }
}

/// Returns the time of the clock that keeps running during suspend.
private func bootTime() -> BootTime {
    var time = timespec()
    // This fails only if the clock does not exist.
    unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return BootTime(milliseconds: Int64(time.tv_sec) &* 1_000 &+ Int64(time.tv_nsec) / 1_000_000)
}
