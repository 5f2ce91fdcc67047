internal import CCurl
internal import EventLoop
internal import Time

/// The transfer of a message to a mail server.
///
/// Each transfer has its own thread, because libcurl blocks in a call until the server replies to the whole message.
/// That takes seconds if the server scans for spam. The thread runs nothing but libcurl.
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

    /// Starts sending. Returns nil if there is not enough memory or no thread can be started.
    ///
    /// - Parameters:
    ///   - message: the message to send.
    ///   - easy: a handle with its options set, which nothing else uses.
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

    /// Ends the attempt, unless it has already ended.
    func giveUp(_ error: HTTPError) { answer.finish(.failure(error)) }

    /// Waits for the reply of the server, and in any case until the thread has ended.
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

    /// Evaluates the end of a transfer. If the server refused, libcurl reports its general error for a failed send or
    /// login, together with the code of the reply. That code alone is not enough: if encryption is not possible,
    /// libcurl gives up after a reply of 250.
    private func outcome(
        _ code: CURLcode, _ last: alertd_mail_reply, _ replies: [alertd_mail_reply]
    ) -> Result<MailReply, HTTPError> {
        let status = easy.number(CURLINFO_RESPONSE_CODE)
        let refused = zip(recipients, replies).filter { $1.code >= 400 }.map { address, reply in
            RefusedRecipient(address: address, status: Int(reply.code), text: reply.joined)
        }
        guard code != CURLE_OK else { return .success(MailReply(status: status, text: last.joined, refused: refused)) }
        // If all recipients are refused, libcurl stops, and its code is that of the last reply it read.
        if refused.count == recipients.count, let first = refused.first {
            return .success(MailReply(status: first.status, text: first.text, refused: refused))
        }
        guard status >= 400 else {
            return .failure(HTTPError(easy.failure(code, host: printable(host), connectLimit: connectLimit)))
        }
        return .success(MailReply(status: status, text: last.joined, refused: refused))
    }
}

extension alertd_mail_reply {
    /// The lines joined into one printable line.
    fileprivate var joined: String {
        MailReply.joined(unsafe withUnsafeBytes(of: text) { unsafe Array($0.prefix(length)) })
    }
}

extension MailReply {
    /// Joins the lines of a reply: `550-5.1.1 There is no`, `550 5.1.1 such user` become `550 5.1.1 There is no such
    /// user`. The result is printable.
    static func joined(_ reply: [UInt8]) -> String {
        let lines = String(decoding: reply, as: UTF8.self).split(whereSeparator: \.isNewline)
        let words = lines.map { line in
            let hasCode = line.utf8.prefix { (0x30...0x39).contains($0) }.count == 3
            return hasCode ? [line.prefix(3)] + line.dropFirst(4).split(separator: " ") : line.split(separator: " ")
        }
        guard var all = words.first else { return "" }
        for next in words.dropFirst() {
            // The code and the enhanced code after it (RFC 3463) are repeated in each line; those of the first line
            // are enough.
            let isRepeated = { (place: Int, word: Substring) in
                place < 2 && place < words[0].count && words[0][place] == word
                    && word.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
            }
            all += next.enumerated().drop { isRepeated($0.offset, $0.element) }.map(\.element)
        }
        return printable(all.joined(separator: " "), limit: 500)
    }
}
