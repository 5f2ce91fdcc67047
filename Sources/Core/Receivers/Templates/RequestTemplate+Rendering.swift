/// A template with its values in place.
package struct RenderedTemplate: Equatable, Sendable {
    package var bytes: [UInt8] = []
    /// In the order of ``bytes``.
    var marks: [Mark] = []

    /// Where a part of the template went.
    struct Mark: Equatable, Sendable {
        /// Its place in the text.
        var output: Int
        /// Its place in the template, in Unicode scalars.
        var template: Int
        /// Whether it is text of the template, and not a value.
        var isText: Bool
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The place in the template that a byte comes from, in Unicode scalars. A value comes from its tag.
    package func templateOffset(of place: Int) -> Int {
        guard let mark = marks.last(where: { $0.output <= place }) else { return 0 }
        guard mark.isText else { return mark.template }
        return mark.template + bytes[mark.output..<min(place, bytes.count)].count { $0 & 0xC0 != 0x80 }
    }
}

extension RequestTemplate {
    /// The most bytes of a request: 25 events × 16 kB of template, 240 kB of values, and some room.
    package static let limitOutput = 1 << 20
    /// The most bytes of a value by default.
    package static let valueLimit = 4_096
    /// The limits that count where the text would become too long.
    private static let shortLimits = [256, 16]

    /// Inserts values.
    ///
    /// - Parameters:
    ///   - data: the values.
    ///   - escape: how they are inserted.
    ///   - limit: the most bytes of a value; longer ones are cut.
    /// - Returns: the text, at most ``limitOutput`` bytes: values are cut where it would become longer.
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

/// Writes a template with its values from left to right.
private struct TemplateRenderer {
    private let escape: TemplateEscape
    private let longestValue: Int
    private(set) var result = RenderedTemplate()
    /// Whether the text so far ends inside of a JSON string, and there after a backslash.
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
    ///   - outer: those of the notification, if the section is one of its events.
    mutating func add(_ nodes: [RequestTemplate.Node], _ data: TemplateData, outer: TemplateData?) {
        for node in nodes {
            // What is too long is made again with shorter values.
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
                // An event has a severity and an end of its own.
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
            // A backslash of the template must not take the one that escapes the value.
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

    /// The values in an item of a list: a line keeps those of what it is a line of.
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

/// Whether a text is a number in JSON, without an exponent.
private func isJSONNumber(_ text: String) -> Bool {
    let unsigned = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    let parts = unsigned.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count),
        parts.allSatisfy({ part in !part.isEmpty && part.allSatisfy { $0 &- 0x30 < 10 } })
    else { return false }
    return parts[0].count == 1 || parts[0].first != UInt8(ascii: "0")
}
