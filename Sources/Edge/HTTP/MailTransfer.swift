internal import CCurl
internal import EventLoop
internal import Time

/// A message on its way to a mail server.
///
/// It has a thread of its own, because libcurl waits inside a call for what the server says of the whole message, which
/// takes seconds where mail is searched for spam. The thread runs nothing but libcurl.
@safe
@LoopActor
final class MailTransfer {
    private static let longestLine = 1_024

    private let easy: EasyHandle
    private let mail: OpaquePointer
    private let host: String
    private let connectLimit: Milliseconds
    private let answer = OneShot<HTTPResponse, HTTPError>()
    private let end = OneShot<Void, Never>()
    private var watch: DescriptorWatch?

    /// Starts to send; nil without memory or threads.
    ///
    /// - Parameters:
    ///   - message: what to send.
    ///   - easy: a handle with its options, which nothing else uses.
    ///   - configuration: the limits.
    init?(_ message: OutgoingMail, _ easy: EasyHandle, _ configuration: HTTPConfiguration) {
        let started = unsafe message.content.withUnsafeBufferPointer { bytes in
            unsafe alertd_mail_start(easy.pointer, bytes.baseAddress, bytes.count)
        }
        guard let started = unsafe started else { return nil }
        unsafe mail = started
        self.easy = easy
        host = message.server.host
        connectLimit = configuration.connectLimit
        watch = DescriptorWatch(unsafe alertd_mail_descriptor(started), for: .readable) { [self] _ in finish() }
    }

    /// Ends the attempt, unless it has ended.
    func giveUp(_ error: HTTPError) { answer.finish(.failure(error)) }

    /// Waits for the reply of the server, and in any case for the end of the thread.
    func result() async throws(HTTPError) -> HTTPResponse {
        do throws(HTTPError) {
            return try await answer.value(onCancel: .cancelled)
        } catch {
            if watch != nil { unsafe alertd_mail_cancel(mail) }
            await end.wait()
            throw error
        }
    }

    private func finish() {
        watch?.end()
        watch = nil
        var line = [CChar](repeating: 0, count: Self.longestLine)
        var length = 0
        let code = unsafe line.withUnsafeMutableBufferPointer { room in
            unsafe alertd_mail_finish(mail, room.baseAddress, room.count, &length)
        }
        answer.finish(outcome(code, lastLine: line.prefix(length).map(UInt8.init(bitPattern:))))
        end.finish(.success(()))
    }

    /// A refusal of the server is libcurl's general error for a failed send or login, with the reply's code. The code
    /// alone says nothing: without encryption, libcurl gives up after a reply of 250.
    private func outcome(_ code: CURLcode, lastLine: [UInt8]) -> Result<HTTPResponse, HTTPError> {
        let status = easy.number(CURLINFO_RESPONSE_CODE)
        guard code == CURLE_OK || status >= 400 else {
            return .failure(HTTPError(easy.failure(code, host: printable(host), connectLimit: connectLimit)))
        }
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }
        var text = lastLine.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        let body = Array(printable(String(decoding: text, as: UTF8.self)).utf8)
        let padding = [UInt8](repeating: 0, count: HTTPResponse.paddingCount)
        return .success(HTTPResponse(status: status, paddedBody: body + padding))
    }
}
