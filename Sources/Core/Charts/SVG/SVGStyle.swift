/// The style sheet of all charts, for light and dark backgrounds and for paper.
///
/// It has no variables, because programs that convert SVG to other formats do not support them.
package enum SVGStyle {
    /// The style sheet as text. A page with charts includes it once; a file with a single chart contains it.
    package static var css: String {
        let light = colors.map { rule($0, $0.light) }.joined()
        let dark = colors.map { rule($0, $0.dark) }.joined()
        return shapes + light + "@media screen and (prefers-color-scheme:dark){\n\(dark)}\n"
    }

    private struct Color {
        var selectors: String
        var property: String
        var light: String
        var dark: String

        init(_ selectors: String, _ property: String, _ light: String, _ dark: String) {
            self.selectors = selectors
            self.property = property
            self.light = light
            self.dark = dark
        }
    }

    private static func rule(_ color: Color, _ value: String) -> String {
        let selectors = color.selectors.split(separator: ",").map { ".ac \($0)" }.joined(separator: ",")
        return "\(selectors){\(color.property):\(value)}\n"
    }

    private static let shapes = """
        .ac{font-family:system-ui,"Segoe UI","Liberation Sans","DejaVu Sans",sans-serif;font-size:12px;\
        font-variant-numeric:tabular-nums}
        .ac .title{font-size:16px;font-weight:600}
        .ac .curve{fill:none;stroke-width:1.6;stroke-linejoin:round;stroke-linecap:round}
        .ac .fill{fill-opacity:.13;stroke:none}.ac .band{fill-opacity:.13}
        .ac .limit,.ac .clear{stroke-width:1.3}.ac .limit.firing{stroke-width:2.2}
        .ac .clear{stroke-dasharray:2 5}.ac .threshold{stroke-dasharray:6 4}
        .ac .halo{fill:none;stroke-width:4px;stroke-linejoin:round}
        .ac text.firing,.ac .on{font-weight:600}.ac .hatch{stroke-width:2}.ac .rise,.ac .fall{stroke-width:1.3}
        .ac .fired,.ac .notice{stroke-width:1.5}.ac .resolved{stroke-width:2}
        .ac line,.ac path{vector-effect:non-scaling-stroke}

        """

    private static let series = [
        ("#0b6fa4", "#5ec8d8"), ("#8a3ea8", "#d08adc"), ("#2f7d32", "#84cc78"), ("#3b5bdb", "#7aa7f5"),
        ("#8f6400", "#e6c85a"), ("#b3404a", "#f08282"),
    ]

    /// Texts have a contrast of at least 4.5 to 1 with their background.
    private static let colors: [Color] =
        [
            Color("text", "fill", "#1f2328", "#e6edf3"), Color(".dim", "fill", "#59636e", "#9198a1"),
            Color(".bg,.rise,.resolved", "fill", "#ffffff", "#0d1117"), Color(".on", "fill", "#ffffff", "#0d1117"),
            Color(".halo,.fired,.notice", "stroke", "#ffffff", "#0d1117"),
            Color(".grid,.axis,.hatch", "stroke", "#e3e7eb", "#262c36"),
            Color(".up,.b-up", "fill", "#0b6fa4", "#58a6ff"),
            Color(".down,.b-down,.fall", "fill", "#b35000", "#f0883e"),
            Color(".rise", "stroke", "#0b6fa4", "#58a6ff"), Color(".fall", "stroke", "#b35000", "#f0883e"),
            Color(".limit,.clear,.threshold", "stroke", "#9a6700", "#e6a834"),
            Color(".label,.band,.notice", "fill", "#8a5d00", "#e6a834"),
            Color(".limit.firing", "stroke", "#c2410c", "#f0883e"),
            Color(".label.firing", "fill", "#b93c00", "#f0883e"),
            Color(".fired", "fill", "#cf222e", "#ff7b72"), Color(".resolved", "stroke", "#1a7f37", "#56d364"),
            Color(".fill", "fill", series[0].0, series[0].1),
        ]
        + series.enumerated().flatMap { index, color in
            [Color(".s\(index)", "stroke", color.0, color.1), Color(".b\(index)", "fill", color.0, color.1)]
        }
}
