internal import Diagnostics

/// Formats a coordinate with at most one decimal, so that the same chart always gives the same bytes: `12.5`, `-3`.
func coordinate(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e9 else { return "0" }
    let tenths = Int((value * 10).rounded())
    let (whole, rest) = (abs(tenths) / 10, abs(tenths) % 10)
    return (tenths < 0 ? "-" : "") + "\(whole)" + (rest == 0 ? "" : ".\(rest)")
}

/// Escapes a text for the content and attributes of XML. Control characters become visible escapes.
package func escapedForXML(_ text: String) -> String {
    var escaped = ""
    for scalar in visible(text).unicodeScalars {
        switch scalar {
        case "&": escaped += "&amp;"
        case "<": escaped += "&lt;"
        case ">": escaped += "&gt;"
        case "\"": escaped += "&quot;"
        case "'": escaped += "&#39;"
        // XML cannot represent these.
        case "\u{FFFE}", "\u{FFFF}": escaped += "?"
        default: escaped.unicodeScalars.append(scalar)
        }
    }
    return escaped
}

/// A writer of SVG elements, with attributes in a fixed order.
struct SVGWriter {
    private(set) var text = ""

    mutating func raw(_ line: String) { text += line + "\n" }

    mutating func element(_ name: String, _ attributes: [(String, String)], title: String? = nil) {
        let list = attributes.map { " \($0)=\"\(escapedForXML($1))\"" }.joined()
        let content = title.map { "><title>\(escapedForXML($0))</title></\(name)>" } ?? "/>"
        raw("<\(name)\(list)\(content)")
    }

    /// Writes a text. The anchor is `start`, `middle` or `end`. Screen readers ignore a hidden text.
    mutating func label(
        _ content: String, x: Double, y: Double, style: String, anchor: String = "start", isHidden: Bool = false
    ) {
        guard !content.isEmpty else { return }
        let place = "x=\"\(coordinate(x))\" y=\"\(coordinate(y))\""
        let end = anchor == "start" ? "" : " text-anchor=\"\(anchor)\""
        let hidden = isHidden ? " aria-hidden=\"true\"" : ""
        raw("<text class=\"\(style)\" \(place)\(end)\(hidden)>\(escapedForXML(content))</text>")
    }

    mutating func line(_ start: (Double, Double), _ end: (Double, Double), style: String) {
        element(
            "line",
            [
                ("class", style), ("x1", coordinate(start.0)), ("y1", coordinate(start.1)),
                ("x2", coordinate(end.0)), ("y2", coordinate(end.1)),
            ])
    }

    mutating func rectangle(
        x: Double, y: Double, width: Double, height: Double, style: String, radius: Double = 0, title: String? = nil
    ) {
        let corners = radius > 0 ? [("rx", coordinate(radius))] : []
        element(
            "rect",
            [
                ("class", style), ("x", coordinate(x)), ("y", coordinate(y)),
                ("width", coordinate(max(0, width))), ("height", coordinate(max(0, height))),
            ] + corners, title: title)
    }
}
