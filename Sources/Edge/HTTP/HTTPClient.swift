internal import CCurl
package import EventLoop
package import Time

/// A client that makes requests with libcurl on the event loop, and keeps connections open for the next request.
///
/// Between requests it has no timer and watches no connection.
@safe
@LoopActor
package final class HTTPClient {
    private let configuration: HTTPConfiguration
    private let clock = SystemClock()
    /// libcurl's multi handle; nil before the first request.
    private var multi: UnsafeMutableRawPointer?
    private var timer: LoopTimer?
    /// The time that the current requests have kept the loop busy.
    private var busy = Duration.zero
    /// Watches for the descriptors that libcurl uses.
    private var watches: [Int32: DescriptorWatch] = [:]
    /// Transfers in progress, usually one.
    private var transfers: [Transfer] = []
    /// The handle of the last request, for reuse.
    private var spare: EasyHandle?
    /// True if libcurl wants to run as soon as the current call to it returns.
    private var mustAct = false
    private var isStarting = false
    /// The length of the last body; the next one probably has a similar length.
    private var lastBodyBytes = 0

    package init(_ configuration: HTTPConfiguration) {
        self.configuration = configuration
        timer = makeTimer()
    }

    private func makeTimer() -> LoopTimer {
        LoopTimer(priority: priority) { [weak self] in self?.act(on: CURL_SOCKET_BAD, 0) }
    }

    isolated deinit {
        // No transfer is left, because each one keeps the client alive until it ends.
        guard let multi = unsafe multi else { return }
        unsafe alertd_curl_multi_set_callbacks(multi, nil, nil, nil)
        spare = nil
        unsafe curl_multi_cleanup(multi)
    }

    /// True if libcurl could be initialized. The process does this once.
    private static let isReady = curl_global_init(1 << 0) == CURLE_OK

    /// Opens libcurl for the first request.
    private func open() throws(HTTPError) {
        guard unsafe multi == nil else { return }
        guard Self.isReady, let multi = unsafe curl_multi_init() else { throw .other("libcurl cannot be used") }
        unsafe self.multi = unsafe multi
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe alertd_curl_multi_set_callbacks(multi, watchSocket, changeTimer, context)
        // Requests go to at most two hosts in turn. In addition, old connections may still be closing.
        unsafe alertd_curl_multi_setopt_long(multi, CURLMOPT_MAXCONNECTS, 4)
    }

    /// The version of the program, taken from the user agent.
    package var version: String { configuration.userAgent.split(separator: "/").last.map(String.init) ?? "" }

    /// True while libcurl waits for no descriptor and no timer.
    var isIdle: Bool { watches.isEmpty && timer?.isArmed != true }

    /// Requests an address, and follows redirects to https on the same host and port.
    ///
    /// Cancelling the task ends the request immediately.
    ///
    /// - Parameters:
    ///   - address: absolute, https; http only to a loopback host or when the configuration allows it.
    ///   - headers: further headers, by name; a redirect to the same host gets them as well. Names and values are one
    ///     line each.
    ///   - ifModifiedSince: the time of the last change that is known. A resource that has not changed since then is
    ///     answered with status 304, or with an empty body if the server ignores the condition.
    /// - Returns: the complete response; a status other than 200 is not an error.
    /// - Throws: ``HTTPError``.
    package func get(
        _ address: String, headers: [String: String] = [:], ifModifiedSince: WallTime? = nil
    ) async throws(HTTPError) -> HTTPResponse {
        try open()
        var target = try WebAddress(address)
        try checkEncryption(of: target)
        let deadline = deadline
        for _ in 0...max(0, configuration.redirectLimit) {
            let response = try await perform(host: target.host, until: deadline) { easy in
                easy.set(target, configuration) && easy.set(ifModifiedSince: ifModifiedSince)
                    && (headers.isEmpty || easy.set(headers: headers))
            }
            guard let location = response.redirectLocation else { return response }
            target = try target.redirected(to: location)
        }
        throw .redirectRefused(target.origin)
    }

    /// Sends a request, usually with a body. Redirects are not followed.
    ///
    /// Cancelling the task ends the request immediately.
    ///
    /// - Returns: the complete response; a status other than 200 is not an error.
    /// - Throws: ``HTTPError``, without the address.
    package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        try open()
        guard let target = try? WebAddress(request.address) else { throw .badAddress("not shown") }
        try checkEncryption(of: target)
        return try await perform(host: target.host, until: deadline) { easy in
            easy.set(target, configuration)
                && (request.method == .get || easy.set(body: request.body, method: request.method.rawValue))
                && (request.headers.isEmpty || easy.set(headers: request.headers))
        }
    }

    /// Sends a message to a mail server.
    ///
    /// - Returns: the reply of the server; a refusal is not an error.
    /// - Throws: ``HTTPError``.
    package func send(_ mail: OutgoingMail) async throws(HTTPError) -> MailReply {
        try open()
        guard !Task.isCancelled else { throw .cancelled }
        guard let easy = EasyHandle() else { throw .other("out of memory") }
        guard easy.captureErrors(), easy.set(mail, configuration) else {
            throw .other("this version of libcurl lacks a required option")
        }
        guard let transfer = MailTransfer(mail, easy, configuration) else { throw .other("out of memory") }
        let timeout = LoopTimer { [limit = configuration.totalLimit] in transfer.giveUp(.timeout(after: limit)) }
        timeout.arm(after: configuration.totalLimit.duration)
        defer { timeout.disarm() }
        return try await transfer.result()
    }

    /// Connects to a server of another protocol, through the configured proxy if there is one. Everything that
    /// follows on the connection must end within the limit on the whole request.
    ///
    /// Cancelling the task ends the attempt immediately.
    ///
    /// - Parameters:
    ///   - host: a name or an address; IPv6 without brackets.
    ///   - port: the port of the server.
    /// - Returns: the connection, which the caller closes.
    /// - Throws: ``HTTPError``.
    package func connect(to host: String, port: UInt16) async throws(HTTPError) -> ByteStream {
        try open()
        guard !Task.isCancelled else { throw .cancelled }
        let target = try WebAddress("http://\(host.contains(":") ? "[\(host)]" : host):\(port)/")
        guard let easy = EasyHandle() else { throw .other("out of memory") }
        let transfer = Transfer(easy: easy, host: host, configuration, isConnection: true)
        guard easy.deliver(to: transfer), easy.setConnection(to: target, configuration) else {
            easy.endDelivery()
            throw .other("this version of libcurl lacks a required option")
        }
        let deadline = deadline
        let timeout = LoopTimer { [limit = configuration.totalLimit] in
            transfer.answer.finish(.failure(.timeout(after: limit)))
        }
        timeout.arm(after: configuration.totalLimit.duration)
        defer {
            timeout.disarm()
            easy.endDelivery()
            remove(transfer)
        }
        try begin(transfer)
        do throws(HTTPError) {
            _ = try await transfer.answer.value(onCancel: .cancelled)
            guard let descriptor = easy.copyConnection() else { throw .truncated }
            return ByteStream(
                self, easy, descriptor, host: host, configuration, limit: deadline.since(clock.now().boot))
        } catch {
            disconnect(easy)
            throw error
        }
    }

    /// Closes the connection of a handle.
    func disconnect(_ easy: EasyHandle) {
        unsafe curl_multi_remove_handle(multi, easy.pointer)
    }

    private var deadline: BootTime { clock.now().boot.advanced(by: configuration.totalLimit) }

    private func checkEncryption(of target: WebAddress) throws(HTTPError) {
        guard target.scheme == "https" || target.isLoopback || configuration.allowsPlainHTTP else {
            throw .plainHTTPRefused(host: printable(target.host))
        }
    }

    /// Makes one transfer with the options that `prepare` sets.
    private func perform(
        host: String, until deadline: BootTime, _ prepare: (EasyHandle) -> Bool
    ) async throws(HTTPError) -> HTTPResponse {
        guard !Task.isCancelled else { throw .cancelled }
        let transfer = try start(host: host, prepare)
        let timeout = LoopTimer { [limit = configuration.totalLimit] in
            transfer.answer.finish(.failure(.timeout(after: limit)))
        }
        timeout.arm(after: deadline.since(clock.now().boot).duration)
        defer {
            timeout.disarm()
            end(transfer)
        }
        let response = try await transfer.answer.value(onCancel: .cancelled)
        lastBodyBytes = response.paddedBody.count
        return response
    }

    private func start(host: String, _ prepare: (EasyHandle) -> Bool) throws(HTTPError) -> Transfer {
        guard let easy = spare ?? EasyHandle() else { throw .other("out of memory") }
        spare = nil
        if transfers.isEmpty { resetPriority() }
        let transfer = Transfer(easy: easy, host: host, configuration, expectedBytes: lastBodyBytes)
        guard easy.deliver(to: transfer), prepare(easy) else {
            easy.endDelivery()
            throw .other("this version of libcurl lacks a required option")
        }
        try begin(transfer)
        return transfer
    }

    /// Adds the transfer to libcurl, which sends the request immediately if a connection is open.
    private func begin(_ transfer: Transfer) throws(HTTPError) {
        isStarting = true
        defer { (isStarting, mustAct) = (false, false) }
        guard unsafe curl_multi_add_handle(multi, transfer.easy.pointer) == CURLM_OK else {
            transfer.easy.endDelivery()
            throw .other("this version of libcurl lacks a required option")
        }
        transfers.append(transfer)
        isStarting = false
        if mustAct { act(on: CURL_SOCKET_BAD, 0) }
    }

    private func remove(_ transfer: Transfer) {
        transfers.removeAll { $0 === transfer }
    }

    /// Removes the transfer from libcurl, finished or not. The connection of an unfinished one is closed.
    private func end(_ transfer: Transfer) {
        remove(transfer)
        unsafe curl_multi_remove_handle(multi, transfer.easy.pointer)
        transfer.easy.endDelivery()
        // Do not keep a body or a password.
        transfer.easy.reset()
        spare = transfer.easy
    }
}

