import Control
import Desktop
import TestSupport
import Testing

@testable import AlertClient

/// A desktop that shows what a test can look at.
private final class FakeDesktop: NotificationServer {
    var name: String? = ":1.7"
    var hasMarkup = true
    var shown: [DesktopNotification] = []
    /// What each call of `signals` returns; after the last one, the bus is gone.
    var scripted: [[DesktopSignal]] = []
    /// Called before each look at the signals.
    var onSignals: () -> Void = {}
    private var next: UInt32 = 100

    func show(_ notification: DesktopNotification) throws(DesktopError) -> UInt32 {
        guard name != nil else { throw .noServer("nobody is there") }
        shown.append(notification)
        next += 1
        return next
    }

    func signals() throws(DesktopError) -> [DesktopSignal] {
        onSignals()
        guard !scripted.isEmpty else { throw .noBus("logged out") }
        return scripted.removeFirst()
    }

    var wait: (descriptor: Int32, events: Int16, milliseconds: Int32) { (-1, 0, -1) }
}

struct NotifyTests {
    private let desktop = FakeDesktop()
    private let run: Run

    init() {
        run = Run(variables: ["HOME": "/anna"])
        var files: [String: [UInt8]] = [:]
        let desktop = desktop
        run.environment.openDesktop = { () throws(DesktopError) in desktop }
        run.environment.read = { files[$0] }
        run.environment.replace = { path, content in
            files[path] = content
            return true
        }
    }

    private func event(_ number: Int, _ change: (inout EventRecord) -> Void = { _ in }) -> MonitorEventsReply {
        var event = Sample.event
        event.number = number
        change(&event)
        return MonitorEventsReply(event: event)
    }

    /// What the daemon says is its last event, from now on.
    private func setNewest(_ number: Int) {
        var status = Sample.status
        status.lastEvent = number
        run.daemon.replies[.status] = StatusReply(status: status)
    }

    /// Runs the command with one connection for each list of events, until the script of the desktop is over.
    @discardableResult
    private func notify(_ replies: [MonitorEventsReply]..., options: String = "", looks: Int = 20) -> Run {
        run.daemon.monitored = replies
        if desktop.scripted.isEmpty { desktop.scripted = Array(repeating: [], count: looks) }
        #expect(run("notify \(options)") == 1)
        return run
    }

    @Test func aNotificationHasUrgencyTextAndButtons() throws {
        notify([
            event(13) {
                $0.text = "a < b & c"; $0.severity = .critical
            }
        ])
        let first = try #require(desktop.shown.first)
        #expect(first.summary == "btcinr, btc band: fired" && first.body == "a &lt; b &amp; c")
        #expect(first.urgency == .critical && first.replaces == 0)
        #expect(first.actions.map(\.label) == ["Acknowledge", "Silence 1 h"])
        #expect(desktop.shown.count == 1)
        #expect(run.errors.contains("logged out"))
    }

    @Test func markupIsOnlyEscapedWhereItIsRead() {
        desktop.hasMarkup = false
        notify([event(13) { $0.text = "a < b\u{1B}[31m" }])
        #expect(desktop.shown.map(\.body) == [#"a < b\u{1b}[31m"#])
    }

    @Test func theNextEventOfAnAlertTakesItsPlace() {
        notify([event(13)], [event(14) { $0.kind = .repeated }], [event(15) { $0.kind = .resolved }], [event(16)])
        #expect(desktop.shown.map(\.replaces) == [0, 101, 102, 0])
        #expect(desktop.shown.map(\.actions.count) == [2, 2, 0, 2])
        #expect(desktop.shown[2].urgency == .low)
    }

    /// Candles are read after the first price, which may have made the alert fire.
    @Test func whatHappenedInAGapDoesNotReplaceTheFiring() {
        notify([event(13)], [event(14) { $0.kind = .touched }], [event(15) { $0.kind = .resolved }])
        #expect(desktop.shown.map(\.replaces) == [0, 0, 101])
    }

    /// The check is the same, whatever its two events are called; a check of other prices is another one.
    @Test func pricesThatConvergeReplaceTheDivergence() {
        let check = { (number: Int, kind: ControlInterface.EventKind, name: String) in
            event(number) {
                ($0.kind, $0.rule, $0.bound) = (kind, nil, nil)
                $0.details = EventDetails(check: name)
            }
        }
        notify([check(13, .diverged, "a")], [check(14, .diverged, "b")], [check(15, .converged, "a")])
        #expect(desktop.shown.map(\.replaces) == [0, 0, 101])
        #expect(desktop.shown.map(\.urgency) == [.normal, .normal, .low])
        notify([check(16, .diverged, "a")])
        #expect(desktop.shown.last?.replaces == 0)
    }

    /// Without a server they wait; what there is no room for is counted, and it is what matters least.
    @Test func thereIsALimitToWhatWaits() throws {
        let count = DesktopFollower.pendingLimit + 500
        setNewest(12 + count)
        desktop.name = nil
        desktop.scripted = Array(repeating: [], count: count + 5) + [[.server(":1.8")]] + [[], [], []]
        desktop.onSignals = { [desktop] in if desktop.scripted.count == 4 { desktop.name = ":1.8" } }
        notify(
            (13..<13 + count).map { number in
                event(number) {
                    $0.text = "event \(number)"
                    if number == 20 { $0.severity = .critical }
                }
            })
        let summary = try #require(desktop.shown.first)
        #expect(desktop.shown.count == 1 && summary.summary == "1500 events from alertd")
        #expect(summary.body.hasPrefix("event 20\nevent 1512\n"))
        #expect(summary.body.hasSuffix("and 1495 more: alertctl events"))
        notify([])
        #expect(run.daemon.monitorParameters.last?.after == 12 + count)
    }

