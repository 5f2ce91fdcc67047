extension HTTPError {
    /// The reason why there was no response, for people. It does not contain the address.
    package var sentence: String {
        switch self {
        case .badAddress: "the address is not valid"
        case .plainHTTPRefused(let host): "unencrypted http to \(host) is not allowed"
        case .resolutionFailed(let host): "the name \(host) could not be resolved"
        case .connectionRefused: "the connection was refused"
        case .unreachable(let reason): "the service cannot be reached: \(reason)"
        case .connectTimeout(let limit): "connection timed out after \(limit)"
        case .timeout(let limit): "request timed out after \(limit)"
        case .tls(let reason): "secure connection failed: \(reason)"
        case .authorityFile(let reason): "the trusted certificates cannot be read: \(reason)"
        case .redirectRefused: "it responds with a redirect, which is not followed"
        case .bodyTooLarge: "the response is too long"
        case .truncated: "the connection was closed before the response was complete"
        case .cancelled: "the request was cancelled"
        case .other(let reason): reason
        }
    }
}
