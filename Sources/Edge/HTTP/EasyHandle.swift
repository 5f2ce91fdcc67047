internal import CCurl
internal import EventLoop

/// One of libcurl's easy handles, used for one request after the other; it remembers TLS sessions.
@safe
@LoopActor
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    /// Where libcurl writes what went wrong; it lives as long as the handle.
    private let words: UnsafeMutablePointer<CChar>

    /// Makes a handle, or nil when there is no memory for one.
    init?() {
        guard let pointer = unsafe curl_easy_init() else { return nil }
        unsafe self.pointer = unsafe pointer
        unsafe words = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    isolated deinit {
        // First the handle: it may write its words until the end.
        unsafe curl_easy_cleanup(pointer)
        unsafe words.deallocate()
    }

    /// Forgets all options; keeps connections and TLS sessions.
    func reset() {
        unsafe curl_easy_reset(pointer)
        unsafe words.pointee = 0
    }

    /// Says where the parts of a response go, from now until ``reset()``.
    func deliver(to transfer: Transfer) -> Bool {
        let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
        return unsafe alertd_curl_set_receivers(pointer, receiveHeader, receiveBody, context) == CURLE_OK
            && alertd_curl_setopt_pointer(pointer, CURLOPT_ERRORBUFFER, words) == CURLE_OK
    }

    /// Sets a number, and says whether this libcurl takes it.
    func set(_ option: CURLoption, _ value: Int) -> Bool {
        unsafe alertd_curl_setopt_long(pointer, option, value) == CURLE_OK
    }

    /// Sets a text, and says whether this libcurl takes it; nil sets none at all.
    func set(_ option: CURLoption, _ value: String?) -> Bool {
        unsafe alertd_curl_setopt_string(pointer, option, value) == CURLE_OK
    }

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        return unsafe alertd_curl_get_long(pointer, info, &value) == CURLE_OK ? value : 0
    }

    func failure(_ code: CURLcode, host: String) -> CurlFailure {
        let own = unsafe String(cString: words)
        let general = unsafe curl_easy_strerror(code).map { unsafe String(cString: $0) } ?? ""
        return CurlFailure(
            code: code, words: printable(own.isEmpty ? general : own),
            errorNumber: Int32(clamping: number(CURLINFO_OS_ERRNO)), host: host)
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

/// Hands bytes to the transfer; any other count than theirs makes libcurl give up.
private func receive(
    _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
    _ take: @LoopActor (Transfer, UnsafeRawBufferPointer) -> Bool
) -> Int {
    guard let context = unsafe context else { return -1 }
    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    nonisolated(unsafe) let data = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
    return LoopActor.assumeIsolated { unsafe take(transfer, data) } ? count : -1
}
