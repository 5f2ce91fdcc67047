import Configuration
import EventLoop
import Feeds
import Foundation
import HTTP
import Market
import PriceSources
import ServiceManager
import TestSupport
import Testing
import Time

@testable import AlertDaemon

@Suite(.timeLimit(.minutes(10))) struct FeedFactoryTests {
    private static let coins = #"{"status":"success","data":{"coins":[{"uuid":"a","symbol":"BTC","price":"1"}]}}"#

    private func settings(_ source: PriceSource, _ server: ScriptedServer) async -> FeedSettings {
        var settings = FeedSettings()
        settings.source = source
        settings.url = await server.url
        return settings
    }

    /// Its requests have time on a machine that is busy with other tests.
    private var machine: Machine {
        var machine = Machine()
        machine.client = { configuration in
            var configuration = configuration
            configuration.connectLimit = .seconds(600)
            configuration.totalLimit = .seconds(600)
            return HTTPClient(configuration)
        }
        return machine
    }

    /// The credential is read for each poll, so that a renewed one is used.
    @Test func theKeyComesFromTheCredential() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "keys-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "prices").path
        @Sendable func store(_ key: String, mode: Int = 0o600) throws {
            try Data(key.utf8).write(to: URL(fileURLWithPath: file))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
        }
        try store("one\n")
        try await onLoop {
            let server = try ScriptedServer([.status(401), .status(text: Self.coins)])
            var settings = await settings(.coinranking, server)
            settings.credential = "prices"
            let feed = makeFeed(settings, credentials: Credentials(folder: folder.path), proxy: nil, machine)
            for _ in 0..<2 {
                await #expect(throws: FeedFailure.self) { _ = try await feed.poll() }
            }
            try store("two\n")
            #expect(try await feed.poll().tickers.count == 1)
            try store("three\n", mode: 0o644)
            let unreadable = await #expect(throws: FeedFailure.self) { _ = try await feed.poll() }
            #expect(unreadable?.kind == .settings)
            #expect(unreadable?.message.contains("'prices' cannot be used") == true)
            #expect(server.requests.map { $0.headers["x-access-token"] } == ["one", "two"])
        }
    }

    @Test func allSettingsReachTheFeed() async throws {
        try await onLoop {
            let server = try ScriptedServer([.status(text: #"{"btc":{"p":"5"},"eth":{"p":"6"}}"#)])
            var settings = await settings(.json, server)
            settings.url += "/x?y=/"
            settings.layout = JSONPointer("/p").map { JSONLayout(last: $0) }
            settings.layout?.items = .root
            settings.symbols = [try #require(SymbolPattern("e*"))]
            let feed = makeFeed(settings, credentials: Credentials(folder: nil), proxy: nil, machine)
            let batch = try await feed.poll()
            #expect(batch.tickers.map(\.symbol.description) == ["eth"])
            #expect(server.requests.map(\.path) == ["/x?y=/"])
        }
    }

    @Test func whatIsAskedForMakesAnotherFeed() throws {
        let settings = FeedSettings()
        var others: [FeedSettings] = Array(repeating: settings, count: 4)
        others[0].symbols = [try #require(SymbolPattern("a"))]
        others[1].count = 5
        others[2].credential = "x"
        others[3].layout = JSONLayout(last: .root)
        #expect(settings.hasSameSource(as: settings))
        for other in others { #expect(!other.hasSameSource(as: settings)) }
    }

    @Test func otherTimesKeepTheFeed() {
        let settings = FeedSettings()
        var other = settings
        other.interval = .seconds(77)
        other.givenMaximumGap = .seconds(400)
        other.frozenAfter = .seconds(60)
        other.catchesUp.toggle()
        #expect(other != settings && other.hasSameSource(as: settings))
    }
}
