internal import Market
internal import PriceSources
package import Time

extension FeedSettings {
    /// The longest interval; polling less often is of no use.
    static let longestInterval = Milliseconds.seconds(3_600)

    /// Reads `[feed]` or a `[[source]]` table. `typeKey` is the key that selects the type of the source.
    init(reading table: TableReader, typeKey: String = "source") {
        let chosen = table.choice(typeKey, of: PriceSource.self)
        source = chosen ?? source
        // The keys of a source cannot be checked while its type is misspelled.
        let isKnown = chosen != nil || table.node(typeKey) == nil
        name = SourceName(unchecked: source.rawValue)
        let address = table.address(or: source.profile.url, allowsQuery: allowsQuery)
        url = address?.text ?? source.profile.url ?? ""
        interval = source.profile.interval
        allowsPlainHTTP = table.boolean("allow_http") ?? allowsPlainHTTP
        catchesUp = table.boolean("catch_up") ?? catchesUp
        authorityFile = table.authorityFile()
        simulatorSeed = table.integer("seed", in: 0...Int64.max).map { UInt64($0) } ?? simulatorSeed
        readTimes(from: table, address: address, isKnown: isKnown)
        readSourceKeys(from: table, typeKey: typeKey, isKnown: isKnown)
        if let address, !address.isEncrypted, !address.isLoopback, !allowsPlainHTTP, let node = table.node("url") {
            table.context.error(
                node.position, "`url` uses plain http to another machine", advice: "use https, or set allow_http = true"
            )
        }
    }

    private mutating func readTimes(from table: TableReader, address: FeedAddress?, isKnown: Bool) {
        let given = table.duration("interval")
        var intervalIsGood = table.node("interval") == nil || given != nil
        if let given {
            intervalIsGood = !isKnown || check(interval: given, host: address, in: table)
            interval = given.value
        }
        if let gap = table.duration("max_gap") {
            givenMaximumGap = gap.value
            if intervalIsGood, gap.value < interval {
                table.context.error(
                    gap.position, "`max_gap` is \(gap.value), shorter than the interval of \(interval)",
                    advice: "use at least the interval, or remove the line to get the default of \(interval.times(3))")
            }
        }
        if let frozen = table.duration("frozen_after") {
            frozenAfter = frozen.value
            if frozen.value <= .zero {
                table.context.error(
                    frozen.position, "`frozen_after` is zero", advice: "use a longer time, such as \"30m\"")
            }
        }
    }

    /// Returns true if the interval is within the limits of the source, and reports it otherwise.
    private func check(interval: Located<Milliseconds>, host: FeedAddress?, in table: TableReader) -> Bool {
        let (shortest, subject) = shortestInterval(host)
        if interval.value < shortest {
            table.context.error(
                interval.position, "`interval` is \(interval.value), which is too short for \(subject)",
                advice: "use \"\(shortest)\" or longer")
        } else if interval.value > Self.longestInterval {
            table.context.error(
                interval.position, "`interval` is \(interval.value), which is too long",
                advice: "use at most \"1h\"")
        }
        return (shortest...Self.longestInterval).contains(interval.value)
    }

    private func shortestInterval(_ address: FeedAddress?) -> (interval: Milliseconds, subject: String) {
        source.profile.shortestInterval(host: address?.host, isLoopback: address?.isLoopback ?? false)
    }

    /// The shortest interval that the source allows.
    package var minimumInterval: Milliseconds {
        shortestInterval(try? FeedAddress(url, allowsQuery: allowsQuery)).interval
    }
}

extension RateSettings {
    /// Reads `[rates]`; `source` is the type of the first source.
    init(reading table: TableReader, source: PriceSource) {
        let wish = table.boolean("enabled")
        isEnabled = wish ?? true
        isSimulated = wish == nil && source.profile.isSimulated
        let address = table.address(or: url, allowsQuery: false)
        url = address?.text ?? url
        let history =
            table.node("history_url") == nil
            ? nil : table.address("history_url", or: Self.europeanHistoryURL, allowsQuery: false)
        // The default written out is the default.
        if let history, history.text != historyURL { givenHistoryURL = history.text }
        authorityFile = table.authorityFile()
        for (key, address) in [("url", address), ("history_url", history)] {
            guard let address, !address.isEncrypted, !address.isLoopback, let node = table.node(key) else { continue }
            table.context.error(node.position, "`\(key)` uses plain http to another machine", advice: "use https")
        }
    }
}

extension TableReader {
    /// Returns the address given with this key, or the standard one if the key is absent. Returns nil if the address is
    /// faulty, or if there is no standard one.
    fileprivate func address(_ key: String = "url", or standard: String?, allowsQuery: Bool) -> FeedAddress? {
        guard node(key) != nil else { return standard.flatMap { try? FeedAddress($0) } }
        let example = standard ?? "https://api.example.org/prices?all=1"
        guard let text = text(key, example: "\"\(example)\"") else { return nil }
        do {
            return try FeedAddress(text.value, allowsQuery: allowsQuery)
        } catch {
            context.error(text.position, "`\(key)` \(error.message)", advice: "write it like \"\(example)\"")
            return nil
        }
    }

    /// Reads the path given as `ca_file`, which must be absolute.
    func authorityFile() -> String? {
        guard let path = text("ca_file", example: "\"/etc/ssl/certs/ca-certificates.crt\"") else { return nil }
        if !path.value.hasPrefix("/") {
            context.error(
                path.position, "`ca_file` is not an absolute path",
                advice: "write the full path, starting with /")
        }
        return path.value
    }
}

extension HistorySettings {
    /// The range of `memory`, in bytes.
    private static let memoryRange = 1 << 20...1 << 30

    /// Reads `[history]`; `interval` is the longest interval of all sources.
    init(reading table: TableReader, interval: Milliseconds) {
        memoryBytes = table.size("memory", in: Self.memoryRange, called: "1MiB to 1GiB") ?? memoryBytes
        guard let keep = table.duration("keep") else { return }
        self.keep = keep.value
        if keep.value < interval.times(2) {
            table.context.error(
                keep.position, "`keep` is \(keep.value), shorter than two intervals of \(interval)",
                advice: "use at least \"\(interval.times(2))\"")
        }
    }
}

extension EventSettings {
    /// The minimum of `keep`. Readers need time to catch up.
    private static let leastKeep = Milliseconds.seconds(3_600)
    /// The range of `count`. Readers resume from the kept events; ten million events take about 4 GB.
    private static let countRange: ClosedRange<Int64> = 1_000...10_000_000

    init(reading table: TableReader) {
        count = table.integer("count", in: Self.countRange).map { Int($0) } ?? count
        guard let keep = table.duration("keep") else { return }
        self.keep = keep.value
        if keep.value < Self.leastKeep {
            table.context.error(
                keep.position, "`keep` is \(keep.value), which is too short for events", advice: "use at least \"1h\"")
        }
    }
}
