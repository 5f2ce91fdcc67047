internal import Configuration
internal import Events
internal import ExchangeRates
internal import Market
internal import Receivers
internal import Rules
internal import TestSupport
internal import Time

/// Settings made from a seed, as values and as the text of a file.
struct SimulatedRules {
    /// Each has the name of its source.
    var rules: [Rule] = []
    var sources: [SimulatedSource]
    var receivers: [SimulatedReceiver] = []
    var checks: [PriceCheck] = []
    private let hasWindows: Bool
    private var random: SplitMix

    init(seed: UInt64, wall: WallTime, former: SimulatedRules? = nil, _ plan: Plan) {
        let isLarge = plan.size > 50
        hasWindows = plan.hasWindows
        random = SplitMix(seed: seed)
        var first = SimulatedSource(SimulatedSource.standard)
        first.interval = .seconds([10, 30, 30, 60].randomElement(using: &random) ?? 30)
        first.maximumGap = [nil, nil, .seconds(70), .seconds(600)].randomElement(using: &random) ?? nil
        first.frozenAfter = .seconds([60, 120, 1_800].randomElement(using: &random) ?? 60)
        sources = [first]
        let count = isLarge ? Int.random(in: 1...3, using: &random) : Int.random(in: 1...6, using: &random)
        for number in 0..<count {
            // Most rules stay, some change, and their order does as well.
            let old = former?.rules.first { $0.name == "rule \(number)" }
            if let old, Int.random(in: 0..<3, using: &random) > 0 {
                rules.append(altered(old, wall))
            } else if let new = try? rule(number, wall, isLarge) {
                rules.append(new)
            }
        }
        if Int.random(in: 0..<3, using: &random) == 0 { rules.shuffle(using: &random) }
        var other = SplitMix(seed: ~seed)
        if plan.isWide { sources = SimulatedSource.some(first, former: former?.sources ?? [], &other) }
        assignSources(&other)
        linger(former, seed)
        if plan.isWide { assignReceivers(former?.receivers) }
        guard plan.hasCandles else { return }
        var third = SplitMix(seed: seed ^ 0xC0FFEE)
        for index in sources.indices { sources[index].catchesUp = Int.random(in: 0..<6, using: &third) > 0 }
        checks = SimulatedChecks.some(sources.map(\.name), former: former?.checks ?? [], &third)
        for index in receivers.indices {
            receivers[index].perMinute = [nil, nil, 5, 20].randomElement(using: &third) ?? nil
        }
        if plan.hasReceiverTypes { assignTypes(plan) }
    }

    /// Lets rules stay firing, and depend on others of their source; of a seed of its own, so that all else stays as it
    /// is without. A rule only names one whose name comes before its own, so that there is no circle; the order in the
    /// file is another one.
    private mutating func linger(_ former: SimulatedRules?, _ seed: UInt64) {
        var random = SplitMix(seed: seed ^ 0x0517_4EF5)
        for index in rules.indices {
            let isMomentary = rules[index].condition.kind.isMomentary
            let isKept = former?.rules.contains { $0.identity.meaning == rules[index].identity.meaning } ?? false
            if !isMomentary, !isKept || Int.random(in: 0..<12, using: &random) == 0 {
                rules[index].keepFiring = .seconds([0, 0, 30, 90, 300].randomElement(using: &random) ?? 0)
            }
            let others = rules.filter {
                $0.name < rules[index].name && $0.source == rules[index].source && !$0.condition.kind.isMomentary
            }.map(\.name)
            let old = rules[index].notification.onlyWhile
            let isFree = old.map { !others.contains($0) } ?? true
            guard isFree || Int.random(in: 0..<4, using: &random) == 0 else { continue }
            let isChosen = Int.random(in: 0..<3, using: &random) == 0
            rules[index].notification.onlyWhile = isChosen ? others.randomElement(using: &random) : nil
        }
    }

    private mutating func assignReceivers(_ former: [SimulatedReceiver]?) {
        var random = SplitMix(seed: random.next())
        let stays = Int.random(in: 0..<3, using: &random) > 0
        receivers = former.flatMap { stays ? $0 : nil } ?? SimulatedReceiver.some(&random)
        let names = receivers.map(\.name)
        for index in rules.indices {
            let isNamed = Int.random(in: 0..<4, using: &random) == 0
            rules[index].receivers = isNamed ? names.filter { _ in Bool.random(using: &random) } : nil
        }
    }

