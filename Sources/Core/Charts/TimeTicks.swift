internal import Time

struct TimeTick: Equatable {
    var time: Int64
    var label: String
    /// True at the start of a day, or of a year if the ticks are months.
    var isMajor: Bool
}

/// The distance between two ticks of a time axis: a round number of milliseconds or months.
enum TimeStep: Equatable {
    case milliseconds(Int64)
    case months(Int64)

    private static let minute: Int64 = 60_000
    private static let all: [TimeStep] =
        [1, 2, 5, 10, 20, 50, 100, 200, 500].map { .milliseconds($0) }
        + [1, 2, 5, 10, 15, 30].map { .milliseconds($0 * 1_000) }
        + [1, 2, 5, 10, 15, 30].map { .milliseconds($0 * minute) }
        + [1, 2, 3, 4, 6, 12].map { .milliseconds($0 * 60 * minute) }
        + [1, 2, 7, 14].map { .milliseconds($0 * dayLength) } + [1, 2, 3, 6, 12, 24, 60, 120].map { .months($0) }

    /// The approximate length in milliseconds.
    private var length: Int64 {
        switch self {
        case .milliseconds(let count): count
        case .months(let count): count * 30 * dayLength
        }
    }

    /// Returns the shortest step that fits at most `count` times into the length.
    static func fitting(_ length: Int64, count: Int) -> TimeStep {
        let number = Int64(max(1, count))
        let least = (length + number - 1) / number
        return all.first { $0.length >= least } ?? .months(max(120, least / (30 * dayLength) / 120 * 120))
    }
}

/// Returns the ticks of a time axis, earliest first, at most about `count`.
func timeTicks(_ span: Range<WallTime>, _ clock: ChartClock, count: Int) -> [TimeTick] {
    let (start, end) = (span.lowerBound.milliseconds.clamped, span.upperBound.milliseconds.clamped)
    switch TimeStep.fitting(end - start, count: count) {
    case .milliseconds(let step): return evenTicks(start, end, step, clock)
    case .months(let step):
        if case .elapsed = clock { return evenTicks(start, end, step * 30 * dayLength, clock) }
        return monthTicks(start, end, step, clock)
    }
}

/// Returns ticks at multiples of the step in local time.
private func evenTicks(_ start: Int64, _ end: Int64, _ step: Int64, _ clock: ChartClock) -> [TimeTick] {
    // 1970-01-01 was a Thursday; weeks begin on Monday.
    let phase = step % (7 * dayLength) == 0 ? 4 * dayLength : 0
    let first = (clock.shown(start) - phase - 1).floored(by: step).quotient + 1
    var ticks: [TimeTick] = []
    for number in first..<(first + 1_000) {
        let shown = number * step + phase
        let time = shown - clock.offset(at: shown - clock.offset(at: shown))
        guard time <= end else { break }
        // An hour that is skipped or repeated when the clocks change gets no extra tick.
        guard time >= start, time > ticks.last?.time ?? .min else { continue }
        ticks.append(TimeTick(time: time, label: label(shown, step, clock), isMajor: shown % dayLength == 0))
    }
    return ticks
}

private func label(_ shown: Int64, _ step: Int64, _ clock: ChartClock) -> String {
    if case .elapsed = clock { return Milliseconds(shown).description }
    if shown % dayLength == 0 { return dayText(shown) }
    let text = clockText(shown, hasSeconds: step < 60_000)
    guard step < 1_000 else { return text }
    let milliseconds = String(shown.floored(by: 1_000).remainder)
    return "\(text).\(String(repeating: "0", count: 3 - milliseconds.count))\(milliseconds)"
}

/// Returns ticks at the starts of months. January is labelled with the year.
private func monthTicks(_ start: Int64, _ end: Int64, _ step: Int64, _ clock: ChartClock) -> [TimeTick] {
    let date = CivilDate(daysSinceEpoch: clock.shown(start).floored(by: dayLength).quotient)
    let first = (date.year * 12 + date.month - 1).floored(by: step).quotient
    var ticks: [TimeTick] = []
    for number in first..<(first + 1_000) {
        let (year, month) = (number * step).floored(by: 12)
        guard let begin = CivilDate(year: year, month: month + 1, day: 1) else { break }
        let shown = begin.daysSinceEpoch * dayLength
        let time = shown - clock.offset(at: shown)
        guard time <= end else { break }
        guard time >= start else { continue }
        let label = month == 0 ? "\(year)" : monthNames[Int(month)]
        ticks.append(TimeTick(time: time, label: label, isMajor: month == 0))
    }
    return ticks
}
