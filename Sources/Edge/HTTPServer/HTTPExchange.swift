/// A request and the response to it.
package final class HTTPExchange {
    package private(set) var request: HTTPServerRequest
    /// True while the client is connected, as far as is known.
    package private(set) var isOpen = true

    enum Answer {
        case complete(HTTPServerResponse)
        case stream(HTTPStream, headers: [HTTPServerResponse.Field])
    }

    private(set) var answer: Answer?
    /// True after the request was passed to its handler.
    var isHandled = false
    let route: HTTPRoute
    private unowned let connection: ServerConnection

    init(_ request: HTTPServerRequest, _ route: HTTPRoute, on connection: ServerConnection) {
        self.request = request
        self.route = route
        self.connection = connection
    }

    /// Sends the response. Only the first response of an exchange is sent.
    package func respond(_ response: HTTPServerResponse) {
        guard answer == nil, isOpen else { return }
        answer = .complete(response)
        connection.resume()
    }

    /// Starts a response that is written piece by piece, such as server-sent events.
    ///
    /// - Parameter headers: the header fields as in ``HTTPServerResponse``, including the content type.
    /// - Returns: the stream; nil if the client is gone or there are too many streams, which is answered with status
    ///   503.
    package func stream(headers: [HTTPServerResponse.Field]) -> HTTPStream? {
        guard answer == nil, isOpen else { return nil }
        guard let stream = connection.makeStream() else {
            let wait = [HTTPServerResponse.Field("Retry-After", "30")]
            respond(.text(503, "Too many streams", headers: wait))
            return nil
        }
        answer = .stream(stream, headers: headers)
        connection.resume()
        return stream
    }

    /// Appends a part of the body. Returns false if the body becomes too long.
    func append(_ bytes: UnsafeRawBufferPointer, limit: Int) -> Bool {
        guard bytes.count <= limit - request.body.count else { return false }
        unsafe request.body.append(contentsOf: bytes)
        return true
    }

    func end() {
        isOpen = false
        if case .stream(let stream, _) = answer { stream.close() }
    }
}
