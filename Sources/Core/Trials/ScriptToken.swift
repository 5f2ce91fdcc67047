internal import Market

/// One word of a script: a price or state, and the number of polls.
struct ScriptToken {
    private static let states: [String: ScriptStep] = [
        "quiet": .quiet, "frozen": .frozen, "unusable": .unusable, "missing": .missing,
    ]

    private let text: String
    private let offset: Int
    /// The part before the count.
    private let base: Substring
    /// Nil if not given.
    private let count: Int?

    init(_ text: String, at offset: Int) throws(ScriptError) {
        self.text = text
        self.offset = offset
        guard let mark = text.lastIndex(of: "x") else {
            (base, count) = (text[...], nil)
            return
        }
        base = text[..<mark]
        let digits = text[text.index(after: mark)...]
        guard let number = Int(digits), number > 0, digits.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else {
            throw ScriptError(
                message: "`\(text)` does not say how many polls",
                advice: "write a number after the x, such as 101x3", offset: offset)
        }
        count = min(number, PriceScript.limit + 1)
    }

    func steps() throws(ScriptError) -> [ScriptStep] {
        if let state = Self.states[String(base)] { return Array(repeating: state, count: count ?? 1) }
        if let dots = range(of: "..") {
            return try slope(from: try price(base[..<dots.lowerBound]), to: try price(base[dots.upperBound...]))
        }
        if let sign = signIndex {
            let step = try price(base[base.index(after: sign)...])
            return try stairs(from: try price(base[..<sign]), by: base[sign] == "-" ? negated(step) : step)
        }
        return Array(repeating: .price(try quotes()), count: count ?? 1)
    }

    /// The sign between two numbers: not the first character, and not the sign of an exponent.
    private var signIndex: String.Index? {
        guard !base.isEmpty else { return nil }
        return base.indices.dropFirst().first { index in
            "+-".contains(base[index]) && !"eE".contains(base[base.index(before: index)])
        }
    }

    private func range(of mark: String) -> Range<String.Index>? {
        var start = base.startIndex
        while start < base.endIndex {
            if base[start...].hasPrefix(mark) { return start..<base.index(start, offsetBy: mark.count) }
            start = base.index(after: start)
        }
        return nil
    }

    private func negated(_ step: Price) throws(ScriptError) -> Price {
        guard let negative = Price.zero.subtracting(step) else { throw doesNotFit }
        return negative
    }

    private func stairs(from first: Price, by step: Price) throws(ScriptError) -> [ScriptStep] {
        guard let count else {
            throw fault("`\(text)` does not say how many polls", "add the number, such as \(text)x5")
        }
        var steps: [ScriptStep] = []
        var price = first
        for number in 0..<min(count, PriceScript.limit + 1) {
            if number > 0 {
                guard let next = price.adding(step) else { throw doesNotFit }
                price = next
            }
            try checkPositive(price)
            steps.append(.price(ScriptPrice(price)))
        }
        return steps
    }

    private func slope(from first: Price, to last: Price) throws(ScriptError) -> [ScriptStep] {
        guard let count, count > 1 else {
            throw fault(
                "`\(text)` does not say in how many polls", "add the number, two or more, such as 100..110x6")
        }
        guard let way = last.subtracting(first), let step = way.divided(into: count - 1) else {
            throw fault(
                "`\(text)`: the range cannot be divided exactly into \(count - 1) equal steps",
                "use another number of polls, or a step: 100+2x6")
        }
        return try stairs(from: first, by: step)
    }

    /// Parses `101` or `101[100.5/101.5]`.
    private func quotes() throws(ScriptError) -> ScriptPrice {
        guard let bracket = base.firstIndex(of: "[") else { return ScriptPrice(try price(base)) }
        let sides = base[base.index(after: bracket)...].dropLast().split(
            separator: "/", omittingEmptySubsequences: false)
        guard base.last == "]", sides.count == 2 else {
            throw fault("`\(text)` is not a price with bid and ask", "write it like 101[100.5/101.5]")
        }
        return ScriptPrice(try price(base[..<bracket]), bid: try price(sides[0]), ask: try price(sides[1]))
    }

    private func price(_ digits: Substring) throws(ScriptError) -> Price {
        let price: Price
        do throws(PriceError) {
            price = try Price(written: String(digits))
        } catch {
            switch error {
            case .doesNotFit: throw doesNotFit
            case .malformed:
                throw fault(
                    "`\(text)` is not a price or keyword",
                    "use prices, quiet, frozen, unusable, missing or gap LENGTH")
            }
        }
        try checkPositive(price)
        return price
    }

    private func checkPositive(_ price: Price) throws(ScriptError) {
        guard price.isPositive else {
            throw fault(
                "`\(text)` has a price that is not greater than 0", "write a poll without a price as `unusable`")
        }
    }

    private var doesNotFit: ScriptError {
        fault("`\(text)` cannot be stored exactly", "use at most 18 digits, and at most 18 after the point")
    }

    private func fault(_ message: String, _ advice: String) -> ScriptError {
        ScriptError(message: message, advice: advice, offset: offset)
    }
}

extension Price {
    /// Divides the price exactly into `count` equal parts; nil if the result cannot be represented.
    fileprivate func divided(into parts: Int) -> Price? {
        // |Int64| × 10^18 is less than 2^123.
        let units = units
        let (quotient, rest) = units.quotientAndRemainder(dividingBy: Int128(parts))
        return rest == 0 ? Price(exactly: quotient, scale: Int(Self.maximumScale))?.reduced : nil
    }
}
