import Events
import HTTP
import Market
import Receivers
import TestSupport
import Testing
import Time

@testable import Notifications

struct AlertmanagerFormatTests {
    @Test func everyServerGetsTheSame() throws {
        let urls = ["http://127.0.0.1:9093", "http://127.0.0.1:9094/"]
        let messages = try format(.alertmanager, urls: urls).messages(for: sample())
        let requests = messages.compactMap { if case .request(let request) = $0 { request } else { nil } }
        #expect(
            requests.map(\.address) == [
                "http://127.0.0.1:9093/api/v2/alerts", "http://127.0.0.1:9094/api/v2/alerts",
            ])
        #expect(requests[0].body == requests[1].body && requests[0].headers["Content-Type"] == "application/json")
    }

    /// Two daemons see other prices at other times, and report the same alert.
    @Test func labelsAreThoseOfTheAlert() throws {
        let texts = try ["101", "107"].map { price in
            String(
                decoding: try request(format(.alertmanager), sample([alertEvent(1, price: price)])).body, as: UTF8.self)
        }
        let labels =
            #"{"labels":{"alertname":"rule","source":"wazirx","rule":"rule","symbol":"btcinr","bound":"max","#
            + #""severity":"warning","currency":"INR"},"#
        #expect(texts.allSatisfy { $0.hasPrefix("[" + labels) })
        #expect(texts[0] != texts[1])
    }

    @Test func alertsOfSeveralSourcesDiffer() throws {
        let events = [try alertEvent(1).of("kraken"), try alertEvent(2).of("binance")]
        let text = String(decoding: try request(format(.alertmanager), sample(events)).body, as: UTF8.self)
        #expect(text.contains(#""source":"kraken","rule":"rule","symbol":"btcinr""#))
        #expect(text.contains(#""source":"binance","rule":"rule","symbol":"btcinr""#))
    }

    /// One that accepts notifications again does not resolve the failure of another.
    @Test func failedReceiversAreAlertsOfTheirOwn() throws {
        let events = [
            bareEvent(.receiverFailed, number: 1, receiver: "phone"),
            bareEvent(.receiverRecovered, number: 2, receiver: "mail"),
        ]
        let text = String(decoding: try request(format(.alertmanager), sample(events)).body, as: UTF8.self)
        let name = #"{"alertname":"AlertdReceiverFailed","source":"wazirx","severity":"warning","#
        #expect(text.contains(name + #""receiver":"phone"}"#))
        #expect(text.contains(name + #""receiver":"mail"}"#))
    }

    /// Two checks may compare a market with different ones.
    @Test func checksAreAlertsOfTheirOwn() throws {
        let events = try ["premium", "spread"].enumerated().map { index, check in
            var occurrence = bareEvent(.diverged).occurrence
            occurrence.details.divergence = Divergence(
                check: check, source: try #require(SourceName("kraken")), symbol: try #require(Symbol("btcusd")),
                price: try Price("13"), percent: try Price("14"), within: try Price("15"))
            return Event(number: Int64(index + 1), occurrence: occurrence)
        }
        let text = String(decoding: try request(format(.alertmanager), sample(events)).body, as: UTF8.self)
        #expect(text.contains(#""check":"premium"}"#) && text.contains(#""check":"spread"}"#))
    }

    /// A reload may change the severity of a rule while it fires.
    @Test func anEndIsThatOfAllSeveritiesThatWereReported() throws {
        var notification = try sample([try alertEvent(1, .resolved), try alertEvent(2)])
        notification.formerSeverities = [0: [.info, .critical]]
        let text = String(decoding: try request(format(.alertmanager), notification).body, as: UTF8.self)
        for (severity, count) in [("info", 1), ("warning", 2), ("critical", 1)] {
            #expect(text.ranges(of: #""bound":"max","severity":"\#(severity)""#).count == count)
        }
    }

    /// It would end a firing that began after the gap.
    @Test func whatWasReachedInAGapIsAnAlertOfItsOwn() throws {
        let events = [try alertEvent(1, .touched)]
        let text = String(decoding: try request(format(.alertmanager), sample(events)).body, as: UTF8.self)
        #expect(text.contains(#""currency":"INR","event":"touched"}"#))
        #expect(text.contains(#""startsAt":"2026-11-21T06:22:44.123Z","endsAt":"2026-11-21T06:27:44.123Z""#))
    }

    @Test func endsResolveAndMomentsAreShort() throws {
        var details = DecisionDetails()
        details.firingSince = WallTime(milliseconds: sampleTime.milliseconds - 60_000)
        let events = [
            try alertEvent(1, details: details), try alertEvent(2, .resolved, details: details),
            try alertEvent(3, bound: .crossUp), bareEvent(.feedStale, number: 4), bareEvent(.feedRecovered, number: 5),
        ]
        let text = String(decoding: try request(format(.alertmanager), sample(events)).body, as: UTF8.self)
        #expect(text.contains(#""startsAt":"2026-11-21T06:21:44.123Z","endsAt":"2026-11-22T06:22:44.123Z""#))
        #expect(text.contains(#""startsAt":"2026-11-21T06:21:44.123Z","endsAt":"2026-11-21T06:22:44.123Z""#))
        #expect(text.contains(#""startsAt":"2026-11-21T06:22:44.123Z","endsAt":"2026-11-21T06:27:44.123Z""#))
        let stale = #""labels":{"alertname":"AlertdFeedStale","source":"wazirx","severity":"warning"}"#
        #expect(text.ranges(of: stale).count == 2)
    }
}
