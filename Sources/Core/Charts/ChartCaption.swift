internal import Market
internal import Time

extension Chart {
    /// Returns a description of the chart, to show below it and as an alternative for people who cannot see it.
    /// Without Unicode, it is ASCII only.
    package func caption(hasUnicode: Bool = true) -> String {
        let start = clock.text(span.lowerBound.milliseconds)
        let end = clock.text(span.upperBound.milliseconds)
        let sentences =
            series.filter { !$0.isThreshold }.map { sentence($0, hasUnicode) } + limitSentence + markerSentence
        return (["\(title), \(start) to \(end)."] + sentences).joined(separator: " ")
    }

    private func sentence(_ series: ChartSeries, _ hasUnicode: Bool) -> String {
        let name = self.series.count > 1 ? "\(series.name): " : ""
        guard let range = ValueRange(series, in: span) else { return "\(name)No prices." }
        let text = { (value: Double) in unit.text(value, hasUnicode: hasUnicode) }
        let change = statesChange && range.first > 0 ? " (\(percentText((range.last / range.first - 1) * 100)))" : ""
        let gaps =
            range.gaps == 0
            ? "" : " \(counted(range.gaps, "gap")), \(Milliseconds(range.gapLength).approximate) in total."
        if isRelative, self.series.count > 1 {
            return "\(name)\(percentText((range.last / range.first - 1) * 100)).\(gaps)"
        }
        return "\(name)First \(text(range.first)), last \(text(range.last))\(change); "
            + "lowest \(text(range.low)) at \(clock.text(range.lowTime)), "
            + "highest \(text(range.high)) at \(clock.text(range.highTime)).\(gaps)"
    }

    private var limitSentence: [String] {
        let named = limits.map { ($0.label, $0.isFiring) } + bands.map { ($0.label, $0.isFiring) }
        let labels = named.filter { !$0.0.isEmpty }.map { $0.1 ? "\($0.0) (firing)" : $0.0 }
        return labels.isEmpty ? [] : ["Limits: \(labels.joined(separator: "; "))."]
    }

    private var markerSentence: [String] {
        let names: [(ChartMarker.Kind, String)] = [(.fired, "fired"), (.resolved, "resolved"), (.notice, "notified")]
        let counts = names.compactMap { kind, name in
            let count = markers.count { $0.kind == kind }
            return count == 0 ? nil : "\(count) \(name)"
        }
        return counts.isEmpty ? [] : ["Events: \(counts.joined(separator: ", "))."]
    }
}

/// Returns a count with its noun: `1 gap`, `2 gaps`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