extension HTTPClient {
    /// The time for which requests may keep the loop busy before they lose their priority. A request takes one or two
    /// milliseconds, or 30 ms if it opens a connection, mostly to check certificates. Only a server that sends
    /// endlessly, in tiny or empty pieces, exceeds this limit.
    private static let busyLimit = Duration.milliseconds(100)

    /// The priority of requests. They come before the calls of clients, unless a server keeps the loop busy.
    private var priority: LoopPriority { busy > Self.busyLimit ? .client : .standard }

    private func resetPriority() {
        let before = priority
        busy = .zero
        if priority != before { applyPriority() }
    }

    private func applyPriority() {
        let isArmed = timer?.isArmed ?? false
        timer?.disarm()
        timer = makeTimer()
        if isArmed { timer?.arm(after: .milliseconds(1)) }
        for watch in watches.values { watch.priority = priority }
    }

    /// Runs libcurl when a descriptor is ready or its timer has expired.
    private func act(on descriptor: Int32, _ events: Int32) {
        let start = ContinuousClock.now
        let before = priority
        defer {
            busy += ContinuousClock.now - start
            if priority != before { applyPriority() }
        }
        var running: Int32 = 0
        unsafe curl_multi_socket_action(multi, descriptor, events, &running)
        var waiting: Int32 = 0
        while let message = unsafe curl_multi_info_read(multi, &waiting) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle else {
                continue
            }
            let transfer = transfers.first { unsafe $0.easy.pointer == easy }
            unsafe transfer?.finish(message.pointee.data.result)
        }
    }

    fileprivate func watch(_ descriptor: Int32, for action: Int32) {
        let interest: Readiness
        switch action {
        case CURL_POLL_IN: interest = .readable
        case CURL_POLL_OUT: interest = .writable
        case CURL_POLL_INOUT: interest = [.readable, .writable]
        default:
            watches.removeValue(forKey: descriptor)?.end()
            return
        }
        if let watch = watches[descriptor] {
            watch.interest = interest
        } else {
            watches[descriptor] = DescriptorWatch(descriptor, for: interest, priority: priority) { [weak self] in
                self?.act(on: descriptor, $0.curlEvents)
            }
        }
    }

    fileprivate func setTimer(milliseconds: Int) {
        if milliseconds < 0 {
            timer?.disarm()
        } else if milliseconds == 0, isStarting {
            mustAct = true
            timer?.disarm()
        } else {
            timer?.arm(after: .milliseconds(milliseconds))
        }
    }
}

