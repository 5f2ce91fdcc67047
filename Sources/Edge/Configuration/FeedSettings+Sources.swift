internal import Market
internal import PriceSources
internal import Time

extension FeedSettings {
    /// The range of `count`. 1,000 coins need ten requests a poll.
    private static let countRange: ClosedRange<Int64> = 1...1_000
    /// The monthly request quota of a free plan.
    private static let freeRequests: Int64 = 5_000
    private static let month = Milliseconds.seconds(31 * 86_400)
    private static let coinsPerRequest = 100

    private static let jsonKeys = ["items", "symbol", "last", "bid", "ask", "volume", "time", "quote"]
    private static let coinKeys = ["count", "credential"]

    /// True if `url` is a complete address rather than the base address of an API.
    var allowsQuery: Bool { source == .json }

    /// The number of requests that polling makes in 31 days, or nil for a source without a quota.
    package var monthlyRequests: Int64? {
        guard source == .coinranking else { return nil }
        let pages = (count + Self.coinsPerRequest - 1) / Self.coinsPerRequest
        return Int64(pages) * (Self.month.count / max(1, interval.count))
    }

    /// Reads the keys that only some sources have.
    mutating func readSourceKeys(from table: TableReader, typeKey: String, isKnown: Bool) {
        symbols = table.patterns("symbols") ?? []
        count = table.integer("count", in: Self.countRange).map { Int($0) } ?? count
        credential = table.credentialName() ?? credential
        layout = table.layout(isRequired: source == .json, typeKey)
        guard isKnown else { return }
        table.refuse(Self.jsonKeys, of: .json, unless: source, typeKey)
        table.refuse(Self.coinKeys, of: .coinranking, unless: source, typeKey)
        checkMonth(in: table)
    }

    private func checkMonth(in table: TableReader) {
        guard let requests = monthlyRequests, requests > Self.freeRequests,
            let node = table.node("interval") ?? table.node("count")
        else { return }
        table.context.warning(
            node.position, "\(count) coins every \(interval) need about \(requests) requests a month",
            advice: "a free plan has about \(Self.freeRequests); use a longer interval or fewer coins")
    }
}

extension TableReader {
    /// Reports keys that belong to a source other than the selected one.
    fileprivate func refuse(
        _ keys: [String], of owner: PriceSource, unless source: PriceSource, _ typeKey: String
    ) {
        guard source != owner else { return }
        for key in keys {
            guard let node = node(key) else { continue }
            context.error(
                node.position,
                "`\(key)` belongs to \(typeKey) = \"\(owner.rawValue)\", but the source is \(source.rawValue)",
                advice: "remove the line, or select that source")
        }
    }

    /// Reads the name of a credential, which is a file name in the credentials directory.
    fileprivate func credentialName() -> String? {
        guard let name = text("credential", example: "\"coinranking\"") else { return nil }
        let isGood = name.value.utf8.allSatisfy {
            isLowercaseOrDigit($0 | 0x20) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                || $0 == UInt8(ascii: ".")
        }
        guard isGood, name.value.utf8.count <= 64, !name.value.hasPrefix(".") else {
            context.error(
                name.position, "`credential` is not the name of a credential",
                advice: "use the name that was given to `alertctl credential set`, such as \"coinranking\"")
            return nil
        }
        return name.value
    }

    /// Reads the layout of a JSON response. Returns nil if a required key is missing or faulty.
    fileprivate func layout(isRequired: Bool, _ typeKey: String) -> JSONLayout? {
        let last = pointer("last")
        let (symbol, quote) = (name("symbol"), name("quote"))
        let others = ["bid", "ask", "volume", "time"].map { pointer($0) }
        let items = pointer("items")
        guard isRequired else { return nil }
        for key in ["url", "last"] where node(key) == nil {
            guard let source = node(typeKey) else { continue }
            context.error(
                source.position, "\(typeKey) = \"json\" needs `\(key)`",
                advice: key == "last" ? "add a JSON pointer, such as last = \"/price\"" : "add the address")
        }
        guard let last else { return nil }
        var layout = JSONLayout(last: last)
        (layout.items, layout.symbol, layout.quote) = (items, symbol, quote)
        (layout.bid, layout.ask, layout.volume, layout.time) = (others[0], others[1], others[2], others[3])
        checkNames(layout)
        checkPlaces()
        return layout
    }

    /// Checks that a market has a symbol, and that the markets of a list do not all have the same fixed one.
    private func checkNames(_ layout: JSONLayout) {
        if layout.items == nil, layout.symbol == nil, let node = node("last"), self.node("symbol") == nil {
            context.error(
                node.position, "the market has no name",
                advice: "add `symbol`, or `items` if the response has many markets")
        }
        if layout.items != nil, case .fixed = layout.symbol, let node = node("symbol") {
            context.error(
                node.position, "`symbol` is the same for all markets of the list",
                advice: "write the path to it in an element, such as symbol = \"/symbol\"")
        }
    }

    /// Reports two fields with the same JSON pointer, which is a copying mistake.
    private func checkPlaces() {
        var known: [JSONPointer: String] = [:]
        for key in ["last", "bid", "ask", "volume", "time", "symbol", "quote"] {
            guard let node = node(key), case .string(let text) = node.value, let place = JSONPointer(text) else {
                continue
            }
            if let other = known.updateValue(key, forKey: place) {
                context.error(
                    node.position, "`\(key)` and `\(other)` point to the same place", advice: "correct one of them")
            }
        }
    }

    private func pointer(_ key: String) -> JSONPointer? {
        guard let text = text(key, example: "\"/data/\(key)\"") else { return nil }
        guard let pointer = JSONPointer(text.value) else {
            context.error(
                text.position, "`\(key)` is not a JSON pointer",
                advice: "write the path to it, with a slash before each name, such as \"/data/0/\(key)\"")
            return nil
        }
        return pointer
    }

    /// Reads a JSON pointer, or a fixed name of letters and digits.
    private func name(_ key: String) -> JSONLayout.Name? {
        guard let text = text(key, example: "\"/\(key)\"") else { return nil }
        if text.value.hasPrefix("/") { return pointer(key).map { .place($0) } }
        guard ListedMarket.plain(text.value).flatMap(Symbol.init) != nil else {
            context.error(
                text.position, "`\(key)` is neither a JSON pointer nor a name",
                advice: "write it like \"/\(key)\", or with letters and digits only")
            return nil
        }
        return .fixed(text.value)
    }
}
