internal import AlertDaemon
internal import EventLoop
internal import Events
internal import Glibc
internal import Market
internal import NaiveRules
internal import Rules
internal import TestSupport
internal import Time

// Calls of the control socket.
extension Simulation {
    func call(_ seed: UInt64) async throws(Broken) {
        var random = SplitMix(seed: seed)
        let now = clock.now()
        let rule = settings.rules.randomElement(using: &random)?.name ?? "rule 0"
        switch Int.random(in: 0..<11, using: &random) {
        case 0, 1: try await silence(now, rule, &random)
        case 2:
            guard try await isDone("ExpireSilences", "{}") else { return try await apply { _ in [] } }
            try await apply { state in
                _ = state.silences.update(at: now)
                let all = Set(state.silences.records.filter(\.isActive).map(\.number))
                _ = try? state.silences.expire(all, by: Self.somebody, at: now)
                return []
            }
        case 3, 4:
            let isUndone = Int.random(in: 0..<4, using: &random) == 0
            let isDone = try await isDone("Acknowledge", #"{"rule":"\#(rule)","undo":\#(isUndone)}"#)
            try await apply { state in
                if isDone { state.rules.acknowledge(rule: rule, !isUndone) }
                return []
            }
        case 5:
            let isDone = try await isDone("Arm", #"{"rule":"\#(rule)"}"#)
            try await apply { state in
                if isDone { state.rules.arm(rule: rule) }
                return []
            }
        case 6: try await limit(now, rule, &random)
        case 7: try await resetLimits(now)
        case 8:
            try await drill(now)
        case 9: try await idle(&random)
        default: try await readOnly(&random)
        }
    }

    /// With receivers, the reply waits for their answers, and nobody waits for the reply.
    private func drill(_ now: Instant) async throws(Broken) {
        var descriptor: Int32?
        if settings.receivers.isEmpty {
            guard try await isDone("Drill", "{}") else { throw broken("a drill was refused") }
        } else {
            descriptor = try send("Drill", "{}")
        }
        try await apply { _ in
            var event = NaiveEvent(.test, at: now.wall)
            event.severity = .info
            return [event]
        }
        if let descriptor { close(descriptor) }
    }

    /// A client that sends a call, or a part of it, and never reads: it holds up nobody.
    private func idle(_ random: inout SplitMix) async throws(Broken) {
        guard idlers.count < 20, let descriptor = BlockingWatch.connect(to: options.controlSocket) else { return }
        let request = Array(#"{"method":"org.alertd.Control.ListTickers","parameters":{}}"#.utf8) + [0]
        let count = Bool.random(using: &random) ? request.count : Int.random(in: 0..<request.count, using: &random)
        _ = unsafe Glibc.write(descriptor, request, count)
        idlers.append((descriptor, clock.now().boot))
        try await apply { _ in [] }
    }

    private static let somebody = UserIdentity(id: 0)

    private func silence(_ now: Instant, _ rule: String, _ random: inout SplitMix) async throws(Broken) {
        let length = Milliseconds.seconds([1, 60, 300, 2_000, 40_000].randomElement(using: &random) ?? 1)
        let severity: Severity? = [nil, nil, .critical].randomElement(using: &random) ?? nil
        let pattern = [nil, "btc*", "*wrx", "*"].randomElement(using: &random) ?? nil
        let name = pattern == nil || Int.random(in: 0..<3, using: &random) == 0 ? rule : nil
        var parts: [String] = []
        if let pattern { parts.append(#""symbol":"\#(pattern)""#) }
        if let name { parts.append(#""rule":"\#(name)""#) }
        if let severity { parts.append(#""severity":"\#(severity.rawValue)""#) }
        // Of a stream of its own, so that plans with one source stay as they are.
        var other = SplitMix(seed: UInt64(tally.polls) &+ plan.seed)
        let source = plan.isWide && Bool.random(using: &other) ? settings.sources.randomElement(using: &other) : nil
        if let source { parts.append(#""source":"\#(source.name)""#) }
        let isUntil = Bool.random(using: &random)
        let end = WallTime(milliseconds: now.wall.milliseconds + length.count)
        parts.append(isUntil ? #""until":"\#(end)""# : #""duration_ms":\#(length.count)"#)
        guard try await isDone("AddSilence", "{" + parts.joined(separator: ",") + "}") else {
            throw broken("a silence was refused: \(parts)")
        }
        let request = SilenceRequest(
            source: source?.name, symbols: pattern.flatMap(SymbolPattern.init), rule: name, severity: severity,
            length: isUntil ? .until(end) : .lasting(length))
        try await apply { state in
            _ = state.silences.update(at: now)
            _ = try? state.silences.add(request, by: Self.somebody, at: now)
            return []
        }
    }

    private func limit(_ now: Instant, _ rule: String, _ random: inout SplitMix) async throws(Broken) {
        let old = settings.rules.first { $0.name == rule }
        let source = old?.source ?? SimulatedSource.standard
        guard let symbol = market(of: source).symbols.randomElement(using: &random),
            let price = try? Price("\(Int.random(in: 95...112, using: &random)).5")
        else { return }
        let bound = Bool.random(using: &random) ? Bound.min : .max
        let isDone = try await isDone(
            "SetLimit", #"{"symbol":"\#(symbol)","rule":"\#(rule)","\#(bound.rawValue)":"\#(price)"}"#)
        let currency = old?.currency
        try await apply { state in
            guard isDone else { return [] }
            let new = LimitOverride(
                rule: rule, source: source, symbol: symbol, bound: bound, limit: price,
                currency: currency, author: Self.somebody,
                since: now.wall)
            let isSame = { (old: LimitOverride) in
                old.isFor(theSameAs: new) && old.source == source && old.limit == price && old.currency == currency
            }
            guard !state.rules.overrides.contains(where: isSame) else { return [] }
            let others = state.rules.overrides.filter { !$0.isFor(theSameAs: new) }
            let ends = state.rules.setOverrides(others + [new], silences: state.silences.inForce(at: now), at: now)
            return ends + [Self.note(new, now)]
        }
    }

    private func resetLimits(_ now: Instant) async throws(Broken) {
        guard try await isDone("ResetLimits", #"{"all":true}"#) else { return try await apply { _ in [] } }
        try await apply { state in
            let old = state.rules.overrides
            let ends = state.rules.setOverrides([], silences: state.silences.inForce(at: now), at: now)
            return ends + old.map { Self.note($0, now) }
        }
    }

    private static func note(_ limit: LimitOverride, _ now: Instant) -> NaiveEvent {
        var event = NaiveEvent(.rulesChanged, at: now.wall)
        (event.source, event.rule, event.symbol) = (limit.source, limit.rule, limit.symbol)
        return event
    }

    private func readOnly(_ random: inout SplitMix) async throws(Broken) {
        let calls = [
            "Status", "ListRules", "ListAlerts", "ListTickers", "ListSilences", "ListOverrides", "ListEvents", "Rates",
        ]
        let name = calls.randomElement(using: &random) ?? "Status"
        let now = clock.now()
        guard try await isDone(name, "{}") else { throw broken("\(name) was refused") }
        try await apply { state in
            // What is shown as over stays over, also when the clock is set back.
            if name == "ListSilences" { _ = state.silences.update(at: now) }
            return []
        }
    }

    private func send(_ method: String, _ parameters: String) throws(Broken) -> Int32 {
        guard let descriptor = BlockingWatch.connect(to: options.controlSocket) else {
            throw broken("nobody can connect to the control socket")
        }
        let request = Array(#"{"method":"org.alertd.Control.\#(method)","parameters":\#(parameters)}"#.utf8) + [0]
        _ = unsafe Glibc.write(descriptor, request, request.count)
        return descriptor
    }

    /// Makes a call, and returns whether the reply is no error.
    private func isDone(_ method: String, _ parameters: String) async throws(Broken) -> Bool {
        let descriptor = try send(method, parameters)
        defer { close(descriptor) }
        var reply: [UInt8] = []
        // A long reply comes in pieces, as there is room for them.
        for _ in 0..<10_000 where reply.last != 0 && !isDead {
            await time.quiet()
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            reply += buffer[..<count]
        }
        let text = String(decoding: reply, as: UTF8.self)
        note("\(method) \(parameters): \(text.prefix(200))")
        guard reply.last == 0 || isDead else { throw broken("\(method) is not answered: \(text.prefix(100))") }
        if isDead {
            // Whether it was done is not known; the state of the process is one or the other.
            return true
        }
        return !text.contains(#""error""#)
    }
}
