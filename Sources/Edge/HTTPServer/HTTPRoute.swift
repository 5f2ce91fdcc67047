/// The handler of requests for one path and method.
package struct HTTPRoute {
    /// A method that a route handles. The handler of `GET` answers `HEAD` as well.
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
    }

    let method: Method
    let path: String
    let handler: (HTTPExchange) -> Void

    /// - Parameters:
    ///   - method: the method of the requests; other methods get status 405.
    ///   - path: the whole decoded path.
    ///   - handler: called with each complete request; it responds immediately or later.
    package init(_ method: Method, _ path: String, handler: @escaping (HTTPExchange) -> Void) {
        (self.method, self.path, self.handler) = (method, path, handler)
    }
}

extension [HTTPRoute] {
    /// Returns the route for a request, or the response that explains why there is none.
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

/// The response to a request that is not passed to a handler.
struct RoutingFailure: Error {
    let response: HTTPServerResponse

    init(_ response: HTTPServerResponse) {
        self.response = response
    }
}
