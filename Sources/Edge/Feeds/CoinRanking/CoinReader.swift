internal import HTTP
internal import JSON
package import Market
package import Time

/// A reader of CoinRanking's data about coins, other than prices. The data is for people and decides nothing. Missing
/// and implausible values are left out, and numbers with too many digits are cut.
package enum CoinReader {
    /// The maximum size of a response in bytes. A page of 100 coins takes 200 kB.
    private static let limit = 8 << 20
    private static let longestName = 64
    private static let longestLink = 200
    /// The maximum number of points in a sparkline. CoinRanking sends 24 or 25.
    private static let sparklineLimit = 200

    /// Reads the coins of a page whose markets are known.
    ///
    /// - Parameters:
    ///   - paddedBody: The body with its padding, as in `HTTPResponse`.
    ///   - market: Returns the market of a coin by its uuid.
    /// - Returns: The coins in the order of the page, each once.
    package static func coins(in paddedBody: [UInt8], market: (String) -> Symbol?) -> [Coin] {
        guard var data = object("data", in: paddedBody), let list = data.member("coins"),
            let records = try? list.array(of: CoinRecord.self)
        else { return [] }
        var seen: Set<String> = []
        return records.compactMap { record in
            guard let uuid = record.uuid, let symbol = market(uuid), seen.insert(uuid).inserted else { return nil }
            return record.coin(uuid, symbol)
        }
    }

    /// Reads the past prices in a response of `/coin/:uuid/history`. Its times are in seconds, the newest first.
    ///
    /// - Returns: The past prices, or nil if the response has none.
    package static func history(
        in paddedBody: [UInt8], of identity: String, over period: PricePeriod, at now: WallTime
    ) -> CoinHistory? {
        guard var data = object("data", in: paddedBody) else { return nil }
        let change = number(data.member("change"))
        guard let list = data.member("history"), let records = try? list.array(of: PointRecord.self) else { return nil }
        var points = records.prefix(CoinHistory.pointLimit).compactMap(\.point).filter { $0.time <= now }
        points.sort { $0.time < $1.time }
        var last: WallTime?
        points.removeAll { point in
            defer { last = point.time }
            return point.time == last
        }
        guard !points.isEmpty else { return nil }
        return CoinHistory(
            identity: identity, period: period, fetched: now, changePercent: change, points: points)
    }

    private static func object(_ key: StaticString, in paddedBody: [UInt8]) -> JSONObject? {
        let body = Array(paddedBody.dropLast(HTTPResponse.paddingCount))
        guard let document = try? JSONDocument(body, limit: limit), var root = try? document.root.object() else {
            return nil
        }
        return try? root.member(key)?.object()
    }

    /// An element of `coins`. Nothing in it is required, so that a bad coin does not affect the others.
    private struct CoinRecord: JSONReadable {
        let uuid: String?
        let value: JSONValue

        init(json: JSONValue) throws(JSONError) {
            value = json
            var object = try? json.object()
            uuid = object?.text("uuid")
        }

        func coin(_ uuid: String, _ symbol: Symbol) -> Coin? {
            guard var object = try? value.object() else { return nil }
            var coin = Coin(identity: uuid, symbol: symbol)
            coin.name = (try? object.member("name")?.string()).flatMap {
                nonEmpty(String(untrusted($0).prefix(longestName)))
            }
            coin.marketCap = positive(object.member("marketCap"))
            coin.changePercent = number(object.member("change"))
            coin.rank = object.member("rank").flatMap { try? $0.integer() }.flatMap { $0 > 0 ? $0 : nil }
            coin.sparkline = Array(
                ((try? object.member("sparkline")?.array(of: SparklinePoint.self)) ?? []).prefix(sparklineLimit)
                    .map(\.price))
            coin.hasLowVolume = object.member("lowVolume").flatMap { try? $0.bool() }
            coin.turnover = positive(object.member("24hVolume"))
            coin.bitcoinPrice = positive(object.member("btcPrice"))
            coin.tier = object.member("tier").flatMap { try? $0.integer() }
            coin.listed = object.member("listedAt").flatMap { try? $0.integer() }.flatMap(time)
            coin.link = (try? object.member("coinrankingUrl")?.string()).flatMap(link)
            return coin
        }
    }

    /// A price, or nil for null.
    private struct SparklinePoint: JSONReadable {
        let price: Price?

        init(json: JSONValue) throws(JSONError) {
            price = positive(json)
        }
    }

    private struct PointRecord: JSONReadable {
        let point: CoinPoint?

        init(json: JSONValue) throws(JSONError) {
            guard var object = try? json.object(), let price = positive(object.member("price")),
                let time = object.member("timestamp").flatMap({ try? $0.integer() }).flatMap(time)
            else {
                point = nil
                return
            }
            point = CoinPoint(time: time, price: price)
        }
    }

    private static func number(_ value: JSONValue?) -> Price? {
        guard let value, let text = (try? value.string()) ?? (try? value.numberText()) else { return nil }
        return Price(cutting: text)
    }

    private static func positive(_ value: JSONValue?) -> Price? {
        number(value).flatMap { $0.mantissa >= 0 ? $0 : nil }
    }

    /// Converts seconds since 1970. Returns nil for times outside the years 2001 to 2099.
    private static func time(_ seconds: Int) -> WallTime? {
        (978_307_200...4_102_444_800).contains(seconds) ? WallTime(milliseconds: Int64(seconds) * 1_000) : nil
    }

    private static func link(_ text: String) -> String? {
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") }
        return text.hasPrefix("https://") && isPlain && text.utf8.count <= longestLink ? text : nil
    }

    private static func nonEmpty(_ text: String) -> String? { text.isEmpty ? nil : text }
}

extension Price {
    /// Parses a number for people. Digits at the end are cut until the number fits. Nil if the text is not a number.
    init?(cutting text: String) {
        guard text.utf8.count <= 100 else { return nil }
        let parts = text.split(whereSeparator: { $0 == "e" || $0 == "E" })
        let exponent = parts.count == 2 ? "e\(parts[1])" : ""
        var digits = parts.count == 2 ? String(parts[0]) : text
        while true {
            if let price = try? Price(digits + exponent) {
                self = price
                return
            }
            // Only digits after the point may be cut.
            guard digits.contains(".") else { return nil }
            digits.removeLast()
            if digits.last == "." { digits.removeLast() }
        }
    }
}
