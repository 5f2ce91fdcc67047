import Foundation
import Testing

@Suite("As many alerts as there may be, end to end", .timeLimit(.minutes(10)))
struct ManyAlertsTests {
    private static let symbols = 10_000
    private static let rules = 11
    /// See SECURITY.md.
    private static let limit = 100_000

    /// Eleven rules for all of 10,000 symbols would make 110,000 alerts.
    @Test func symbolsWithoutRoomAreReported() async throws {
        let tickers = (0..<Self.symbols).map { Stage.ticker("a\($0)inr", "100", quote: "inr") }
        let rules = (0..<Self.rules).map { "[[rule]]\nname = \"r\($0)\"\nsymbol = \"*\"\nmax = 1000" }
        let stage = try await Stage(rules: rules.joined(separator: "\n"), tickers: tickers) { settings, _ in
            let text = try String(contentsOfFile: settings, encoding: .utf8)
            try text.replacingOccurrences(of: "100ms", with: "10m").write(
                toFile: settings, atomically: true, encoding: .utf8)
        }
        let line = try await stage.daemon.errors.line("warning") { $0.contains("rules with patterns do not apply to") }
        #expect(line.contains("because there are \(Self.limit) alerts already"), "\(line)")
        let status = try await stage.ctl("status")
        #expect(status.code == 0 && status.output.contains("rules with patterns do not apply to"), "\(status)")
        let sources = try #require(try await stage.json("status")["sources"] as? [[String: Any]])
        let message = try #require(sources.first?["message"] as? String)
        #expect(message.hasPrefix("rules with patterns do not apply to"))
        #expect(sources.first?["symbols"] as? Int == Self.symbols)
        // Once, not with each poll.
        #expect(try await stage.ctl("poll").code == 0)
        #expect(stage.daemon.errors.text.components(separatedBy: "do not apply to").count == 2)
    }
}
