internal import Control
internal import Diagnostics
internal import HTTPServer
internal import JSON
internal import Time

/// The page: who may see it, its files, what it asks for, and the stream of changes.
final class WebSite {
    /// The body of a request: a few names and a number.
    static let bodyLimit = 4_096
    /// Between two looks at the daemon while a page is open.
    static let interval = Milliseconds.seconds(2)

    private let files: WebFiles
    private let daemon: WebDaemon
    private let gate: WebGate
    private(set) var sessions: WebSessions
    private var streams: [HTTPStream] = []
    /// The chart that the page shows, for trials of its limits.
    private var lastChart: WebChart?
    private var lastSent = ""
    /// Requests that need the daemon: at most one for each connection.
    private var waiting: [HTTPExchange] = []
    private var hasNewReader = false
    /// Changes with each change, so that a page knows whether it missed one.
    private var version = 0

    /// The base is where a reverse proxy publishes the page; nil without one.
    init(
        _ context: Context, base: WebBase? = nil, sessions: WebSessions = WebSessions()
    ) throws(ClientError) {
        gate = WebGate(base: base)
        files = try WebFiles(context.environment)
        daemon = WebDaemon(context)
        self.sessions = sessions
    }

    func newToken() -> String { sessions.newToken() }

    var hasReaders: Bool { !streams.isEmpty }

    // MARK: Requests

    func refusal(_ request: HTTPServerRequest) -> HTTPServerResponse? {
        gate.refusal(local(request), sessions)?.secured
    }

    /// The request as it would be without a proxy.
    private func local(_ request: HTTPServerRequest) -> HTTPServerRequest {
        guard let base = gate.base else { return request }
        var request = request
        request.path = base.local(request.path)
        return request
    }

    /// Everything at its path, and below that of the proxy, which may or may not remove it.
    var routes: [HTTPRoute] {
        Set(["/", gate.base?.path ?? "/"]).flatMap { prefix in
            routes { prefix + $0.dropFirst() }
        }
    }

    private func routes(_ place: (String) -> String) -> [HTTPRoute] {
        let pages = files.paths.map { path in
            HTTPRoute(.get, place(path)) { [unowned self] in $0.respond(respond(to: $0.request)) }
        }
        let questions = ["/api/market", "/api/chart", "/api/trial"].map { path in
            HTTPRoute(.get, place(path)) { [unowned self] in waiting.append($0) }
        }
        let changes = WebChange.paths.map { path in
            HTTPRoute(.post, place(path)) { [unowned self] in waiting.append($0) }
        }
        let stream = HTTPRoute(.get, place(WebGate.streamPath)) { [unowned self] in open($0) }
        return pages + questions + changes + [stream]
    }

    /// Runs the body while the daemon is waited for, whenever the descriptor is readable.
    func whileWaiting(on descriptor: Int32, _ body: @escaping () -> Void) {
        daemon.whileWaiting(on: descriptor, body)
    }

    /// Answers the requests that need the daemon, one after the other. More may arrive meanwhile.
    func answerWaiting() {
        while !waiting.isEmpty {
            let exchange = waiting.removeFirst()
            if exchange.isOpen { exchange.respond(respond(to: exchange.request)) }
        }
        if hasNewReader { tick() }
    }

    /// The response to a request that was not refused.
    func respond(to request: HTTPServerRequest) -> HTTPServerResponse {
        let request = local(request)
        if request.path == "/", let token = request.argument("token") { return begin(token).secured }
        if let file = files.response(request.path) { return file.secured }
        do throws(ClientError) {
            return try answer(request).secured
        } catch {
            return HTTPServerResponse(error).secured
        }
    }

    private func begin(_ token: String) -> HTTPServerResponse {
        guard let session = sessions.begin(with: token) else { return WebGate.usedToken }
        let path = gate.base?.path ?? "/"
        let attributes = "Path=\(path); HttpOnly; SameSite=Strict" + (gate.base?.isSecure == true ? "; Secure" : "")
        return .text(
            303, "See \(path)",
            headers: [
                // The part after '#' stays in the browser; the script keeps it and removes it from the address.
                .init("Location", "\(path)#key=\(session.key)"),
                .init("Set-Cookie", "\(WebSessions.cookieName)=\(session.cookie); \(attributes)"),
            ])
    }

