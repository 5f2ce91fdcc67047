internal import EventLoop
internal import Events
internal import HTTP
internal import Market
internal import Notifications
internal import Receivers
internal import TestSupport
internal import Time

/// A receiver in the settings.
struct SimulatedReceiver: Equatable {
    /// The types whose requests and answers differ most.
    enum Kind: String, CaseIterable {
        case webhook, ntfy, alertmanager
    }

    let name: String
    var kind = Kind.webhook
    /// When it gets critical events only.
    var quiet: QuietHours?
    var severity: Severity?
    var kinds: Set<EventKind>?
    var symbols: SymbolPattern?
    var group = Milliseconds.zero
    var maximumAge = Milliseconds.seconds(6 * 3_600)
    /// The most notifications in a minute.
    var perMinute: Int?

    /// How long it may take to send this many notifications.
    func longestTime(for batches: Int64) -> Milliseconds {
        let pauses = perMinute.map { (batches / Int64($0) + 1) * 60_000 } ?? 0
        return Milliseconds(group.count + batches * 1_000 + pauses)
    }

    /// How much of a time is quiet, in milliseconds; quiet hours are in UTC and do not include midnight.
    func quietLength(_ start: Int64, _ end: Int64) -> Int64 {
        guard let quiet, start < end else { return 0 }
        let day: Int64 = 86_400_000
        return (start / day...end / day).reduce(0) { sum, number in
            let from = max(start, number * day + Int64(quiet.hours.start) * 60_000)
            let to = min(end, number * day + Int64(quiet.hours.end) * 60_000)
            return sum + max(0, to - from)
        }
    }

    private static let names = ["hook-a", "hook-b", "hook-c"]

    /// Between none and three receivers.
    static func some(_ random: inout SplitMix) -> [SimulatedReceiver] {
        names.filter { _ in Int.random(in: 0..<3, using: &random) > 0 }.map { name in
            var receiver = SimulatedReceiver(name: name)
            receiver.severity = [nil, nil, .warning, .critical].randomElement(using: &random) ?? nil
            receiver.kinds = [nil, nil, [.fired, .resolved, .feedStale]].randomElement(using: &random) ?? nil
            receiver.symbols = [nil, nil, SymbolPattern("*inr")].randomElement(using: &random) ?? nil
            receiver.group = [.zero, .zero, .seconds(10), .seconds(90)].randomElement(using: &random) ?? .zero
            if Int.random(in: 0..<4, using: &random) == 0 { receiver.maximumAge = .seconds(600) }
            return receiver
        }
    }

    /// Whether it gets a notified event, if the rule names no receivers.
    func matches(_ event: Occurrence) -> Bool {
        let levels: [Severity] = [.info, .warning, .critical]
        let isSevere = severity.map { (levels.firstIndex(of: event.severity) ?? 0) >= (levels.firstIndex(of: $0) ?? 0) }
        let isMarket = event.symbol.flatMap { symbol in symbols.map { $0.matches(symbol) } }
        return isSevere ?? true && takes(event.kind) && isMarket ?? true
    }

    /// Changes of the settings are only for receivers that ask for them, also those of a rule that names its receivers.
    func takes(_ kind: EventKind) -> Bool { kinds?.contains(kind) ?? (kind != .rulesChanged) }

