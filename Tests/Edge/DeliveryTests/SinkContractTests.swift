import EventLoop
import Events
import Glibc
import Journal
import TestSupport
import Testing

@testable import Delivery

/// What every sink promises, whatever is at its other end.
@Suite(.timeLimit(.minutes(10)))
struct SinkContractTests {
    /// More events than any sink takes while nobody reads: a bound for those whose lines are short.
    private static let flood: Int64 = 200_000

    /// Delivers events from number 1 on until one of them is lost. The event socket notices that only when its reader
    /// continues, but it keeps fewer than 12,000 lines of any length.
    ///
    /// - Returns: the number of the last one.
    @LoopActor
    private static func flood(_ sink: any Sink, _ kind: SinkKind) -> Int64 {
        let most = kind == .socket ? 12_000 : flood
        var number: Int64 = 0
        while number < most, number < 12_000 || sink.counters.dropped + sink.counters.failed == 0 {
            number += 1
            sink.deliver(event(number))
            if number % 100 == 0 { sink.flush() }
        }
        return number
    }

    private static func event(_ number: Int64, notified: Bool = true, for sink: String? = nil) -> Event {
        var occurrence = bareEvent(.fired, notified: notified, text: "event \(number)").occurrence
        occurrence.sink = sink
        return Event(number: number, occurrence: occurrence)
    }

    @LoopActor
    private static func started(_ kind: SinkKind) async throws -> any SinkRig {
        let rig = try await makeRig(kind)
        if rig.sink.cursor != nil { rig.sink.resume(after: 0) }
        rig.sink.start(after: 0) { rig.progressCount += 1 }
        try await rig.connect()
        return rig
    }

    @Test(arguments: SinkKind.allCases)
    func itHasItsNameAndBeginsWithNothing(kind: SinkKind) async throws {
        try await onLoop {
            let rig = try await Self.started(kind)
            defer { rig.sink.stop() }
            #expect(rig.sink.name == kind.rawValue)
            #expect(rig.sink.counters == SinkCounters())
            #expect(rig.sink.inheritedCursor == nil)
        }
    }

    @Test(arguments: SinkKind.allCases)
    func itDeliversNotificationsInOrder(kind: SinkKind) async throws {
        try await onLoop {
            let rig = try await Self.started(kind)
            defer { rig.sink.stop() }
            for number in 1...100 as ClosedRange<Int64> { rig.sink.deliver(Self.event(number)) }
            rig.sink.flush()
            try await rig.read(to: 100)
            #expect(rig.numbers == Array(1...100))
            #expect(rig.sink.counters.delivered == 100)
            #expect(rig.sink.counters.dropped == 0 && rig.sink.counters.failed == 0)
        }
    }

    /// Only the event socket has the suppressed events and those for another sink, so that its numbers have no holes.
    @Test(arguments: SinkKind.allCases)
    func suppressedEventsAreForTheEventSocketOnly(kind: SinkKind) async throws {
        try await onLoop {
            let rig = try await Self.started(kind)
            defer { rig.sink.stop() }
            rig.sink.deliver(Self.event(1, notified: false))
            rig.sink.deliver(Self.event(2, for: "another"))
            rig.sink.deliver(Self.event(3, for: kind.rawValue))
            rig.sink.flush()
            try await rig.read(to: 3)
            #expect(rig.numbers == (kind == .socket ? [1, 2, 3] : [3]))
        }
    }

    @Test(arguments: SinkKind.allCases)
    func aFlushNeedsNoTurnOfTheLoop(kind: SinkKind) async throws {
        try await onLoop {
            let rig = try await Self.started(kind)
            defer { rig.sink.stop() }
            rig.sink.deliver(Self.event(1))
            rig.sink.flush()
            rig.readOnce()
            #expect(rig.numbers == [1])
            guard case .delivered = rig.sink.outcome(of: 1) else {
                Issue.record("\(rig.sink.outcome(of: 1))")
                return
            }
        }
    }

    /// Nobody takes anything: every call returns at once, and what is not delivered is counted in the end.
    @Test(arguments: SinkKind.allCases)
    func itNeverBlocksAndCountsWhatIsLost(kind: SinkKind) async throws {
        try await onLoop {
            let rig = try await Self.started(kind)
            defer { rig.sink.stop() }
            rig.isBlocked = true
            let last = Self.flood(rig.sink, kind) + 1
            let queued = rig.sink.counters.queued
            // The journal takes each entry at once, or never.
            #expect(kind == .journal ? queued == 0 : queued > 100, "\(queued)")
            rig.isBlocked = false
            rig.sink.deliver(Self.event(last))
            rig.sink.flush()
            try await rig.read(to: last)
            let counters = rig.sink.counters
            #expect(counters.queued == 0)
            #expect(rig.numbers == rig.numbers.sorted())
            #expect(counters.dropped + counters.failed == Int(last) - rig.numbers.count)
            #expect(counters.dropped + counters.failed > 0)
            #expect((counters.failed > 0) == (counters.lastFailure != nil))
        }
    }

    @Test(arguments: SinkKind.allCases)
    func theCursorPassesWhatIsDeliveredOrNotForTheSink(kind: SinkKind) async throws {
        try await onLoop {
            let rig = try await makeRig(kind)
            defer { rig.sink.stop() }
            guard rig.sink.cursor != nil else { return }
            rig.sink.resume(after: 7)
            #expect(rig.sink.cursor == 7)
            rig.sink.start(after: 7) {}
            for number in 8...11 as ClosedRange<Int64> {
                rig.sink.deliver(Self.event(number, notified: number % 2 == 0))
                rig.sink.flush()
                #expect(rig.sink.cursor == number)
            }
        }
    }

