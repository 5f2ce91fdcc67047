internal import CCurl
internal import EventLoop
internal import Time

/// A request in progress, with the part of its response that has arrived.
@safe
@LoopActor
final class Transfer {
    /// The limit on all header lines together, also of interim responses. Servers usually send less than 2 KiB.
    static let headerLimitBytes = 64 << 10

    let easy: EasyHandle
    let answer = OneShot<HTTPResponse, HTTPError>()
    private let host: String
    private let connectLimit: Milliseconds
    private let bodyLimitBytes: Int
    private let proxySecrets: ProxySecrets
    private var header = ResponseHeader()
    private var headerBytes = 0
    /// True after the empty line that ends the header. If the connection ends before this line, libcurl still reports
    /// a complete response.
    private var headerIsComplete = false
    private var body: [UInt8] = []
    /// True if only a connection is needed, without a response.
    private let isConnection: Bool
    /// The reason why this side aborted the transfer; libcurl reports only that it was aborted.
    private var refusal: HTTPError?

    /// `expectedBytes` is the probable length of the body; reserving it saves copying.
    init(
        easy: EasyHandle, host: String, _ configuration: HTTPConfiguration, expectedBytes: Int = 0,
        isConnection: Bool = false
    ) {
        self.isConnection = isConnection
        self.easy = easy
        self.host = host
        connectLimit = configuration.connectLimit
        bodyLimitBytes = configuration.bodyLimitBytes
        proxySecrets = configuration.proxy?.secrets ?? ProxySecrets.ofEnvironment
        body.reserveCapacity(expectedBytes)
    }

    /// Delivers the result of the transfer.
    func finish(_ code: CURLcode) {
        if let refusal {
            answer.finish(.failure(refusal))
        } else if code != CURLE_OK {
            var failure = easy.failure(code, host: printable(host), connectLimit: connectLimit)
            if proxySecrets.occur(in: failure.text) { failure.text = "the address of the proxy cannot be used" }
            answer.finish(.failure(HTTPError(failure)))
        } else if isConnection {
            answer.finish(.success(HTTPResponse(status: 200, paddedBody: [])))
        } else {
            succeed(status: easy.number(CURLINFO_RESPONSE_CODE))
        }
    }

    private func succeed(status: Int) {
        guard headerIsComplete, status >= 200 else { return answer.finish(.failure(.truncated)) }
        // Callers that show a part of a response do not know the proxy.
        guard !proxySecrets.occur(in: body) else {
            let reason = "the response (status \(status)) contains the password of the proxy, so it is not shown"
            return answer.finish(.failure(.other(reason)))
        }
        body.append(contentsOf: repeatElement(0, count: HTTPResponse.paddingCount))
        let response = HTTPResponse(status: status, header: header, paddedBody: body)
        body = []
        answer.finish(.success(response))
    }

    /// Appends a part of the body. Returns false if the body becomes too long.
    func appendBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= bodyLimitBytes - body.count else {
            refusal = .bodyTooLarge(limitBytes: bodyLimitBytes)
            return false
        }
        unsafe body.append(contentsOf: bytes)
        return true
    }

    /// Appends a line of the header: the status line, which starts a new header, a field, or the empty line. Returns
    /// false if the header becomes too long.
    func appendHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        headerBytes += bytes.count
        guard headerBytes <= Self.headerLimitBytes else {
            refusal = .other("the header is longer than \(Self.headerLimitBytes) bytes")
            return false
        }
        if unsafe bytes.starts(with: "HTTP/".utf8) {
            header = ResponseHeader()
            headerIsComplete = false
        } else if unsafe bytes.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) {
            headerIsComplete = true
        } else {
            unsafe header.append(line: bytes)
        }
        return true
    }
}
