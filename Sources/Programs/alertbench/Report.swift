/// A row of the report: a figure with its reference and goal.
struct Row {
    var name: String
    var figure: String
    /// The reference with its figure, measured in the same run or elsewhere.
    var reference: String
    /// The figure as a multiple of the reference, if both were measured in the same run.
    var ratio: Double?
    var goal: String
}

/// Prints the rows as a table, with a dash in place of a missing value.
func printReport(_ rows: [Row]) {
    let cells =
        [["what", "figure", "reference", "ratio", "goal"]]
        + rows.map { row in
            [row.name, row.figure, row.reference, row.ratio.map { rounded($0, digits: 2) } ?? "-", row.goal]
        }
    let widths = (0..<5).map { column in cells.map { $0[column].count }.max() ?? 0 }
    for line in cells {
        let padded = zip(line, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
        print(padded.joined(separator: "  "))
    }
}

/// Formats a number with the given number of decimal places.
func rounded(_ number: Double, digits: Int) -> String {
    let scale = (0..<digits).reduce(1.0) { value, _ in value * 10 }
    let scaled = (number * scale).rounded()
    guard scaled.magnitude < 1e15 else { return "\(number)" }
    let text = String(Int64(scaled.magnitude))
    let filled = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
    let sign = scaled < 0 ? "-" : ""
    return digits == 0 ? sign + filled : sign + filled.dropLast(digits) + "." + filled.suffix(digits)
}

/// Formats a duration: `98.2 µs`, `1.30 ms`.
func readable(_ duration: Duration) -> String {
    let seconds = duration / .seconds(1)
    switch seconds {
    case ..<0.001: return "\(rounded(seconds * 1e6, digits: 1)) µs"
    case ..<1: return "\(rounded(seconds * 1e3, digits: 2)) ms"
    default: return "\(rounded(seconds, digits: 2)) s"
    }
}

/// Formats a rate: `512,345/s`.
func perSecond(_ count: Int, in duration: Duration) -> String {
    let rate = Int(Double(count) / max(duration / .seconds(1), 1e-9))
    var text = String(rate)
    var position = text.count - 3
    while position > 0 {
        text.insert(",", at: text.index(text.startIndex, offsetBy: position))
        position -= 3
    }
    return "\(text)/s"
}

/// Returns the median of the values, or zero if there are none.
func median(_ values: [Duration]) -> Duration {
    let sorted = values.sorted()
    return sorted.isEmpty ? .zero : sorted[sorted.count / 2]
}

/// Returns the duration of one call, as the median of `runs` runs of `calls` calls each.
func timed(runs: Int = 15, calls: Int, _ body: () throws -> Void) rethrows -> Duration {
    var durations: [Duration] = []
    for _ in 0..<runs {
        let begin = ContinuousClock.now
        for _ in 0..<calls { try body() }
        durations.append((ContinuousClock.now - begin) / calls)
    }
    return median(durations)
}
