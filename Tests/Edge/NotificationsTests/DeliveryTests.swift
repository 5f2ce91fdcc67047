import EventLoop
import Events
import Foundation
import HTTP
import Receivers
import TestSupport
import Testing
import Time

@testable import Notifications

@Suite(.timeLimit(.minutes(10)))
struct DeliveryTests {
    private static func hook(_ name: String = "hook", _ change: (inout Receiver) -> Void = { _ in }) -> Receiver {
        receiver(.webhook) {
            $0.name = name
            change(&$0)
        }
    }

    @Test func eventsOfACommitAreOneNotification() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.hook()])
            let hook = try #require(daemon.services["hook"])
            try daemon.fire(3)
            try await until { daemon.rows["hook"]?[3] == .delivered }
            #expect(hook.ids == ["\(instance)-3"])
            #expect(daemon.batches["hook"] == nil && daemon.service.views[0].queued.isEmpty)
        }
    }

    /// A repeated attempt has the same id and content, although more events have arrived.
    @Test(arguments: [302, 404, 408, 429, 500, 503]) func failuresAreRetriedUnchanged(status: Int) async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.hook()])
            let hook = try #require(daemon.services["hook"])
            hook.answers = [.status(status), .failure(.truncated)]
            try daemon.fire(2)
            try await until { daemon.service.views[0].progress.failures == 1 }
            #expect(daemon.batches["hook"] == NotificationBatch(last: 2, isUrgentOnly: false))
            try daemon.fire()
            daemon.pass(.seconds(2))
            try await until { daemon.service.views[0].progress.failures == 2 }
            daemon.pass(.seconds(7))
            try await until { daemon.rows["hook"]?[3] == .delivered }
            #expect(hook.ids == ["2", "2", "2", "3"].map { "\(instance)-\($0)" })
            #expect(daemon.reports.isEmpty)
        }
    }

    /// The message that the end of an alert refers to may be gone: the end is then a message of its own.
    @Test func aReplyThatIsRefusedIsSentAsAMessage() async throws {
        try await onLoop {
            let daemon = FakeDaemon([receiver(.discord) { $0.name = "hook" }])
            let hook = try #require(daemon.services["hook"])
            daemon.previousMessage = "77"
            hook.answers = [.status(400), .status(200)]
            daemon.commit([try alertEvent(1, .resolved, time: daemon.clock.now().wall)])
            try await until { daemon.rows["hook"]?[1] == .delivered }
            #expect(hook.requests.map(\.method) == [.patch, .post])
            #expect(hook.requests.map { $0.address.contains("/messages/77") } == [true, false])
            // Refused again, it is given up, and not asked for a third time.
            hook.answers = [.status(400), .status(400)]
            daemon.commit([try alertEvent(2, .resolved, time: daemon.clock.now().wall)])
            daemon.pass(.seconds(3_600))
            try await until { daemon.rows["hook"]?[2] == .refused }
            #expect(hook.requests.count == 4)
            // A failure that may pass is no refusal: the next attempt still edits the message.
            hook.answers = [.status(503), .status(200)]
            daemon.commit([try alertEvent(4, .resolved, time: daemon.clock.now().wall)])
            daemon.pass(.seconds(3_600))
            try await until { daemon.service.views[0].progress.lastFailure?.reason.contains("503") == true }
            daemon.pass(.seconds(3_600))
            try await until { daemon.rows["hook"]?[4] == .delivered }
            #expect(hook.requests.suffix(2).map(\.method) == [.patch, .patch])
        }
    }

    /// Only those that a server asks to try later are tried later, and those that it refused are named, once.
    @Test func eachRecipientOfAMailIsOnItsOwn() async throws {
        try await onLoop {
            let daemon = FakeDaemon([receiver(.email) { ($0.name, $0.values[.user]) = ("mail", nil) }])
            let mail = try #require(daemon.services["mail"])
            let bad = RefusedRecipient(address: "me@example.org", status: 550, text: "550 no such user")
            let busy = RefusedRecipient(address: "you@example.org", status: 450, text: "450 busy")
            // Servers give each reply an id of its own.
            let again = RefusedRecipient(address: "me@example.org", status: 550, text: "550 no such user, id 2")
            mail.refusals = [[bad, busy], [], [again], [bad]]
            mail.answers = [.status(450), .status(250), .status(250), .status(250)]
            try daemon.fire()
            try await until { daemon.service.views[0].progress.failures == 1 }
            daemon.pass(.seconds(3_600))
            try await until { daemon.rows["mail"]?[1] == .delivered }
            #expect(mail.mails.map(\.recipients) == [["me@example.org", "you@example.org"], ["you@example.org"]])
            #expect(mail.mails.allSatisfy { $0.content.starts(with: mail.mails[0].content.prefix(5)) })
            let text = "receiver mail does not reach all recipients: me@example.org was refused: 550 no such user"
            #expect(daemon.reports.map(\.text) == [text])
            // The next ones go to all, and are not reported again.
            for number in [3, 4] as [Int64] {
                daemon.commit([try alertEvent(number, time: daemon.clock.now().wall)])
                daemon.pass(.seconds(3_600))
                try await until { daemon.rows["mail"]?[number] == .delivered }
            }
            #expect(mail.mails.last?.recipients.count == 2)
            #expect(daemon.reports.count == 1)
            daemon.commit([try alertEvent(5, time: daemon.clock.now().wall)])
            daemon.pass(.seconds(3_600))
            try await until { daemon.rows["mail"]?[5] == .delivered }
            #expect(daemon.reports.map(\.kind) == [.receiverFailed, .receiverRecovered])
        }
    }

    /// The reason why there is no answer may come from a server, too.
    @Test func failuresContainNoSecret() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "alertd-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try "SEKRETtoken".write(toFile: folder + "/secret", atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder + "/secret")
        try await onLoop {
            let daemon = FakeDaemon(
                [
                    receiver(.ntfy) {
                        $0.name = "ntfy"
                        $0.credential = "secret"
                    }
                ], credentials: folder)
            let ntfy = try #require(daemon.services["ntfy"])
            ntfy.answers = [.failure(.other("no account for SEKRETtoken"))]
            try daemon.fire()
            try await until { daemon.service.views[0].progress.failures == 1 }
            #expect(daemon.service.views[0].progress.lastFailure?.reason == "(not shown: it repeats a secret)")
        }
    }

    /// A refusal is reported once, whatever the number of processes, and so is its end.
    @Test(arguments: ["", ": no such token, request 8f3a", ": no such token, request 77c0"])
    func anEarlierProcessHasReportedTheRefusal(details: String) async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.hook()])
            daemon.openFailures["hook"] = "receiver hook has failed: the credential was refused (status 401)\(details)"
            let hook = try #require(daemon.services["hook"])
            hook.answers = [.status(401)]
            try daemon.fire()
            try await until { daemon.service.views[0].progress.stopReason != nil }
            #expect(daemon.reports.isEmpty)
            daemon.service.retry("hook")
            try await until { daemon.rows["hook"]?[1] == .delivered }
            #expect(daemon.reports.map(\.kind) == [.receiverRecovered])
            // How long it was refused before the start is not known.
            #expect(daemon.reports.map(\.text) == ["receiver hook accepts notifications again"])
        }
    }

    /// Another failure than the one that an earlier process has reported is worth a report of its own.
    @Test(arguments: [
        "receiver hook has failed: the credential was refused (status 403)",
        "receiver hook has failed: it says that the credential was refused (status 401)",
        "receiver hook has failed for 6m: the credential was not refused: the credential was refused (status 401)",
        "receiver hook does not reach all recipients: the credential was refused (status 401)",
        "receiver hooked has failed: the credential was refused (status 401)",
    ])
    func anotherRefusalIsReported(open: String) async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.hook()])
            daemon.openFailures["hook"] = open
            daemon.services["hook"]?.answers = [.status(401)]
            try daemon.fire()
            try await until { daemon.service.views[0].progress.stopReason != nil }
            #expect(daemon.reports.map(\.kind) == [.receiverFailed])
        }
    }

    /// The length of a failure that goes on across a restart does not make it another one.
    @Test func aFailureThatGoesOnIsTheSame() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.hook()])
            daemon.openFailures["hook"] = "receiver hook has failed for 6m: the connection was refused"
            daemon.services["hook"]?.answers = Array(repeating: .failure(.connectionRefused), count: 3)
            try daemon.fire()
            for count in 1...3 {
                try await until { daemon.service.views[0].progress.failures == count }
                daemon.pass(.seconds(400))
            }
            try await until { daemon.rows["hook"]?[1] == .delivered }
            #expect(daemon.reports.map(\.kind) == [.receiverRecovered])
        }
    }

    @Test(arguments: [400, 410, 413, 422]) func refusedOnesAreNotRepeated(status: Int) async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.hook(), Self.hook("other")])
            let hook = try #require(daemon.services["hook"])
            hook.answers = [.status(status)]
            try daemon.fire()
            try await until { daemon.rows["hook"]?[1] == .refused }
            #expect(daemon.reports.map(\.kind) == [.receiverFailed])
            // The report goes to the other receiver only.
            #expect(daemon.rows["hook"]?[2] == nil)
            try await until { daemon.rows["other"]?[2] == .delivered }
            try daemon.fire()
            daemon.pass(.seconds(2))
            try await until { daemon.rows["hook"]?[3] == .delivered }
            #expect(daemon.reports.map(\.kind) == [.receiverFailed, .receiverRecovered])
        }
    }

    @Test(arguments: [401, 403]) func aRefusedCredentialStopsUntilItChanges(status: Int) async throws {
        try await onLoop {
            let folder = NSTemporaryDirectory() + UUID().uuidString
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let write = { (secret: String) in
                let path = folder + "/secret"
                try secret.write(toFile: path, atomically: true, encoding: .utf8)
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            }
            try write("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
            let daemon = FakeDaemon([Self.hook { $0.credential = "secret" }], credentials: folder)
            let hook = try #require(daemon.services["hook"])
            hook.answers = [.status(status)]
            try daemon.fire()
            try await until { daemon.service.views[0].progress.stopReason != nil }
            #expect(daemon.reports.count == 1 && daemon.rows["hook"]?[1] == .queued)
            try daemon.fire()
            daemon.pass(.seconds(3_600))
            #expect(hook.ids.count == 1)
            try write("whsec_MDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAw")
            try daemon.fire()
            try await until { daemon.rows["hook"]?[4] == .delivered }
            #expect(hook.ids.dropFirst().first == "\(instance)-1")
            #expect(daemon.reports.last?.kind == .receiverRecovered)
        }
    }

    @Test func aReloadTriesAgain() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.hook()])
            daemon.services["hook"]?.answers = [.status(401)]
            try daemon.fire()
            try await until { daemon.service.views[0].progress.stopReason != nil }
            daemon.service.replace(daemon.service.routing)
            try await until { daemon.rows["hook"]?[1] == .delivered }
        }
    }

    @Test func aMissingCredentialIsAFailure() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.hook { $0.credential = "nowhere" }])
            try daemon.fire()
            try await until { daemon.service.views[0].progress.stopReason != nil }
            let reason = try #require(daemon.service.views[0].progress.stopReason)
            #expect(reason.contains("nowhere") && daemon.services["hook"]?.requests.isEmpty == true)
        }
    }

    /// It is known before there is anything to send, and again after each change of the settings.
    @Test func aMissingCredentialIsKnownAtOnce() async throws {
        try await onLoop {
            let faulty = Self.hook { $0.credential = "nowhere" }
            let daemon = FakeDaemon([faulty, Self.hook("other") { $0.proxyCredential = "way" }, Self.hook("good")])
            let faults = daemon.service.views.map(\.blocker)
            #expect(faults[0]?.contains("'nowhere' cannot be used: the service manager passed no such") == true)
            #expect(faults[1]?.contains("'way'") == true && faults[2] == nil)
            daemon.service.replace(
                ReceiverRouting(
                    receivers: [Self.hook(), faulty].map { receiver in
                        var receiver = receiver
                        if receiver.credential != nil { receiver.name = "new" }
                        return receiver
                    }))
            #expect(daemon.service.views.map { $0.blocker == nil } == [true, false])
            #expect(daemon.service.views[1].progress.stopReason == nil, "nothing was sent")
        }
    }

    @Test func longFailuresAreReportedOnce() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.hook(), Self.hook("other")])
            daemon.services["hook"]?.answers = Array(repeating: .failure(.connectionRefused), count: 9)
            try daemon.fire()
            for count in 1...9 {
                try await until { daemon.service.views[0].progress.failures == count }
                daemon.pass(.seconds(400))
            }
            try await until { daemon.service.views[0].progress.failingSince == nil }
            #expect(daemon.reports.map(\.kind) == [.receiverFailed, .receiverRecovered])
            #expect(daemon.reports[0].text.contains("receiver hook has failed for 6m40s: the connection was refused"))
        }
    }

    @Test func aGroupWaitsForMore() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.hook { $0.group = .seconds(10) }])
            let hook = try #require(daemon.services["hook"])
            try daemon.fire()
            daemon.pass(.seconds(6))
            try daemon.fire()
            #expect(hook.ids.isEmpty)
            daemon.pass(.seconds(4))
            try await until { daemon.rows["hook"]?[2] == .delivered }
            #expect(hook.ids == ["\(instance)-2"])
        }
    }

    /// What did not fit into a notification has waited as well.
    @Test func aGroupWaitsOnce() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.hook { $0.group = .seconds(10) }])
            let hook = try #require(daemon.services["hook"])
            try daemon.fire(60)
            #expect(hook.ids.isEmpty)
            daemon.pass(.seconds(10))
            try await until { daemon.rows["hook"]?[60] == .delivered }
            #expect(hook.ids == [25, 50, 60].map { "\(instance)-\($0)" })
            try daemon.fire()
            #expect(hook.ids.count == 3)
            daemon.pass(.seconds(10))
            try await until { daemon.rows["hook"]?[61] == .delivered }
        }
    }

    @Test func thereIsACapPerMinute() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.hook { $0.perMinute = 2 }])
            let hook = try #require(daemon.services["hook"])
            for number in 1...2 {
                try daemon.fire()
                try await until { daemon.rows["hook"]?[Int64(number)] == .delivered }
            }
            try daemon.fire()
            try daemon.fire()
            daemon.pass(.seconds(59))
            #expect(hook.ids.count == 2)
            daemon.pass(.seconds(1))
            try await until { daemon.rows["hook"]?[4] == .delivered }
            #expect(hook.ids.count == 3)
        }
    }

    @Test func quietHoursLetCriticalEventsPass() async throws {
        try await onLoop {
            // Quiet for an hour, by a clock that shows midnight at the start.
            let daemon = FakeDaemon([Self.hook { $0.quiet = QuietHours("00:00-01:00") }]) { time in
                Int((time.milliseconds - sampleTime.milliseconds) / 60_000)
            }
            let hook = try #require(daemon.services["hook"])
            try daemon.fire(2)
            try daemon.fire(severity: .critical)
            try await until { daemon.rows["hook"]?[3] != .queued }
            #expect(hook.ids == ["\(instance)-3"] && daemon.service.views[0].queued.map(\.number) == [1, 2])
            daemon.pass(.seconds(3_600))
            try await until { daemon.service.views[0].queued.isEmpty }
            #expect(hook.ids == ["\(instance)-3", "\(instance)-2"])
        }
    }

    /// Half of the receivers hang; the others get everything at once.
    @Test func aHangingReceiverHoldsUpNobody() async throws {
        try await onLoop {
            let receivers = (0..<20).map { number in Self.hook("hook\(number)") }
            let daemon = FakeDaemon(receivers)
            for number in 0..<10 { daemon.services["hook\(number)"]?.answers = [.hang] }
            for _ in 0..<10 { try daemon.fire(100) }
            try await until { (10..<20).allSatisfy { daemon.service.views[$0].queued.isEmpty } }
            #expect((0..<10).allSatisfy { daemon.service.views[$0].queued.count == 1_000 })
            await daemon.service.finish()
        }
    }

    /// Else the next process would send it again.
    @Test func anAnswerDuringTheShutdownCounts() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.hook()])
            let answer = OneShot<HTTPResponse, HTTPError>()
            daemon.services["hook"]?.answers = [.held(answer)]
            try daemon.fire()
            try await until { daemon.services["hook"]?.ids.count == 1 }
            let end = Loop.shared.start { await daemon.service.finish() }
            try await until { daemon.service.isStopping }
            try daemon.fire()
            answer.finish(.success(response(200)))
            await end.value
            daemon.commit([])
            #expect(daemon.rows["hook"] == [1: .delivered, 2: .queued])
            #expect(daemon.services["hook"]?.ids.count == 1)
        }
    }

    @Test func clientsThatWaitForAnAnswerLearnOfTheShutdown() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.hook()])
            daemon.services["hook"]?.answers = [.hang]
            try daemon.fire()
            let outcome = Loop.shared.start {
                await daemon.service.outcome(of: 1, at: "hook", within: .seconds(600))
            }
            try await until { daemon.services["hook"]?.ids.count == 1 }
            await daemon.service.finish()
            #expect(await outcome.value == .waiting("the daemon is stopping"))
            // Who asks for one receiver after another may come to the next one now.
            let next = await daemon.service.outcome(of: 1, at: "hook", within: .seconds(600))
            #expect(next == .waiting("the daemon is stopping"))
        }
    }

    /// It has an id of its own, which later processes have to know.
    @Test func theBatchAfterAnExpiredOneIsStored() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.hook()])
            daemon.services["hook"]?.answers = [.status(500), .status(500)]
            try daemon.fire()
            try await until { daemon.service.views[0].progress.failures == 1 }
            #expect(daemon.batches["hook"] == NotificationBatch(last: 1, isUrgentOnly: false))
            daemon.pass(Receiver.standardAge.times(2))
            try await until { daemon.rows["hook"] == [1: .expired] && daemon.batches["hook"] == nil }
            try daemon.fire()
            try await until { daemon.service.views[0].progress.failures == 2 }
            #expect(daemon.batches["hook"] == NotificationBatch(last: 2, isUrgentOnly: false))
        }
    }

    @Test func restoredQueuesContinueWithTheirBatch() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.hook()])
            let entries = (1...3).map { QueuedNotification(number: $0, isUrgent: false, time: sampleTime) }
            let gone = [QueuedNotification(number: 1, isUrgent: false, time: sampleTime)]
            daemon.service.restore(
                StoredQueues(
                    queued: ["hook": entries, "gone": gone],
                    batches: ["hook": NotificationBatch(last: 2, isUrgentOnly: false)]))
            let events = try (1...3).map { try alertEvent($0) }
            daemon.remember(events)
            daemon.service.wake()
            try await until { daemon.service.views[0].queued.isEmpty }
            #expect(daemon.services["hook"]?.ids == ["\(instance)-2", "\(instance)-3"])
        }
    }

    @Test func aDrillReportsTheRealAnswer() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.hook(), Self.hook("other"), Self.hook("quiet") { $0.group = .seconds(60) }])
            daemon.services["other"]?.answers = [.status(500)]
            daemon.commit([bareEvent(.test)])
            let answers = await [
                daemon.service.outcome(of: 1, at: "hook", within: .seconds(20)),
                daemon.service.outcome(of: 1, at: "other", within: .seconds(20)),
                daemon.service.outcome(of: 1, at: "quiet", within: .seconds(20)),
            ]
            #expect(answers[0] == .delivered && answers[2] == .delivered)
            #expect(answers[1] == .failed("the service is not available (status 500)"))
            #expect(await daemon.service.outcome(of: 1, at: "nobody", within: .seconds(1)) == nil)
        }
    }

    @Test func usersDropAndRetry() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.hook()])
            daemon.services["hook"]?.answers = [.status(500), .status(500)]
            try daemon.fire(2)
            try await until { daemon.service.views[0].progress.failures == 1 }
            daemon.service.retry("hook")
            try await until { daemon.service.views[0].progress.failures == 2 }
            #expect(daemon.service.drop("hook", by: UserIdentity(id: 0)) == 2)
            daemon.commit([])
            #expect(daemon.rows["hook"] == [1: .dropped, 2: .dropped])
            daemon.pass(.seconds(600))
            #expect(daemon.services["hook"]?.ids.count == 2)
        }
    }

    @Test func aRemovedReceiverLosesItsQueue() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.hook()])
            daemon.services["hook"]?.answers = [.hang]
            try daemon.fire()
            daemon.service.replace(ReceiverRouting())
            daemon.commit([])
            #expect(daemon.rows["hook"] == [1: .dropped] && daemon.service.views.isEmpty)
        }
    }

    /// Either of two servers is enough. The other one is named, and reported once it has been down for a while.
    @Test func oneOfAPairIsEnough() async throws {
        try await onLoop {
            let am = receiver(.alertmanager) {
                $0.name = "pair"
                $0.urls = ["http://127.0.0.1:1", "http://127.0.0.1:2"]
            }
            let daemon = FakeDaemon([am])
            let pair = try #require(daemon.services["pair"])
            pair.answers = [.failure(.connectionRefused), .status(200), .failure(.connectionRefused), .status(200)]
            try daemon.fire()
            try await until { daemon.rows["pair"]?[1] == .delivered }
            #expect(pair.requests.count == 2)
            let text = "127.0.0.1:1 did not accept it: the connection was refused"
            let progress = daemon.service.views[0].progress
            #expect(progress.shortfall == text && progress.lastFailure?.reason == text && progress.failingSince == nil)
            #expect(progress.delivered == 1 && daemon.reports.isEmpty)
            // Restarts take seconds, not hours.
            daemon.pass(.seconds(3_600))
            daemon.commit([try alertEvent(2, time: daemon.clock.now().wall)])
            try await until { daemon.rows["pair"]?[2] == .delivered }
            #expect(daemon.reports.map(\.text) == ["receiver pair does not reach all servers: \(text)"])
            daemon.pass(.seconds(3_600))
            daemon.commit([try alertEvent(4, time: daemon.clock.now().wall)])
            try await until { daemon.rows["pair"]?[4] == .delivered }
            #expect(daemon.reports.map(\.kind) == [.receiverFailed, .receiverRecovered])
            #expect(daemon.service.views[0].progress.shortfall == nil)
        }
    }

    /// A removed rule no longer names receivers: those that were notified of the firing are notified of its end.
    @Test func theEndOfARemovedRuleGoesToTheReceiversOfItsFiring() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.hook("a"), Self.hook("b")])
            let plain = daemon.service.routing
            var routing = plain
            routing.receiversOfRules = ["rule": ["a"]]
            daemon.service.replace(routing)
            daemon.commit([try alertEvent(1)])
            daemon.service.replace(plain)
            var end = try alertEvent(2, .resolved).occurrence
            end.reason = .ruleRemoved
            daemon.commit([Event(number: 2, occurrence: end)])
            // The next firing of that name has nothing to do with it.
            daemon.commit([try alertEvent(3)])
            try await until { daemon.rows["a"]?[3] == .delivered && daemon.rows["b"]?[3] == .delivered }
            #expect(daemon.rows["a"]?[2] == .delivered && daemon.rows["b"]?[2] == nil)
        }
    }

    /// What a start finds out about the settings goes to those that an earlier process notified; where that is not
    /// known, by the settings.
    @Test func theEndThatAStartFindsGoesToTheReceiversOfItsFiring() async throws {
        try await onLoop {
            let pair = Receiver(name: "pair", kind: .alertmanager, urls: ["http://127.0.0.1/pair"])
            let daemon = FakeDaemon([Self.hook("a"), Self.hook("b"), pair])
            daemon.receiversOfFirings = [1: ["a", "gone"], 4: ["a"]]
            let reasons: [Reason?] = [.ruleRemoved, .ruleChanged, .ruleRemoved, nil]
            daemon.commit(
                try reasons.enumerated().map { index, reason in
                    var end = try alertEvent(Int64(index + 1), .resolved).occurrence
                    end.reason = reason
                    return Event(number: Int64(index + 1), occurrence: end)
                })
            try await until { daemon.rows.values.allSatisfy { $0[4] == .delivered } }
            #expect(daemon.rows["a"]?.keys.sorted() == [1, 2, 3, 4])
            #expect(daemon.rows["b"]?.keys.sorted() == [2, 3, 4])
            // Reminders of the firing went by the settings.
            #expect(daemon.rows["pair"]?.keys.sorted() == [1, 2, 3, 4])
        }
    }
}
