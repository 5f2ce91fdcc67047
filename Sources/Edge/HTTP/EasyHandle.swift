internal import CCurl
internal import EventLoop
internal import Glibc
internal import Time

/// One of libcurl's easy handles, used for one request after another; it remembers TLS sessions.
@safe
@LoopActor
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    /// Where libcurl writes error messages; it lives as long as the handle.
    private let errorText: UnsafeMutablePointer<CChar>
    /// The header lines of the request, which libcurl does not copy.
    private var headerLines: UnsafeMutablePointer<curl_slist>?
    /// The recipients of a mail, which libcurl does not copy either.
    private var recipientLines: UnsafeMutablePointer<curl_slist>?

    /// What gets the parts of a response; nil while none is expected.
    private var receiver: Transfer?

    /// Makes a handle; nil when out of memory.
    init?() {
        guard let pointer = unsafe curl_easy_init() else { return nil }
        unsafe self.pointer = unsafe pointer
        unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    isolated deinit {
        // The handle goes first: it may write error messages until the end.
        unsafe curl_easy_cleanup(pointer)
        unsafe curl_slist_free_all(headerLines)
        unsafe curl_slist_free_all(recipientLines)
        unsafe errorText.deallocate()
    }

    /// Forgets all options; keeps connections and TLS sessions.
    func reset() {
        unsafe curl_easy_reset(pointer)
        unsafe errorText.pointee = 0
        unsafe curl_slist_free_all(headerLines)
        unsafe headerLines = nil
        unsafe curl_slist_free_all(recipientLines)
        unsafe recipientLines = nil
    }

    /// Sends these headers with the next request, until ``reset()``; false when out of memory.
    func set(headers: [String: String]) -> Bool {
        for (name, value) in headers {
            guard let lines = unsafe curl_slist_append(headerLines, "\(name): \(value)") else { return false }
            unsafe headerLines = lines
        }
        return unsafe alertd_curl_setopt_pointer(pointer, CURLOPT_HTTPHEADER, headerLines) == CURLE_OK
    }

    /// Sends a mail to these addresses, until ``reset()``; false when out of memory.
    func set(recipients: [String]) -> Bool {
        for recipient in recipients {
            guard let lines = unsafe curl_slist_append(recipientLines, "<\(recipient)>") else { return false }
            unsafe recipientLines = lines
        }
        return unsafe alertd_curl_setopt_pointer(pointer, CURLOPT_MAIL_RCPT, recipientLines) == CURLE_OK
    }

    /// Sends these bytes, which libcurl copies; their number has to be set before.
    func set(copying body: [UInt8]) -> Bool {
        unsafe body.withUnsafeBytes { bytes in
            let start = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)
            // An empty array may have no address, which libcurl would take for no body at all.
            guard let start = unsafe start else { return set(CURLOPT_COPYPOSTFIELDS, "") }
            return unsafe alertd_curl_setopt_pointer(pointer, CURLOPT_COPYPOSTFIELDS, start) == CURLE_OK
        }
    }

    /// Sends the parts of the next response to a transfer, until ``endDelivery()``; false when libcurl refuses.
    func deliver(to transfer: Transfer) -> Bool {
        unsafe errorText.pointee = 0
        receiver = transfer
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        return unsafe alertd_curl_set_receivers(pointer, receiveHeader, receiveBody, context) == CURLE_OK
            && keepErrors()
    }

    /// Ends the delivery to a transfer, which keeps this handle alive.
    func endDelivery() {
        receiver = nil
    }

    /// Takes a part of a response; false when it is not wanted.
    fileprivate func receive(_ take: (Transfer) -> Bool) -> Bool {
        receiver.map(take) ?? false
    }

    /// Has libcurl write what goes wrong to ``errorText``; false when it refuses.
    func keepErrors() -> Bool {
        unsafe alertd_curl_setopt_pointer(pointer, CURLOPT_ERRORBUFFER, errorText) == CURLE_OK
    }

    /// Sets a number; false when this libcurl does not know the option.
    func set(_ option: CURLoption, _ value: Int) -> Bool {
        unsafe alertd_curl_setopt_long(pointer, option, value) == CURLE_OK
    }

    /// Sets a text, or with nil removes it; false when this libcurl does not know the option.
    func set(_ option: CURLoption, _ value: String?) -> Bool {
        unsafe alertd_curl_setopt_string(pointer, option, value) == CURLE_OK
    }

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        return unsafe alertd_curl_get_long(pointer, info, &value) == CURLE_OK ? value : 0
    }

    /// A copy of the descriptor of the open connection, to be closed by the caller; nil if there is none.
    func copyConnection() -> Int32? {
        var descriptor: curl_socket_t = CURL_SOCKET_BAD
        guard unsafe alertd_curl_get_socket(pointer, CURLINFO_ACTIVESOCKET, &descriptor) == CURLE_OK else { return nil }
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        return copy < 0 ? nil : copy
    }

    func failure(_ code: CURLcode, host: String, connectLimit: Milliseconds) -> CurlFailure {
        let own = unsafe String(cString: errorText)
        let general = unsafe curl_easy_strerror(code).map { unsafe String(cString: $0) } ?? ""
        return CurlFailure(
            code: code, text: printable(own.isEmpty ? general : own),
            errorNumber: Int32(clamping: number(CURLINFO_OS_ERRNO)), host: host,
            connectLimit: connectLimit, requestWasSent: number(CURLINFO_REQUEST_SIZE) > 0)
    }
}

private func receiveHeader(
    bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    unsafe receive(bytes, size &* count, context) { unsafe $0.appendHeader($1) }
}

private func receiveBody(
    bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    unsafe receive(bytes, size &* count, context) { unsafe $0.appendBody($1) }
}

/// Passes bytes to the transfer; returning any other count than theirs makes libcurl give up.
private func receive(
    _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
    _ take: @LoopActor (Transfer, UnsafeRawBufferPointer) -> Bool
) -> Int {
    guard let context = unsafe context else { return -1 }
    let easy = unsafe Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
    nonisolated(unsafe) let data = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
    return LoopActor.assumeIsolated { easy.receive { unsafe take($0, data) } } ? count : -1
}
