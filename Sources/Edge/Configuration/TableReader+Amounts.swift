internal import Diagnostics
internal import Market
internal import Rules

/// The currencies that the amounts of one table name.
final class AmountCurrencies {
    /// The currency meant by a sign that several currencies share.
    let preferred: Currency?
    /// The currencies, in the order in which they were read.
    var found: [(currency: Currency, key: String, position: TextPosition)] = []

    init(preferring preferred: Currency?) {
        self.preferred = preferred
    }
}

extension TableReader {
    /// Reads an exact number, written as a number or as a string.
    func amount(_ key: String) -> Located<Price>? {
        guard let node = node(key) else { return nil }
        guard let text = numberText(node) else {
            wrongType(key, node, .amount, advice: "write it in digits, such as 4_800_000 or \"0.00000041\"")
            return nil
        }
        return price(text, of: key, written: text, at: node.position)
    }

    /// Reads a list of two numbers.
    func twoAmounts(_ key: String) -> Located<(Price, Price)>? {
        guard let node = node(key) else { return nil }
        guard case .array(let elements) = node.value else {
            wrongType(key, node, .twoAmounts, advice: "write [\"120\", \"135\"], the lower one first")
            return nil
        }
        let prices = elements.map { element -> Price? in
            guard let text = numberText(element) else {
                wrongType(key, element, .twoAmounts)
                return nil
            }
            return price(text, of: key, written: text, at: element.position)?.value
        }
        guard prices.count == 2 else {
            context.error(
                node.position, "`\(key)` needs two numbers, but has \(prices.count)",
                advice: "write them like [\"120\", \"135\"], the lower one first")
            return nil
        }
        return prices[0].flatMap { low in
            prices[1].map { Located(value: (low, $0), position: node.position) }
        }
    }

    /// Reads a number, or a string that ends with `%`.
    func distance(_ key: String) -> Located<Distance>? {
        guard let node = node(key) else { return nil }
        guard let text = numberText(node) else {
            wrongType(key, node, .amountOrPercent)
            return nil
        }
        let isPercent = text.hasSuffix("%")
        let digits = isPercent ? String(text.dropLast()) : text
        guard let price = price(digits, of: key, written: text, at: node.position) else { return nil }
        return Located(value: isPercent ? .percent(price.value) : .amount(price.value), position: node.position)
    }

    /// Returns the text of a number. A TOML number is read as written in the file, because a binary float would lose
    /// digits.
    private func numberText(_ node: TOMLNode) -> String? {
        switch node.value {
        case .string(let text): return text
        case .integer, .float:
            let token = context.source(at: node.position).token(at: node.position)
            return token.hasPrefix("+") ? String(token.dropFirst()) : token
        default: return nil
        }
    }

    private func price(
        _ digits: String, of key: String, written: String, at position: TextPosition
    ) -> Located<Price>? {
        do throws(PriceError) {
            return Located(value: try Price(written: digits), position: position)
        } catch {
            guard let currencies, error == .malformed else {
                report(error, of: key, written: written, at: position)
                return nil
            }
            return amount(digits, of: key, written: written, at: position, currencies)
        }
    }

    /// Parses an amount as people write it, with its currency or with separators.
    private func amount(
        _ text: String, of key: String, written: String, at position: TextPosition, _ currencies: AmountCurrencies
    ) -> Located<Price>? {
        do throws(WrittenAmountError) {
            let amount = try WrittenAmount(text, preferring: currencies.preferred)
            if let currency = amount.currency {
                currencies.found.append((currency: currency, key: key, position: position))
            }
            return Located(value: amount.number, position: position)
        } catch {
            let fault =
                switch error {
                case .malformed: "which is not an amount"
                case .doesNotFit: "which cannot be stored exactly"
                case .ambiguousNumber: "which could be two amounts"
                case .ambiguousSign: "and several currencies are written like that"
                }
            context.error(position, "`\(key)` is \"\(written)\", \(fault)", advice: error.advice)
            return nil
        }
    }

    private func report(_ error: PriceError, of key: String, written: String, at position: TextPosition) {
        switch error {
        case .doesNotFit:
            context.error(
                position, "`\(key)` is \(written), which cannot be stored exactly",
                advice: "use at most 18 digits, and at most 18 after the point")
        case .malformed:
            context.error(
                position, "`\(key)` is \"\(written)\", which is not a number",
                advice: "write digits with at most one point, such as \"4_800_000\" or \"0.00000041\"")
        }
    }
}
