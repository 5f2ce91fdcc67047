import Control
import Testing

@testable import AlertClient

/// The table of receivers.
struct ReceiverListTests {
    private func receiver(message: String?, expired: Int) -> ReceiverStatus {
        ReceiverStatus(
            name: "phone", type: "ntfy", state: .failing, message: message, queued: 0, delivered: 7, refused: 0,
            expired: expired, dropped: 0)
    }

    @Test(arguments: [
        (nil, 1, "1 event not sent within max_age"),
        ("refused", 20, "refused; 20 events not sent within max_age"),
        ("a\u{1B}[2Jb", 3, "a\\u{1b}[2Jb; 3 events not sent within max_age"), ("refused", 0, "refused"),
    ])
    func whatExpiredIsCounted(message: String?, expired: Int, text: String) {
        let run = Run(width: 160)
        let phone = receiver(message: message, expired: expired)
        run.daemon.replies[.listReceivers] = ListReceiversReply(receivers: [phone])
        let row = run.output("receivers").split(separator: "\n").last { $0.contains("phone") }
        #expect(row?.hasSuffix(text) == true, "\(run.output)")
    }

    @Test func programsGetTheMessageAlone() {
        let run = Run()
        run.daemon.replies[.listReceivers] = ListReceiversReply(receivers: [receiver(message: "refused", expired: 3)])
        let output = run.output("receivers --json")
        #expect(output.contains(#""expired":3"#) && output.contains(#""message":"refused""#), "\(output)")
    }
}
