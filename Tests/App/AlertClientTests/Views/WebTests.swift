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

    /// A site with one open session.
    private final class Fixture {
        let run = Run()
        let site: WebSite
        let cookie: String
        let key: String

        init(base: String? = nil, _ change: (Run) -> Void = { _ in }) throws {
            let folder = packageFolder.path + "/share/alertd/web"
            run.environment.webFolders = { [folder] }
            change(run)
            let base = try base.map { try WebBase($0) }
            site = try WebSite(Context(ParsedArguments(), in: run.environment), base: base)
            (cookie, key) = try #require(Fixture.begin(site, site.newToken()))
        }

        /// The cookie and the key of a new session.
        static func begin(_ site: WebSite, _ token: String) -> (cookie: String, key: String)? {
            var request = HTTPServerRequest(method: "GET", path: "/")
            request.headers = [Field("host", "127.0.0.1:8000")]
            request.query = [Field("token", token)]
            guard site.refusal(request) == nil else { return nil }
            let response = site.respond(to: request)
            guard let cookie = response.headers.first(where: { $0.name == "Set-Cookie" })?.value,
                let place = response.headers.first(where: { $0.name == "Location" })?.value,
                let key = place.firstMatch(of: /\/#key=(.*)/)?.output.1
            else { return nil }
            return (String(cookie.prefix { $0 != ";" }), String(key))
        }

        /// A request as the page makes it.
        func request(_ path: String) -> HTTPServerRequest {
            var request = HTTPServerRequest(method: "GET", path: path)
            request.headers = [
                Field("host", "127.0.0.1:8000"), Field("cookie", "other=1; \(cookie)"),
                Field("sec-fetch-site", "same-origin"), Field("x-alertctl", key),
            ]
            if path == WebGate.streamPath { request.query = [Field("key", key)] }
            return request
        }

        /// A change as the page asks for it.
        func change(_ path: String, _ body: String) -> HTTPServerRequest {
            var request = request(path)
            request.method = "POST"
            request.headers += [
                Field("origin", "http://127.0.0.1:8000"), Field("content-type", "application/json"),
            ]
            request.body = Array(body.utf8)
            return request
        }

        /// What the server would answer.
        func answer(_ request: HTTPServerRequest) -> HTTPServerResponse {
            site.refusal(request) ?? site.respond(to: request)
        }

        func text(_ request: HTTPServerRequest) -> String { String(decoding: answer(request).body, as: UTF8.self) }
    }

    private func replacing(_ request: HTTPServerRequest, _ name: String, _ value: String?) -> HTTPServerRequest {
        var request = request
        request.headers.removeAll { $0.name == name }
        if let value { request.headers.append(Field(name, value)) }
        return request
    }

    // MARK: Who may use it

    @Test func aTokenOpensOneSession() throws {
        let fixture = try Fixture()
        let token = fixture.site.newToken()
        #expect(token.utf8.count == 64)
        #expect(Fixture.begin(fixture.site, String(token.dropLast()) + "g") == nil)
        let second = try #require(Fixture.begin(fixture.site, token))
        #expect(Fixture.begin(fixture.site, token) == nil, "a token counts once")
        #expect(second.cookie != fixture.cookie)
        #expect(second.key != fixture.key)
        #expect(fixture.answer(fixture.request("/")).status == 200, "another session does not end the first")
    }

    @Test func aNewTokenReplacesTheOneBefore() throws {
        let fixture = try Fixture()
        let (old, new) = (fixture.site.newToken(), fixture.site.newToken())
        #expect(Fixture.begin(fixture.site, old) == nil)
        #expect(Fixture.begin(fixture.site, new) != nil)
    }

    @Test func theOldestSessionEndsWhenThereAreTooMany() throws {
        let fixture = try Fixture()
        for _ in 0..<WebSessions.limit { _ = Fixture.begin(fixture.site, fixture.site.newToken()) }
        #expect(fixture.answer(fixture.request("/")).status == 401)
    }

    @Test func theCookieIsForThisSiteAlone() throws {
        let fixture = try Fixture()
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
    @Test(arguments: ["/api/market", "/api/chart", "/api/trial", "/api/changes", "/api/none"])
    func theCookieAloneReadsNothing(path: String) throws {
        let fixture = try Fixture()
        let other = try #require(Fixture.begin(fixture.site, fixture.site.newToken()))
        for key in [nil, "", "1", fixture.cookie, fixture.key + "0", other.key] {
            var request = replacing(fixture.request(path), "x-alertctl", key)
            request.query = key.map { [Field("key", $0)] } ?? []
            #expect(fixture.site.refusal(request)?.status == 401, "\(key ?? "none")")
        }
        #expect(fixture.site.refusal(fixture.request(path)) == nil)
        #expect(fixture.site.refusal(replacing(fixture.request("/page.js"), "x-alertctl", nil)) == nil)
    }

    @Test(arguments: ["/", "/index.html", "/page.js", "/api/market", "/api/changes", "/none"])
    func nothingIsServedWithoutASession(path: String) throws {
        let fixture = try Fixture()
        let request = fixture.request(path)
        #expect(fixture.answer(replacing(request, "cookie", nil)).status == 401)
        #expect(fixture.answer(replacing(request, "cookie", WebSessions.cookieName + "=")).status == 401)
        #expect(fixture.answer(replacing(request, "cookie", fixture.cookie + "0")).status == 401)
        let value = fixture.cookie.drop { $0 != "=" }
        #expect(fixture.answer(replacing(request, "cookie", "other" + value)).status == 401)
    }

    /// A token opens the first page, and nothing else.
    @Test(arguments: [
        ("GET", "/index.html"), ("GET", "/api/market"), ("GET", "/api/changes"), ("POST", "/"),
        ("POST", "/api/silence"),
    ])
    func aTokenIsForTheFirstPage(method: String, path: String) throws {
        let fixture = try Fixture()
        var request = replacing(fixture.change(path, "{}"), "cookie", nil)
        request.method = method
        request.query = [Field("token", fixture.site.newToken())]
        #expect(fixture.site.refusal(request)?.status == 401)
    }

    /// A browser sends the cookie to servers of other users, so it must not tell the key.
    @Test func theCookieIsNotTheKey() throws {
        let fixture = try Fixture()
        #expect(fixture.key.utf8.count == 64 && !fixture.cookie.contains(fixture.key))
    }

    @Test(arguments: [
        "evil.example", "evil.example:8000", "127.0.0.1.evil.example", "localhost.evil.example:80", "127.0.0.2:8000",
        "[::2]:80", "localhost:", "localhost:99999", "localhost:80:80", "localhost:+80", "", "user@localhost",
    ])
    func otherHostsAreRefused(host: String) throws {
        let fixture = try Fixture()
        #expect(fixture.answer(replacing(fixture.request("/"), "host", host)).status == 403)
        // Neither is a token taken.
        var request = HTTPServerRequest(method: "GET", path: "/")
        request.query = [Field("token", fixture.site.newToken())]
        request.headers = [Field("host", host)]
        #expect(fixture.site.refusal(request)?.status == 403)
    }

    @Test(arguments: ["127.0.0.1", "127.0.0.1:1", "localhost:8000", "LOCALHOST", "[::1]:8000", "[::1]"])
    func thisMachineIsServed(host: String) throws {
        let fixture = try Fixture()
        #expect(fixture.answer(replacing(fixture.request("/"), "host", host)).status == 200)
    }

    @Test(arguments: [
        ("origin", "http://evil.example"), ("origin", "null"), ("origin", "https://127.0.0.1:8000"),
        ("origin", "http://127.0.0.1:8001"), ("sec-fetch-site", "cross-site"), ("sec-fetch-site", "same-site"),
        ("x-alertctl", nil),
    ])
    func changesFromElsewhereAreRefused(name: String, value: String?) throws {
        let fixture = try Fixture()
        let request = fixture.change("/api/silence", "{\"symbol\":\"btcinr\",\"hours\":1}")
        #expect(fixture.answer(request).status == 200)
        #expect(fixture.answer(replacing(request, name, value)).status == 403)
        #expect(fixture.run.daemon.asked.count { $0 == .addSilence } == 1)
    }

    @Test(arguments: ["host", "cookie", "origin", "sec-fetch-site"])
    func twoFieldsOfTheSameNameAreRefused(name: String) throws {
        let fixture = try Fixture()
        var request = fixture.change("/api/favourite", "{\"symbol\":\"btcinr\",\"on\":true}")
        let field = try #require(request.headers.first { $0.name == name })
        request.headers.append(field)
        #expect(fixture.answer(request).status == (name == "cookie" ? 401 : 403))
    }

    @Test func aFormOfAnotherSiteIsRefused() throws {
        let fixture = try Fixture()
        let request = fixture.change("/api/silence", "{}")
        #expect(fixture.answer(replacing(request, "content-type", "text/plain")).status == 415)
    }

    @Test func pathsLeadNowhereElse() throws {
        let fixture = try Fixture()
        for path in ["/../alertd.toml", "/..%2falertd.toml", "//etc/passwd", "/page.css/..", "/assets.toml", "/api"] {
            #expect(fixture.answer(fixture.request(path)).status == 404, "\(path)")
        }
    }

    // MARK: What it says

    @Test func everyResponseForbidsEverythingElse() throws {
        let fixture = try Fixture()
        let requests = [
            fixture.request("/"), fixture.request("/api/market"), fixture.request("/none"),
            replacing(fixture.request("/"), "host", "evil.example"),
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
        let fixture = try Fixture()
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
        let fixture = try Fixture()
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
        let fixture = try Fixture()
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
        let fixture = try Fixture { run in
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
        let fixture = try Fixture()
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

    /// Each parameter by itself: missing, empty, twice, of another type, or no such value. The answer names it.
    @Test(arguments: [
        ("/api/limit", #""rule":"btc band","symbol":"btcinr","bound":"max","value":"7600000""#),
        ("/api/limit/reset", #""rule":"btc band","symbol":"btcinr""#),
        ("/api/silence", #""symbol":"btcinr","hours":8"#),
        ("/api/silence/end", #""number":1"#), ("/api/ack", #""rule":"btc band","symbol":"btcinr""#),
        ("/api/arm", #""rule":"btc band","symbol":"btcinr""#), ("/api/favourite", #""symbol":"btcinr","on":true"#),
    ])
    func aBadMemberIsNamed(path: String, members: String) throws {
        let fixture = try Fixture()
        #expect(fixture.answer(fixture.change(path, "{\(members)}")).status == 200)
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
        let fixture = try Fixture()
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
        ("/api/favourite", #"{"symbol":"btc inr","on":true}"#),
    ])
    func whatIsOutOfRangeIsRefused(path: String, body: String) throws {
        let fixture = try Fixture()
        #expect(fixture.answer(fixture.change(path, body)).status == 400)
        #expect(fixture.run.daemon.asked.isEmpty)
    }

    @Test(arguments: [
        ("/api/chart", "range", ["9y", "", "24H"]), ("/api/chart", "width", ["x", "-1", "1e9", ""]),
        ("/api/chart", "height", ["0", "9223372036854775808"]), ("/api/chart", "currency", ["??", "USDUSDUSDUSD"]),
        ("/api/market", "currency", ["??", "A"]), ("/api/trial", "rule", [""]), ("/api/trial", "bound", [""]),
    ])
    func aBadArgumentIsNamed(path: String, name: String, values: [String]) throws {
        let fixture = try Fixture()
        let usual = [
            Field("symbol", "btcinr"), Field("range", "24h"), Field("width", "900"), Field("height", "300"),
            Field("currency", "INR"), Field("rule", "btc band"), Field("bound", "max"), Field("value", "7600000"),
        ]
        var request = fixture.request(path)
        request.query = usual
        #expect(fixture.answer(request).status == 200)
        for value in values {
            request.query = usual.filter { $0.name != name } + [Field(name, value)]
            let isEmptyCurrency = name == "currency" && value.isEmpty
            #expect(fixture.answer(request).status == (isEmptyCurrency ? 200 : 400), "\(name) \(value)")
        }
        request.query = usual + [usual.first { $0.name == name } ?? Field(name, "")]
        #expect(fixture.answer(request).status == 400)
        #expect(fixture.text(request).contains(name))
    }

    @Test func aRepeatedTokenOpensNothing() throws {
        let fixture = try Fixture()
        let token = fixture.site.newToken()
        var request = replacing(fixture.request("/"), "cookie", nil)
        request.query = [Field("token", token), Field("token", token)]
        #expect(fixture.answer(request).status == 403)
        #expect(!fixture.text(request).contains("<html"))
        #expect(Fixture.begin(fixture.site, token) != nil, "the token is still good")
    }

    @Test func aRefusalIsAConflictAndNotAFailure() throws {
        let fixture = try Fixture { $0.daemon.errors[.setLimit] = .refused(Refused(message: "min is above max")) }
        let body = #"{"rule":"btc band","symbol":"btcinr","bound":"max","value":"1"}"#
        #expect(fixture.answer(fixture.change("/api/limit", body)).status == 409)
    }

    // MARK: Behind a proxy

    @Test(arguments: ["/", "/prices/"])
    func aPageBehindAProxyIsServed(prefix: String) throws {
        let fixture = try Fixture(base: "https://Example.org:443/prices")
        for host in ["example.org", "127.0.0.1:8000"] {
            for path in ["", "page.js", "api/market"] {
                var request = replacing(fixture.request(prefix + path), "host", host)
                request.headers.append(Field("origin", "https://example.org"))
                #expect(fixture.answer(request).status == 200, "\(host) \(path)")
            }
            var change = fixture.change(prefix + "api/favourite", "{\"symbol\":\"btcinr\",\"on\":true}")
            change = replacing(replacing(change, "host", host), "origin", "https://example.org")
            #expect(fixture.answer(change).status == 200)
            for origin in ["http://example.org", "https://example.org:444", "https://evil.example", "null"] {
                #expect(fixture.answer(replacing(change, "origin", origin)).status == 403, "\(origin)")
            }
        }
        #expect(fixture.answer(replacing(fixture.request(prefix), "host", "evil.example")).status == 403)
        let paths = Set(fixture.site.routes.map(\.path))
        #expect(paths.isSuperset(of: [prefix, prefix + "api/changes", prefix + "api/limit"]))
    }

    @Test func cookieAndRedirectFollowTheProxy() throws {
        let fixture = try Fixture(base: "https://example.org/a/b/")
        var request = HTTPServerRequest(method: "GET", path: "/a/b/")
        request.headers = [Field("host", "example.org")]
        request.query = [Field("token", fixture.site.newToken())]
        let headers = fixture.answer(request).headers
        let cookie = try #require(headers.first { $0.name == "Set-Cookie" })
        #expect(cookie.value.hasSuffix("; Path=/a/b/; HttpOnly; SameSite=Strict; Secure"))
        #expect(headers.first { $0.name == "Location" }?.value.hasPrefix("/a/b/#key=") == true)
        let plain = try Fixture(base: "http://example.org:8080")
        var second = HTTPServerRequest(method: "GET", path: "/")
        second.headers = [Field("host", "example.org:8080")]
        second.query = [Field("token", plain.site.newToken())]
        let other = try #require(plain.answer(second).headers.first { $0.name == "Set-Cookie" })
        #expect(other.value.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
    }

    @Test func anotherHostIsRefusedWithoutAProxy() throws {
        let fixture = try Fixture()
        #expect(fixture.text(replacing(fixture.request("/"), "host", "example.org")).contains("--base-url"))
    }

    @Test(arguments: [
        "example.org/prices", "ftp://example.org/", "https://", "https:///prices/", "https://a b/",
        "https://user@host/",
        "https://example.org/?x", "https://example.org/#x", "https://example.org//a/", "https://example.org/a/../b/",
        "https://example.org:99999/", "https://example.org/%2e/", "https://[::1", "https://[x;y]/", "https://a/\u{1b}",
    ])
    func aBadAddressOfAProxyIsRefused(text: String) {
        #expect(throws: ClientError.self) { try WebBase(text) }
        let run = Run()
        #expect(run(["web", "--listen", "127.0.0.1:0", "--base-url", text]) == ExitCode.usage.rawValue)
        #expect(run.errors.contains("--base-url"))
    }

    @Test func theAddressOfAProxyIsPrinted() throws {
        let base = try WebBase("https://example.org/prices")
        let place = WebPlace(.internet(host: "127.0.0.1", port: 8_000), port: 8_000, base: base)
        #expect(place.text(token: "t") == "https://example.org/prices/?token=t")
        #expect(try WebBase("http://[::1]:80").origin == "http://[::1]")
        let run = Run()
        #expect(run(["web", "--base-url", "https://example.org/"]) == ExitCode.usage.rawValue)
        #expect(run.errors.contains("--base-url needs --listen"))
    }

    // MARK: Several sources

    @Test func aFavouriteKeepsItsSource() throws {
        let folder = TestFolder()
        let fixture = try Fixture { $0.environment.userFolder = folder.path }
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

    // MARK: Changes

    @Test func aLimitIsSetThroughTheDaemon() throws {
        let fixture = try Fixture()
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
        let fixture = try Fixture { $0.daemon.replies[.setLimit] = reply }
        let body = #"{"rule":"btc band","symbol":"btcinr","bound":"max","value":"7535000"}"#
        let response = fixture.answer(fixture.change("/api/limit", body))
        #expect(
            String(decoding: response.body, as: UTF8.self)
                == #"{"text":"limit of 'btc band' set to ₹75,35,000.00"}"#)
    }

    @Test func aRefusalOfTheDaemonIsShown() throws {
        let fixture = try Fixture { $0.daemon.errors[.setLimit] = .callDenied }
        let body = #"{"rule":"btc band","symbol":"btcinr","bound":"max","value":"7600000"}"#
        let response = fixture.answer(fixture.change("/api/limit", body))
        #expect(response.status == 403)
        #expect(String(decoding: response.body, as: UTF8.self).contains("not allowed: only root"))
    }

    @Test func aDaemonThatIsGoneIsReportedAndFoundAgain() throws {
        let fixture = try Fixture { $0.daemon.connectionErrors = [.notRunning(socket: "/run/x")] }
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
