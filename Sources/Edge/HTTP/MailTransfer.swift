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
    private let easy: EasyHandle
    private let mail: OpaquePointer
    private let recipients: [String]
    private let host: String
    private let connectLimit: Milliseconds
    private let answer = OneShot<MailReply, HTTPError>()
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
            unsafe alertd_mail_start(easy.pointer, bytes.baseAddress, bytes.count, message.recipients.count)
        }
        guard let started = unsafe started else { return nil }
        unsafe mail = started
        self.easy = easy
        recipients = message.recipients
        host = message.server.host
        connectLimit = configuration.connectLimit
        watch = DescriptorWatch(unsafe alertd_mail_descriptor(started), for: .readable) { [self] _ in finish() }
    }

    /// Ends the attempt, unless it has ended.
    func giveUp(_ error: HTTPError) { answer.finish(.failure(error)) }

    /// Waits for the reply of the server, and in any case for the end of the thread.
    func result() async throws(HTTPError) -> MailReply {
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
        var last = alertd_mail_reply()
        var replies = [alertd_mail_reply](repeating: alertd_mail_reply(), count: max(recipients.count, 1))
        let code = unsafe replies.withUnsafeMutableBufferPointer { replies in
            unsafe alertd_mail_finish(mail, &last, replies.baseAddress)
        }
        answer.finish(outcome(code, last, replies))
        end.finish(.success(()))
    }

    /// A refusal of the server is libcurl's general error for a failed send or login, with the reply's code. The code
    /// alone says nothing: without encryption, libcurl gives up after a reply of 250.
    private func outcome(
        _ code: CURLcode, _ last: alertd_mail_reply, _ replies: [alertd_mail_reply]
    ) -> Result<MailReply, HTTPError> {
        let status = easy.number(CURLINFO_RESPONSE_CODE)
        let refused = zip(recipients, replies).filter { $1.code >= 400 }.map { address, reply in
            RefusedRecipient(address: address, status: Int(reply.code), text: reply.line)
        }
        guard code != CURLE_OK else { return .success(MailReply(status: status, text: last.line, refused: refused)) }
        // Once all recipients were refused, libcurl asks for no more; its code is that of the last reply it read.
        if refused.count == recipients.count, let first = refused.first {
            return .success(MailReply(status: first.status, text: first.text, refused: refused))
        }
        guard status >= 400 else {
            return .failure(HTTPError(easy.failure(code, host: printable(host), connectLimit: connectLimit)))
        }
        return .success(MailReply(status: status, text: last.line, refused: refused))
    }
}

extension alertd_mail_reply {
    /// The line without the space at its ends. Printable.
    fileprivate var line: String {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }
        let bytes = unsafe withUnsafeBytes(of: text) { unsafe Array($0.prefix(length)) }
        var trimmed = bytes.drop(while: isSpace)
        while let last = trimmed.last, isSpace(last) { trimmed.removeLast() }
        return printable(String(decoding: trimmed, as: UTF8.self))
    }
}
