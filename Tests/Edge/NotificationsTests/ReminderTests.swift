import EventLoop
import Events
import HTTP
import Receivers
import TestSupport
import Testing
import Time

@testable import Notifications

/// Firing alerts are sent again to Alertmanagers, which forget them when they restart.
@Suite("Reminders", .timeLimit(.minutes(10)))
struct ReminderTests {
    private static let receiver = Receiver(name: "am", kind: .alertmanager, urls: ["http://127.0.0.1:9093"])

    @Test func theFirstRequestAfterAStartHasWhatFires() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.receiver])
            let service = try #require(daemon.services["am"])
            daemon.firing = [try alertEvent(0, .repeated)]
            daemon.service.wake()
            try await until { service.requests.count == 1 }
            let body = String(decoding: service.requests[0].body, as: UTF8.self)
            #expect(body.contains(#"{"labels":{"alertname":"AlertdAlive","severity":"none"}"#))
            #expect(body.contains(#""alertname":"rule","source":"wazirx""#))
            // Nothing more is due now.
            daemon.service.wake()
            #expect(service.requests.count == 1)
        }
    }

    @Test func whatIsInTheQueueIsNotRepeated() async throws {
        try await onLoop {
            var receiver = Self.receiver
            receiver.group = .seconds(60)
            let daemon = FakeDaemon([receiver])
            let service = try #require(daemon.services["am"])
            daemon.firing = [try alertEvent(0, .repeated)]
            daemon.commit([try alertEvent(1, .resolved, time: daemon.clock.now().wall)])
            try await until { service.requests.count == 1 }
            let body = String(decoding: service.requests[0].body, as: UTF8.self)
            #expect(body.contains("AlertdAlive") && !body.contains("btcinr"), "\(body)")
        }
    }

    @Test func otherReceiversGetNone() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Receiver(name: "hook", kind: .webhook, urls: ["http://127.0.0.1/"])])
            daemon.firing = [try alertEvent(0, .repeated)]
            daemon.service.wake()
            try daemon.fire()
            let service = try #require(daemon.services["hook"])
            try await until { service.requests.count == 1 }
            #expect(service.ids == ["\(instance)-1"])
        }
    }

    @Test func manyAlertsAreSentInParts() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.receiver])
            let service = try #require(daemon.services["am"])
            daemon.firing = try (0..<130).map { try alertEvent(Int64($0), .repeated) }
            daemon.service.wake()
            try await until { service.requests.count == 3 }
            let bodies = service.requests.map { String(decoding: $0.body, as: UTF8.self) }
            #expect(bodies.map { $0.ranges(of: "\"alertname\":\"rule\"").count } == [64, 64, 2])
        }
    }

    /// A server that answers slowly would otherwise get parts for as long as a stop may take.
    @Test func afterAStopNoPartFollows() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.receiver])
            let service = try #require(daemon.services["am"])
            let answer = OneShot<HTTPResponse, HTTPError>()
            service.answers = [.held(answer)]
            daemon.firing = try (0..<130).map { try alertEvent(Int64($0), .repeated) }
            daemon.service.wake()
            try await until { service.requests.count == 1 }
            let end = Loop.shared.start { await daemon.service.finish() }
            try await until { daemon.service.isStopping }
            answer.finish(.success(response(200)))
            await end.value
            #expect(service.requests.count == 1)
        }
    }

    /// Each looks at the events of its alert, which takes as long as the state file does.
    @Test func manyEndsHoldUpNothing() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.receiver])
            let service = try #require(daemon.services["am"])
            daemon.formerSeverities = [.info]
            var (looks, looksBefore) = (0, 0)
            daemon.onLook = {
                looks += 1
                if looks == 1 { _ = Loop.shared.start { looksBefore = looks } }
            }
            let now = daemon.clock.now().wall
            daemon.commit(try (1...30).map { try alertEvent($0, .resolved, time: now) })
            try await until {
                service.requests.contains { String(decoding: $0.body, as: UTF8.self).contains("btcinr") }
            }
            #expect(looks == 30 && looksBefore < 30, "something else ran after \(looksBefore) of \(looks)")
        }
    }

    /// The severity of each alert of a rule in a request, and whether it ends.
    private func alerts(_ request: HTTPRequest) -> [String] {
        String(decoding: request.body, as: UTF8.self).split(separator: #"{"labels":"#).dropFirst()
            .filter { $0.contains(#""rule":"#) }.map { alert in
                let parts = alert.split(separator: "\"")
                let value = { (key: Substring) in parts.firstIndex(of: key).map { String(parts[$0 + 2]) } ?? "" }
                return value("severity") + (value("endsAt") > "\(sampleTime)" ? "" : " ends")
            }
    }

    /// A reload changes the severity of a rule while its alert fires, and no event says so.
    @Test func anAlertWithAnotherSeverityReplacesTheFormerOne() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.receiver])
            let service = try #require(daemon.services["am"])
            for (place, severity) in [Severity.warning, .critical, .critical, .warning].enumerated() {
                daemon.firing = [try alertEvent(0, .repeated, severity: severity)]
                // The third one follows a request that failed.
                service.answers = place == 1 ? [.status(500)] : []
                try await until {
                    daemon.service.sendReminders()
                    return service.requests.count == place + 1
                }
            }
            // An alert of its own, whose severity says nothing about the firing.
            daemon.commit([try alertEvent(1, .touched, severity: .info, time: daemon.clock.now().wall)])
            try await until { daemon.rows["am"]?[1] == .delivered }
            daemon.firing = []
            daemon.commit([try alertEvent(2, .resolved, severity: .warning, time: daemon.clock.now().wall)])
            try await until { daemon.rows["am"]?[2] == .delivered }
            #expect(
                service.requests.map(alerts).filter { !$0.isEmpty } == [
                    ["warning"], ["critical", "warning ends"], ["critical", "warning ends"],
                    ["warning", "critical ends"], ["info"], ["warning ends"],
                ])
        }
    }

    /// What it was reported with by an earlier process ends with the first request that is accepted.
    @Test func afterARestartTheFormerSeverityEnds() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.receiver])
            let service = try #require(daemon.services["am"])
            var looks = 0
            daemon.onLook = { looks += 1 }
            daemon.formerSeverities = [.warning]
            daemon.firing = [try alertEvent(0, .repeated, severity: .critical)]
            service.answers = [.status(500)]
            for count in 1...3 {
                try await until {
                    daemon.service.sendReminders()
                    return service.requests.count == count
                }
            }
            #expect(
                service.requests.map(alerts) == [
                    ["critical", "warning ends"], ["critical", "warning ends"], ["critical"],
                ])
            #expect(looks == 1)
        }
    }

    /// The first notification may come before the first reminder.
    @Test func aRepeatEndsTheFormerSeverityToo() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.receiver])
            let service = try #require(daemon.services["am"])
            daemon.formerSeverities = [.warning]
            daemon.commit([try alertEvent(1, .repeated, severity: .critical, time: daemon.clock.now().wall)])
            try await until { daemon.rows["am"]?[1] == .delivered }
            #expect(service.requests.map(alerts).filter { !$0.isEmpty } == [["critical", "warning ends"]])
        }
    }

    /// A rule that is removed in a silence ends without an event that is notified.
    @Test func anEndThatNoEventReportsIsSentOnce() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.receiver])
            let service = try #require(daemon.services["am"])
            daemon.suppressed = [try alertEvent(7, .resolved, severity: .warning, time: daemon.clock.now().wall)]
            service.answers = [.status(500)]
            for count in 1...3 {
                try await until {
                    daemon.service.sendReminders()
                    return service.requests.count == count
                }
            }
            #expect(service.requests.map(alerts) == [["warning ends"], ["warning ends"], []])
            // It fires again.
            daemon.suppressed.append(try alertEvent(9, .resolved, severity: .warning, time: daemon.clock.now().wall))
            daemon.firing = [try alertEvent(0, .repeated)]
            try await until {
                daemon.service.sendReminders()
                return service.requests.count == 4
            }
            #expect(service.requests.last.map(alerts) == ["warning"])
        }
    }

    /// Firing alerts are sent at once after a reload, with their current severities.
    @Test func aReloadIsFollowedByAReminder() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.receiver])
            let service = try #require(daemon.services["am"])
            daemon.service.wake()
            try await until { service.requests.count == 1 }
            daemon.service.wake()
            #expect(service.requests.count == 1)
            // The first one may not have ended when its request has been made; a reload sends none meanwhile.
            try await until {
                daemon.service.replace(daemon.service.routing)
                daemon.service.wake()
                return service.requests.count == 2
            }
        }
    }

    /// A server that was down when an alert resolved would let it fire until its end.
    @Test func aServerThatWasDownGetsTheEnds() async throws {
        try await onLoop {
            var receiver = Self.receiver
            receiver.urls.append("http://127.0.0.1:9094")
            let daemon = FakeDaemon([receiver])
            let service = try #require(daemon.services["am"])
            daemon.service.wake()
            try await until { service.requests.count == 2 }
            // One of the two is down.
            service.answers = [.status(200), .status(503)]
            daemon.commit([try alertEvent(1, .resolved, time: daemon.clock.now().wall)])
            try await until { service.requests.count == 4 && daemon.rows["am"]?[1] == .delivered }
            daemon.service.sendReminders()
            try await until { service.requests.count == 6 }
            let resolved = String(decoding: service.requests[5].body, as: UTF8.self)
            #expect(resolved.contains("btcinr"), "\(resolved)")
            // Both have it now.
            try await until {
                daemon.service.sendReminders(); return service.requests.count == 8
            }
            #expect(!String(decoding: service.requests[7].body, as: UTF8.self).contains("btcinr"))
        }
    }

    /// Another notification that it accepts in the meantime does not have them.
    @Test func aServerThatAcceptsSomethingElseFirstGetsTheEnds() async throws {
        try await onLoop {
            var receiver = Self.receiver
            receiver.urls.append("http://127.0.0.1:9094")
            let daemon = FakeDaemon([receiver])
            let service = try #require(daemon.services["am"])
            daemon.service.wake()
            try await until { service.requests.count == 2 }
            service.answers = [.status(200), .status(503)]
            daemon.commit([try alertEvent(1, .resolved, time: daemon.clock.now().wall)])
            try await until { service.requests.count == 4 && daemon.rows["am"]?[1] == .delivered }
            daemon.commit([try alertEvent(2, .resolved, symbol: "ethinr", time: daemon.clock.now().wall)])
            try await until { service.requests.count == 6 && daemon.rows["am"]?[2] == .delivered }
            daemon.service.sendReminders()
            try await until { service.requests.count == 8 }
            #expect(String(decoding: service.requests[7].body, as: UTF8.self).contains("btcinr"))
        }
    }

    /// What an earlier process could not send to one of the servers is not stored.
    @Test func afterAStartServersGetTheEndsOfADay() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.receiver])
            let service = try #require(daemon.services["am"])
            let now = daemon.clock.now().wall
            let ago = { (hours: Int64) in WallTime(milliseconds: now.milliseconds - hours * 3_600_000) }
            daemon.remember([
                try alertEvent(1, .resolved, symbol: "ethinr", time: ago(25)),
                try alertEvent(2, .resolved, severity: .info, time: ago(2)),
                try alertEvent(3, .resolved, severity: .info, time: ago(1)),
            ])
            // The first server to answer does not have them yet.
            service.answers = [.status(503)]
            for count in 1...3 {
                try await until {
                    daemon.service.sendReminders()
                    return service.requests.count == count
                }
            }
            #expect(service.requests.map(alerts) == [["info ends"], ["info ends"], []])
        }
    }

    /// Ends of several subjects are not those of one alert.
    @Test func eachReportEndsOnItsOwn() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.receiver])
            let service = try #require(daemon.services["am"])
            let time = daemon.clock.now().wall
            let kinds: [(EventKind, String?)] = [
                (.receiverRecovered, "phone"), (.receiverRecovered, "mail"), (.storeRecovered, nil),
            ]
            daemon.remember(
                kinds.enumerated().map { index, kind in
                    var occurrence = bareEvent(kind.0, receiver: kind.1).occurrence
                    occurrence.time = time
                    return Event(number: Int64(index + 1), occurrence: occurrence)
                })
            daemon.service.wake()
            try await until { service.requests.count == 1 }
            let text = String(decoding: service.requests[0].body, as: UTF8.self)
            for part in [#""receiver":"phone""#, #""receiver":"mail""#, "AlertdStoreFailed"] {
                #expect(text.contains(part), "\(text)")
            }
        }
    }

    @Test func aFailureIsReportedAndItsEndToo() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.receiver])
            let service = try #require(daemon.services["am"])
            service.answers = [.status(500), .status(500)]
            daemon.service.wake()
            try await until { service.requests.count == 1 && daemon.service.views[0].progress.failures == 1 }
            daemon.clock.advance(.seconds(301))
            daemon.service.sendReminders()
            try await until { !daemon.reports.isEmpty }
            daemon.service.sendReminders()
            try await until { daemon.reports.map(\.kind) == [.receiverFailed, .receiverRecovered] }
        }
    }
}
