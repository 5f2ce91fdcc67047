internal import Arguments
internal import Configuration
internal import Control
internal import Diagnostics
internal import Events
internal import JSON
internal import Receivers

/// `alertctl receivers preview`: shows the requests that a receiver would be sent.
struct ReceiverPreview {
    /// The values of `--kind`.
    static let kinds = EventKind.allCases.map(\.rawValue) + ["group"]

    private let context: Context
    private let name: String

    init(_ context: Context, _ name: String) {
        (self.context, self.name) = (context, name)
    }

    func show() throws(ClientError) {
        let kind = context.arguments.value("kind") ?? EventKind.fired.rawValue
        guard Self.kinds.contains(kind) else {
            throw .usage(
                "--kind is '\(visible(kind))'; "
                    + (nearest(to: kind, among: Self.kinds).map { "did you mean '\($0)'?" }
                        ?? "use one of: \(Self.kinds.joined(separator: ", "))"))
        }
        let file = context.arguments.value("config") ?? CheckCommand.usualFile(context)
        try check(file)
        guard let result = context.environment.runDaemon(["__preview", file, name, kind]) else {
            throw .file("cannot run alertd, which writes requests; is it installed next to alertctl?")
        }
        guard result.code == 0 else {
            let text = result.errors.split(separator: "\n").joined(separator: " ")
            let message = text.hasPrefix("alertd: ") ? String(text.dropFirst("alertd: ".count)) : text
            throw .refused(Refused(message: "the receiver '\(name)' cannot send: \(message)"))
        }
        let requests = try result.output.split(separator: "\n").map { (line) throws(ClientError) in
            try PreviewedRequest(line)
        }
        context.show(report(requests, kind))
    }

    /// Checks that the settings are valid, and that they have the receiver and send it events.
    private func check(_ file: String) throws(ClientError) {
        let checks = context.environment.checkFiles([file])
        guard let loaded = checks.compactMap(\.loaded).first else { throw .badFiles(checks.flatMap(\.findings)) }
        let receivers = loaded.settings.receivers
        guard let receiver = receivers.first(where: { $0.name == name }) else {
            let names = receivers.map(\.name)
            throw .noSuchThing(
                NoSuchThing(
                    kind: .receiver, name: name, suggestion: nearest(to: name, among: names), known: names))
        }
        guard !receiver.kind.profile.sendsPrices else {
            throw .refused(
                Refused(message: "the receiver '\(name)' gets prices, which have no text; there is nothing to show"))
        }
    }

    private func report(_ requests: [PreviewedRequest], _ kind: String) -> Report {
        let columns = ["method", "address", "headers", "body"].map { Column($0, nil) }
        let rows = requests.map { request in
            [
                Cell(.text(request.method)), Cell(.text(request.address)), Cell(.list(request.headers)),
                Cell(.text(request.body)),
            ]
        }
        let texts = requests.map { request in
            let head = (["\(request.method) \(request.address)"] + request.headers).map { visible($0) + "\n" }
            return head.joined() + (request.body.isEmpty ? "" : "\n\(visibleLines(request.body))\n")
        }
        return Report(parts: [
            .verbatim(texts.joined(separator: "\n")),
            .metadata([Field("receiver", .text(name)), Field("kind", .text(kind))]),
            .table(Table(key: "requests", columns: columns, rows: rows, whenEmpty: "")),
        ])
    }
}

/// A request in the output of `alertd __preview`.
private struct PreviewedRequest {
    var method: String
    var address: String
    var headers: [String]
    var body: String

    /// The maximum size of a request in the output, in bytes; no request is that large.
    private static let limitBytes = 8 << 20

    init(_ line: Substring) throws(ClientError) {
        do throws(JSONError) {
            var object = try JSONDocument(Array(line.utf8), limit: Self.limitBytes).root.object()
            method = try object.read("method")
            address = try object.read("address")
            headers = try object.read("headers")
            body = try object.read("body")
        } catch {
            throw .malformed("\(error)")
        }
    }
}
