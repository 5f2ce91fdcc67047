/// A group of markers that would cover each other. They are drawn as one so that the curve stays visible.
struct MarkerGroup {
    /// The first marker of the group.
    let marker: ChartMarker
    let x: Double
    let y: Double
    private(set) var count = 1

    /// The text of the tooltip.
    var text: String { count == 1 ? marker.text : "\(count) events, the first: \(marker.text)" }

    /// Groups the markers of a chart. Firing is more important than resolving, so a resolved marker never hides a
    /// fired one.
    ///
    /// - Parameters:
    ///   - markers: the markers in view, in order of time.
    ///   - reach: the minimum distances between two markers, horizontal and vertical.
    ///   - place: returns the position of a marker.
    /// - Returns: the groups, ordered by their first markers.
    static func all(
        _ markers: [ChartMarker], reach: (x: Double, y: Double), place: (ChartMarker) -> (x: Double, y: Double)
    ) -> [MarkerGroup] {
        var groups: [(order: Int, group: MarkerGroup)] = []
        let order =
            markers.indices.filter { markers[$0].kind != .resolved }
            + markers.indices.filter { markers[$0].kind == .resolved }
        for index in order {
            let (marker, (x, y)) = (markers[index], place(markers[index]))
            let near = groups.firstIndex { _, group in
                // A ring next to a dot is visible as long as they overlap by at most half.
                let share = group.marker.kind == marker.kind ? 1.0 : 0.5
                return abs(group.x - x) < reach.x * share && abs(group.y - y) < reach.y * share
                    && (group.marker.kind == marker.kind || marker.kind == .resolved)
            }
            if let near {
                groups[near].group.count += 1
            } else {
                groups.append((index, MarkerGroup(marker: marker, x: x, y: y)))
            }
        }
        return groups.sorted { $0.order < $1.order }.map(\.group)
    }
}

extension Chart {
    /// The markers in the span, in order of time.
    var visibleMarkers: [ChartMarker] {
        markers.filter { $0.value.isFinite && $0.time >= span.lowerBound && $0.time <= span.upperBound }
            .sorted { $0.time < $1.time }
    }
}
