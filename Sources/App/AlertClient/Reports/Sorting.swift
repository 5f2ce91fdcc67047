internal import Market

/// Sorts elements by a key; numbers are compared exactly. Elements without a key come last in both directions. The
/// sort is stable.
func sorted<Element>(_ elements: [Element], isDescending: Bool, by key: (Element) -> SortKey) -> [Element] {
    let keyed = elements.map { (key: key($0), element: $0) }
    let present = keyed.filter { $0.key != .missing }
    let missing = keyed.filter { $0.key == .missing }
    let order = present.indices.sorted { left, right in
        let (first, second) = (present[left].key, present[right].key)
        if first == second { return left < right }
        return isDescending ? second < first : first < second
    }
    return order.map { present[$0].element } + missing.map(\.element)
}

/// The value that a row is sorted by.
enum SortKey: Comparable {
    case number(Price)
    case text(String)
    case missing

    init(_ value: Value) {
        switch value {
        case .missing: self = .missing
        case .text(let text), .time(let text): self = .text(text)
        case .decimal(let text), .point(let text, _): self = (try? Price(text)).map { .number($0) } ?? .missing
        case .count(let number): self = Price(mantissa: Int64(number), scale: 0).map { .number($0) } ?? .missing
        case .flag(let flag): self = .text(flag ? "yes" : "no")
        case .facts, .json: self = .missing
        case .list(let texts): self = .text(texts.joined(separator: ","))
        }
    }
}
