import EventLoop
import Events
import HTTP
import Market
import Receivers
import TestSupport
import Testing
import Time

@testable import Notifications

/// Reads what a service of remote write reads.
private struct Reader {
    var bytes: ArraySlice<UInt8>

    var isAtEnd: Bool { bytes.isEmpty }

    mutating func variable() throws -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            let byte = try required(bytes.popFirst())
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        throw NothingCame()
    }

    mutating func take(_ count: Int) throws -> [UInt8] {
        guard bytes.count >= count else { throw NothingCame() }
        defer { bytes = bytes.dropFirst(count) }
        return Array(bytes.prefix(count))
    }

    /// The fields of a message: numbers, or contents.
    mutating func fields() throws -> [(tag: UInt64, number: UInt64, content: [UInt8])] {
        var all: [(tag: UInt64, number: UInt64, content: [UInt8])] = []
        while !isAtEnd {
            let key = try variable()
            switch key & 7 {
            case 0: all.append((key >> 3, try variable(), []))
            case 1: all.append((key >> 3, try take(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }, []))
            case 2: all.append((key >> 3, 0, try take(Int(variable()))))
            default: throw NothingCame()
            }
        }
        return all
    }
}

private func fields(_ content: [UInt8]) throws -> [(tag: UInt64, number: UInt64, content: [UInt8])] {
    var reader = Reader(bytes: content[...])
    return try reader.fields()
}

/// `alertd_price{…} 7500000.5 @1000`, for each sample.
private func lines(_ block: [UInt8]) throws -> [String] {
    var reader = Reader(bytes: block[...])
    let count = try Int(reader.variable())
    var message: [UInt8] = []
    while !reader.isAtEnd {
        #expect(try reader.take(1) == [61 << 2])
        let length = try reader.take(2)
        message += try reader.take(Int(length[0]) + Int(length[1]) << 8 + 1)
    }
    #expect(message.count == count)
    return try fields(message).flatMap { series in
        let parts = try fields(series.content)
        let labels = try parts.filter { $0.tag == 1 }.map { label in
            try fields(label.content).map { String(decoding: $0.content, as: UTF8.self) }.joined(separator: "=")
        }
        return try parts.filter { $0.tag == 2 }.map { sample in
            let values = try fields(sample.content)
            let isStale = values[0].number == 0x7FF0_0000_0000_0002
            let value = isStale ? "stale" : "\(Double(bitPattern: values[0].number))"
            return "\(labels.joined(separator: " ")) \(value) @\(values[1].number)"
        }
    }
}

private func key(_ symbol: String) throws -> PriceSeries.Key {
    PriceSeries.Key(
        source: SourceName(unchecked: "wazirx"), symbol: try required(Symbol(symbol)), quote: Asset("inr"))
}

private func time(_ milliseconds: Int64) -> WallTime { WallTime(milliseconds: milliseconds) }

struct WriteRequestTests {
    @Test func pricesAreSamplesWithLabelsInOrder() throws {
        let series = PriceSeries(
            try key("btcinr"), [.init(try Price("7500000.5"), at: time(1_000)), .init(nil, at: time(2_000))])
        let labels = "__name__=alertd_price instance=home job=alertd quote=inr source=wazirx symbol=btcinr"
        #expect(
            try lines(WriteRequest.bytes([series], instance: "home")) == [
                "\(labels) 7500000.5 @1000", "\(labels) stale @2000",
            ])
        #expect(WriteRequest.bytes([], instance: "home") == [0])
    }

    @Test(arguments: [1, 65_535, 65_536, 65_537, 200_000]) func anyLengthIsSplit(count: Int) throws {
        let content = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        var reader = Reader(bytes: WriteRequest.snappy(content)[...])
        #expect(try reader.variable() == UInt64(count))
        var read: [UInt8] = []
        while !reader.isAtEnd {
            #expect(try reader.take(1) == [244])
            let length = try reader.take(2)
            read += try reader.take(Int(length[0]) + Int(length[1]) << 8 + 1)
        }
        #expect(read == content)
    }
}