    /// A receiver keeps its type and quiet hours, whatever else changes. An Alertmanager gets everything, so that it
    /// can be compared with what fires.
    private mutating func assignTypes(_ plan: Plan) {
        let kinds = SimulatedReceiver.Kind.allCases
        for index in receivers.indices {
            let place = receivers[index].name.utf8.reduce(Int(plan.seed % 3)) { $0 + Int($1) }
            receivers[index].kind = kinds[place % kinds.count]
            switch receivers[index].kind {
            case .webhook: break
            case .ntfy:
                receivers[index].perMinute = receivers[index].perMinute ?? 20
                let hour = Int(plan.seed % 1_000) * 61 / 3_600 + 1
                let text = { ($0 % 24 < 10 ? "0" : "") + "\($0 % 24)" }
                if plan.seed % 2 == 0 { receivers[index].quiet = QuietHours("\(text(hour)):20-\(text(hour + 1)):40") }
            case .alertmanager:
                (receivers[index].severity, receivers[index].kinds, receivers[index].symbols) = (nil, nil, nil)
                receivers[index].maximumAge = .seconds(6 * 3_600)
                for rule in rules.indices { rules[rule].receivers = nil }
            }
        }
    }

    /// Most rules stay with their source, if it is still there.
    private mutating func assignSources(_ random: inout SplitMix) {
        let names = sources.map(\.name)
        for index in rules.indices {
            let isMoved = Int.random(in: 0..<8, using: &random) == 0
            if let old = rules[index].source, names.contains(old), !isMoved { continue }
            rules[index].source = names.randomElement(using: &random)
        }
    }

    /// How often a source that answers is polled in a time.
    func leastPolls(of source: SimulatedSource, in length: Milliseconds) -> Int64 {
        length.count / (source.interval.count + SimulatedExchange.longestDelay.count)
    }

    private mutating func altered(_ rule: Rule, _ wall: WallTime) -> Rule {
        var rule = rule
        switch Int.random(in: 0..<8, using: &random) {
        case 0: rule.severity = Severity.allCases.randomElement(using: &random) ?? .info
        case 1: rule.notification.cooldown = pick([0, 60, 200])
        case 2: rule.expires = expiry(wall)
        default: break
        }
        return rule
    }

    private mutating func pick(_ seconds: [Int64]) -> Milliseconds {
        .seconds(seconds.randomElement(using: &random) ?? 0)
    }

    private mutating func expiry(_ wall: WallTime) -> WallTime {
        WallTime(milliseconds: wall.milliseconds + Int64.random(in: 60...6_000, using: &random) * 1_000)
    }

    private mutating func rule(_ number: Int, _ wall: WallTime, _ isLarge: Bool) throws -> Rule {
        let condition = try condition()
        let isCrossing = if case .cross = condition { true } else { false }
        let lists = [
            ["btcinr"], ["ethusdt"], ["abcwrx"], ["*"], ["btc*", "abcwrx"], ["*inr", "gone"], ["1inchinr", "wrx*"],
        ]
        return Rule(
            name: "rule \(number)",
            symbols: (isLarge ? ["*"] : lists.randomElement(using: &random) ?? []).compactMap(SymbolPattern.init),
            condition: condition,
            currency: [nil, nil, nil, "INR", "USD", "SEK", "USDT", "EUR", "XAU"].randomElement(using: &random)?
                .flatMap(Currency.init),
            price: [.last, .last, .last, .bid, .ask, .mid].randomElement(using: &random) ?? .last,
            hold: isCrossing ? .zero : pick([0, 0, 30, 60, 75, 300]),
            notification: NotificationPolicy(
                repeatAfter: isCrossing || Bool.random(using: &random) ? nil : pick([30, 60, 100, 900]),
                cooldown: pick([0, 0, 60, 200, 2_000]), once: Int.random(in: 0..<6, using: &random) == 0),
            expires: Int.random(in: 0..<8, using: &random) == 0 ? expiry(wall) : nil,
            severity: Severity.allCases.randomElement(using: &random) ?? .info)
    }

