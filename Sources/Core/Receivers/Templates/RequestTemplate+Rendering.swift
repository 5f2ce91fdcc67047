/// A template with its values inserted.
package struct RenderedTemplate: Equatable, Sendable {
    package var bytes: [UInt8] = []
    /// In the order of ``bytes``.
    var marks: [Mark] = []

    /// The position of a part of the template, or of a value, in the result.
    struct Mark: Equatable, Sendable {
        /// The byte offset in ``bytes``.
        var output: Int
        /// The offset in the template, in Unicode scalars.
        var template: Int
        /// True for text of the template, false for a value.
        var isText: Bool
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Returns the offset in the template from which a byte comes, in Unicode scalars. A byte of a value comes from
    /// the tag of the value.
    package func templateOffset(of place: Int) -> Int {
        guard let mark = marks.last(where: { $0.output <= place }) else { return 0 }
        guard mark.isText else { return mark.template }
        return mark.template + bytes[mark.output..<min(place, bytes.count)].count { $0 & 0xC0 != 0x80 }
    }
}

extension RequestTemplate {
    /// The maximum size of a request in bytes: 25 events × 16 kB of template, 240 kB of values, and some reserve.
    package static let limitOutput = 1 << 20
    /// The default maximum size of a value, in bytes.
    package static let valueLimit = 4_096
    /// The limits for values to try, in order, if the request would be too large.
    private static let shortLimits = [256, 16]

    /// Inserts values into the template.
    ///
    /// - Parameters:
    ///   - data: the values.
    ///   - escape: the escaping of the values.
    ///   - limit: the maximum size of a value in bytes; longer values are cut.
    /// - Returns: the text, at most ``limitOutput`` bytes: values are cut further if it would be larger.
    package func rendered(
        with data: TemplateData, _ escape: TemplateEscape, limit: Int = valueLimit
    ) -> RenderedTemplate {
        var result = RenderedTemplate()
        for shorter in [limit] + Self.shortLimits {
            var renderer = TemplateRenderer(escape, longestValue: min(limit, shorter))
            renderer.add(nodes, data, outer: nil)
            result = renderer.result
            if result.bytes.count <= Self.limitOutput { break }
        }
        return result
    }
}

/// A writer of a template and its values, from left to right.
private struct TemplateRenderer {
    private let escape: TemplateEscape
    private let longestValue: Int
    private(set) var result = RenderedTemplate()
    /// True if the output so far ends inside a JSON string. ``isAfterBackslash`` is true if it ends with an unfinished
    /// escape there.
    private var isInString = false
    private var isAfterBackslash = false

    init(_ escape: TemplateEscape, longestValue: Int) {
        (self.escape, self.longestValue) = (escape, longestValue)
    }

    /// Adds parts of the template.
    ///
    /// - Parameters:
    ///   - nodes: the parts.
    ///   - data: the values of the innermost section.
    ///   - outer: the values around the section of a list, used for values that `data` does not have; nil outside
    ///     lists.
    mutating func add(_ nodes: [RequestTemplate.Node], _ data: TemplateData, outer: TemplateData?) {
        for node in nodes {
            // A result that is too large is discarded, and rendered again with shorter values.
            guard result.bytes.count <= RequestTemplate.limitOutput else { return }
            switch node {
            case .text(let text, let place): add(text, at: place)
            case .value(let field, let place): add(data.values[field] ?? outer?.values[field], at: place)
            case .section(.list(let list), let isInverted, let inner):
                let items = list == .events ? (outer ?? data).events : data.lines
                if isInverted {
                    if items.isEmpty { add(inner, data, outer: outer) }
                } else {
                    for item in items { add(inner, merging(item, into: data, list), outer: outer ?? data) }
                }
            case .section(.field(let field), let isInverted, let inner):
                let value = data.values[field] ?? outer?.values[field] ?? ""
                if value.isEmpty == isInverted { add(inner, data, outer: outer) }
            case .section(.condition(let condition), let isInverted, let inner):
                // An event has its own severity and end, so the conditions of the notification do not apply to it,
                // except `single`.
                let isTrue = data.conditions.contains(condition) || condition == .single && outer?.events.count == 1
                if isTrue != isInverted { add(inner, data, outer: outer) }
            }
        }
    }

    private mutating func add(_ text: String, at place: Int) {
        result.marks.append(.init(output: result.bytes.count, template: place, isText: true))
        result.bytes += text.utf8
        guard escape == .json else { return }
        for byte in text.utf8 {
            if isAfterBackslash {
                isAfterBackslash = false
            } else if byte == UInt8(ascii: "\\") {
                isAfterBackslash = isInString
            } else if byte == UInt8(ascii: "\"") {
                isInString.toggle()
            }
        }
    }

    private mutating func add(_ value: String?, at place: Int) {
        result.marks.append(.init(output: result.bytes.count, template: place, isText: false))
        guard escape == .json, !isInString else {
            // A backslash at the end of the template text would escape the beginning of the value, so it is escaped
            // itself.
            if isAfterBackslash { result.bytes.append(UInt8(ascii: "\\")) }
            isAfterBackslash = false
            escape.append(cut(value ?? ""), to: &result.bytes)
            return
        }
        guard let value else {
            result.bytes += "null".utf8
            return
        }
        let text = cut(value)
        if isJSONNumber(text) {
            result.bytes += text.utf8
        } else {
            result.bytes.append(UInt8(ascii: "\""))
            escape.append(text, to: &result.bytes)
            result.bytes.append(UInt8(ascii: "\""))
        }
    }

    /// Returns the values for an item of a list. A line keeps the values of the event or notification that it is part
    /// of.
    private func merging(_ item: TemplateData, into data: TemplateData, _ list: TemplateList) -> TemplateData {
        guard list == .lines else { return item }
        var merged = data
        merged.values[.line] = item.values[.line]
        merged.conditions.subtract([.first, .last])
        merged.conditions.formUnion(item.conditions)
        return merged
    }

    private func cut(_ value: String) -> String {
        guard value.utf8.count > longestValue else { return value }
        let mark = "…"
        var room = longestValue - mark.utf8.count
        var kept = String.UnicodeScalarView()
        for scalar in value.unicodeScalars {
            room -= UTF8.width(scalar)
            guard room >= 0 else { break }
            kept.append(scalar)
        }
        return String(kept) + mark
    }
}

/// Returns true if the text is a JSON number without an exponent.
private func isJSONNumber(_ text: String) -> Bool {
    let unsigned = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    let parts = unsigned.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count),
        parts.allSatisfy({ part in !part.isEmpty && part.allSatisfy { $0 &- 0x30 < 10 } })
    else { return false }
    return parts[0].count == 1 || parts[0].first != UInt8(ascii: "0")
}