@Suite(.timeLimit(.minutes(10)))
struct RemoteWriteTests {
    private static let receiver = Receiver(
        name: "prom", kind: .remoteWrite, urls: ["http://127.0.0.1:9090/api/v1/write"])

    private func later(_ milliseconds: Int64) -> WallTime {
        WallTime(milliseconds: sampleTime.milliseconds + milliseconds)
    }

    @LoopActor
    private func batch(_ daemon: FakeDaemon, _ symbols: [String], at milliseconds: Int64, hasMore: Bool = false) throws
    {
        var batch = PriceBatch()
        batch.series = try symbols.map { PriceSeries(try key($0), [.init(try Price("5"), at: later(milliseconds))]) }
        batch.open = Set(try symbols.map(key))
        batch.positions = [SourceName(unchecked: "wazirx"): later(milliseconds)]
        batch.hasMore = hasMore
        daemon.prices.append(batch)
    }

    @Test func eachPollIsSentOnce() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.receiver])
            let service = try required(daemon.services["prom"])
            try self.batch(daemon, ["btcinr", "ethinr"], at: 1_000)
            daemon.service.sendPrices()
            try await until { service.requests.count == 1 }
            try await until { daemon.service.views.first?.progress.delivered == 2 }
            #expect(try lines(service.requests[0].body).count == 2)
            #expect(service.requests[0].headers["Content-Encoding"] == "snappy")
            // One market ends.
            try self.batch(daemon, ["btcinr"], at: 2_000)
            daemon.service.sendPrices()
            try await until { service.requests.count == 2 }
            let text = try lines(service.requests[1].body)
            #expect(text.count == 2 && text[1].contains("symbol=ethinr stale"))
            try await until { daemon.service.views.first?.progress.delivered == 4 }
            #expect(daemon.asked == [[:], [SourceName(unchecked: "wazirx"): later(1_000)]])
        }
    }

    @Test func whatFailedIsAskedForAgain() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.receiver])
            let service = try required(daemon.services["prom"])
            service.answers = [.status(503), .status(400)]
            for milliseconds in [1_000, 2_000, 3_000] as [Int64] {
                try self.batch(daemon, ["btcinr"], at: milliseconds)
            }
            daemon.service.sendPrices()
            try await until { daemon.service.views.first?.progress.failures == 1 }
            // The pause is not over: the poll is not sent.
            daemon.service.sendPrices()
            #expect(daemon.asked.count == 1)
            daemon.pass(.seconds(2))
            daemon.service.sendPrices()
            try await until { daemon.service.views.first?.progress.refused == 1 }
            // What was refused is passed over.
            daemon.service.sendPrices()
            try await until { daemon.service.views.first?.progress.delivered == 1 }
            #expect(daemon.asked == [[:], [:], [SourceName(unchecked: "wazirx"): later(2_000)]])
            #expect(daemon.reports.map(\.kind) == [.receiverFailed, .receiverRecovered])
        }
    }

    @Test func theRestFollowsAtOnce() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.receiver])
            let service = try required(daemon.services["prom"])
            try self.batch(daemon, ["btcinr"], at: 1_000, hasMore: true)
            try self.batch(daemon, ["btcinr"], at: 2_000)
            daemon.service.sendPrices()
            try await until { service.requests.count == 2 }
        }
    }

    @Test func eventsAreNotForIt() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.receiver])
            let service = try required(daemon.services["prom"])
            try daemon.fire(severity: .critical)
            #expect(daemon.rows.isEmpty && service.requests.isEmpty)
            daemon.commit([bareEvent(.test, number: 2, text: "a test")])
            try await until { service.requests.count == 1 }
            #expect(service.requests[0].body == [0])
        }
    }
}
