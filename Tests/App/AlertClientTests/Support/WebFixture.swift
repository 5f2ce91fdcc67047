import Foundation
import HTTPServer
import TestSupport
import Testing

@testable import AlertClient
@testable import Arguments

/// A site with one open session.
final class WebFixture {
    typealias Field = HTTPServerRequest.Field

    /// Where the favourites are.
    let folder = FileManager.default.temporaryDirectory.appending(path: "web-\(UInt64.random(in: 0 ... .max))")
    let run = Run()
    let site: WebSite
    let cookie: String
    let key: String

    init(base: String? = nil, _ change: (Run) -> Void = { _ in }) throws {
        let files = packageFolder.path + "/share/alertd/web"
        run.environment.webFolders = { [files] }
        run.environment.userFolder = folder.path
        change(run)
        let base = try base.map { try WebBase($0) }
        site = try WebSite(Context(ParsedArguments(), in: run.environment), base: base)
        (cookie, key) = try #require(WebFixture.begin(site, site.newToken()))
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
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

extension HTTPServerRequest {
    /// The request with another value of a header field, or without it.
    func replacing(_ name: String, _ value: String?) -> HTTPServerRequest {
        var request = self
        request.headers.removeAll { $0.name == name }
        if let value { request.headers.append(Field(name, value)) }
        return request
    }
}
