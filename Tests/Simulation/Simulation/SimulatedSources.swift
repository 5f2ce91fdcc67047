internal import Engine
internal import Market
internal import NaiveRules
internal import TestSupport
internal import Time

/// A source of prices in the settings.
struct SimulatedSource: Equatable {
    let name: SourceName
    var interval = Milliseconds.seconds(30)
    var maximumGap: Milliseconds?
    var frozenAfter = Milliseconds.seconds(120)
    /// Whether gaps are looked up in candles.
    var catchesUp = false

    /// The source of plans that have only one.
    static let standard = SourceName(unchecked: "wazirx")
    private static let names = [standard, SourceName(unchecked: "beta"), SourceName(unchecked: "gamma-2")]

    init(_ name: SourceName) {
        self.name = name
    }

    /// Between one and three sources, most of which are the former ones.
    ///
    /// - Parameters:
    ///   - first: the source that plans with a single one have.
    ///   - former: the sources before a reload.
    ///   - random: of its own, so that plans with one source and with several have the same rules.
    /// - Returns: the sources, in the order of the settings.
    static func some(
        _ first: SimulatedSource, former: [SimulatedSource], _ random: inout SplitMix
    ) -> [SimulatedSource] {
        let stays = !former.isEmpty && Int.random(in: 0..<3, using: &random) > 0
        let count = [1, 2, 2, 3].randomElement(using: &random) ?? 1
        let names = stays ? former.map(\.name) : Array(names.shuffled(using: &random).prefix(count))
        return names.map { name in
            if name == first.name { return first }
            let isSame = Int.random(in: 0..<3, using: &random) > 0
            if isSame, let old = former.first(where: { $0.name == name }) { return old }
            var source = SimulatedSource(name)
            source.interval = .seconds([10, 30, 30, 45].randomElement(using: &random) ?? 30)
            source.maximumGap = [nil, nil, .seconds(70), .seconds(600)].randomElement(using: &random) ?? nil
            source.frozenAfter = .seconds([60, 120, 1_800].randomElement(using: &random) ?? 60)
            return source
        }
    }

    /// As the engine takes it.
    var settings: EngineSettings {
        var settings = EngineSettings(
            maximumGap: maximumGap ?? interval.times(3), frozenAfter: frozenAfter, staleAfter: interval.times(3))
        settings.hasCandles = catchesUp
        return settings
    }

    var naive: NaiveSources.Source { NaiveSources.Source(name, settings) }

    /// What is requested, other than from the standard source.
    private var url: String { "https://\(name).test" }

    /// The source of a request; nil for one for reference rates.
    static func name(of address: String) -> SourceName? {
        names.first { address.contains($0 == standard ? "api.wazirx.com" : "//\($0).test") }
    }

    /// Its lines in the settings file.
    ///
    /// - Parameter isOnly: whether it is the only source, so that it may be `[feed]`.
    /// - Returns: the lines of its table.
    func lines(isOnly: Bool) -> [String] {
        let isShort = isOnly && name == Self.standard
        var lines = isShort ? ["[feed]", #"source = "wazirx""#] : ["[[source]]", #"type = "wazirx""#]
        if name != Self.standard { lines += [#"name = "\#(name)""#, #"url = "\#(url)""#] }
        lines += [#"interval = "\#(interval.count)ms""#, #"frozen_after = "\#(frozenAfter.count)ms""#]
        if let maximumGap { lines.append(#"max_gap = "\#(maximumGap.count)ms""#) }
        if !catchesUp { lines.append("catch_up = false") }
        return lines
    }
}
