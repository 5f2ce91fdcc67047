internal import Control
internal import Diagnostics
internal import HTTPServer
internal import JSON
internal import Time

/// The web server's site: access control, static files, API requests, and the stream of changes.
final class WebSite {
    /// Size limit of a request body, which has a few names and a number.
    static let bodyLimit = 4_096
    /// The interval between status requests to the daemon while a page is open.
    static let interval = Milliseconds.seconds(2)

    private let files: WebFiles
    private let daemon: WebDaemon
    private let gate: WebGate
    private(set) var sessions: WebSessions
    private var streams: [HTTPStream] = []
    /// The last chart that was sent, for trials of its limits.
    private var lastChart: WebChart?
    private var lastSent = ""
    /// Queued requests that need the daemon: at most one per connection.
    private var waiting: [HTTPExchange] = []
    private var hasNewReader = false
    /// A counter of changes, from which a page notices that it missed a change.
    private var version = 0

    /// Makes a site. The base is the address where a reverse proxy publishes the page; nil without a proxy.
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

    /// Returns the request in the form that it would have without a proxy.
    private func local(_ request: HTTPServerRequest) -> HTTPServerRequest {
        guard let base = gate.base else { return request }
        var request = request
        request.path = base.local(request.path)
        return request
    }

    /// The routes, each at its path and also below the base path, because a proxy may or may not remove it.
    var routes: [HTTPRoute] {
        Set(["/", gate.base?.path ?? "/"]).flatMap { prefix in
            routes { prefix + $0.dropFirst() }
        }
    }

    /// Paths whose answers need the daemon.
    private static let questions = [
        "/api/market", "/api/chart", "/api/trial", "/api/convert", "/api/currencies", "/api/conversions",
        "/api/conversion/again",
    ]

    private func routes(_ place: (String) -> String) -> [HTTPRoute] {
        let pages = files.paths.map { path in
            HTTPRoute(.get, place(path)) { [unowned self] in $0.respond(respond(to: $0.request)) }
        }
        let questions = Self.questions.map { path in
            HTTPRoute(.get, place(path)) { [unowned self] in waiting.append($0) }
        }
        let changes = WebChange.paths.map { path in
            HTTPRoute(.post, place(path)) { [unowned self] in waiting.append($0) }
        }
        let stream = HTTPRoute(.get, place(WebGate.streamPath)) { [unowned self] in open($0) }
        return pages + questions + changes + [stream]
    }

    /// Registers a body that runs whenever the descriptor becomes readable while a call waits for the daemon.
    func whileWaiting(on descriptor: Int32, _ body: @escaping () -> Void) {
        daemon.whileWaiting(on: descriptor, body)
    }

    /// Answers the queued requests one after the other. More may arrive meanwhile.
    func answerWaiting() {
        while !waiting.isEmpty {
            let exchange = waiting.removeFirst()
            if exchange.isOpen { exchange.respond(respond(to: exchange.request)) }
        }
        if hasNewReader { tick() }
    }

    /// Returns the response to a request that was not refused.
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
                // The browser never sends the part after '#'; the script stores it and removes it from the address
                // bar.
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
        case "/api/convert": return .json(try daemon.conversion(WebConversion(request)))
        case "/api/currencies": return .json(WebCurrencies(currencies: try daemon.currencies()))
        case "/api/conversions": return .json(try daemon.earlierConversions())
        case "/api/conversion/again": return .json(try daemon.comparison(request))
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
            // A proxy such as nginx would otherwise buffer the stream.
            HTTPServerResponse.Field("X-Accel-Buffering", "no"),
        ]
        let headers = own + WebGate.headers
        guard let stream = exchange.stream(headers: headers) else { return }
        streams.append(stream)
        stream.write("retry: 2000\n\n".utf8)
        lastSent = ""
        hasNewReader = true
    }

    /// Requests the status and sends it to all streams, even without changes, as a sign of life.
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

/// The values whose changes require the page to load its data again.
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
    /// True if both charts show the same prices, in any size.
    fileprivate func isSame(as other: WebChartRequest) -> Bool {
        symbols == other.symbols && range == other.range && currency == other.currency
    }
}

/// Describes why the daemon cannot be reached.
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

    /// The response for a failed call, with the message for the user.
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
    /// True if the daemon understood a change but refused it because it does not fit the current state.
    fileprivate var isRefusal: Bool {
        switch self {
        case .refused, .unconvertible, .pollTooSoon: true
        default: false
        }
    }

    /// True if the connection was lost during a call, for example because the daemon restarted.
    fileprivate var isLostConnection: Bool {
        switch self {
        case .closed, .connection: true
        default: false
        }
    }
}
