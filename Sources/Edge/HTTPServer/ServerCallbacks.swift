internal import CMicroHTTPD

// The callbacks of libmicrohttpd, called during `HTTPServer.run` and `HTTPServer.stop` on the same thread. Their
// context is the state of the server; the slot of a request holds its exchange.

private func state(_ context: UnsafeMutableRawPointer?) -> ServerState? {
    unsafe context.map { unsafe Unmanaged<ServerState>.fromOpaque($0).takeUnretainedValue() }
}

func connectionChanged(
    context: UnsafeMutableRawPointer?, pointer: OpaquePointer?,
    slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, event: MHD_ConnectionNotificationCode
) {
    guard let server = unsafe state(context), let pointer = unsafe pointer else { return }
    if alertd_mhd_has_begun(event) {
        unsafe server.begin(pointer)
    } else {
        unsafe server.end(pointer)
    }
}

func lineArrived(
    context: UnsafeMutableRawPointer?, line: UnsafePointer<CChar>?, pointer: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let pointer = unsafe pointer else { return nil }
    unsafe state(context)?.connection(pointer)?.beginRequest()
    return nil
}

func requestArrived(
    context: UnsafeMutableRawPointer?, pointer: OpaquePointer?, path: UnsafePointer<CChar>?,
    method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, part: UnsafePointer<CChar>?,
    partCount: UnsafeMutablePointer<Int>?, slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let server = unsafe state(context), let pointer = unsafe pointer, let path = unsafe path,
        let method = unsafe method, let partCount = unsafe partCount, let slot = unsafe slot,
        let connection = unsafe server.connection(pointer)
    else { return alertd_mhd_no }
    guard let held = unsafe slot.pointee else {
        var request = unsafe HTTPServerRequest(method: String(cString: method), path: String(cString: path))
        unsafe request.readFields(of: pointer)
        switch server.open(request, on: connection) {
        case .failure(let failure):
            connection.beginResponse(isStream: false)
            return unsafe send(failure.response, to: pointer)
        case .success(let exchange):
            unsafe slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
            return alertd_mhd_yes
        }
    }
    let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(held).takeUnretainedValue()
    if let part = unsafe part, unsafe partCount.pointee > 0 {
        let bytes = unsafe UnsafeRawBufferPointer(start: part, count: partCount.pointee)
        // The library cannot respond in the middle of a body, so it closes the connection.
        guard unsafe exchange.append(bytes, limit: server.limits.bodyBytes) else { return alertd_mhd_no }
        unsafe partCount.pointee = 0
        return alertd_mhd_yes
    }
    server.handle(exchange, on: connection)
    return unsafe send(exchange, of: connection, to: pointer)
}

func requestCompleted(
    context: UnsafeMutableRawPointer?, pointer: OpaquePointer?,
    slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, reason: MHD_RequestTerminationCode
) {
    guard let server = unsafe state(context), let pointer = unsafe pointer else { return }
    if let held = unsafe slot?.pointee {
        unsafe slot?.pointee = nil
        unsafe Unmanaged<HTTPExchange>.fromOpaque(held).takeRetainedValue().end()
    }
    unsafe server.connection(pointer)?.waitForRequest()
}

// MARK: Responses

/// Passes the answer to the library, or suspends the connection until there is one.
private func send(_ exchange: HTTPExchange, of connection: ServerConnection, to pointer: OpaquePointer) -> MHD_Result {
    switch exchange.answer {
    case nil:
        return connection.suspend() ? alertd_mhd_yes : alertd_mhd_no
    case .complete(let response):
        connection.beginResponse(isStream: false)
        return unsafe send(response, to: pointer)
    case .stream(let stream, let headers):
        connection.beginResponse(isStream: true)
        let context = unsafe Unmanaged.passRetained(stream)
        let response = unsafe alertd_mhd_stream(4_096, readStream, context.toOpaque(), releaseStream)
        guard let response = unsafe response else {
            unsafe context.release()
            return alertd_mhd_no
        }
        return unsafe send(response, 200, headers, to: pointer)
    }
}

private func send(_ response: HTTPServerResponse, to pointer: OpaquePointer) -> MHD_Result {
    let new = unsafe response.body.withUnsafeBytes { unsafe alertd_mhd_response($0.baseAddress, $0.count) }
    guard let new = unsafe new else { return alertd_mhd_no }
    return unsafe send(new, response.status, response.headers, to: pointer)
}

private func send(
    _ response: OpaquePointer, _ status: Int, _ headers: [HTTPServerResponse.Field], to pointer: OpaquePointer
) -> MHD_Result {
    for field in headers where unsafe !alertd_mhd_add_header(response, field.name, field.value) {
        unsafe alertd_mhd_destroy(response)
        return alertd_mhd_no
    }
    return unsafe alertd_mhd_queue(pointer, UInt32(clamping: status), response)
}

private func readStream(
    context: UnsafeMutableRawPointer?, position: UInt64, room: UnsafeMutablePointer<CChar>?, count: Int
) -> Int {
    guard let context = unsafe context, let room = unsafe room else { return alertd_mhd_end_of_stream }
    let stream = unsafe Unmanaged<HTTPStream>.fromOpaque(context).takeUnretainedValue()
    guard let taken = unsafe stream.read(into: UnsafeMutableRawBufferPointer(start: room, count: count)) else {
        return alertd_mhd_end_of_stream
    }
    return taken > 0 || stream.pause() ? taken : alertd_mhd_end_of_stream
}

private func releaseStream(context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<HTTPStream>.fromOpaque(context).release()
}

// MARK: Requests

extension HTTPServerRequest {
    fileprivate mutating func readFields(of pointer: OpaquePointer) {
        unsafe withUnsafeMutablePointer(to: &headers) { unsafe alertd_mhd_headers(pointer, addField, $0) }
        unsafe withUnsafeMutablePointer(to: &query) { unsafe alertd_mhd_query(pointer, addField, $0) }
        for index in headers.indices { headers[index].name = headers[index].name.lowercased() }
    }
}

private func addField(
    context: UnsafeMutableRawPointer?, name: UnsafePointer<CChar>?, nameCount: Int, value: UnsafePointer<CChar>?,
    valueCount: Int
) {
    guard let fields = unsafe context?.assumingMemoryBound(to: [HTTPServerRequest.Field].self) else { return }
    unsafe fields.pointee.append(HTTPServerRequest.Field(text(name, nameCount), text(value, valueCount)))
}

private func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
    guard let start = unsafe start else { return "" }
    return unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
}
