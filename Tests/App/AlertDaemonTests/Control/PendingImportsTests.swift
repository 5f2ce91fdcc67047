import Control
import EventLoop
import Foundation
import TestSupport
import Testing
import Time
import Varlink
import VarlinkMessages

@testable import AlertDaemon

/// A service whose only method collects prices, and answers how many are to be added now.
private struct ImportService: Sendable {
    let path = NSTemporaryDirectory() + "import-\(UUID().uuidString.prefix(8))"

    func run(_ body: @escaping @Sendable (String) -> Void) async throws {
        let server = try await onLoop { [path] in
            let pending = PendingImports()
            let now = WallTime(milliseconds: 1_000)
            let add = VarlinkMethod.single { call throws(VarlinkError) in
                let parameters = try call.decodeParameters(as: ImportPricesParameters.self)
                let samples = try pending.add(parameters, of: call, now: now)
                call.reply(
                    ImportPricesReply(added: samples?.count ?? -1, duplicates: 0, conflicting: 0, tooOld: 0))
            }
            let server = try VarlinkServer(
                path: path, information: ServiceInformation(vendor: "v", product: "p", version: "1", url: "u"),
                interfaces: [
                    VarlinkInterface(name: "org.test", description: "interface org.test", methods: ["Add": add])
                ])
            server.start()
            return server
        }
        await onThread { [path] in body(path) }
        await server.stop()
        unsafe unlink(path)
    }
}

/// How many prices are added; -1 when they wait, nil when they are refused.
private func add(_ client: VarlinkClient?, _ columns: [PriceColumn], last: Bool = false) -> Int? {
    let parameters = ImportPricesParameters(columns: columns, last: last)
    return try? client?.call("org.test.Add", parameters, as: ImportPricesReply.self).added
}

private func column(_ count: Int, symbol: String = "btcinr") -> PriceColumn {
    PriceColumn(
        symbol: symbol, timesMilliseconds: [Int](repeating: 1_000, count: count),
        prices: [String](repeating: "5", count: count))
}

@Suite(.timeLimit(.minutes(10)))
struct PendingImportsTests {
    @Test func pricesWaitForTheLastCallOfTheirConnection() async throws {
        try await ImportService().run { path in
            let first = try? VarlinkClient(path: path, timeout: .seconds(300))
            let second = try? VarlinkClient(path: path, timeout: .seconds(300))
            #expect(add(first, [column(2), column(1, symbol: "ethinr")]) == -1)
            #expect(add(second, [column(4)], last: true) == 4, "those of other clients are not among them")
            #expect(add(first, [column(1)], last: true) == 4)
            #expect(add(first, [], last: true) == 0, "nothing is added twice")
        }
    }

    @Test func aWrongColumnAddsNothingOfItsCall() async throws {
        try await ImportService().run { path in
            let client = try? VarlinkClient(path: path, timeout: .seconds(300))
            let wrong = [
                PriceColumn(symbol: "BTC/INR", timesMilliseconds: [1], prices: ["5"]),
                PriceColumn(symbol: "btcinr", timesMilliseconds: [1, 2], prices: ["5"]),
                PriceColumn(symbol: "btcinr", timesMilliseconds: [0], prices: ["5"]),
                PriceColumn(symbol: "btcinr", timesMilliseconds: [1_001], prices: ["5"]),
                PriceColumn(symbol: "btcinr", timesMilliseconds: [1], prices: ["0"]),
                PriceColumn(symbol: "btcinr", timesMilliseconds: [1], prices: ["-5"]),
                PriceColumn(symbol: "btcinr", timesMilliseconds: [1], prices: ["five"]),
            ]
            for column in wrong { #expect(add(client, [AlertDaemonTests.column(3), column]) == nil, "\(column)") }
            #expect(add(client, [column(1)], last: true) == 1)
        }
    }
}
