package import Market
package import Time

/// The data of one symbol in one poll of a script.
package enum ScriptStep: Equatable, Sendable {
    case price(ScriptPrice)
    /// No trades: the last price, bid and ask are repeated, and the volume is 0.
    case quiet
    /// A frozen market: the last price is repeated, and the volume, bid and ask are 0.
    case frozen
    /// The response has the symbol without a price.
    case unusable
    /// A response without the symbol.
    case missing
    /// No response, unless another symbol has one.
    case nothing
}

/// The prices of a symbol in one poll.
package struct ScriptPrice: Equatable, Sendable {
    package var last: Price
    package var bid: Price
    package var ask: Price

    /// Creates prices; bid and ask default to the last price.
    package init(_ last: Price, bid: Price? = nil, ask: Price? = nil) {
        self.last = last
        self.bid = bid ?? last
        self.ask = ask ?? last
    }
}

/// A mistake in a script.
package struct ScriptError: Error, Equatable, Sendable {
    /// The problem, without a full stop.
    package var message: String
    /// The correction to suggest.
    package var advice: String
    /// Offset of the faulty word, in Unicode scalars.
    package var offset: Int
}

/// A series of polls at equal intervals, written as text: words separated by spaces.
///
/// | word | polls |
/// | --- | --- |
/// | `101.5` | one at this price |
/// | `101.5[101/102]` | one with this last price, bid and ask |
/// | `101x3` | three at this price |
/// | `100+2x4` | four: 100 102 104 106; `100-2x4` goes down |
/// | `100..106x4` | four from 100 to 106 in equal steps |
/// | `quiet` `frozen` `unusable` `missing` | see ``ScriptStep``; also with a count: `missingx3` |
/// | `gap 3m` | none for 3 minutes: with an interval of 30s, six polls without a response |
package struct PriceScript: Equatable, Sendable {
    /// Maximum number of polls. It is more than 34 days at one poll every 30s; 100,000 × 56 bytes = 5.6 MB.
    package static let limit = 100_000

    /// One step per poll.
    package private(set) var steps: [ScriptStep] = []

    /// Parses a script.
    ///
    /// - Parameters:
    ///   - text: words separated by spaces or line ends.
    ///   - interval: the time between two polls; gaps are multiples of it.
    /// - Throws: ``ScriptError``, the first problem found.
    package init(_ text: String, interval: Milliseconds) throws(ScriptError) {
        var words = Self.words(of: text)[...]
        while let word = words.popFirst() {
            let added =
                word.text == "gap"
                ? try Self.gap(word, words.popFirst(), interval) : try ScriptToken(word.text, at: word.offset).steps()
            guard steps.count + added.count <= Self.limit else {
                throw ScriptError(
                    message: "it has more than \(Self.limit) polls", advice: "use a longer interval",
                    offset: word.offset)
            }
            steps += added
        }
        guard !steps.isEmpty else {
            throw ScriptError(
                message: "it is empty", advice: "write prices separated by spaces, such as \"100x5 101 97\"",
                offset: 0)
        }
    }

    private typealias Word = (text: String, offset: Int)

    private static func words(of text: String) -> [Word] {
        var words: [Word] = []
        var word = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace {
                if !word.isEmpty { words.append((String(word), count - word.count)) }
                word = String.UnicodeScalarView()
            } else {
                word.append(scalar)
            }
            count += 1
        }
        if !word.isEmpty { words.append((String(word), count - word.count)) }
        return words
    }

    private static func gap(_ word: Word, _ length: Word?, _ interval: Milliseconds) throws(ScriptError) -> [ScriptStep]
    {
        guard let length, let gap = Milliseconds(length.text) else {
            throw ScriptError(
                message: "`gap` without its length", advice: "write it with a unit, such as gap 3m",
                offset: length?.offset ?? word.offset)
        }
        let (count, rest) = gap.count.quotientAndRemainder(dividingBy: max(1, interval.count))
        guard rest == 0, count > 0 else {
            throw ScriptError(
                message: "the gap is \(gap), but polls are \(interval) apart", advice: "use a multiple of \(interval)",
                offset: length.offset)
        }
        return Array(repeating: .nothing, count: Int(min(count, Int64(limit) + 1)))
    }
}