    @Test func nothingIsShownTwice() {
        setNewest(14)
        notify([event(13)], [event(14) { $0.symbol = "ethinr" }])
        let before = desktop.shown
        notify([])
        #expect(run.daemon.monitorParameters.last?.after == 14)
        #expect(desktop.shown == before)
        // Its number is kept, so its notification is replaced after a restart as well.
        notify([event(15) { $0.kind = .resolved }])
        #expect(desktop.shown.last?.replaces == 101)
    }

    @Test func anotherServerHasOtherNumbers() {
        notify([event(13)])
        desktop.name = ":1.9"
        notify([event(14) { $0.kind = .resolved }])
        #expect(desktop.shown.last?.replaces == 0)
    }

    @Test func theFirstRunBeginsWithNewEvents() {
        notify([])
        #expect(run.daemon.monitorParameters.first?.after == 12)
    }

    @Test func othersAreNotShown() {
        notify(
            [
                event(13) { $0.notified = false }, event(14) { $0.sink = "phone" }, event(15) { $0.severity = .info },
                event(16),
            ], options: "--severity warning")
        #expect(desktop.shown.count == 1)
    }

    @Test(arguments: [("", 1), ("--kind rules_changed", 1)]) func changesOfRulesAreShownOnRequest(
        options: String, count: Int
    ) {
        notify([event(13) { $0.kind = .rulesChanged }, event(14)], options: options)
        #expect(desktop.shown.count == count)
        #expect(desktop.shown.first.map { $0.summary.contains("ules changed") } == !options.isEmpty)
    }

    @Test func manyAtOnceBecomeOne() throws {
        setNewest(19)
        // They arrive while there is no server.
        desktop.name = nil
        desktop.scripted = Array(repeating: [], count: 12) + [[.server(":1.8")]] + Array(repeating: [], count: 3)
        desktop.onSignals = { [desktop] in if desktop.scripted.count == 4 { desktop.name = ":1.8" } }
        notify((13...19).map { number in event(number) { $0.text = "event \(number)" } })
        let summary = try #require(desktop.shown.first)
        #expect(desktop.shown.count == 1 && summary.summary == "7 events from alertd")
        #expect(summary.body.hasPrefix("event 19\nevent 18\n") && summary.body.hasSuffix("and 2 more: alertctl events"))
        notify([])
        #expect(run.daemon.monitorParameters.last?.after == 19)
    }

    @Test func withoutAServerNothingIsPassedOver() {
        desktop.name = nil
        notify([event(13)])
        #expect(desktop.shown.isEmpty)
        notify([])
        #expect(run.daemon.monitorParameters.last?.after == 12)
    }

    @Test func buttonsChangeTheAlert() throws {
        run.daemon.replies[.acknowledge] = AcknowledgeReply(alerts: [], changed: 1, saved: true)
        desktop.scripted = [[], [], [.action(id: 101, key: "acknowledge"), .action(id: 999, key: "acknowledge")], []]
        notify([event(13)])
        let asked = run.daemon.parameters.compactMap { $0 as? AcknowledgeParameters }
        #expect(asked == [AcknowledgeParameters(event: 13)])
        #expect(desktop.shown.last?.summary == "Acknowledged")
        run.daemon.errors[.addSilence] = .callDenied
        desktop.scripted = [[], [], [.action(id: 103, key: "silence")], []]
        notify([event(14)])
        let silences = run.daemon.parameters.compactMap { $0 as? AddSilenceParameters }
        #expect(silences.map(\.durationMilliseconds) == [3_600_000] && silences.first?.symbol == "btcinr")
        #expect(desktop.shown.last?.summary == "Failed")
        #expect(desktop.shown.last?.body.contains("alertd-admin") == true)
    }

    @Test func theDaemonMayBeAway() {
        run.daemon.connectionErrors = [.notRunning(socket: "/s"), .notRunning(socket: "/s"), nil]
        notify([event(13)])
        #expect(desktop.shown.count == 1)
    }

    @Test func aLostStateBeginsAgain() {
        notify([event(900)])
        notify([])
        // The daemon says that 12 is its last event.
        #expect(run.daemon.monitorParameters.last?.after == 12)
    }

    @Test(arguments: ["", "{}", "{\"last\":-1,\"socket\":\"x\"}", "nonsense"]) func aDamagedFileIsIgnored(text: String)
    {
        #expect(DesktopState(Array(text.utf8)) == nil)
    }

    @Test func theFileIsReadAsItWasWritten() {
        var state = DesktopState(socket: "/run/x", last: 7)
        state.server = ":1.2"
        state.set(5, of: "kraken|\"rule\"|btcusd|max|")
        state.set(6, of: "b")
        #expect(DesktopState(state.content) == state)
        state.remove(5)
        #expect(state.shown.map(\.id) == [6])
        for id in 0..<300 { state.set(UInt32(id), of: "\(id)") }
        #expect(state.shown.count == 200)
    }
}