    private func answer(_ request: HTTPServerRequest) throws(ClientError) -> HTTPServerResponse {
        switch request.path {
        case "/api/market": return .json(try daemon.market(in: try request.only("currency") ?? ""))
        case "/api/chart":
            let chart = try daemon.chart(WebChartRequest(request))
            lastChart = chart
            return .json(chart)
        case "/api/trial":
            let asked = try WebChartRequest(request)
            let chart = try chart(asked)
            return .json(
                try chart.trial(
                    rule: try request.needed("rule"), bound: try request.needed("bound"),
                    value: try request.needed("value")))
        default:
            guard WebChange.paths.contains(request.path), let change = try WebChange(request.path, request.body) else {
                return .text(404, "Not found")
            }
            let text = try daemon.perform(change)
            lastSent = ""
            return .json(WebMessage(text: text))
        }
    }

    private func chart(_ request: WebChartRequest) throws(ClientError) -> WebChart {
        if let lastChart, lastChart.request.isSame(as: request) { return lastChart }
        return try daemon.chart(request)
    }

    // MARK: Changes

    private func open(_ exchange: HTTPExchange) {
        let own = [
            HTTPServerResponse.Field("Content-Type", "text/event-stream"),
            // A proxy such as nginx would otherwise collect the stream before it sends it.
            HTTPServerResponse.Field("X-Accel-Buffering", "no"),
        ]
        let headers = own + WebGate.headers
        guard let stream = exchange.stream(headers: headers) else { return }
        streams.append(stream)
        stream.write("retry: 2000\n\n".utf8)
        lastSent = ""
        hasNewReader = true
    }

    /// Looks at the daemon, and sends what is new; always a sign of life.
    func tick() {
        hasNewReader = false
        streams.removeAll { !$0.isOpen }
        guard !streams.isEmpty else { return }
        var status: WebStatus?
        var fault: String?
        do throws(ClientError) {
            status = try daemon.status()
        } catch {
            fault = faultText(error)
        }
        let state = WebState(status?.status, fault)
        if state.text != lastSent {
            lastSent = state.text
            version += 1
        }
        let text = JSONWriter.text(
            of: WebTick(version: version, status: status, fault: fault))
        let bytes = Array("event: tick\ndata: ".utf8) + text + Array("\n\n".utf8)
        for stream in streams { stream.write(bytes) }
    }
}

/// What a page has to be read again for.
private struct WebState {
    let text: String

    init(_ status: DaemonStatus?, _ fault: String?) {
        guard let status else {
            text = fault ?? ""
            return
        }
        let sources = status.sources.map { "\($0.source) \($0.lastSuccess ?? "") \($0.stale)" }
        text = "\(sources) \(status.lastEvent) \(status.silences) \(status.firing) \(status.started)"
    }
}

private struct WebTick: JSONWritable {
    let version: Int
    let status: WebStatus?
    let fault: String?

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("version", version)
        writer.member("fault", fault)
        if let status {
            writer.key("status")
            status.write(to: &writer)
        }
        writer.endObject()
    }
}

private struct WebMessage: JSONWritable {
    let text: String

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("text", text)
        writer.endObject()
    }
}

extension WebChartRequest {
    /// Whether the same prices are shown, whatever the size.
    fileprivate func isSame(as other: WebChartRequest) -> Bool {
        symbols == other.symbols && range == other.range && currency == other.currency
    }
}

/// Why there is nothing new from the daemon.
private func faultText(_ error: ClientError) -> String {
    switch error.exitCode {
    case .notRunning:
        switch error {
        case .socketRemoved(let path): "the socket \(visible(path)) of alertd was removed"
        default: "alertd is not running"
        }
    case .timedOut: "alertd does not answer"
    default: error.message
    }
}

extension HTTPServerResponse {
    fileprivate static func json(_ value: some JSONWritable) -> Self {
        Self(type: "application/json", body: JSONWriter.text(of: value))
    }

    /// A failure of the daemon's, with the message for the user.
    fileprivate init(_ error: ClientError) {
        let status =
            switch error.exitCode {
            case .notAllowed: 403
            case .noSuchThing: 404
            case .usage: 400
            case .notRunning, .timedOut: 503
            default: error.isLostConnection ? 503 : error.isRefusal ? 409 : 500
            }
        let text = status == 503 ? faultText(error) : error.message
        self = Self(status: status, type: "application/json", body: JSONWriter.text(of: WebMessage(text: text)))
    }
}

extension ClientError {
    /// Whether the daemon understood a change and did not make it, as it does not fit the state.
    fileprivate var isRefusal: Bool {
        switch self {
        case .refused, .unconvertible, .pollTooSoon: true
        default: false
        }
    }

    /// Whether the daemon went away in the middle of a call, as when it restarts.
    fileprivate var isLostConnection: Bool {
        switch self {
        case .closed, .connection: true
        default: false
        }
    }
}
