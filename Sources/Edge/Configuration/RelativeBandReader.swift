internal import Diagnostics
internal import Events
internal import Market
internal import Rules
internal import Time

/// A reader of limits that are relative to a price: `max = "+10%"` with `from`.
struct RelativeBandReader {
    /// The maximum number of digits of 100% plus the change. With more, the resulting limits could not be stored
    /// exactly.
    private static let mostDigits = 6

    private let table: RuleTable
    private var reader: TableReader { table.reader }

    init(_ table: RuleTable) {
        self.table = table
    }

    /// Reads the condition, and reports keys that are missing or faulty.
    func condition() -> Condition? {
        let min = declared("min")
        let max = declared("max")
        let hysteresis = reader.distance("hysteresis")
        let base = requiredBase()
        guard reader.isRead("min", min), reader.isRead("max", max), reader.isRead("hysteresis", hysteresis), let base
        else { return nil }
        return table.made { () throws(ConditionError) in
            let band = try RelativeBand(min: min, max: max, hysteresis: hysteresis?.value, base: base)
            guard case .amount(let amount) = base else { return .relative(band) }
            return .band(try band.band(from: amount))
        }
    }

    /// Reads an amount, or a percentage with a sign.
    private func declared(_ key: String) -> DeclaredLimit? {
        guard reader.isPercent(key), let node = reader.node(key), case .string(let text) = node.value else {
            return table.limit(key).map { .amount($0.value) }
        }
        let error = { (what: String, advice: String) -> DeclaredLimit? in
            reader.context.error(node.position, "`\(key)` is \"\(text)\", \(what)", advice: advice)
            return nil
        }
        guard text.hasPrefix("+") || text.hasPrefix("-") else {
            return error("a percentage without a sign", "write \"+\(text)\" for above, \"-\(text)\" for below")
        }
        let digits = text.dropLast().drop { $0 == "+" }.split(separator: " ").joined()
        guard let change = try? Price(written: digits) else {
            return error("which is not a percentage", "write it like \"+10%\" or \"-2.5%\"")
        }
        guard let factor = Price.hundred.adding(change)?.reduced, factor.digitCount <= Self.mostDigits else {
            return error("which has too many digits for a percentage", "use at most 3 digits after the point")
        }
        return .percent(change)
    }

    /// Reads the base of the limits. If it is missing or faulty, reports a finding and returns nil.
    private func requiredBase() -> LimitBase? {
        guard reader.node("from") == nil else { return base() }
        let key = reader.isPercent("min") ? "min" : "max"
        reader.context.error(
            table.position(key), "`\(key)` is a percentage without `from`",
            advice: "add from = \"price\", a date such as \"2026-11-01\", or an amount such as \"72046\"")
        return nil
    }

    private func base() -> LimitBase? {
        guard let node = reader.node("from") else { return nil }
        switch node.value {
        case .string("price"): return .price
        case .dateTime:
            let place = node.position
            return day(reader.context.source(at: place).dateTime(at: place), at: place)
        case .string(let text) where text.isDate: return day(text, at: node.position)
        case .string, .integer, .float: return table.limit("from").map { .amount($0.value) }
        case .table, .array, .boolean:
            reader.wrongType("from", node, .base)
            return nil
        }
    }

    private func day(_ text: String, at position: TextPosition) -> LimitBase? {
        guard let day = CivilDate(text) else {
            reader.context.error(
                position, "`from` is \(text), which is not a date",
                advice: "write a day like 2026-11-01, without a time")
            return nil
        }
        if let price = reader.node("price"), case .string(let kind) = price.value, kind != PriceKind.last.rawValue {
            reader.context.error(
                price.position, "`from` with a date needs last prices, because no others are recorded",
                advice: "remove `price`, or use another `from`")
            return nil
        }
        return .day(day)
    }

    /// Reports a `from` to which no percentage refers.
    func reportUnused() {
        guard let node = reader.node("from"), !reader.hasPercentage, base() != nil else { return }
        reader.context.error(
            node.position, "`from` without a relative limit",
            advice: "write `min` or `max` as a percentage with a sign, such as \"+10%\", or remove `from`")
    }
}

extension TableReader {
    /// True if a limit is a percentage.
    var hasPercentage: Bool { isPercent("min") || isPercent("max") }

    fileprivate func isPercent(_ key: String) -> Bool {
        if case .string(let text)? = node(key)?.value { text.hasSuffix("%") } else { false }
    }
}

extension String {
    /// True if the text looks like a date rather than an amount.
    fileprivate var isDate: Bool {
        let bytes = Array(utf8)
        return bytes.count >= 8 && bytes.dropFirst(4).first == UInt8(ascii: "-")
            && bytes.prefix(4).allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}

extension Price {
    /// The number of digits, without leading zeros.
    fileprivate var digitCount: Int { String(mantissa.magnitude).utf8.count }
}
