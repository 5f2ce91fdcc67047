internal import Diagnostics
internal import Market
internal import Time

/// The approximate width of a character in pixels; generic fonts differ.
private let advance = 7.0

extension SVGDrawing {
    mutating func drawHeading() {
        var place = left
        let (start, edge) = (left, size.width - 4)
        // The first text is cut if it is too long. Later texts that do not fit are omitted.
        let put = { (text: String, style: String, size: Double, writer: inout SVGWriter) in
            let room = max(0, Int((edge - place) / size))
            guard place == start || columnWidth(of: text) <= room else { return }
            writer.label(fitted(text, to: room, hasUnicode: true), x: place, y: 24, style: style)
            place += Double(columnWidth(of: text)) * size + 14
        }
        let ranges = plot.shownSeries
        if ranges.count < 2 { put(chart.title, "title", 9.2, &writer) }
        if ranges.count == 1, let range = ranges.first?.1 {
            put(unitText(range.last), "title", 9.6, &writer)
            if let (text, style) = change(range) { put(text, style, advance, &writer) }
            put(chart.rangeText, "dim", advance, &writer)
            let text = "low \(unitText(range.low))  high \(unitText(range.high))"
            guard place + Double(columnWidth(of: text)) * advance < size.width - 10 else { return }
            writer.label(text, x: size.width - 10, y: 24, style: "dim", anchor: "end")
            return
        }
        put(chart.rangeText, "dim", advance, &writer)
        for (index, (series, range)) in ranges.enumerated() {
            guard let range, place + 24 < edge else { continue }
            writer.line((place, 20), (place + 18, 20), style: "curve s\(index % 6)")
            place += 24
            put(series.name + (change(range).map { " \($0.text)" } ?? ""), "name", advance, &writer)
        }
    }

    private func change(_ range: ValueRange) -> (text: String, style: String)? {
        guard range.first > 0 else { return nil }
        let percent = (range.last / range.first - 1) * 100
        let sign = percent > 0 ? "▲ " : percent < 0 ? "▼ " : ""
        return (sign + percentText(percent), percent < 0 ? "down" : "up")
    }

    private func unitText(_ value: Double) -> String { chart.unit.text(value, hasUnicode: true) }

    /// Draws the labels of limits and bands, moved apart if they would overlap. Labels of hidden limits are at the
    /// edges.
    mutating func drawLabels() {
        var labels = plot.limits.filter { !$0.label.isEmpty }.map { line in
            (text: line.label, y: y(line.value) - 5, isFiring: line.isFiring)
        }
        labels += plot.bandLabels.map { label, middle in
            (text: label.text, y: bottom - plot.scale.share(middle) * (bottom - top) + 4, isFiring: label.isFiring)
        }
        for (series, range) in zip(chart.series, plot.ranges) where series.isThreshold {
            guard let range, plot.scale.contains(plot.shown(range.last, series: 0)) else { continue }
            labels.append((series.name, y(range.last) - 5, false))
        }
        for (isAbove, y) in [(true, top + 11), (false, bottom - 6)] {
            let hidden = plot.hiddenLabels(isAbove: isAbove)
            guard !hidden.isEmpty else { continue }
            let text = (isAbove ? "↑ " : "↓ ") + hidden.map(\.text).joined(separator: " · ")
            labels.append((text, y, hidden.contains(where: \.isFiring)))
        }
        var free = top + 11
        for label in labels.sorted(by: { $0.y < $1.y }) {
            let y = min(max(label.y, free), bottom - 4)
            let room = Int((right - left - 16) / advance)
            let text = fitted((label.isFiring ? "● " : "") + label.text, to: room, hasUnicode: true)
            let width = Double(columnWidth(of: text)) * advance
            let isAtStart = marks(left...(left + 6 + width), y) <= marks((right - 6 - width)...right, y)
            let (x, anchor) = isAtStart ? (left + 6, "start") : (right - 6, "end")
            let halo = label.isFiring ? "halo firing" : "halo"
            writer.label(text, x: x, y: y, style: halo, anchor: anchor, isHidden: true)
            writer.label(text, x: x, y: y, style: label.isFiring ? "label firing" : "label", anchor: anchor)
            free = y + 14
        }
    }

    /// Returns the number of markers that a label at this place would touch.
    private func marks(_ reach: ClosedRange<Double>, _ y: Double) -> Int {
        chart.visibleMarkers.count { marker in
            reach.contains(x(marker.time.milliseconds)) && abs(self.y(marker.value) - (y - 4)) < 12
        }
    }

    /// The badges with the positions of their middles, moved apart if they would overlap, and their styles.
    var badgePlaces: [(badge: CellBadge, y: Double, style: String)] {
        var free = top
        let sorted = badges.enumerated().sorted { $0.element.value > $1.element.value }
        return sorted.map { index, badge in
            let level = bottom - plot.scale.share(badge.value) * (bottom - top)
            let y = min(max(level, free + 9), bottom - 2)
            free = y + 10
            return (badge, y, badges.count > 1 ? "b\(index % 6)" : badge.ink == .up ? "b-up" : "b-down")
        }
    }

    mutating func drawBadges() {
        for (badge, y, style) in badgePlaces {
            writer.rectangle(x: right + 2, y: y - 9, width: size.width - right - 5, height: 18, style: style, radius: 3)
            writer.label(badge.text, x: right + 7, y: y + 4, style: "on")
        }
    }
}
