import Foundation
import TestSupport
import Testing

/// The scripted exchange itself, asked by curl: what the other tests stand on.
@Suite(.timeLimit(.minutes(2)))
struct ExchangeTests {
    private func curl(_ arguments: String...) async throws -> (code: Int32, output: String) {
        let program = try Program("/usr/bin/curl", ["--silent", "--max-time", "10"] + arguments)
        let code = try await program.exitCode()
        return (code, program.output)
    }

    @Test func servesWhatItWasToldTo() async throws {
        let exchange = try await Exchange(tickers: [ticker("btcinr", last: "100.5")])
        try await exchange.setPrice("101.25", of: "btcinr")
        let answer = try await curl("\(exchange.url)/tickers/24hr")
        #expect(answer.code == 0)
        #expect(answer.output.contains(#""lastPrice":"101.25""#))
        #expect(try await exchange.requests() == 1)
    }

    @Test func failsAsItWasToldTo() async throws {
        let exchange = try await Exchange(tickers: [ticker("btcinr", last: "100.5")])
        try await exchange.behave(as: "banned", times: 1)
        let banned = try await curl("--write-out", "%{http_code}", "\(exchange.url)/tickers/24hr")
        #expect(banned.output.hasSuffix("418"))
        try await exchange.behave(as: "truncated", times: 1)
        #expect(try await curl("\(exchange.url)/tickers/24hr").code == 18)
        #expect(try await curl("--fail", "\(exchange.url)/tickers/24hr").code == 0)
    }

    @Test func isTrustedThroughItsAuthorityOnly() async throws {
        let authority = try await TestAuthority()
        let exchange = try await Exchange(tickers: [ticker("btcinr", last: "1")], certificate: authority.server)
        let address = "\(exchange.secureURL)/tickers/24hr"
        #expect(try await curl("--cacert", authority.authorityFile, address).code == 0)
        #expect(try await curl(address).code == 60)
    }

    @Test func aCommandThatItDoesNotKnowIsAnError() async throws {
        let exchange = try await Exchange()
        await #expect(throws: ExchangeError.self) { try await exchange.command("dance") }
        await #expect(throws: ExchangeError.self) { try await exchange.command("behave", ["as": "banned", "sta": 1]) }
    }
}
