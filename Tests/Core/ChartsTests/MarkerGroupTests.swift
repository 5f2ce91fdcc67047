import Market
import Testing
import Time

@testable import Charts

/// Marks of events that would cover each other.
struct MarkerGroupTests {
    private func groups(_ events: [(kind: ChartMarker.Kind, x: Int64)]) -> [MarkerGroup] {
        let markers = events.map { event in
            ChartMarker(event.kind, at: WallTime(milliseconds: event.x), value: 1, text: "\(event.x)")
        }
        return MarkerGroup.all(markers, reach: (9, 9)) { (Double($0.time.milliseconds), 0) }
    }

    @Test func marksThatAreApartStay() {
        let groups = groups([(.fired, 0), (.fired, 9), (.resolved, 18)])
        #expect(groups.map(\.text) == ["0", "9", "18"])
    }

    @Test func aCrowdIsOneMarkThatCounts() {
        let groups = groups((0..<9).map { (.fired, $0) })
        #expect(groups.map(\.text) == ["9 events, the first: 0"])
    }

    @Test func aDayOfCrossingsLeavesTheCurveVisible() {
        let groups = groups((0..<900).map { ($0 % 2 == 0 ? .fired : .resolved, Int64($0)) })
        #expect(groups.count <= 200)
        #expect(groups.map(\.count).reduce(0, +) == 900, "none is lost")
    }

    @Test func whatFiredIsNeverHidden() {
        let groups = groups([(.resolved, 0), (.fired, 2), (.notice, 3), (.resolved, 20)])
        #expect(groups.map(\.marker.kind) == [.fired, .notice, .resolved])
        #expect(groups[0].count == 2)
    }

    @Test func markersAtBothEndsOfTheSpanAreVisible() {
        var chart = ChartSample.chart([])
        let (first, last) = (chart.span.lowerBound.milliseconds, chart.span.upperBound.milliseconds)
        chart.markers = [last + 1, last, first, first - 1].map {
            ChartMarker(.fired, at: WallTime(milliseconds: $0), value: 1, text: "")
        }
        chart.markers.append(ChartMarker(.fired, at: chart.span.lowerBound, value: .nan, text: ""))
        #expect(chart.visibleMarkers.map(\.time.milliseconds) == [first, last])
    }
}
