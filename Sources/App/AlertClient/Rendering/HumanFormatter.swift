internal import Arguments
internal import Charts
internal import Diagnostics
internal import Market
internal import Time

/// A formatter of values for people, for one terminal at a given time.
struct HumanFormatter {
    let now: WallTime
    /// The width of the terminal in columns; nil if lines may have any length.
    let width: Int?
    /// The height of the terminal in rows; nil without a terminal.
    let height: Int?
    let isTerminal: Bool
    let hasColor: Bool
    /// The number of colours for charts.
    let colorDepth: ColorDepth
    /// True if the environment says that the terminal's background is light.
    let isLight: Bool
    var hasUnicode: Bool
    let zone: (WallTime) -> LocalZone

    init(_ arguments: ParsedArguments, in environment: ClientEnvironment) {
        now = environment.now()
        isTerminal = environment.isTerminal
        width = environment.isTerminal ? environment.width : nil
        height = environment.isTerminal ? environment.height : nil
        hasColor = Self.wantsColor(arguments.value("color"), environment)
        let (term, colorterm) = (environment.variables["TERM"], environment.variables["COLORTERM"])
        colorDepth = hasColor ? ColorDepth(term: term, colorterm: colorterm) : .none
        isLight = TerminalBackground(environment.variables).isLight ?? false
        // The fonts of the Linux console have few characters: no rupee sign, for example.
        let isConsole = environment.isTerminal && term == "linux"
        hasUnicode = !arguments.has("ascii") && !isConsole && Self.isUnicode(environment.variables)
        zone = arguments.has("utc") ? { _ in LocalZone(offsetSeconds: 0, name: "UTC") } : environment.zone
    }

    private static func wantsColor(_ choice: String?, _ environment: ClientEnvironment) -> Bool {
        if choice == "always" { return true }
        if choice == "never" { return false }
        let isSet = { (name: String) in environment.variables[name].map { !$0.isEmpty } ?? false }
        if isSet("NO_COLOR") { return false }
        let forced = ["CLICOLOR_FORCE", "FORCE_COLOR"].contains { isSet($0) && environment.variables[$0] != "0" }
        return forced || (environment.isTerminal && !Self.isDumb(environment.variables["TERM"]))
    }

    /// True for a terminal that understands no control sequences, and for an unknown one.
    static func isDumb(_ term: String?) -> Bool {
        ["", "dumb", "unknown"].contains(term ?? "")
    }

    /// True for a UTF-8 locale. The first of these variables that is set decides, as in the C library.
    private static func isUnicode(_ variables: [String: String]) -> Bool {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"]
        guard let locale = names.lazy.compactMap({ variables[$0] }).first(where: { !$0.isEmpty }) else { return false }
        let lower = locale.lowercased()
        return lower.hasSuffix("utf-8") || lower.hasSuffix("utf8")
    }
}

// MARK: Values

extension HumanFormatter {
    func text(_ cell: Cell) -> String {
        if let human = cell.human { return shown(human) }
        return switch cell.value {
        case .missing: "-"
        case .text(let text), .json(let text): shown(text)
        case .decimal(let text), .point(let text, _): number(text)
        case .count(let count): number(String(count))
        case .flag(let flag): flag ? "yes" : "no"
        case .time(let text): time(text)
        case .list(let texts): texts.map(shown).joined(separator: ", ")
        case .facts(let facts): facts.first?.text.map(shown) ?? "-"
        }
    }

    /// Returns the text as it is written to the terminal. Layout code measures the width of this form.
    func shown(_ text: String) -> String {
        hasUnicode ? visible(text) : asciiText(visible(text))
    }

    /// Formats a number: on a terminal, with the digits before the point in groups of three; elsewhere unchanged.
    func number(_ text: String) -> String {
        guard isTerminal else { return visible(text) }
        let sign = text.hasPrefix("-") || text.hasPrefix("+") ? String(text.prefix(1)) : ""
        let whole = text.dropFirst(sign.count).prefix { $0 != "." }
        guard whole.count > 3, whole.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else { return visible(text) }
        var grouped = ""
        for (index, digit) in whole.enumerated() {
            if index > 0, (whole.count - index) % 3 == 0 { grouped += " " }
            grouped.append(digit)
        }
        return sign + grouped + visible(String(text.dropFirst(sign.count + whole.count)))
    }

    /// Formats a change in percent, always with a sign so that the direction is visible without colour.
    func change(_ percent: String?) -> Cell {
        guard let percent, let value = try? Price(percent) else { return Cell(.decimal(percent)) }
        if value.isZero { return Cell(.decimal(percent)) }
        return value.isPositive
            ? Cell(.decimal(percent), human: "+" + number(percent), .up)
            : Cell(.decimal(percent), human: number(percent), .down)
    }

    func bytes(_ count: Int) -> String {
        guard count >= 1_024 else { return "\(count) B" }
        var tenths = count / 1_024 * 10 + count % 1_024 * 10 / 1_024
        var units = ["KiB", "MiB", "GiB"][...]
        while tenths >= 10_240, units.count > 1 {
            tenths /= 1_024
            units.removeFirst()
        }
        return "\(tenths / 10)\(tenths % 10 == 0 ? "" : ".\(tenths % 10)") \(units.first ?? "")"
    }
}

// MARK: Times

extension HumanFormatter {
    /// A parser of times in the zone that times are shown in.
    var reader: TimeReader { TimeReader(now: now, zone: zone) }

    /// Formats a time as local time of day, preceded by the date unless it is today.
    func time(_ text: String) -> String {
        guard let time = WallTime(rfc3339: text) else { return visible(text) }
        let local = LocalTime(time, zone(time))
        return local.date == LocalTime(now, zone(now)).date ? local.clock : "\(local.date) \(local.clock)"
    }

    /// `Sat 2026-11-21 07:12:03 CET`
    func longTime(_ text: String) -> String {
        guard let time = WallTime(rfc3339: text) else { return visible(text) }
        let local = LocalTime(time, zone(time))
        return "\(local.weekday) \(local.date) \(local.clock) \(visible(zone(time).name))"
    }

    /// `2026-11-21 07:12:03`
    func stamp(_ text: String) -> String {
        guard let time = WallTime(rfc3339: text) else { return visible(text) }
        let local = LocalTime(time, zone(time))
        return "\(local.date) \(local.clock)"
    }

    /// Formats the time since an instant; never negative, because clocks may differ slightly.
    func age(_ text: String?) -> String? {
        guard let text, let time = WallTime(rfc3339: text) else { return nil }
        return max(now.since(time), .zero).roundedToSeconds
    }

    /// Formats the time until an instant; nil if it is in the past.
    func remaining(_ text: String?) -> String? {
        guard let text, let time = WallTime(rfc3339: text), time > now else { return nil }
        return time.since(now).roundedToSeconds
    }
}

extension Milliseconds {
    /// The duration without fractions of a second, which do not matter in the age of a price.
    fileprivate var roundedToSeconds: String {
        Milliseconds(count / 1_000 * 1_000).approximate
    }
}

/// A local date, time of day and weekday.
struct LocalTime {
    let date: CivilDate
    /// `07:12:03`
    let clock: String
    let weekday: String

    init(_ time: WallTime, _ zone: LocalZone) {
        let seconds = time.milliseconds.floored(by: 1_000).quotient + Int64(zone.offsetSeconds)
        let (days, rest) = seconds.floored(by: 86_400)
        date = CivilDate(daysSinceEpoch: days)
        clock = [rest / 3_600, rest / 60 % 60, rest % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        // 1970-01-01 was a Thursday.
        weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][Int(days.floored(by: 7).remainder)]
    }
}