    private mutating func relative(_ hysteresis: Distance?, _ max: Price) throws -> RelativeBand {
        let down = DeclaredLimit.percent(try Price("-\(Int.random(in: 4...9, using: &random)).5"))
        let up = DeclaredLimit.percent(try Price("\(Int.random(in: 4...9, using: &random)).25"))
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return try RelativeBand(min: down, max: up, base: .price)
        case 1: return try RelativeBand(min: nil, max: up, hysteresis: hysteresis, base: .price)
        default: return try RelativeBand(min: down, max: .amount(max), hysteresis: hysteresis, base: .price)
        }
    }

    private mutating func condition() throws -> Condition {
        let low = Int64.random(in: 88...100, using: &random)
        let high = low + Int64.random(in: 6...16, using: &random)
        let (min, max) = (try Price("\(low)"), try Price("\(high).0"))
        let hysteresis: Distance? =
            switch Int.random(in: 0..<3, using: &random) {
            case 0: nil
            case 1: .amount(try Price("\(Int.random(in: 1...3, using: &random))"))
            default: .percent(try Price("\(Int.random(in: 1...3, using: &random)).5"))
            }
        let direction = Direction.allCases.randomElement(using: &random) ?? .both
        switch Int.random(in: 0..<(hasWindows ? 8 : 6), using: &random) {
        case 5: return .relative(try relative(hysteresis, max))
        case 0: return .band(try Band(min: min, max: max, hysteresis: hysteresis))
        case 1: return .band(try Band(min: nil, max: max, hysteresis: hysteresis))
        case 2: return .band(try Band(min: min, max: nil, hysteresis: hysteresis))
        case 3: return .within(try Zone(low: min, high: max, hysteresis: hysteresis))
        case 4: return .cross(try Crossing(direction, over: min))
        default:
            let distance = Bool.random(using: &random) ? Distance.amount(try Price("6")) : .percent(try Price("5.5"))
            return .move(try Move(direction, by: distance, window: pick([120, 150, 300, 1_200])))
        }
    }
}

// The text of the settings file.
extension SimulatedRules {
    var text: String {
        var lines = sources.flatMap { $0.lines(isOnly: sources.count == 1) }
        lines += ["[history]", #"keep = "2h""#, #"memory = "\#(4 * sources.count)MiB""#]
        for receiver in receivers { lines += receiver.lines }
        for rule in rules { lines += ruleLines(rule) }
        for check in checks { lines += SimulatedChecks.lines(check) }
        return lines.joined(separator: "\n") + "\n"
    }

    private func ruleLines(_ rule: Rule) -> [String] {
        // The source is before the symbols, or has a key, or is the first one and has neither.
        let isFirst = rule.source == sources.first?.name
        let style = isFirst && rule.name != "rule 1" ? 0 : rule.name.utf8.reduce(0) { $0 + Int($1) } % 2 + 1
        let prefix = style == 1 ? rule.source.map { "\($0):" } ?? "" : ""
        let symbols = rule.symbols.map { #""\#(prefix)\#($0.text)""# }.joined(separator: ", ")
        var lines = ["[[rule]]", #"name = "\#(rule.name)""#, "symbol = [\(symbols)]"]
        if style == 2, let source = rule.source { lines.append(#"source = "\#(source)""#) }
        lines += Self.condition(rule.condition)
        let add = { (key: String, value: String?) in
            if let value { lines.append(#"\#(key) = "\#(value)""#) }
        }
        let length = { (time: Milliseconds) in time == .zero ? nil : "\(time.count)ms" }
        add("currency", rule.currency?.description)
        add("price", rule.price == .last ? nil : rule.price.rawValue)
        add("for", length(rule.hold))
        add("keep_firing_for", length(rule.keepFiring))
        add("only_while", rule.notification.onlyWhile)
        add("repeat", rule.notification.repeatAfter.flatMap(length))
        add("cooldown", length(rule.notification.cooldown))
        add("severity", rule.severity.rawValue)
        if rule.notification.once { lines.append("once = true") }
        if let names = rule.receivers {
            lines.append("notify = [\(names.map { "\"\($0)\"" }.joined(separator: ", "))]")
        }
        if let expires = rule.expires { lines.append("expires = \(expires)") }
        return lines
    }

    private static func condition(_ condition: Condition) -> [String] {
        let add = { (key: String, value: String?) in value.map { #"\#(key) = "\#($0)""# } }
        switch condition {
        case .band(let band):
            return [
                add("min", band.min.map { "\($0.price)" }), add("max", band.max.map { "\($0.price)" }),
                add("hysteresis", band.hysteresis?.description),
            ].compactMap(\.self)
        case .relative(let band):
            return [
                add("min", band.min?.text(\.description)), add("max", band.max?.text(\.description)),
                add("from", band.base.text(\.description)), add("hysteresis", band.hysteresis?.description),
            ].compactMap(\.self)
        case .within(let zone):
            return [
                #"within = ["\#(zone.low.price)", "\#(zone.high.price)"]"#,
                add("hysteresis", zone.hysteresis?.description),
            ].compactMap(\.self)
        case .move(let move):
            let key = move.direction == .up ? "rise" : move.direction == .down ? "fall" : "move"
            return [#"\#(key) = "\#(move.distance)""#, #"window = "\#(move.window.count)ms""#]
        case .cross(let crossing):
            let key = crossing.direction == .up ? "cross_up" : crossing.direction == .down ? "cross_down" : "cross"
            return [#"\#(key) = "\#(crossing.limit)""#]
        }
    }
}
