internal import Arguments
internal import Control
internal import Diagnostics
internal import Events
internal import Market
internal import Time

/// A parser of the arguments of `silence add`.
struct SilenceReader {
    private let context: Context

    init(_ context: Context) {
        self.context = context
    }

    var parameters: AddSilenceParameters {
        get throws(ClientError) {
            let arguments = context.arguments
            let written = (arguments.operands.first?.lowercased()).map(SourcedText.init)
            let source = try arguments.oneSource(of: [written].compactMap(\.self))
            let symbol = written?.symbol
            let (rule, severity) = (arguments.value("rule"), arguments.value("severity"))
            guard source != nil || symbol != nil || rule != nil || severity != nil else {
                throw .usage("specify what to silence: symbols ('*' for all), --source, --rule or --severity")
            }
            if let symbol, SymbolPattern(symbol) == nil {
                throw .usage(
                    "a silence takes a name in lower-case letters and digits, where * stands for any text: '*inr'")
            }
            var parameters = AddSilenceParameters(
                source: source, symbol: symbol, rule: rule, severity: severity.map(ControlInterface.Severity.init),
                comment: try comment
            )
            parameters.daily = try daily
            switch (arguments.value("for"), arguments.value("until")) {
            case (let text?, nil): parameters.durationMilliseconds = try length(text)
            case (nil, let text?): parameters.until = try end(text)
            case (nil, nil) where arguments.has("daily"): break
            default:
                throw .usage(
                    "specify how long with --for 2h or --until 18:00, or which hours with --daily 22:00-07:00")
            }
            return parameters
        }
    }

    private var daily: String? {
        get throws(ClientError) {
            let (hours, days) = (context.arguments.value("daily"), context.arguments.value("days"))
            let zone = context.arguments.value("timezone")
            guard let hours = hours.map(Self.inFull) else {
                guard zone == nil else {
                    throw .usage("--timezone needs --daily with the hours, such as 22:00-07:00")
                }
                guard days == nil else { throw .usage("--days needs --daily with the hours, such as 22:00-07:00") }
                return nil
            }
            guard SilenceHours(hours: hours) != nil else {
                throw .usage("--daily takes a part of the day, such as 22:00-07:00 or 00:00-24:00")
            }
            guard let whole = SilenceHours(hours: hours, days: days) else {
                throw .usage("--days takes days of the week, such as mon-fri or sat,sun")
            }
            guard let zone else { return "\(whole)" }
            guard let zoned = SilenceHours(hours: hours, days: days, zone: zone) else {
                throw .usage("--timezone takes the name of a time zone, such as Europe/Stockholm or America/New_York")
            }
            return "\(zoned)"
        }
    }

    /// Converts `10pm-7am` or `22.00–7.00` to the syntax of the settings: `22:00-07:00`.
    private static func inFull(_ hours: String) -> String {
        hours.lowercased().split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "–" }
            .map { TimeReader.withFullClock(String($0)) }.joined(separator: "-")
    }

    private var comment: String? {
        get throws(ClientError) {
            guard let text = context.arguments.value("comment"), !text.isEmpty else { return nil }
            guard SilenceList.accepts(text) else {
                throw .usage(
                    "--comment takes one line of at most \(SilenceList.textLimit) bytes without control characters")
            }
            return text
        }
    }

    private func length(_ text: String) throws(ClientError) -> Int {
        let length = try Context.duration(text, of: "for", such: "30m, 2h or 1d12h")
        guard length <= SilenceList.longest else {
            throw .usage("a silence lasts at most \(SilenceList.longest); change the rule instead")
        }
        return Int(length.count)
    }

    private func end(_ text: String) throws(ClientError) -> String {
        if Milliseconds.written(text) != nil {
            throw .usage("--until takes a time; for a duration, use --for \(text)")
        }
        guard let time = context.formatter.reader.coming(text) else {
            let today = LocalTime(context.formatter.now, context.formatter.zone(context.formatter.now)).date
            let advice = TimeAdvice(text, now: today).sentence
            throw .usage(
                "--until: '\(visible(text))' is not a time; "
                    + (advice ?? "write 18:00, '2026-11-22 08:00' or 2026-11-22T08:00:00Z"))
        }
        guard time > context.formatter.now else { throw .usage("--until \(text) is in the past") }
        return "\(time)"
    }
}