extension Readiness {
    fileprivate var curlEvents: Int32 {
        (contains(.readable) || contains(.hungUp) ? CURL_CSELECT_IN : 0)
            | (contains(.writable) ? CURL_CSELECT_OUT : 0) | (contains(.failed) ? CURL_CSELECT_ERR : 0)
    }
}

extension HTTPResponse {
    /// The target of a redirect, or nil if the response is not a redirect.
    fileprivate var redirectLocation: String? {
        [301, 302, 303, 307, 308].contains(status) ? headers["location"] : nil
    }
}

private func watchSocket(
    easy: UnsafeMutableRawPointer?, descriptor: Int32, action: Int32, context: UnsafeMutableRawPointer?,
    socketContext: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context = unsafe context else { return -1 }
    let client = unsafe Unmanaged<HTTPClient>.fromOpaque(context).takeUnretainedValue()
    LoopActor.assumeIsolated { client.watch(descriptor, for: action) }
    return 0
}

private func changeTimer(
    multi: UnsafeMutableRawPointer?, milliseconds: Int, context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context = unsafe context else { return -1 }
    let client = unsafe Unmanaged<HTTPClient>.fromOpaque(context).takeUnretainedValue()
    LoopActor.assumeIsolated { client.setTimer(milliseconds: milliseconds) }
    return 0
}
