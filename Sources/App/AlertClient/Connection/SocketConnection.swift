internal import Control
internal import Diagnostics
internal import JSON
internal import Market
internal import Time
internal import UnixSockets
internal import VarlinkMessages

/// A connection to the daemon's control socket.
struct SocketConnection: ControlConnection {
    private let client: VarlinkClient
    private let timeout: Milliseconds

    init(_ target: ConnectionTarget) throws(ClientError) {
        timeout = target.timeout
        do {
            client = try VarlinkClient(path: target.socket, timeout: target.timeout.duration)
        } catch {
            throw ClientError(error, timeout: target.timeout)
        }
    }

    func whileWaiting(on descriptor: Int32, _ body: @escaping () -> Void) {
        client.companion = WaitCompanion(readable: descriptor, body)
    }

    func call<Reply: JSONReadable>(
        _ method: ControlInterface.Method, _ parameters: some JSONWritable, returning: Reply.Type,
        meanwhile work: () -> Void
    ) throws(ClientError) -> Reply {
        do {
            return try client.call(method.qualifiedName, parameters, as: Reply.self, meanwhile: work)
        } catch {
            throw ClientError(error, timeout: timeout)
        }
    }

    func stream<Reply: JSONReadable>(
        _ method: ControlInterface.Method, _ parameters: some JSONWritable, returning: Reply.Type,
        within limit: Milliseconds?, each: (Reply) -> Bool
    ) throws(ClientError) {
        do {
            try client.monitor(
                method.qualifiedName, parameters, as: Reply.self, within: limit?.duration, onReply: each)
        } catch {
            throw ClientError(error, timeout: limit ?? timeout)
        }
    }
}

extension SocketConnection {
    func monitor(
        _ parameters: MonitorEventsParameters, beside companion: WaitCompanion, each: (MonitorEventsReply) -> Bool
    ) throws(ClientError) {
        do {
            client.companion = companion
            defer { client.companion = nil }
            let method = ControlInterface.Method.monitorEvents.qualifiedName
            try client.monitor(method, parameters, as: MonitorEventsReply.self, onReply: each)
        } catch {
            throw ClientError(error, timeout: timeout)
        }
    }
}

extension ClientError {
    init(_ error: VarlinkClientError, timeout: Milliseconds) {
        switch error {
        case .notRunning(let path):
            self = hasListener(boundTo: path) ? .socketRemoved(socket: path) : .notRunning(socket: path)
        case .permissionDenied(let path): self = .socketDenied(socket: path)
        case .timeout: self = .timedOut(timeout)
        case .connectionClosed, .interrupted: self = .closed
        case .protocolViolation(let message): self = .malformed(message)
        case .remote(let name, _): self = Self.remote(error, name: name)
        case .system(let message): self = .connection(message)
        }
    }

    private static func remote(_ error: VarlinkClientError, name: String) -> ClientError {
        typealias Name = ControlInterface.ErrorName
        if name == "org.varlink.service.PermissionDenied" { return .callDenied }
        if let what = error.remoteParameters(of: "org.varlink.service.InvalidParameter", as: InvalidParameter.self) {
            return .usage(
                "the daemon does not accept '\(visible(what.parameter))'; check its value, and that alertd and "
                    + "alertctl have the same version")
        }
        if let what = error.remoteParameters(of: Name.noSuchSymbol.qualifiedName, as: NoSuchSymbol.self) {
            return .noSuchSymbol(what)
        }
        if let what = error.remoteParameters(of: Name.noSuchRule.qualifiedName, as: NoSuchRule.self) {
            return .noSuchRule(what)
        }
        if let what = error.remoteParameters(of: Name.reloadFailed.qualifiedName, as: ReloadFailed.self) {
            return .reloadFailed(what)
        }
        if let what = error.remoteParameters(of: Name.pollTooSoon.qualifiedName, as: PollTooSoon.self) {
            return .pollTooSoon(what)
        }
        if let what = error.remoteParameters(of: Name.unconvertible.qualifiedName, as: Unconvertible.self) {
            return .unconvertible(what)
        }
        if let what = error.remoteParameters(of: Name.storeFailed.qualifiedName, as: StoreFailed.self) {
            return .storeFailed(what)
        }
        if let what = error.remoteParameters(of: Name.noSuchThing.qualifiedName, as: NoSuchThing.self) {
            return .noSuchThing(what)
        }
        if let what = error.remoteParameters(of: Name.refused.qualifiedName, as: Refused.self) {
            return .refused(what)
        }
        return .remote(name: name)
    }
}

/// The parameters of the Varlink error `InvalidParameter`: the name of the parameter that the daemon rejected.
private struct InvalidParameter: JSONReadable {
    let parameter: String

    init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        parameter = try object.read("parameter")
    }
}
