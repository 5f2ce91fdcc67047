package import Events
internal import Journal
internal import Market
internal import Time

/// An event as a line for people who watch standard output:
/// `2026-11-21 06:22:44Z  FIRED      btc band  BTC/INR ₹75,00,100.00 is at or above its maximum ₹75,00,000.00`.
package enum ReadableLine {
    /// Returns the event as one line with its newline. Control characters are escaped.
    package static func encoded(_ event: Event) -> [UInt8] {
        let facts = event.occurrence
        // 2026-11-21T06:22:44.123Z: bytes 0 to 9 are the date, bytes 11 to 18 the time without milliseconds.
        let time = Array(facts.time.description.utf8)
        var line = time[..<10] + " ".utf8 + time[11..<19] + "Z  ".utf8
        let word = word(for: facts.kind)
        line += word.utf8
        line += repeatElement(0x20, count: wordWidth - word.utf8.count)
        if facts.severity == .critical, facts.kind == .fired { line += "CRITICAL  ".utf8 }
        var rest: [UInt8] = []
        if let rule = facts.rule { rest.append(escaping: rule + "  ") }
        rest.append(escaping: facts.text)
        return line + rest + [0x0A]
    }

    /// The width of the column of words. The longest word has nine letters, and two spaces follow.
    private static let wordWidth = 11

    private static func word(for kind: EventKind) -> String {
        switch kind {
        case .fired: "FIRED"
        case .resolved: "RESOLVED"
        case .feedStale: "STALE"
        case .feedRecovered: "RECOVERED"
        case .symbolFrozen: "FROZEN"
        case .symbolMissing: "MISSING"
        case .symbolReturned: "RETURNED"
        case .rulesChanged: "RULES"
        case .repeated: "REPEATED"
        case .touched: "TOUCHED"
        case .test: "TEST"
        case .storeFailed: "UNSAVED"
        case .storeRecovered: "SAVED"
        case .receiverFailed: "UNSENT"
        case .receiverRecovered: "SENDING"
        case .diverged: "DIVERGED"
        case .converged: "CONVERGED"
        }
    }
}
