/// What answers the requests for one path.
package struct HTTPRoute {
    /// A method with a handler. `HEAD` is answered by that of `GET`.
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
    }

    let method: Method
    let path: String
    let handler: (HTTPExchange) -> Void

    /// - Parameters:
    ///   - method: what it answers; other methods get status 405.
    ///   - path: the whole decoded path.
    ///   - handler: called with each complete request; it responds at once or later.
    package init(_ method: Method, _ path: String, handler: @escaping (HTTPExchange) -> Void) {
        (self.method, self.path, self.handler) = (method, path, handler)
    }
}

extension [HTTPRoute] {
    /// The route for a request, or the response that says why there is none.
    func route(_ request: HTTPServerRequest) -> Result<HTTPRoute, RoutingFailure> {
        let here = filter { $0.path == request.path }
        guard !here.isEmpty else { return .failure(RoutingFailure(.text(404, "Not found"))) }
        let method = request.method == "HEAD" ? "GET" : request.method
        if let route = here.first(where: { $0.method.rawValue == method }) { return .success(route) }
        let allowed = here.map { $0.method == .get ? "GET, HEAD" : "POST" }.joined(separator: ", ")
        let headers = [HTTPServerResponse.Field("Allow", allowed)]
        return .failure(RoutingFailure(.text(405, "Method not allowed", headers: headers)))
    }
}

/// The response to a request that no route answers.
struct RoutingFailure: Error {
    let response: HTTPServerResponse

    init(_ response: HTTPServerResponse) {
        self.response = response
    }
}
