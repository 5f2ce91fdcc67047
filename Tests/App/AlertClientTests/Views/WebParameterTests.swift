import Control
import Foundation
import HTTPServer
import JSON
import TestSupport
import Testing

@testable import AlertClient
@testable import Arguments

/// Requests of the page with missing, repeated and malformed parameters.
struct WebParameterTests {
    typealias Field = HTTPServerRequest.Field

    /// Each parameter by itself: missing, empty, twice, of another type, or no such value. The answer names it.
    @Test(arguments: [
        ("/api/limit", #""rule":"btc band","symbol":"btcinr","bound":"max","value":"7600000""#),
        ("/api/limit/reset", #""rule":"btc band","symbol":"btcinr""#),
        ("/api/silence", #""symbol":"btcinr","hours":8"#),
        ("/api/silence/end", #""number":1"#), ("/api/ack", #""rule":"btc band","symbol":"btcinr""#),
        ("/api/arm", #""rule":"btc band","symbol":"btcinr""#), ("/api/favourite", #""symbol":"btcinr","on":true"#),
        ("/api/conversion/keep", #""amount":"1000","from":"SEK","to":"INR USD""#),
        ("/api/conversion/forget", #""number":1"#),
    ])
    func aBadMemberIsNamed(path: String, members: String) throws {
        let fixture = try WebFixture()
        #expect(fixture.answer(fixture.change(path, "{\(members)}")).status != 400)
        let asked = fixture.run.daemon.asked.count
        let all = members.split(separator: ",").map(String.init)
        for (index, member) in all.enumerated() {
            let name = String(member.split(separator: "\"")[0])
            var others = all
            others.remove(at: index)
            let twice = String(member.drop { $0 != ":" }.dropFirst()) + ",\"\(name)\":1"
            for bad in [nil, "null", "\"\"", "[]", "{}", "1.5", twice] {
                let body = "{" + (others + (bad.map { ["\"\(name)\":\($0)"] } ?? [])).joined(separator: ",") + "}"
                let response = fixture.answer(fixture.change(path, body))
                #expect(response.status == 400, "\(body)")
                #expect(String(decoding: response.body, as: UTF8.self).contains(name), "\(body)")
            }
        }
        #expect(fixture.run.daemon.asked.count == asked, "the daemon was asked nevertheless")
    }

    @Test(arguments: [
        "NaN", "1e400", "", "-5", "0", "-0", "inf", "1,5", " 1", "0x10", "1e-400", "9999999999999999999999",
    ])
    func aValueThatIsNoneIsRefused(value: String) throws {
        let fixture = try WebFixture()
        let start = #"{"rule":"btc band","symbol":"btcinr","bound":"max","value":"#
        let response = fixture.answer(fixture.change("/api/limit", start + "\"\(value)\"}"))
        #expect(response.status == 400)
        #expect(String(decoding: response.body, as: UTF8.self).contains("value"))
        var trial = fixture.request("/api/trial")
        trial.query = [
            Field("symbol", "btcinr"), Field("rule", "btc band"), Field("bound", "max"), Field("value", value),
        ]
        #expect(fixture.answer(trial).status == 400)
        #expect(fixture.text(trial).contains("value"))
    }

    @Test(arguments: [
        ("/api/silence", #"{"symbol":"btcinr","hours":0}"#), ("/api/silence", #"{"symbol":"btcinr","hours":721}"#),
        ("/api/silence/end", #"{"number":-1}"#),
        ("/api/limit", #"{"rule":"a","symbol":"b","bound":"rise","value":"1"}"#),
        ("/api/favourite", #"{"symbol":"btc inr","on":true}"#), ("/api/conversion/forget", #"{"number":0}"#),
        ("/api/conversion/keep", #"{"amount":"1","from":"S€K","to":"INR"}"#),
        ("/api/conversion/keep", #"{"amount":"1","from":"SEK","to":"A B C D E F G H I"}"#),
    ])
    func whatIsOutOfRangeIsRefused(path: String, body: String) throws {
        let fixture = try WebFixture()
        #expect(fixture.answer(fixture.change(path, body)).status == 400)
        #expect(fixture.run.daemon.asked.isEmpty)
    }

    @Test(arguments: [
        ("/api/chart", "range", ["9y", "", "24H"]), ("/api/chart", "width", ["x", "-1", "1e9", ""]),
        ("/api/chart", "height", ["0", "9223372036854775808"]), ("/api/chart", "currency", ["??"]),
        ("/api/convert", "amount", ["", "   ", "x"]), ("/api/convert", "from", ["", "S€K", "1"]),
        ("/api/market", "currency", ["??"]), ("/api/trial", "rule", [""]), ("/api/trial", "bound", [""]),
    ])
    func aBadArgumentIsNamed(path: String, name: String, values: [String]) throws {
        let fixture = try WebFixture()
        let usual = [
            Field("symbol", "btcinr"), Field("range", "24h"), Field("width", "900"), Field("height", "300"),
            Field("currency", "INR"), Field("rule", "btc band"), Field("bound", "max"), Field("value", "7600000"),
            Field("amount", "1000,50"), Field("from", "SEK"), Field("to", "INR"),
        ]
        var request = fixture.request(path)
        request.query = usual
        #expect(fixture.answer(request).status == 200)
        for value in values {
            request.query = usual.filter { $0.name != name } + [Field(name, value)]
            #expect(fixture.answer(request).status == 400, "\(name) \(value)")
        }
        request.query = usual + [usual.first { $0.name == name } ?? Field(name, "")]
        #expect(fixture.answer(request).status == 400)
        #expect(fixture.text(request).contains(name))
    }

    @Test func aRepeatedTokenOpensNothing() throws {
        let fixture = try WebFixture()
        let token = fixture.site.newToken()
        var request = fixture.request("/").replacing("cookie", nil)
        request.query = [Field("token", token), Field("token", token)]
        #expect(fixture.answer(request).status == 403)
        #expect(!fixture.text(request).contains("<html"))
        #expect(WebFixture.begin(fixture.site, token) != nil, "the token is still good")
    }

    @Test func aRefusalIsAConflictAndNotAFailure() throws {
        let fixture = try WebFixture { $0.daemon.errors[.setLimit] = .refused(Refused(message: "min is above max")) }
        let body = #"{"rule":"btc band","symbol":"btcinr","bound":"max","value":"1"}"#
        #expect(fixture.answer(fixture.change("/api/limit", body)).status == 409)
    }

    @Test func aFavouriteKeepsItsSource() throws {
        let fixture = try WebFixture()
        let folder = fixture.folder
        let set = { (name: String, isOn: Bool) -> String? in
            _ = fixture.answer(fixture.change("/api/favourite", "{\"symbol\":\"\(name)\",\"on\":\(isOn)}"))
            return try? String(contentsOfFile: folder.path + "/favourites", encoding: .utf8)
        }
        #expect(set("wazirx:btcinr", true) == "wazirx:btcinr\n")
        #expect(set("kraken:btcinr", true) == "wazirx:btcinr\nkraken:btcinr\n")
        #expect(set("wazirx:btcinr", true) == "kraken:btcinr\nwazirx:btcinr\n")
        #expect(set("wazirx:btcinr", false) == "kraken:btcinr\n")
        #expect(set("btcinr", true) == "kraken:btcinr\nbtcinr\n")
        #expect(set("kraken:btcinr", false) == "", "a name without a source is of every source")
    }

    @Test func onlyAListedSymbolBecomesAFavourite() throws {
        let unknown = ClientError.noSuchSymbol(NoSuchSymbol(symbol: "btcin", suggestion: "btcinr"))
        let fixture = try WebFixture { $0.daemon.errors[.getSymbol] = unknown }
        let set = { (isOn: Bool) in
            fixture.answer(fixture.change("/api/favourite", "{\"symbol\":\"btcin\",\"on\":\(isOn)}"))
        }
        let kept = { try Favourites(fixture.run.environment).symbols }
        let refused = set(true)
        #expect(refused.status == 404)
        #expect(String(decoding: refused.body, as: UTF8.self).contains("did you mean btcinr?"))
        #expect(try kept() == [])
        _ = try Favourites.update(fixture.run.environment) { _ in ["btcin"] }
        #expect(set(false).status == 200)
        #expect(try kept() == [], "a symbol that is no longer listed can be removed")
        fixture.run.daemon.errors[.getSymbol] = .closed
        #expect(set(true).status == 200)
        #expect(try kept() == ["btcin"], "without an answer, nobody knows")
    }

    @Test func theHeaderHasEachCauseOfIllHealth() throws {
        let run = Run()
        run.daemon.replies[.status] = Sample.status { status in
            status.receiversFailing = [
                FailingReceiver(name: "ops", stopped: true, message: "401", credential: "ops")
            ]
            status.configuration.lastReloadFailed = "2026-01-05T12:00:00Z"
        }
        let status = try WebDaemon(Context(ParsedArguments(), in: run.environment)).status()
        let text = String(decoding: JSONWriter.text(of: status), as: UTF8.self)
        #expect(text.contains("receiver ops has stopped: 401; renew the credential 'ops' and restart alertd"))
        #expect(text.contains("fix the file, then run 'alertctl reload'"))
    }
}
