/// Where the values of a chart are in its drawing, for lines that a page draws on top of it.
package struct SVGFrame: Equatable, Sendable {
    /// In pixels of the drawing.
    package let left: Double
    package let right: Double
    /// The vertical pixels grow downward: less than ``bottom``.
    package let top: Double
    package let bottom: Double
    /// The values at the bottom and at the top.
    package let low: Double
    /// The value at ``top``.
    package let high: Double
    /// Whether equal distances are equal ratios.
    package let isLogarithmic: Bool
}

extension Chart {
    /// The frame of ``svg(width:height:id:hasStyle:)``; nil if there are no prices, or no amounts because values are
    /// relative.
    package func svgFrame(width: Int, height: Int) -> SVGFrame? {
        let drawing = SVGDrawing(self, width: Self.side(width), height: Self.side(height), id: "")
        guard !drawing.plot.isEmpty, !isRelative else { return nil }
        let scale = drawing.plot.scale
        return SVGFrame(
            left: drawing.left, right: drawing.right, top: drawing.top, bottom: drawing.bottom, low: scale.low,
            high: scale.high, isLogarithmic: scale.isLogarithmic)
    }
}
