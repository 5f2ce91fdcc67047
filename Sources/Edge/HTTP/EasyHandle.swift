internal import CCurl
internal import EventLoop
internal import Glibc
internal import Time

/// A libcurl easy handle that is used for one request after another. It remembers TLS sessions.
@safe
@LoopActor
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    /// The buffer for libcurl's error messages; it lives as long as the handle.
    private let errorText: UnsafeMutablePointer<CChar>
    /// The header lines of the request, which libcurl does not copy.
    private var headerLines: UnsafeMutablePointer<curl_slist>?
    /// The recipients of a mail, which libcurl does not copy either.
    private var recipientLines: UnsafeMutablePointer<curl_slist>?

    /// The transfer that receives the parts of a response; nil while no response is expected.
    private var receiver: Transfer?

    /// Creates a handle. Returns nil if out of memory.
    init?() {
        guard let pointer = unsafe curl_easy_init() else { return nil }
        unsafe self.pointer = unsafe pointer
        unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    isolated deinit {
        // Free the handle first: it may write error messages until it is gone.
        unsafe curl_easy_cleanup(pointer)
        unsafe curl_slist_free_all(headerLines)
        unsafe curl_slist_free_all(recipientLines)
        unsafe errorText.deallocate()
    }

    /// Resets all options, but keeps connections and TLS sessions.
    func reset() {
        unsafe curl_easy_reset(pointer)
        unsafe errorText.pointee = 0
        unsafe curl_slist_free_all(headerLines)
        unsafe headerLines = nil
        unsafe curl_slist_free_all(recipientLines)
        unsafe recipientLines = nil
    }

    /// Sends these headers with each request until ``reset()``. Returns false if out of memory.
    func set(headers: [String: String]) -> Bool {
        for (name, value) in headers {
            guard let lines = unsafe curl_slist_append(headerLines, "\(name): \(value)") else { return false }
            unsafe headerLines = lines
        }
        return unsafe alertd_curl_setopt_pointer(pointer, CURLOPT_HTTPHEADER, headerLines) == CURLE_OK
    }

    /// Sends a mail to these addresses until ``reset()``. Returns false if out of memory.
    func set(recipients: [String]) -> Bool {
        for recipient in recipients {
            guard let lines = unsafe curl_slist_append(recipientLines, "<\(recipient)>") else { return false }
            unsafe recipientLines = lines
        }
        return unsafe alertd_curl_setopt_pointer(pointer, CURLOPT_MAIL_RCPT, recipientLines) == CURLE_OK
    }

    /// Sends these bytes, which libcurl copies. Their number must be set first.
    func set(copying body: [UInt8]) -> Bool {
        unsafe body.withUnsafeBytes { bytes in
            let start = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)
            // An empty array may have no address, which libcurl would treat as no body at all.
            guard let start = unsafe start else { return set(CURLOPT_COPYPOSTFIELDS, "") }
            return unsafe alertd_curl_setopt_pointer(pointer, CURLOPT_COPYPOSTFIELDS, start) == CURLE_OK
        }
    }

    /// Passes the parts of the next response to a transfer until ``endDelivery()``. Returns false if libcurl refuses.
    func deliver(to transfer: Transfer) -> Bool {
        unsafe errorText.pointee = 0
        receiver = transfer
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        return unsafe alertd_curl_set_receivers(pointer, receiveHeader, receiveBody, context) == CURLE_OK
            && captureErrors()
    }

    /// Ends the delivery to a transfer. Until then, the handle and the transfer keep each other alive.
    func endDelivery() {
        receiver = nil
    }

    /// Passes a part of a response to the transfer. Returns false if it does not accept the part.
    fileprivate func receive(_ append: (Transfer) -> Bool) -> Bool {
        receiver.map(append) ?? false
    }

    /// Makes libcurl write error messages to ``errorText``. Returns false if libcurl refuses.
    func captureErrors() -> Bool {
        unsafe alertd_curl_setopt_pointer(pointer, CURLOPT_ERRORBUFFER, errorText) == CURLE_OK
    }

    /// Sets a number. Returns false if this version of libcurl lacks the option.
    func set(_ option: CURLoption, _ value: Int) -> Bool {
        unsafe alertd_curl_setopt_long(pointer, option, value) == CURLE_OK
    }

    /// Sets a text, or removes it if it is nil. Returns false if this version of libcurl lacks the option.
    func set(_ option: CURLoption, _ value: String?) -> Bool {
        unsafe alertd_curl_setopt_string(pointer, option, value) == CURLE_OK
    }

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        return unsafe alertd_curl_get_long(pointer, info, &value) == CURLE_OK ? value : 0
    }

    /// Returns a duplicate of the descriptor of the open connection, which the caller closes; nil if there is none.
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

/// Passes bytes to the transfer. Returning any value other than their number makes libcurl abort the transfer.
private func receive(
    _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
    _ append: @LoopActor (Transfer, UnsafeRawBufferPointer) -> Bool
) -> Int {
    guard let context = unsafe context else { return -1 }
    let easy = unsafe Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
    nonisolated(unsafe) let data = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
    return LoopActor.assumeIsolated { easy.receive { unsafe append($0, data) } } ? count : -1
}
