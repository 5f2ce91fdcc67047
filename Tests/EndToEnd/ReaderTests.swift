import Foundation
import Testing

@Suite("Readers and clients, end to end", .timeLimit(.minutes(10)))
struct ReaderTests {
    @Test func aReaderThatNeverReadsDelaysNobody() async throws {
        let rules = (0..<40).map { "[[rule]]\nname = \"r\($0)\"\nsymbol = \"*\"\nmax = \"\(101 + $0)\"\n" }
        let stage = try await Stage(rules: rules.joined(separator: "\n"))
        let reader = try await stage.reader()
        // Connected, and never read from.
        let lazy = try Program(
            "/usr/bin/env", ["python3", "-c", Self.lazyReader, stage.eventSocket])
        _ = try await lazy.output.line("lazy reader") { $0 == "connected" }
        try await stage.polls()
        var expected = 0
        for round in 0..<30 {
            try await stage.exchange.price("btcinr", round % 2 == 0 ? "1000" : "1")
            expected += 40
            _ = try await eventually("\(expected) events") { reader.events.count >= expected ? true : nil }
        }
        #expect(reader.events.count == expected)
        #expect(reader.isWithoutHoles)
        let newest = try #require(reader.events.last?["number"] as? Int)
        try lazy.send(line: "read")
        let last = try await lazy.output.line("last event") { $0.contains("\"number\":\(newest),") }
        #expect(last.hasSuffix("}"))
        for line in lazy.output.lines.dropFirst() {
            #expect((try? JSONSerialization.jsonObject(with: Data(line.utf8))) != nil, "\(line)")
        }
    }

    /// Reads nothing until it is asked to.
    static let lazyReader = """
        import socket, sys
        s = socket.socket(socket.AF_UNIX)
        s.connect(sys.argv[1])
        print("connected", flush=True)
        sys.stdin.readline()
        while True:
            data = s.recv(65536)
            if not data: break
            sys.stdout.buffer.write(data); sys.stdout.flush()
        """

    @Test func theTailShowsWhatHappensAndWhatHappenedBefore() async throws {
        let stage = try await Stage(rules: AlertTests.band)
        try await stage.exchange.price("btcinr", "120")
        _ = try await stage.daemon.output.line("fired") { $0.contains("120") }
        let tail = try Program(
            try builtProgram("alertctl"), ["--socket", stage.controlSocket, "tail", "--after", "0", "--json"])
        _ = try await tail.output.line("old event") { $0.contains("\"fired\"") }
        try await stage.exchange.price("btcinr", "100")
        _ = try await tail.output.line("new event") { $0.contains("\"resolved\"") }
    }

    @Test func socatReadsTheStreamToo() async throws {
        let stage = try await Stage(rules: AlertTests.band)
        let socat = try Program("/usr/bin/env", ["socat", "-u", "UNIX-CONNECT:\(stage.eventSocket)", "STDOUT"])
        try await stage.polls()
        let count = { try await stage.json("status")["event_readers"] as? Int }
        while try await count() != 1 { try await stage.polls(1) }
        try await stage.exchange.price("btcinr", "120")
        _ = try await socat.output.line("event") { $0.hasPrefix("{\"number\":") && $0.contains("\"fired\"") }
    }

    @Test func aClientThatIsNotOursSpeaksToTheControlSocket() async throws {
        let python = ProcessInfo.processInfo.environment["ALERTD_VARLINK_PYTHON"]
        guard let python else {
            // Only `make test` creates the virtual environment of the client.
            withKnownIssue("ALERTD_VARLINK_PYTHON is not set: not checked with PyPI's varlink client") {
                Issue.record("skipped")
            }
            return
        }
        let stage = try await Stage(rules: AlertTests.band)
        try await stage.polls()
        let client = try Program(python, [sourceFile("varlink_client.py"), stage.controlSocket])
        var isHigh = false
        while client.isRunning {
            isHigh.toggle()
            try await stage.exchange.price("btcinr", isHigh ? "120" : "100")
            try await stage.polls(2)
        }
        let code = try await client.exitCode()
        #expect(code == 0, "\(client.output.text) \(client.errors.text)")
    }
}
