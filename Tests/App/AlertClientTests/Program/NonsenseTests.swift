import Control
import FuzzEntries
import JSON
import Testing

@testable import AlertClient

/// Whatever a daemon answers, alertctl says something; it never crashes.
@Suite("Daemons that answer nonsense")
struct NonsenseTests {
    @Test(arguments: ["9223372036854775807", "-9223372036854775808", "-1", "0", nil])
    func anyNumberIsShown(_ number: String?) throws {
        var members: [String] = []
        for (method, reply) in Sample.replies {
            let text = String(decoding: JSONWriter.text(of: reply), as: UTF8.self)
            members.append("\"\(method.rawValue)\":\(number.map { Self.replaced(text, $0) } ?? text)")
        }
        let replies = Array("{\(members.joined(separator: ","))}".utf8)
        let accepted = FuzzEntry.clientLines.indices.filter { FuzzEntry.clientReplies.run([UInt8($0)] + replies) }
        // Unchanged replies are good answers to most commands: otherwise nothing would be tried here.
        if number == nil { #expect(accepted.count > FuzzEntry.clientLines.count / 2) }
    }

    @Test func theSeedsRun() {
        for seed in FuzzEntry.clientReplies.seeds() { _ = FuzzEntry.clientReplies.run(seed) }
    }

    /// The text with another number instead of each.
    private static func replaced(_ text: String, _ number: String) -> String {
        var result = ""
        var isInText = false
        var isNumber = false
        for character in text {
            if character == "\"" { isInText.toggle() }
            let isPart = !isInText && (character.isNumber || character == "-")
            if isPart, !isNumber { result += number }
            if !isPart { result.append(character) }
            isNumber = isPart
        }
        return result
    }
}
