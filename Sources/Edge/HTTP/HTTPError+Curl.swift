internal import CCurl
internal import EventLoop
internal import Glibc
internal import Time
internal import UnixSockets

/// The failure of a transfer, as libcurl reports it.
struct CurlFailure {
    var code: CURLcode
    /// libcurl's description, made printable.
    var text: String
    /// The error number of the last system call that failed; 0 if there was none.
    var errorNumber: Int32
    var host: String
    /// The limit on connecting.
    var connectLimit: Milliseconds
    var requestWasSent: Bool
}

extension HTTPError {
    /// The code of libcurl 8.6 and later for a header line longer than libcurl accepts. Earlier versions report it as
    /// a lack of memory.
    private static let tooLarge = CURLcode(rawValue: 100)

    init(_ failure: CurlFailure) {
        let text = failure.text
        switch failure.code {
        case CURLE_URL_MALFORMAT: self = .badAddress(text)
        case CURLE_COULDNT_RESOLVE_HOST: self = .resolutionFailed(host: failure.host)
        case CURLE_COULDNT_RESOLVE_PROXY: self = .resolutionFailed(host: "proxy")
        case CURLE_COULDNT_CONNECT:
            self = failure.errorNumber == ECONNREFUSED ? .connectionRefused : .unreachable(Self.reason(failure))
        // The client enforces the limit on the whole request; libcurl knows only the limit on connecting.
        case CURLE_OPERATION_TIMEDOUT: self = .connectTimeout(after: failure.connectLimit)
        case CURLE_SSL_CACERT_BADFILE: self = .authorityFile(text)
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2,
            CURLE_HTTP2_STREAM:
            self = .truncated
        case CURLE_OUT_OF_MEMORY where failure.requestWasSent, Self.tooLarge:
            self = .other("a line of the header is longer than 100 kB, or there is not enough memory")
        default: self = Self.isTLS(failure.code) ? .tls(text) : .other(text)
        }
    }

    private static func reason(_ failure: CurlFailure) -> String {
        failure.errorNumber == 0 ? failure.text : describe(errorNumber: failure.errorNumber)
    }

    private static func isTLS(_ code: CURLcode) -> Bool {
        [
            CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
            CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_USE_SSL_FAILED,
            CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CLIENTCERT,
        ].contains(code)
    }
}
