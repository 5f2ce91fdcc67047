import Foundation
import TestSupport
import Testing

/// `alertctl notify` on a bus of its own, with a scripted server of notifications.
@Suite("Desktop, end to end", .timeLimit(.minutes(10)))
struct DesktopTests {
    private static let isInstalled =
        FileManager.default.isExecutableFile(atPath: "/usr/bin/dbus-daemon") && ReceiverServer.python != nil
    private static let rule = "[[rule]]\nname = \"band\"\nsymbol = \"btcinr\"\nmax = 200\nseverity = \"critical\"\n"

    private let folder = TestFolder()

    private var environment: [String: String] {
        [
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.path)/bus", "XDG_STATE_HOME": "\(folder.path)/state",
            "HOME": folder.path,
        ]
    }

    /// A bus that starts no services.
    private func startBus() async throws -> Program {
        let settings = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>session</type>
              <listen>unix:path=\(folder.path)/bus</listen>
              <policy context="default">
                <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
              </policy>
            </busconfig>
            """
        let bus = try Program(
            "/usr/bin/dbus-daemon",
            ["--config-file=\(try folder.write(settings, to: "bus.conf"))", "--nofork", "--print-address"])
        _ = try await bus.output.line("address") { $0.hasPrefix("unix:") }
        return bus
    }

    private func startServer() async throws -> Program {
        let server = try Program(
            ReceiverServer.python ?? "", [sourceFile("desktop_server.py")], environment: environment)
        _ = try await server.output.line("start") { $0 == "ready" }
        return server
    }

    private func startNotify(_ stage: Stage, rule: String? = "band") throws -> Program {
        try Program(
            try builtProgram("alertctl"),
            ["--socket", stage.controlSocket, "notify"] + (rule.map { ["--rule", $0] } ?? []),
            environment: environment)
    }

    private func shown(_ server: Program) throws -> [[String: Any]] {
        try server.output.lines.dropFirst().compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
    }

    private func last(_ server: Program, count: Int) async throws -> [String: Any] {
        try await holds("notification \(count)") { try shown(server).count >= count }
        return try #require(try shown(server).last)
    }

    @Test(.enabled(if: isInstalled, "dbus-daemon or jeepney is not installed"))
    func alertsAreShownAndChanged() async throws {
        let bus = try await startBus()
        let stage = try await Stage(rules: Self.rule)
        // There is no server yet: the alert waits for it.
        var notify = try startNotify(stage)
        let file = "\(folder.path)/state/alertctl/notify.json"
        try await holds("first state") { FileManager.default.fileExists(atPath: file) }
        try await stage.exchange.price("btcinr", "250")
        try await stage.polls(3)
        var server = try await startServer()
        let fired = try await last(server, count: 1)
        #expect(fired["summary"] as? String == "btcinr, band: fired" && fired["app"] as? String == "alertd")
        #expect((fired["body"] as? String)?.contains("BTC/INR") == true)
        #expect((fired["hints"] as? [String: [Any]])?["urgency"]?.last as? Int == 2)
        #expect((fired["hints"] as? [String: [Any]])?["urgency"]?.first as? String == "y")
        #expect(fired["timeout"] as? Int == 0)
        #expect(fired["actions"] as? [String] == ["acknowledge", "Acknowledge", "silence", "Silence 1 h"])
        let id = try #require(fired["id"] as? Int)
        try server.send(line: "[\(id), \"acknowledge\"]")
        #expect(try await last(server, count: 2)["summary"] as? String == "Acknowledged")
        let alerts = try await stage.json("alerts")["alerts"] as? [[String: Any]]
        #expect(alerts?.contains { $0["acknowledged_by"] is String } == true, "\(alerts ?? [])")
        // A restart repeats nothing, and still knows which notification to replace.
        notify.signal(SIGKILL)
        _ = try await notify.exitCode()
        notify = try startNotify(stage)
        try await stage.exchange.price("btcinr", "150")
        let resolved = try await last(server, count: 3)
        let state = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        #expect(resolved["summary"] as? String == "btcinr, band: resolved", "\(resolved) \(state)")
        #expect(resolved["replaces"] as? Int == id, "\(resolved) \(state)")
        #expect(try shown(server).count == 3)
        // Another server has other numbers.
        server.signal(SIGKILL)
        _ = try await server.exitCode()
        try await stage.exchange.price("btcinr", "260")
        try await stage.polls(3)
        server = try await startServer()
        #expect(try await last(server, count: 1)["replaces"] as? Int == 0)
        try server.send(line: "[1, \"silence\"]")
        #expect(try await last(server, count: 2)["summary"] as? String == "Silenced for 1h")
        #expect(try await stage.ctl("silence", "list").output.contains("from the desktop"))
        // When the user logs out, the bus ends.
        bus.signal(SIGTERM)
        #expect(try await notify.exitCode() == 1)
    }

    private static let mock = testServer("lib/python3/dist-packages")

    /// A server that others wrote, which keeps to the specification of desktop notifications.
    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "\(mock)/dbusmock")
                && FileManager.default.isExecutableFile(atPath: "/usr/bin/dbus-daemon"), "dbusmock is not installed"))
    func anotherServerShowsAlerts() async throws {
        let bus = try await startBus()
        let server = try Program(
            "/usr/bin/python3", ["-m", "dbusmock", "--session", "--template", "notification_daemon"],
            environment: environment.merging([
                "PYTHONPATH": Self.mock, "LD_LIBRARY_PATH": try testServerLibraries(), "PYTHONUNBUFFERED": "1",
            ]) { $1 })
        let stage = try await Stage(rules: Self.rule)
        let notify = try startNotify(stage)
        let file = "\(folder.path)/state/alertctl/notify.json"
        try await holds("first state") { FileManager.default.fileExists(atPath: file) }
        try await stage.exchange.price("btcinr", "250")
        let fired = try await server.output.line("the alert") { $0.contains("btcinr, band: fired") }
        #expect(fired.contains(#"Notify "alertd" 0 "dialog-warning""#), "\(fired)")
        #expect(fired.contains(#"{"urgency": 2}"#), "\(fired)")
        #expect(fired.contains(#"["acknowledge", "Acknowledge", "silence", "Silence 1 h"]"#), "\(fired)")
        try await stage.exchange.price("btcinr", "150")
        let resolved = try await server.output.line("the end") { $0.contains("btcinr, band: resolved") }
        #expect(resolved.contains(#"Notify "alertd" 1 "#), "\(resolved)")
        withExtendedLifetime((bus, notify)) {}
    }

    private static let dunst = testServer("bin/dunst")
    private static let display = "/usr/bin/Xvfb"

    /// The server of notifications in wide use, on a display without a screen.
    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: dunst)
                && FileManager.default.isExecutableFile(atPath: display), "dunst or Xvfb is not installed"))
    func dunstShowsAlerts() async throws {
        let bus = try await startBus()
        let screen = try Program(Self.display, ["-displayfd", "1", "-screen", "0", "640x480x24"])
        let number = try await screen.output.line("a display") { Int($0) != nil }
        let settings = "[alertd]\nappname = alertd\naction_name = acknowledge\n"
        let world = environment.merging([
            "DISPLAY": ":\(number)", "LD_LIBRARY_PATH": try testServerLibraries(),
        ]) { $1 }
        let server = try Program(
            Self.dunst, ["-conf", try folder.write(settings, to: "dunstrc"), "-print"], environment: world)
        let control = { (arguments: [String]) in
            try await run(testServer("bin/dunstctl"), arguments, environment: world).output
        }
        try await holds("dunst's start") { try await control(["count", "displayed"]) == "0\n" }
        let stage = try await Stage(
            rules: Self.rule + "[[rule]]\nname = \"low\"\nsymbol = \"ethinr\"\nmin = 5\nseverity = \"info\"\n",
            tickers: [Stage.ticker("btcinr", "100", quote: "inr"), Stage.ticker("ethinr", "100", quote: "inr")])
        let notify = try startNotify(stage, rule: nil)
        try await holds("first state") {
            FileManager.default.fileExists(atPath: "\(folder.path)/state/alertctl/notify.json")
        }
        try await stage.exchange.price("btcinr", "250")
        let fired = try await printed(by: server, "btcinr, band: fired")
        #expect(fired.contains("urgency: CRITICAL") && fired.contains { $0.hasPrefix("body: 'BTC/INR") }, "\(fired)")
        #expect(fired.contains(#""acknowledge": "Acknowledge""#) && fired.contains(#""silence": "Silence 1 h""#))
        #expect(try await control(["count", "displayed"]) == "1\n")
        // A click.
        _ = try await control(["action"])
        _ = try await printed(by: server, "Acknowledged")
        let alerts = try await stage.json("alerts")["alerts"] as? [[String: Any]]
        #expect(alerts?.contains { $0["acknowledged_by"] is String } == true, "\(alerts ?? [])")
        try await stage.exchange.price("ethinr", "4")
        #expect(try await printed(by: server, "ethinr, low: fired").contains("urgency: LOW"))
        let shown = try await control(["count", "displayed"])
        // The end takes the place of the alert.
        try await stage.exchange.price("btcinr", "150")
        let resolved = try await printed(by: server, "btcinr, band: resolved")
        #expect(resolved.first { $0.hasPrefix("id: ") } == fired.first { $0.hasPrefix("id: ") }, "\(resolved)")
        #expect(!resolved.contains("urgency: CRITICAL") && !resolved.contains { $0.contains("acknowledge") })
        #expect(try await control(["count", "displayed"]) == shown)
        _ = try await control(["close-all"])
        let history = try await control(["history"])
        for summary in ["btcinr, band: resolved", "ethinr, low: fired"] { #expect(history.contains("\"\(summary)\"")) }
        #expect(!history.contains("band: fired"))
        withExtendedLifetime((bus, screen, notify)) {}
    }

    /// What dunst prints of the notification with this summary, a line for each field.
    private func printed(by server: Program, _ summary: String) async throws -> [String] {
        _ = try await server.output.line("\(summary); errors: \(server.errors.text)") {
            $0 == "\tsummary: '\(summary)'"
        }
        let isLast = { (line: String) in line.hasPrefix("\tscript_count:") }
        let rest = { server.output.lines.drop { $0 != "\tsummary: '\(summary)'" } }
        try await holds("the end of \(summary)") { rest().contains(where: isLast) }
        return rest().prefix { !isLast($0) }.map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test func withoutABusItSaysSo() async throws {
        let stage = try await Stage(rules: Self.rule)
        let notify = try startNotify(stage)
        #expect(try await notify.exitCode() == 1)
        #expect(notify.errors.text.contains("no session bus for this user ("), "\(notify.errors.text)")
    }
}
