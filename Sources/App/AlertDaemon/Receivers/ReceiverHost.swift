internal import Configuration
internal import Engine
internal import EventLoop
internal import Events
internal import ExchangeRates
internal import Glibc
internal import HTTP
internal import Market
internal import Notifications
internal import PriceSources
internal import Receivers
internal import Rules
internal import ServiceManager
internal import Time

/// What the receivers need of the pipeline.
@LoopActor
final class ReceiverHost: NotificationHost {
    private unowned let pipeline: Pipeline
    private let rates: any RuleRates
    /// Where the prices come from.
    private let source: String
    /// The currency that people see amounts in; nil for each market's own.
    var displayCurrency: Currency?

    init(_ pipeline: Pipeline, rates: any RuleRates, settings: Settings) {
        self.pipeline = pipeline
        self.rates = rates
        source = settings.feed.source.rawValue
        displayCurrency = settings.display.currency
    }

    var composer: NotificationComposer {
        var composer = NotificationComposer(instance: pipeline.instance, source: source, time: localDateTime)
        guard let target = displayCurrency else { return composer }
        let engine = pipeline.engine
        let coins = Set((pipeline.batch?.tickers ?? []).compactMap(\.quote)).map(\.currency) + [target]
        let converter = CurrencyConverter(
            rates.ratesForRules?.table, pegs: engine.settings.pegs, markets: coins.compactMap(engine.market))
        composer.displayCurrency = target
        composer.convert = { amount, currency in
            try? converter.convert(Money(amount, currency), to: target).result.amount
        }
        return composer
    }

    /// Read in pages, because the numbers of a queue may be far apart.
    func events(numbered numbers: [Int64]) -> [Event] {
        guard let last = numbers.last else { return [] }
        let wanted = Set(numbers)
        var found: [Event] = []
        var position = (numbers.first ?? 1) - 1
        while position < last {
            let page = pipeline.events(after: position, limit: 500).events
            guard let end = page.last?.number else { break }
            found += page.filter { wanted.contains($0.number) }
            // The next number that is wanted may be much later.
            position = max(end, (numbers.first { $0 > end } ?? last + 1) - 1)
        }
        return found
    }

    func saveQueues() { pipeline.stateStore.saveQueues(at: pipeline.clock.now()) }

    func report(_ kind: EventKind, _ text: String) {
        pipeline.commitAndDeliver([
            Occurrence(
                time: pipeline.clock.now().wall, kind: kind, severity: kind == .receiverFailed ? .warning : .info,
                text: text)
        ])
    }
}

extension ReceiverRouting {
    init(_ settings: Settings) {
        let named = settings.rules.compactMap { rule in rule.receivers.map { (rule.name, $0) } }
        self.init(receivers: settings.receivers, receiversOfRules: Dictionary(named) { first, _ in first })
    }
}

/// The receivers of the settings.
@LoopActor
func makeReceivers(
    _ settings: Settings, _ context: ServiceManagerContext, _ machine: Machine, userAgent: String
) -> NotificationService {
    NotificationService(
        ReceiverRouting(settings),
        NotificationEnvironment(
            clock: machine.clock, credentials: context.credentials, proxy: context.proxy, userAgent: userAgent,
            client: machine.sender, random: machine.random, minuteOfDay: localMinuteOfDay))
}

/// 128 random bits in hexadecimal digits: the instance while the state file, which has it, cannot be read.
func randomInstance() -> String {
    (0..<2).map { _ in
        let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
        return String(repeating: "0", count: max(0, 16 - digits.utf8.count)) + digits
    }.joined()
}

/// The time in the time zone of the machine: `2026-11-21 17:52:31`.
private func localDateTime(_ time: WallTime) -> String {
    guard let fields = unsafe localFields(time) else { return time.description }
    let date = unsafe [fields.tm_year + 1_900, fields.tm_mon + 1, fields.tm_mday]
    return date.map { ($0 < 10 ? "0" : "") + String($0) }.joined(separator: "-") + " " + localTime(time)
}

/// The minute of the day in the time zone of the machine.
private func localMinuteOfDay(_ time: WallTime) -> Int {
    guard let fields = unsafe localFields(time) else { return Int(time.milliseconds / 60_000 % 1_440) }
    return unsafe Int(fields.tm_hour * 60 + fields.tm_min)
}

@unsafe
private func localFields(_ time: WallTime) -> tm? {
    var seconds = time_t(time.milliseconds / 1_000)
    var fields = unsafe tm()
    return unsafe localtime_r(&seconds, &fields) == nil ? nil : fields
}
