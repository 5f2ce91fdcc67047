import Control
import Foundation
import HTTPServer
import JSON
import TestSupport
import Testing

@testable import AlertClient
@testable import Arguments

/// The page of `alertctl web`, without a network.
struct WebTests {
    typealias Field = HTTPServerRequest.Field

    // MARK: Who may use it

    @Test func aTokenOpensOneSession() throws {
        let fixture = try WebFixture()
        let token = fixture.site.newToken()
        #expect(token.utf8.count == 64)
        #expect(WebFixture.begin(fixture.site, String(token.dropLast()) + "g") == nil)
        let second = try #require(WebFixture.begin(fixture.site, token))
        #expect(WebFixture.begin(fixture.site, token) == nil, "a token counts once")
        #expect(second.cookie != fixture.cookie)
        #expect(second.key != fixture.key)
        #expect(fixture.answer(fixture.request("/")).status == 200, "another session does not end the first")
    }

    @Test func aNewTokenReplacesTheOneBefore() throws {
        let fixture = try WebFixture()
        let (old, new) = (fixture.site.newToken(), fixture.site.newToken())
        #expect(WebFixture.begin(fixture.site, old) == nil)
        #expect(WebFixture.begin(fixture.site, new) != nil)
    }

    @Test func theOldestSessionEndsWhenThereAreTooMany() throws {
        let fixture = try WebFixture()
        for _ in 0..<WebSessions.limit { _ = WebFixture.begin(fixture.site, fixture.site.newToken()) }
        #expect(fixture.answer(fixture.request("/")).status == 401)
    }

    @Test func theCookieIsForThisSiteAlone() throws {
        let fixture = try WebFixture()
        var request = HTTPServerRequest(method: "GET", path: "/")
        request.query = [Field("token", fixture.site.newToken())]
        let response = fixture.site.respond(to: request)
        let cookie = try #require(response.headers.first { $0.name == "Set-Cookie" })
        #expect(cookie.value.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
        #expect(response.status == 303)
        let place = try #require(response.headers.first { $0.name == "Location" })
        // A browser never sends what follows '#'.
        #expect(place.value.hasPrefix("/#key="))
    }

    /// A browser sends the cookie to every port of this machine, and so to servers of other users.
    @Test(arguments: [
        "/api/market", "/api/chart", "/api/trial", "/api/changes", "/api/none", "/api/convert", "/api/currencies",
        "/api/conversions", "/api/conversion/again",
    ])
    func theCookieAloneReadsNothing(path: String) throws {
        let fixture = try WebFixture()
        let other = try #require(WebFixture.begin(fixture.site, fixture.site.newToken()))
        for key in [nil, "", "1", fixture.cookie, fixture.key + "0", other.key] {
            var request = fixture.request(path).replacing("x-alertctl", key)
            request.query = key.map { [Field("key", $0)] } ?? []
            #expect(fixture.site.refusal(request)?.status == 401, "\(key ?? "none")")
        }
        #expect(fixture.site.refusal(fixture.request(path)) == nil)
        #expect(fixture.site.refusal(fixture.request("/page.js").replacing("x-alertctl", nil)) == nil)
    }

    @Test(arguments: ["/", "/index.html", "/page.js", "/api/market", "/api/changes", "/none"])
    func nothingIsServedWithoutASession(path: String) throws {
        let fixture = try WebFixture()
        let request = fixture.request(path)
        #expect(fixture.answer(request.replacing("cookie", nil)).status == 401)
        #expect(fixture.answer(request.replacing("cookie", WebSessions.cookieName + "=")).status == 401)
        #expect(fixture.answer(request.replacing("cookie", fixture.cookie + "0")).status == 401)
        let value = fixture.cookie.drop { $0 != "=" }
        #expect(fixture.answer(request.replacing("cookie", "other" + value)).status == 401)
    }