    /// After a restart, what was not delivered follows: nothing that is passed on late or never is behind the cursor.
    @Test(arguments: SinkKind.allCases)
    func theCursorStaysBeforeWhatIsNotDelivered(kind: SinkKind) async throws {
        try await onLoop {
            let rig = try await Self.started(kind)
            defer { rig.sink.stop() }
            guard rig.sink.cursor != nil else { return }
            rig.isBlocked = true
            var number: Int64 = 0
            while rig.sink.cursor == number, number < Self.flood {
                number += 1
                rig.sink.deliver(Self.event(number))
                rig.sink.flush()
            }
            #expect(rig.sink.cursor == number - 1)
            rig.sink.deliver(Self.event(number + 1, notified: false))
            #expect(rig.sink.cursor == number - 1)
            if case .delivered = rig.sink.outcome(of: number) { Issue.record("\(rig.sink.outcome(of: number))") }
            let before = rig.progressCount
            rig.isBlocked = false
            rig.readOnce()
            if kind == .stdout {
                // It waits for room, so it moves without a new event, and has to say so.
                try await turns { rig.sink.cursor == number + 1 }
                #expect(rig.progressCount > before)
            }
            rig.sink.deliver(Self.event(number + 2))
            rig.sink.flush()
            try await rig.read(to: number + 2)
            #expect(rig.sink.cursor == number + 2)
        }
    }

    @Test(arguments: SinkKind.allCases)
    func stoppingPassesOnWhatIsQueued(kind: SinkKind) async throws {
        try await onLoop {
            let rig = try await Self.started(kind)
            rig.sink.deliver(Self.event(1))
            rig.sink.stop()
            try await rig.read(to: 1)
            #expect(rig.numbers == [1])
        }
    }
}

/// A sink and the reader at its other end.
@LoopActor
private protocol SinkRig: AnyObject {
    var sink: any Sink { get }
    /// The numbers of the events that have arrived.
    var numbers: [Int64] { get }
    /// Whether the other end takes nothing now.
    var isBlocked: Bool { get set }
    /// How often the sink reported that its cursor moved.
    var progressCount: Int { get set }

    func connect() async throws
    /// Takes what has arrived.
    func readOnce()
    /// Whether the last event that has arrived has this number; cheap, however much has arrived.
    func isLast(_ number: Int64) -> Bool
}

extension SinkRig {
    func connect() async throws {}

    func read(to last: Int64) async throws {
        try await turns {
            readOnce()
            return isLast(last)
        }
    }
}

@LoopActor
private func makeRig(_ kind: SinkKind) async throws -> any SinkRig {
    switch kind {
    case .journal: JournalRig()
    case .stdout: try StdoutRig()
    case .socket: try SocketRig()
    }
}

@LoopActor
private final class JournalRig: SinkRig {
    private(set) var numbers: [Int64] = []
    var isBlocked = false
    var progressCount = 0
    private(set) lazy var sink: any Sink = JournalSink(socket: "/") { [unowned self] entry in
        if isBlocked { return -ENOBUFS }
        let field = entry.fields.map(text).first { $0.hasPrefix("ALERTD_NUMBER=") }
        if let number = field.flatMap({ Int64($0.dropFirst(14)) }) { numbers.append(number) }
        return 0
    }

    func readOnce() {}
    func isLast(_ number: Int64) -> Bool { numbers.last == number }
}

@LoopActor
private final class StdoutRig: SinkRig {
    let sink: any Sink
    var isBlocked = false
    var progressCount = 0
    private let pipe: TestPipe
    private var bytes: [UInt8] = []

    init() throws {
        pipe = try TestPipe()
        _ = fcntl(pipe.readEnd, F_SETFL, O_NONBLOCK)
        sink = StdoutSink(output: LineOutput(pipe.writeEnd))
    }

    deinit {
        close(pipe.readEnd)
        close(pipe.writeEnd)
    }

    var numbers: [Int64] {
        text(bytes).split(separator: "\n").filter { !$0.hasPrefix("…") }
            .compactMap { line in line.split(separator: " ").last.flatMap { Int64($0) } }
    }

    func readOnce() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe Glibc.read(pipe.readEnd, &buffer, buffer.count)
        bytes += buffer[..<max(0, count)]
    }

    func isLast(_ number: Int64) -> Bool { bytes.suffix(64).ends(with: "event \(number)\n") }
}

@LoopActor
private final class SocketRig: SinkRig {
    let sink: any Sink
    var isBlocked = false
    var progressCount = 0
    private let socket: EventSocket
    private let reader: TestReader

    init() throws {
        let path = "/tmp/alertd-contract-\(getpid())-\(UInt32.random(in: 0 ... .max)).sock"
        socket = EventSocket(try UnixListener(path: path, mode: 0o600), limit: 4)
        sink = socket
        reader = try TestReader(connectedTo: path)
    }

    func connect() async throws {
        try await turns { socket.readerCount == 1 }
    }

    var numbers: [Int64] {
        reader.lines.filter { $0.hasPrefix(#"{"number":"#) }
            .compactMap { line in Int64(line.dropFirst(10).prefix { $0.isNumber }) }
    }

    func readOnce() {
        _ = reader.readOnce()
    }

    func isLast(_ number: Int64) -> Bool {
        reader.bytes.last == 0x0A && text(Array(reader.bytes.suffix(1_000))).contains(#"{"number":\#(number),"#)
    }
}

extension ArraySlice<UInt8> {
    fileprivate func ends(with text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