    /// Its lines in the settings file.
    var lines: [String] {
        let path = [Kind.webhook: "/", .ntfy: "/prices"][kind] ?? ""
        var lines = [
            "[[receiver]]", #"name = "\#(name)""#, #"type = "\#(kind.rawValue)""#,
            #"url = "https://\#(name).test\#(path)""#,
        ]
        if let quiet { lines.append(#"quiet = "\#(quiet)""#) }
        if let severity { lines.append(#"severity = "\#(severity.rawValue)""#) }
        if let kinds {
            lines.append("kinds = [\(kinds.map { "\"\($0.rawValue)\"" }.sorted().joined(separator: ", "))]")
        }
        if let symbols { lines.append(#"symbols = ["\#(symbols.text)"]"#) }
        if group > .zero { lines.append(#"group = "\#(group.count)ms""#) }
        if let perMinute { lines.append("per_minute = \(perMinute)") }
        return lines + [#"max_age = "\#(maximumAge.count)ms""#]
    }
}

/// The servers of all receivers, with their failures.
@LoopActor
final class SimulatedReceivers: NotificationSending {
    @LoopActor
    private final class Request {
        let receiver: String
        let id: String
        /// Of no event, if it is a reminder.
        let numbers: [Int64]
        let body: String
        let due: BootTime
        let outcome: Outcome
        let answer = OneShot<HTTPResponse, HTTPError>()

        init(
            _ receiver: String, _ id: String, _ numbers: [Int64], body: String, due: BootTime, _ outcome: Outcome
        ) {
            (self.receiver, self.id, self.numbers, self.body) = (receiver, id, numbers, body)
            (self.due, self.outcome) = (due, outcome)
        }
    }

    /// What a server does with a request.
    private struct Outcome {
        var result: Result<HTTPResponse, HTTPError>
        /// Whether it takes the notification, whatever it answers.
        var isTaken = false
        /// Whether it never will.
        var isRefused = false
        var delay = Milliseconds.zero

        var text: String {
            switch result {
            case .success(let response): "\(response.status)"
            case .failure(let error): error.sentence
            }
        }

        var isSuccess: Bool { if case .success(let response) = result { response.status / 100 == 2 } else { false } }
    }

    private let clock: SimulatedClock
    private var random: SplitMix
    private var requests: [Request] = []
    /// What each receiver has to get, and what it got.
    var books = ReceiverBooks()
    /// What each Alertmanager knows.
    var managers: [String: SimulatedAlertmanager] = [:]
    /// The settings of each receiver.
    private var settings: [String: SimulatedReceiver] = [:]
    /// Requests that will fail, by receiver.
    var failures: [String: Int] = [:]
    /// The greatest number that was delivered to the other sinks.
    var lastSeen: () -> Int64 = { 0 }
    /// The events that the daemon is sending to a receiver, for requests that do not have their numbers.
    var openEvents: (String) -> [Int64] = { _ in [] }
    var isDead: () -> Bool = { false }
    private(set) var fault: String?
    /// Called with each request and answer.
    var onRequest: (String) -> Void = { _ in }

    init(_ clock: SimulatedClock, seed: UInt64) {
        self.clock = clock
        random = SplitMix(seed: seed)
    }

    func send(_ mail: OutgoingMail) async throws(HTTPError) -> MailReply { throw .connectionRefused }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let name = request.address.split(separator: "/").dropFirst().first?.split(separator: ".").first ?? ""
        let body = String(decoding: request.body, as: UTF8.self)
        let id = request.headers["webhook-id"]
        let isReminder = id == nil && body.place(after: SimulatedAlertmanager.reminder) != nil
        let numbers = id != nil ? Self.numbers(in: body) : isReminder ? [] : openEvents(String(name))
        let outcome = outcome(for: String(name))
        let sent = Request(
            String(name), id ?? numbers.last.map { "\($0)" } ?? "", numbers, body: body,
            due: clock.now().boot.advanced(by: outcome.delay), outcome)
        if !isDead() {
            onRequest("\(sent.receiver) gets \(sent.id): \(numbers)")
            if numbers.isEmpty, !isReminder { fault = fault ?? "\(name) got a notification of nothing" }
            if let early = numbers.last, early > lastSeen() { fault = fault ?? "event \(early) arrived too early" }
            expire()
            books.take(sent.receiver, sent.id, numbers, isQuiet: isQuiet(sent.receiver))
            if !outcome.isSuccess { books.setHealthy(sent.receiver, since: nil) }
        }
        requests.append(sent)
        defer { requests.removeAll { $0 === sent } }
        return try await sent.answer.value(onCancel: .cancelled)
    }

    /// Forgets what is too old to be sent.
    func expire() {
        let now = clock.now().wall.milliseconds
        for receiver in settings.values {
            let isAny = books.expire(receiver.name) { wall, isHeldBack in
                let age = now - wall.milliseconds - (isHeldBack ? receiver.quietLength(wall.milliseconds, now) : 0)
                return age > receiver.maximumAge.count
            }
            if isAny { managers[receiver.name]?.mayLackEnds = true }
        }
    }

    /// Whether a receiver gets critical events only now.
    private func isQuiet(_ name: String) -> Bool {
        let minute = clock.now().wall.milliseconds.quotientAndRemainder(dividingBy: 60_000).quotient % 1_440
        return settings[name]?.quiet?.hours.contains(minute: Int(minute)) ?? false
    }

    /// Begins with the receivers of other settings.
    ///
    /// - Parameters:
    ///   - receivers: all of them.
    ///   - isSaved: whether the daemon can save that others are gone; else a crash brings back what was for them.
    func set(_ receivers: [SimulatedReceiver], isSaved: Bool) {
        settings = Dictionary(uniqueKeysWithValues: receivers.map { ($0.name, $0) })
        books.set(receivers, isSaved: isSaved)
        for name in managers.keys where settings[name] == nil { managers[name]?.mayLackEnds = true }
        for receiver in receivers where receiver.kind == .alertmanager && managers[receiver.name] == nil {
            managers[receiver.name] = SimulatedAlertmanager()
        }
    }

    /// A process begins, and with it the time of groups.
    func beginLife() {
        let now = clock.now().boot
        for name in settings.keys where books.healthySince(name) != nil { books.setHealthy(name, since: now) }
    }

    private static func numbers(in body: String) -> [Int64] {
        body.split(separator: #""number":"#).dropFirst().compactMap { Int64($0.prefix { $0.isNumber }) }
    }

    private func outcome(for name: String) -> Outcome {
        func response(
            _ status: Int, _ headers: [String: String] = [:], _ body: String = ""
        ) -> Result<HTTPResponse, HTTPError> {
            .success(HTTPResponse(status: status, headers: headers, paddedBody: ResponseText.padded(body)))
        }
        let short = Milliseconds([0, 30, 400].randomElement(using: &random) ?? 0)
        guard let left = failures[name], left > 0 else {
            return Outcome(
                result: response([200, 204].randomElement(using: &random) ?? 200), isTaken: true, delay: short)
        }
        failures[name] = left - 1
        let wait = ["retry-after": "\(Int.random(in: 1...400, using: &random))"]
        let fate = Int.random(in: 0..<11, using: &random)
        if settings[name]?.kind == .ntfy, fate == 4 {
            let code = [42_901, 42_908, 42_909].randomElement(using: &random) ?? 42_901
            return Outcome(result: response(429, [:], #"{"code":\#(code),"http":429,"error":"limit reached"}"#))
        }
        switch fate {
        // An Alertmanager that refuses an end for good would never know it.
        case 3 where settings[name]?.kind == .alertmanager: return Outcome(result: response(500), delay: short)
        case 0: return Outcome(result: response(302, ["location": "https://example.org"]), delay: short)
        case 1: return Outcome(result: response(401), delay: short)
        case 2: return Outcome(result: response(404), delay: short)
        case 3: return Outcome(result: response(410), isRefused: true, delay: short)
        case 4: return Outcome(result: response(429, wait), delay: short)
        case 5: return Outcome(result: response(500), delay: short)
        case 6: return Outcome(result: response(503, wait), delay: short)
        case 7: return Outcome(result: .failure(.connectionRefused))
        case 8: return Outcome(result: .failure(.truncated), isTaken: true, delay: short)
        case 9: return Outcome(result: .failure(.timeout(after: .seconds(15))), isTaken: true, delay: .seconds(15))
        default: return Outcome(result: .failure(.timeout(after: .seconds(15))), delay: .seconds(15))
        }
    }

    /// When the next answer is due; nil when nothing was sent.
    var nextDue: BootTime? { requests.filter { !$0.answer.isFinished }.map(\.due).min() }

    /// Answers a request whose time has come.
    ///
    /// - Returns: whether there was one.
    func answerDue() -> Bool {
        let now = clock.now().boot
        guard
            let request = requests.filter({ !$0.answer.isFinished && $0.due <= now }).min(by: { $0.due < $1.due })
        else { return false }
        answer(request)
        return true
    }

    /// Answers all requests at once, as the process ends.
    func answerAll() {
        for request in requests where !request.answer.isFinished {
            if isDead() {
                request.answer.finish(.failure(.connectionRefused))
            } else {
                answer(request)
            }
        }
    }

    private func answer(_ request: Request) {
        let outcome = request.outcome
        if outcome.isTaken || outcome.isRefused {
            let isKnown = outcome.isSuccess || outcome.isRefused
            books.finish(request.receiver, request.id, request.numbers, isKnown: isKnown)
            managers[request.receiver]?.take(request.body)
        }
        if outcome.isSuccess, books.healthySince(request.receiver) == nil {
            books.setHealthy(request.receiver, since: clock.now().boot)
        }
        onRequest("\(request.receiver) answers \(request.id): \(outcome.text)")
        request.answer.finish(outcome.result)
    }

    /// The process was killed; what is on its way may arrive.
    func crash(isSaved: Bool) {
        for request in requests where !request.answer.isFinished && request.outcome.isTaken {
            books.finish(request.receiver, request.id, request.numbers, isKnown: false)
            managers[request.receiver]?.take(request.body)
        }
        books.crash(isSaved: isSaved)
    }
}