    /// A token opens the first page, and nothing else.
    @Test(arguments: [
        ("GET", "/index.html"), ("GET", "/api/market"), ("GET", "/api/changes"), ("POST", "/"),
        ("POST", "/api/silence"),
    ])
    func aTokenIsForTheFirstPage(method: String, path: String) throws {
        let fixture = try WebFixture()
        var request = fixture.change(path, "{}").replacing("cookie", nil)
        request.method = method
        request.query = [Field("token", fixture.site.newToken())]
        #expect(fixture.site.refusal(request)?.status == 401)
    }

    /// A browser sends the cookie to servers of other users, so it must not tell the key.
    @Test func theCookieIsNotTheKey() throws {
        let fixture = try WebFixture()
        #expect(fixture.key.utf8.count == 64 && !fixture.cookie.contains(fixture.key))
    }

    @Test(arguments: [
        "evil.example", "evil.example:8000", "127.0.0.1.evil.example", "localhost.evil.example:80", "127.0.0.2:8000",
        "[::2]:80", "localhost:", "localhost:99999", "localhost:80:80", "localhost:+80", "", "user@localhost",
    ])
    func otherHostsAreRefused(host: String) throws {
        let fixture = try WebFixture()
        #expect(fixture.answer(fixture.request("/").replacing("host", host)).status == 403)
        // Neither is a token taken.
        var request = HTTPServerRequest(method: "GET", path: "/")
        request.query = [Field("token", fixture.site.newToken())]
        request.headers = [Field("host", host)]
        #expect(fixture.site.refusal(request)?.status == 403)
    }

    @Test(arguments: ["127.0.0.1", "127.0.0.1:1", "localhost:8000", "LOCALHOST", "[::1]:8000", "[::1]"])
    func thisMachineIsServed(host: String) throws {
        let fixture = try WebFixture()
        #expect(fixture.answer(fixture.request("/").replacing("host", host)).status == 200)
    }

    @Test(arguments: [
        ("origin", "http://evil.example"), ("origin", "null"), ("origin", "https://127.0.0.1:8000"),
        ("origin", "http://127.0.0.1:8001"), ("sec-fetch-site", "cross-site"), ("sec-fetch-site", "same-site"),
        ("x-alertctl", nil),
    ])
    func changesFromElsewhereAreRefused(name: String, value: String?) throws {
        let fixture = try WebFixture()
        let request = fixture.change("/api/silence", "{\"symbol\":\"btcinr\",\"hours\":1}")
        #expect(fixture.answer(request).status == 200)
        #expect(fixture.answer(request.replacing(name, value)).status == 403)
        #expect(fixture.run.daemon.asked.count { $0 == .addSilence } == 1)
    }

    @Test(arguments: ["host", "cookie", "origin", "sec-fetch-site"])
    func twoFieldsOfTheSameNameAreRefused(name: String) throws {
        let fixture = try WebFixture()
        var request = fixture.change("/api/favourite", "{\"symbol\":\"btcinr\",\"on\":true}")
        let field = try #require(request.headers.first { $0.name == name })
        request.headers.append(field)
        #expect(fixture.answer(request).status == (name == "cookie" ? 401 : 403))
    }

    @Test func aFormOfAnotherSiteIsRefused() throws {
        let fixture = try WebFixture()
        let request = fixture.change("/api/silence", "{}")
        #expect(fixture.answer(request.replacing("content-type", "text/plain")).status == 415)
    }

    @Test func pathsLeadNowhereElse() throws {
        let fixture = try WebFixture()
        for path in ["/../alertd.toml", "/..%2falertd.toml", "//etc/passwd", "/page.css/..", "/assets.toml", "/api"] {
            #expect(fixture.answer(fixture.request(path)).status == 404, "\(path)")
        }
    }

    // MARK: What it says

    @Test func everyResponseForbidsEverythingElse() throws {
        let fixture = try WebFixture()
        let requests = [
            fixture.request("/"), fixture.request("/api/market"), fixture.request("/none"),
            fixture.request("/").replacing("host", "evil.example"),
        ]
        for request in requests {
            let headers = fixture.answer(request).headers
            let policy = try #require(headers.first { $0.name == "Content-Security-Policy" }?.value)
            #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self';"))
            #expect(!policy.contains("unsafe"))
            #expect(headers.contains(Field("Cache-Control", "no-store")))
            #expect(headers.contains(Field("X-Content-Type-Options", "nosniff")))
        }
    }

