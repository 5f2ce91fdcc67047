/// Markers that would cover each other, drawn as one so that the curve stays visible.
struct MarkerGroup {
    /// The first one.
    let marker: ChartMarker
    let x: Double
    let y: Double
    private(set) var count = 1

    /// What a reader sees who points at it.
    var text: String { count == 1 ? marker.text : "\(count) events, the first: \(marker.text)" }

    /// Groups the markers of a chart. What fired is more important than what resolved: a mark of it is never hidden
    /// by one that resolved.
    ///
    /// - Parameters:
    ///   - markers: Those in view, by time.
    ///   - reach: How near two marks may be, across and up.
    ///   - place: Where a mark is.
    /// - Returns: The groups by their first markers.
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
                // A ring next to a dot can be seen as long as they do not cover each other by more than half.
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
    /// The markers whose time is in the span.
    var visibleMarkers: [ChartMarker] {
        markers.filter { $0.value.isFinite && $0.time >= span.lowerBound && $0.time <= span.upperBound }
            .sorted { $0.time < $1.time }
    }
}
