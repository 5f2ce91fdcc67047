import Control
import Foundation
import TestSupport
import Testing
import Time

@testable import AlertClient
@testable import HTTPServer

/// The converter of the page, without a network.
struct WebConverterTests {
    typealias Field = HTTPServerRequest.Field

    private func request(_ fixture: WebFixture, _ amount: String, _ from: String, _ to: [String]) -> HTTPServerRequest {
        var request = fixture.request("/api/convert")
        request.query = [Field("amount", amount), Field("from", from)] + to.map { Field("to", $0) }
        return request
    }

    private func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
    }

    private func calls(_ fixture: WebFixture) -> [ConvertParameters] {
        fixture.run.daemon.parameters.compactMap { $0 as? ConvertParameters }
    }

    // MARK: Converting

    /// The amount is read as the command reads it, and the daemon gets the exact number.
    @Test(arguments: [
        ("1 000,50", "SEK", "1000.50", "SEK"), ("1,000.50", "USD", "1000.50", "USD"), ("1,000", "USD", "1000", "USD"),
        ("-5", "EUR", "-5", "EUR"), ("12 000 kr", "SEK", "12000", "SEK"), ("₹75,00,000", "SEK", "7500000", "INR"),
        ("0.5", "1INCH", "0.5", "1INCH"), ("1000,50", "sek", "1000.50", "SEK"),
    ])
    func anAmountIsReadAsItIsWritten(text: String, code: String, amount: String, from: String) throws {
        let fixture = try WebFixture()
        let response = fixture.answer(request(fixture, text, code, ["USD", "CHF"]))
        #expect(response.status == 200)
        #expect(calls(fixture) == ["USD", "CHF"].map { ConvertParameters(amount: amount, from: from, to: $0) })
        #expect(try object(String(decoding: response.body, as: UTF8.self))["from"] as? String == from)
    }

    @Test(arguments: [
        ("1,500", "SEK", "may be two different amounts"), ("12abc", "SEK", "is not an amount"),
        ("12345678901234567890", "SEK", "has too many digits"), ("5 kr", "USD", "which currency"),
    ])
    func anAmountThatIsNotClearIsRefusedWithAdvice(text: String, from: String, message: String) throws {
        let fixture = try WebFixture()
        let response = fixture.answer(request(fixture, text, from, ["INR"]))
        #expect(response.status == 400)
        #expect(String(decoding: response.body, as: UTF8.self).contains(message))
        #expect(calls(fixture).isEmpty)
    }

    @Test func aResultHasItsEvidence() throws {
        let fixture = try WebFixture { run in
            run.environment.variables = ["LANG": "C"]
            var reply = Sample.conversion
            reply.official = true
            reply.steps = [
                RateStep(
                    base: "EUR", quote: "SEK", rate: "10.8920", basis: .reference, date: "2026-11-20",
                    source: "European Central Bank"),
                RateStep(
                    base: "EUR", quote: "INR", rate: "109.05", basis: .reference, date: "2026-11-20",
                    source: "European Central Bank"),
            ]
            run.daemon.replies[.convert] = reply
        }
        let answer = try object(fixture.text(request(fixture, "1000", "SEK", ["INR"])))
        let result = try #require((answer["results"] as? [[String: Any]])?.first)
        // A browser shows signs that the terminal of the command cannot.
        #expect(result["text"] as? String == "1\u{A0}000,00\u{A0}kr ≈ ₹10,011.66")
        #expect(result["path"] as? [String] == ["SEK", "EUR", "INR"])
        #expect(result["official"] as? Bool == true && result["stale"] as? Bool == false)
        #expect(result["date"] as? String == "2026-11-20")
        #expect(
            result["steps"] as? [String] == [
                "1 EUR = 10,8920\u{A0}kr (European Central Bank, 2026-11-20)",
                "1 EUR = ₹109.05 (European Central Bank, 2026-11-20)",
            ])
    }

    @Test(arguments: [
        (ControlInterface.RateBasis.market, false, false), (.peg, true, false), (.reference, false, true),
        (.fixed, false, false),
    ])
    func whatIsNotOfficialOrOldIsMarked(basis: ControlInterface.RateBasis, isPegged: Bool, isStale: Bool) throws {
        let fixture = try WebFixture { run in
            var reply = Sample.conversion
            (reply.pegged, reply.stale, reply.simulated) = (isPegged, isStale, true)
            reply.official = basis == .fixed
            reply.steps = [RateStep(base: "SEK", quote: "INR", rate: "10", basis: basis, source: "x")]
            run.daemon.replies[.convert] = reply
        }
        let answer = try object(fixture.text(request(fixture, "1000", "SEK", ["INR"])))
        let result = try #require((answer["results"] as? [[String: Any]])?.first)
        #expect(result["official"] as? Bool == (basis == .fixed))
        #expect(result["pegged"] as? Bool == isPegged && result["stale"] as? Bool == isStale)
        #expect(result["simulated"] as? Bool == true)
    }

    /// Other currencies still have results, and the reason is at the one that has none.
    @Test func aCurrencyWithoutRateDoesNotHideTheOthers() throws {
        let fixture = try WebFixture { run in
            run.daemon.failures[.convert] = { parameters in
                (parameters as? ConvertParameters)?.to == "XYZ"
                    ? .unconvertible(Unconvertible(message: "no exchange rate for XYZ")) : nil
            }
        }
        let answer = try object(fixture.text(request(fixture, "1", "SEK", ["XYZ", "INR"])))
        let results = try #require(answer["results"] as? [[String: Any]])
        #expect(results[0]["fault"] as? String == "no exchange rate for XYZ" && results[0]["text"] == nil)
        #expect(results[1]["text"] != nil && results[1]["fault"] == nil)
        let alone = fixture.answer(request(fixture, "1", "SEK", ["XYZ"]))
        #expect(alone.status == 409)
        #expect(String(decoding: alone.body, as: UTF8.self).contains("no exchange rate for XYZ"))
    }

    @Test func textsOfTheDaemonStayTexts() throws {
        let hostile = "</script><img src=x onerror=alert(1)>\"\\\u{2028}"
        let fixture = try WebFixture { run in
            var reply = Sample.conversion
            reply.steps = [RateStep(base: "SEK", quote: "INR", rate: "10", basis: .reference, source: hostile)]
            run.daemon.replies[.convert] = reply
        }
        let answer = try object(fixture.text(request(fixture, "1", "SEK", ["INR"])))
        let result = try #require((answer["results"] as? [[String: Any]])?.first)
        #expect((result["steps"] as? [String])?.first?.contains(hostile) == true)
    }

    @Test func withoutADaemonItSaysSo() throws {
        let fixture = try WebFixture { $0.daemon.connectionErrors = [.notRunning(socket: "/run/x")] }
        #expect(fixture.answer(request(fixture, "1", "SEK", ["INR"])).status == 503)
        #expect(fixture.answer(request(fixture, "1", "SEK", ["INR"])).status == 200)
    }

    @Test(arguments: ["", "S€K", "SEK,INR", "5", String(repeating: "A", count: 33)])
    func whatIsNoCurrencyIsNamed(code: String) throws {
        let fixture = try WebFixture()
        for response in [
            fixture.answer(request(fixture, "1", "INR", ["USD", code])),
            fixture.answer(request(fixture, "1", code, ["INR"])),
        ] {
            #expect(response.status == 400)
            let text = String(decoding: response.body, as: UTF8.self)
            #expect(text.contains("to: ") || text.contains("from"), "\(text)")
        }
        #expect(calls(fixture).isEmpty)
    }

    @Test(arguments: [0, 9])
    func tooFewOrTooManyCurrenciesAreRefused(count: Int) throws {
        let fixture = try WebFixture()
        let codes = ["SEK", "NOK", "DKK", "EUR", "USD", "GBP", "CHF", "JPY", "CNY"].prefix(count)
        #expect(fixture.answer(request(fixture, "1", "INR", Array(codes))).status == 400)
        #expect(calls(fixture).isEmpty)
    }

    // MARK: The lists

    @Test func theListsHaveMoneyAndCoins() throws {
        let fixture = try WebFixture()
        let answer = try object(fixture.text(fixture.request("/api/currencies")))
        let all = try #require(answer["currencies"] as? [[String: Any]])
        let codes = all.compactMap { $0["code"] as? String }
        #expect(Set(codes).isSuperset(of: ["EUR", "USD", "IDR", "BGN", "BTC", "ETH", "USDT", "INR"]))
        #expect(codes.count == Set(codes).count)
        let usd = try #require(all.first { $0["code"] as? String == "USD" })
        #expect(usd["symbol"] as? String == "$" && usd["coin"] as? Bool == false)
        #expect(usd["name"] as? String == "US dollar" && (usd["words"] as? [String])?.contains("Ecuador") == true)
        let bgn = try #require(all.first { $0["code"] as? String == "BGN" })
        #expect(bgn["name"] as? String == "Bulgarian lev" && bgn["symbol"] as? String == "лв.")
        let order = ["EUR", "USD", "BGN", "BTC"].compactMap { codes.firstIndex(of: $0) }
        #expect(order.count == 4 && order == order.sorted(), "currencies in use come first")
        let btc = try #require(all.first { $0["code"] as? String == "BTC" })
        #expect(btc["coin"] as? Bool == true)
        let kinds = all.compactMap { $0["coin"] as? Bool }
        #expect(kinds == kinds.sorted { !$0 && $1 }, "coins come last")
    }

    // MARK: Earlier conversions

    @Test func aConversionIsKeptListedAndForgotten() throws {
        let fixture = try WebFixture()
        let body = #"{"amount":"1 000,50","from":"SEK","to":"INR USD"}"#
        let kept = fixture.answer(fixture.change("/api/conversion/keep", body))
        #expect(kept.status == 200)
        #expect(calls(fixture).map(\.amount) == ["1000.50", "1000.50"])
        let conversions = { () throws -> [[String: Any]] in
            let list = try object(fixture.text(fixture.request("/api/conversions")))
            return try #require(list["conversions"] as? [[String: Any]])
        }
        #expect(try conversions().compactMap { $0["number"] as? Int } == [2, 1], "newest first")
        #expect(try conversions()[0]["text"] as? String == "1\u{A0}000,00\u{A0}kr ≈ ₹10,011.66")
        #expect(try conversions()[0]["date"] as? String == "2026-11-20")
        #expect(fixture.answer(fixture.change("/api/conversion/forget", #"{"number":1}"#)).status == 200)
        #expect(try conversions().count == 1)
        #expect(fixture.answer(fixture.change("/api/conversion/forget", #"{"number":1}"#)).status == 404)
        #expect(fixture.answer(fixture.change("/api/conversion/forget/all", "{}")).status == 200)
        #expect(try conversions().isEmpty)
    }

    /// What is looked at is not kept, whatever the amount was meanwhile.
    @Test func convertingKeepsNothing() throws {
        let fixture = try WebFixture()
        _ = fixture.answer(request(fixture, "1", "SEK", ["INR"]))
        #expect(fixture.text(fixture.request("/api/conversions")) == #"{"conversions":[]}"#)
    }

    @Test func ifOneCannotBeConvertedNoneIsKept() throws {
        let fixture = try WebFixture { run in
            run.daemon.failures[.convert] = { parameters in
                (parameters as? ConvertParameters)?.to == "XYZ"
                    ? .unconvertible(Unconvertible(message: "no exchange rate for XYZ")) : nil
            }
        }
        let body = #"{"amount":"1","from":"SEK","to":"INR XYZ"}"#
        #expect(fixture.answer(fixture.change("/api/conversion/keep", body)).status == 409)
        #expect(fixture.text(fixture.request("/api/conversions")) == #"{"conversions":[]}"#)
    }

    @Test func aKeptConversionIsComparedWithNow() throws {
        let fixture = try WebFixture()
        _ = fixture.answer(fixture.change("/api/conversion/keep", #"{"amount":"1000","from":"SEK","to":"INR"}"#))
        var now = Sample.conversion
        now.result = "11012.8259273"
        fixture.run.daemon.replies[.convert] = now
        var request = fixture.request("/api/conversion/again")
        request.query = [Field("number", "1")]
        let text = fixture.text(request)
        #expect(text.contains("₹10,011.66") && text.contains("₹11,012.83"), "\(text)")
        #expect(text.contains("+₹1,001.17 (+10") && text.contains("2026-11-20"), "\(text)")
        for (number, status) in [("2", 404), ("0", 400), ("x", 400), ("", 400), ("1e1", 400)] {
            request.query = [Field("number", number)]
            #expect(fixture.answer(request).status == UInt(status), "\(number)")
        }
    }

    @Test func aDamagedListIsSaidAndLeftAlone() throws {
        let fixture = try WebFixture()
        _ = fixture.answer(fixture.change("/api/conversion/keep", #"{"amount":"1","from":"SEK","to":"INR"}"#))
        let path = fixture.folder.path + "/conversions"
        try "nonsense\n".write(toFile: path, atomically: true, encoding: .utf8)
        let response = fixture.answer(fixture.request("/api/conversions"))
        #expect(response.status == 500)
        #expect(String(decoding: response.body, as: UTF8.self).contains("conversions:1"))
        let body = #"{"amount":"1","from":"SEK","to":"INR"}"#
        #expect(fixture.answer(fixture.change("/api/conversion/keep", body)).status == 500)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "nonsense\n")
    }

    @Test(arguments: ["/api/conversion/keep", "/api/conversion/forget", "/api/conversion/forget/all"])
    func changesNeedTheKeyAndTheirMethod(path: String) throws {
        let fixture = try WebFixture()
        let change = fixture.change(path, "{}")
        #expect(fixture.site.refusal(change.replacing("x-alertctl", nil))?.status == 403)
        #expect(fixture.site.refusal(change.replacing("origin", "http://evil.example"))?.status == 403)
        #expect(fixture.site.refusal(change.replacing("content-type", "text/plain"))?.status == 415)
        let methods = fixture.site.routes.filter { $0.path == path }.map(\.method)
        #expect(methods == [.post])
    }
}