    /// Inline scripts and styles would be refused by the policy, and other addresses as well.
    @Test func theFilesOfThePageNeedNothingElse() throws {
        let fixture = try WebFixture()
        for name in WebFiles.names {
            let text = fixture.text(fixture.request("/\(name)"))
            let isPage = name.hasSuffix(".html")
            for banned in ["style=\"", "onclick", "javascript:", "innerHTML =", "insertAdjacentHTML", "eval("] {
                #expect(!text.contains(banned), "\(name): \(banned)")
            }
            #expect(!isPage || text.matches(of: /<script/).count == text.matches(of: /<script [^>]*src="/).count)
            let addresses = text.matches(of: /https?:[^"']*/).map { String($0.output) }
            #expect(Set(addresses).isSubset(of: ["http://www.w3.org/2000/svg"]), "\(name)")
        }
    }

    @Test func theMarketHasPricesAlertsEventsAndSilences() throws {
        let fixture = try WebFixture()
        let text = fixture.text(fixture.request("/api/market"))
        let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let symbols = try #require(json["symbols"] as? [[String: Any]])
        #expect(symbols.first?["name"] as? String == "btcinr")
        #expect(symbols.first?["firing"] as? Int == 1)
        #expect((json["alerts"] as? [Any])?.isEmpty == false)
        #expect((json["silences"] as? [[String: Any]])?.count == 1)
        let events = try #require(json["events"] as? [[String: Any]])
        #expect(Set(events.compactMap { $0["kind"] as? String }) == ["fired", "resolved"])
        #expect((json["currencies"] as? [String])?.contains("SEK") == true)
    }

    /// A limit is that of a rule and a bound; another with the same bound is another limit.
    @Test func aLimitIsTriedByItsRuleAndBound() throws {
        let fixture = try WebFixture()
        var request = fixture.request("/api/trial")
        let asked = { (rule: String, bound: String, value: String) in
            [
                Field("symbol", "btcinr"), Field("rule", rule), Field("bound", bound), Field("value", value),
            ]
        }
        request.query = asked("btc band", "max", "7600000")
        #expect(fixture.answer(request).status == 200)
        #expect(fixture.text(request).contains("76,00,000"), "\(fixture.text(request))")
        for (rule, bound, value) in [
            ("other", "max", "7600000"), ("btc band", "rise", "7600000"), ("btc band", "max", "0"),
            ("btc band", "max", "many"),
        ] {
            request.query = asked(rule, bound, value)
            #expect(fixture.answer(request).status == 400, "\(rule) \(bound) \(value)")
        }
    }

    @Test func textsOfTheDaemonCannotLeaveTheirPlace() throws {
        let hostile = "</script><img src=x onerror=alert(1)>\"\\\u{2028}"
        let fixture = try WebFixture { run in
            var alerts = Sample.alerts
            for index in alerts.indices { alerts[index].rule = hostile }
            run.daemon.replies[.listAlerts] = ListAlertsReply(simulated: false, alerts: alerts)
        }
        let market = fixture.text(fixture.request("/api/market"))
        let json = try #require(try JSONSerialization.jsonObject(with: Data(market.utf8)) as? [String: Any])
        #expect((json["alerts"] as? [[String: Any]])?.first?["rule"] as? String == hostile)
        var request = fixture.request("/api/chart")
        request.query = [Field("symbol", "btcinr")]
        let chart = fixture.text(request)
        let drawn = try #require(try JSONSerialization.jsonObject(with: Data(chart.utf8)) as? [String: Any])
        let svg = try #require(drawn["svg"] as? String)
        #expect(!svg.contains("<img"))
        #expect(svg.contains("&lt;img"))
    }

    @Test func nonsenseIsAnsweredWithAReason() throws {
        let fixture = try WebFixture()
        for body in ["", "[]", "{", "{\"symbol\":1,\"hours\":\"x\"}", String(repeating: "[", count: 4_000)] {
            let response = fixture.answer(fixture.change("/api/silence", body))
            #expect(response.status == 400, "\(body.prefix(20))")
        }
        for query in [[], [Field("symbol", "")], Array(repeating: Field("symbol", "btcinr"), count: 6)] {
            var request = fixture.request("/api/chart")
            request.query = query + [Field("range", "9y"), Field("width", "-1"), Field("height", "1e99")]
            #expect(fixture.answer(request).status == 400)
        }
    }

    // MARK: Changes

    @Test func aLimitIsSetThroughTheDaemon() throws {
        let fixture = try WebFixture()
        let body = #"{"rule":"btc band","symbol":"btcinr","bound":"max","value":"7600000"}"#
        _ = fixture.answer(fixture.change("/api/limit", body))
        let parameters = fixture.run.daemon.parameters.compactMap { $0 as? SetLimitParameters }
        #expect(parameters == [SetLimitParameters(symbol: "btcinr", rule: "btc band", max: "7600000")])
    }

    @Test func aLimitIsReportedAsItsCurrencyIsWritten() throws {
        let override = OverrideStatus(
            rule: "btc band", source: "wazirx", symbol: "btcinr", bound: .max, limit: "7535000", currency: "INR",
            by: "alice", user: 1_000, since: Sample.received, state: .inEffect)
        let reply = SetLimitReply(
            simulated: false, changes: [LimitChangeStatus(override: override, before: "7500000")], saved: true)
        let fixture = try WebFixture { $0.daemon.replies[.setLimit] = reply }
        let body = #"{"rule":"btc band","symbol":"btcinr","bound":"max","value":"7535000"}"#
        let response = fixture.answer(fixture.change("/api/limit", body))
        #expect(
            String(decoding: response.body, as: UTF8.self)
                == #"{"text":"limit of 'btc band' set to ₹75,35,000.00"}"#)
    }

    @Test func aRefusalOfTheDaemonIsShown() throws {
        let fixture = try WebFixture { $0.daemon.errors[.setLimit] = .callDenied }
        let body = #"{"rule":"btc band","symbol":"btcinr","bound":"max","value":"7600000"}"#
        let response = fixture.answer(fixture.change("/api/limit", body))
        #expect(response.status == 403)
        #expect(String(decoding: response.body, as: UTF8.self).contains("not allowed: only root"))
    }

    @Test func aDaemonThatIsGoneIsReportedAndFoundAgain() throws {
        let fixture = try WebFixture { $0.daemon.connectionErrors = [.notRunning(socket: "/run/x")] }
        #expect(fixture.answer(fixture.request("/api/market")).status == 503)
        #expect(fixture.answer(fixture.request("/api/market")).status == 200)
    }

    @Test(arguments: [
        (ListenAddress.internet(host: "127.0.0.1", port: 0), "http://127.0.0.1:8000/?token=t"),
        (.internet(host: "::1", port: 8_000), "http://[::1]:8000/?token=t"),
        (.unix(path: "/run/x"), "http://localhost/?token=t at the Unix socket /run/x"),
    ])
    func theAddressCanBeOpened(address: ListenAddress, text: String) {
        #expect(WebPlace(address, port: 8_000).text(token: "t") == text)
    }

    @Test(arguments: ["0.0.0.0:80", "192.168.1.1:80", "[::]:80", "x", "example.com:80"])
    func onlyThisMachineIsListenedOn(address: String) {
        let run = Run()
        #expect(run(["web", "--listen", address]) == ExitCode.usage.rawValue)
        #expect(run.errors.contains("--listen takes an address of this machine"))
    }

    @Test func aMissingFileOfThePageIsNamed() {
        let run = Run()
        run.environment.webFolders = { ["/nowhere/web"] }
        #expect(run("web") == ExitCode.failure.rawValue)
        #expect(run.errors.contains("index.html: not in /nowhere/web"))
    }
}
