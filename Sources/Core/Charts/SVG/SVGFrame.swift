/// The position and scale of the plot in a drawing, for lines that a page draws on top of it.
package struct SVGFrame: Equatable, Sendable {
    /// The left edge of the plot. All edges are in pixels of the drawing.
    package let left: Double
    package let right: Double
    /// Less than ``bottom``, because pixels are counted downward.
    package let top: Double
    package let bottom: Double
    /// The value at ``bottom``.
    package let low: Double
    /// The value at ``top``.
    package let high: Double
    /// True if equal distances are equal ratios.
    package let isLogarithmic: Bool
}

extension Chart {
    /// Returns the frame of ``svg(width:height:id:hasStyle:)``, or nil if there are no prices or the values are
    /// relative, so that there are no amounts.
    package func svgFrame(width: Int, height: Int) -> SVGFrame? {
        let drawing = SVGDrawing(self, width: Self.side(width), height: Self.side(height), id: "")
        guard !drawing.plot.isEmpty, !isRelative else { return nil }
        let scale = drawing.plot.scale
        return SVGFrame(
            left: drawing.left, right: drawing.right, top: drawing.top, bottom: drawing.bottom, low: scale.low,
            high: scale.high, isLogarithmic: scale.isLogarithmic)
    }
}
