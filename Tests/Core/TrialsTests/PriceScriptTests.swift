import Market
import Testing
import Time
import Trials

@Suite struct PriceScriptTests {
    static let interval = Milliseconds.seconds(30)

    /// The last prices; words for what has none.
    private static func drawn(_ text: String) throws -> [String] {
        try PriceScript(text, interval: interval).steps.map { step in
            if case .price(let price) = step { price.last.description } else { "\(step)" }
        }
    }

    @Test(
        arguments: [
            ("101.5", ["101.5"]),
            ("101x3 97", ["101", "101", "101", "97"]),
            ("100+2x4", ["100", "102", "104", "106"]),
            ("100-0.5x3", ["100", "99.5", "99.0"]),
            ("100..106x4", ["100", "102", "104", "106"]),
            ("106..100x3", ["106", "103", "100"]),
            ("0..0", []),
            ("1e2 1e-2+1e-2x2", ["1e2", "0.01", "0.02"]),
            ("7_500_000", ["7500000"]),
            ("quiet frozen unusable missing", ["quiet", "frozen", "unusable", "missing"]),
            ("frozenx2", ["frozen", "frozen"]),
            ("100 gap 1m 97", ["100", "nothing", "nothing", "97"]),
            ("  100\n\t97  ", ["100", "97"]),
        ] as [(String, [String])])
    func drawsPollAfterPoll(text: String, expected: [String]) throws {
        guard !expected.isEmpty else {
            #expect(throws: ScriptError.self) { try Self.drawn(text) }
            return
        }
        let numbers = { (words: [String]) in words.map { (try? Price($0))?.description ?? $0 } }
        #expect(numbers(try Self.drawn(text)) == numbers(expected))
    }

    @Test func bidAndAskAreTheLastPriceUnlessTheyAreDrawn() throws {
        let steps = try PriceScript("101 101[100.5/101.5]x2", interval: Self.interval).steps
        let quoted = ScriptStep.price(ScriptPrice(try Price("101"), bid: try Price("100.5"), ask: try Price("101.5")))
        #expect(steps == [.price(ScriptPrice(try Price("101"))), quoted, quoted])
    }

    @Test(
        arguments: [
            ("", "it is empty", 0),
            ("100 abc", "`abc` is not a price or keyword", 4),
            ("100 101x", "`101x` does not say how many polls", 4),
            ("100 101x0", "`101x0` does not say how many polls", 4),
            ("100x-1", "`100x-1` does not say how many polls", 0),
            ("100+2", "`100+2` does not say how many polls", 0),
            ("100..106", "`100..106` does not say in how many polls", 0),
            ("100..106x1", "`100..106x1` does not say in how many polls", 0),
            ("100..110x4", "`100..110x4`: the range cannot be divided exactly into 3 equal steps", 0),
            ("5-2x4", "`5-2x4` has a price that is not greater than 0", 0),
            ("ü 0", "`ü` is not a price or keyword", 0),
            ("1 ü", "`ü` is not a price or keyword", 2),
            ("1 0", "`0` has a price that is not greater than 0", 2),
            ("1 -5", "`-5` has a price that is not greater than 0", 2),
            ("12345678901234567890", "`12345678901234567890` cannot be stored exactly", 0),
            (
                "9e18x1 9000000000000000000+9000000000000000000x2",
                "`9000000000000000000+9000000000000000000x2` cannot be stored exactly", 7
            ),
            ("101[100]", "`101[100]` is not a price with bid and ask", 0),
            ("101[100/102", "`101[100/102` is not a price with bid and ask", 0),
            ("[", "`[` is not a price with bid and ask", 0),
            ("x", "`x` does not say how many polls", 0),
            ("+", "`+` is not a price or keyword", 0),
            ("1 gap", "`gap` without its length", 2),
            ("1 gap soon", "`gap` without its length", 6),
            ("1 gap 45s", "the gap is 45s, but polls are 30s apart", 6),
            ("1 gap 0s", "the gap is 0s, but polls are 30s apart", 6),
            ("1 2x100000", "it has more than 100000 polls", 2),
            ("1x99999999999999999999", "`1x99999999999999999999` does not say how many polls", 0),
            ("1x9999999999999", "it has more than 100000 polls", 0),
            ("1 gap 36500d", "it has more than 100000 polls", 2),
        ])
    func saysWhatIsWrongAndWhere(text: String, message: String, offset: Int) {
        let fault = #expect(throws: ScriptError.self) { try PriceScript(text, interval: Self.interval) }
        #expect(fault?.message == message)
        #expect(fault?.offset == offset)
    }

    @Test func theMostPollsCanBeDrawn() throws {
        #expect(try PriceScript("1x100000", interval: Self.interval).steps.count == 100_000)
        #expect(try PriceScript("1 gap 1000ms 2", interval: Milliseconds(1)).steps.count == 1_002)
        #expect(throws: ScriptError.self) { try PriceScript("1x100000 1", interval: Self.interval) }
        #expect(throws: ScriptError.self) { try PriceScript("1 quietx100000", interval: Self.interval) }
    }

    @Test func aPriceMayHaveOneSideOnly() throws {
        let (last, other) = (try Price("101"), try Price("100"))
        #expect(ScriptPrice(last, bid: other).bid == other)
        #expect(ScriptPrice(last, bid: other).ask == last)
        #expect(ScriptPrice(last, ask: other).ask == other)
        #expect(ScriptPrice(last, ask: other).bid == last)
    }

    @Test(arguments: [
        ("", "write prices separated by spaces, such as \"100x5 101 97\""),
        ("abc", "use prices, quiet, frozen, unusable, missing or gap LENGTH"),
        ("101x", "write a number after the x, such as 101x3"), ("100+2", "add the number, such as 100+2x5"),
        ("100..106", "add the number, two or more, such as 100..110x6"),
        ("100..110x4", "use another number of polls, or a step: 100+2x6"),
        ("0", "write a poll without a price as `unusable`"),
        ("0.1234567890123456789", "use at most 18 digits, and at most 18 after the point"),
        ("101[100]", "write it like 101[100.5/101.5]"), ("1 gap", "write it with a unit, such as gap 3m"),
        ("1 gap 45s", "use a multiple of 30s"), ("1x100001", "use a longer interval"),
    ])
    func saysWhatToDo(text: String, advice: String) {
        let fault = #expect(throws: ScriptError.self) { try PriceScript(text, interval: Self.interval) }
        #expect(fault?.advice == advice)
    }
}
