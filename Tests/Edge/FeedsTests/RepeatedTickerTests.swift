import Feeds
import Market
import Testing
import Time

/// A decoder that knows the response before gives what one gives that has seen none.
@Suite struct RepeatedTickerTests {
    /// What came of a response.
    enum Outcome: Equatable {
        case tickers([Ticker], bad: Int)
        case failure(DecodingFailure)

        init(_ body: [UInt8], _ decoder: inout WazirXDecoder, at received: Instant = receipt) {
            do {
                let batch = try decoder.decode(padded(body), received: received)
                self = .tickers(batch.tickers, bad: batch.badElementCount)
            } catch {
                self = .failure(error)
            }
        }

        init(_ body: [UInt8], at received: Instant = receipt) {
            var decoder = WazirXDecoder()
            self.init(body, &decoder, at: received)
        }
    }

    func body(_ elements: [String]) -> [UInt8] { Array("[\(elements.joined(separator: ","))]".utf8) }

    @Test func timesMoveOn() throws {
        var decoder = WazirXDecoder()
        for second in 0..<5 {
            let times = (0..<3).map { 1_669_012_549_000 + second * 1_000 + $0 }
            let elements = zip(["a", "b", "c"], times).map { element($0, at: String($1)) }
            let batch = try decoder.decode(padded(body(elements)), received: receipt)
            #expect(batch.symbols == ["a", "b", "c"])
            #expect(batch.tickers.map(\.exchangeTime?.milliseconds) == times.map(Int64.init))
            #expect(batch.tickers.allSatisfy { $0.last?.description == "12.5" })
        }
    }

    /// Elements that have a time in common are read together.
    @Test(arguments: [
        [0, 0, 0, 0], [0, 0, 0, 1], [0, 1, 1, 0], [0, 1, 0, 1], [1, 1, 0, 0], [1, 0, 2, 2],
        [0, 9_000_000_000_000, 0, 0],
    ])
    func eachElementHasItsTime(offsets: [Int]) throws {
        var decoder = WazirXDecoder()
        let names = ["a", "b", "c", "d"]
        _ = try decoder.decode(padded(body(names.map { element($0) })), received: receipt)
        for second in 1..<3 {
            let times = offsets.map { 1_669_012_549_000 + second * 1_000 + $0 }
            let elements = zip(names, times).map { element($0, at: String($1)) }
            let batch = try decoder.decode(padded(body(elements)), received: receipt)
            let plausible = zip(times, offsets).map { $1 < 86_400_000 ? Int64($0) : nil }
            #expect(batch.tickers.map(\.exchangeTime?.milliseconds) == plausible)
            #expect(batch.symbols.map(\.description) == names && batch.badElementCount == 0)
        }
    }

    @Test(arguments: ["1669012550000", "166901255", "16690125500001"])
    func aLongerTimeIsAnotherTime(time: String) throws {
        var decoder = WazirXDecoder()
        _ = try decoder.decode(padded(body(["a", "b", "c"].map { element($0) })), received: receipt)
        let elements = [element("a", at: "1669012550000"), element("b", at: time), element("c", at: "1669012550000")]
        let batch = try decoder.decode(padded(body(elements)), received: receipt)
        let expected = time.utf8.count == 13 ? Int64(1_669_012_550_000) : nil
        #expect(batch.tickers.map(\.exchangeTime?.milliseconds) == [1_669_012_550_000, expected, 1_669_012_550_000])
    }

    @Test func aTimeIsJudgedByItsOwnReceipt() {
        var decoder = WazirXDecoder()
        let day: Int64 = 86_400_000
        for time in [0, day, day + 1, 3 * day, 0, -day, -day - 3_000, 0] {
            let received = Instant(
                boot: receipt.boot, wall: WallTime(milliseconds: receipt.wall.milliseconds + time))
            let same = body([element("a"), element("b")])
            #expect(Outcome(same, &decoder, at: received) == Outcome(same, at: received))
        }
    }

    @Test(arguments: [
        "0", "01", "", "-1", "1.5", "1e3", "x", "\"1669012549001\"", "99999999999999999999", "16690125490011",
    ])
    func otherTimesAreReadInFull(time: String) {
        for number in 0..<3 {
            var decoder = WazirXDecoder()
            var elements = ["a", "b", "c"].map { element($0) }
            #expect(Outcome(body(elements), &decoder) == Outcome(body(elements)))
            elements[number] = element(["a", "b", "c"][number], at: time)
            #expect(Outcome(body(elements), &decoder) == Outcome(body(elements)))
        }
    }

    /// The end of a response is that of the one before, or it is not.
    @Test(
        arguments: [
            ("[A,B]", "[A,B] "), ("[A,B]", "[A,B]x"), ("[A,B]", "[A,B"), ("[A,B]", "[A,B,]"), ("[A,B]", "[A"),
            ("[A,B]", "[A]"), ("[A,B]", "[A,B,A]"), ("[A,B]", "[A,B,C]"), ("[A,B,C]", "[A,B]"), ("[A,B]", "[A;B]"),
            ("[A,B]", "[A B]"), ("[A,B]", "A,B]"), ("[A,B]", " [A,B]"), ("[A,B]", "[ A,B]"), ("[A,B]", "[B,A]"),
            ("[A,B]", "[A,C]"), ("[A,B]", "[C,B]"), ("[A,B]", "[A,{},B]"), ("[A,{},B]", "[A,{},B]"), ("[A,B]", "{A,B}"),
            ("[A,B]", "[A,B]]"), ("[A,B]", "[A,B][A,B]"), ("[A,A]", "[A,A]"),
            ("[A,B]", "{\"code\":1,\"message\":\"A\"}"),
            ("[A,B]", "{A,B]"), ("[A,B]", "xA,B]"), ("[A,B]", " A,B]"),
            ("[A,B]", ""), ("[A,B]", "["), ("[A,B]", "[]"), ("[A,B]", "<html>"),
        ])
    func endsAreCompared(first: String, second: String) {
        let bodies = [first, second, first, first, second, second].map { text in
            Array(
                text.replacing("A", with: element("a")).replacing("B", with: element("b"))
                    .replacing("C", with: element("c", last: "7")).utf8)
        }
        var decoder = WazirXDecoder()
        for body in bodies { #expect(Outcome(body, &decoder) == Outcome(body)) }
    }

    @Test(arguments: Array("x]), \0\"".utf8)) func eachBraceIsLookedAt(byte: UInt8) {
        let first = body(["a", "b", "c"].map { element($0) })
        for place in first.indices where first[place] == UInt8(ascii: "}") || first[place] == UInt8(ascii: "{") {
            var second = first
            second[place] = byte
            var decoder = WazirXDecoder()
            #expect(Outcome(first, &decoder) == Outcome(first))
            #expect(Outcome(second, &decoder) == Outcome(second))
        }
    }

    /// Whatever changes from one response to the next.
    @Test(arguments: 0..<24) func anyChangeIsSeen(seed: Int) {
        var random = TestRandom(state: UInt64(seed))
        var decoder = WazirXDecoder()
        var elements = (0..<12).map { element("s\($0)") }
        for _ in 0..<150 {
            var text = body(elements)
            switch Int.random(in: 0..<10, using: &random) {
            case 0: damage(&text, using: &random)
            case 1: text.removeLast(Int.random(in: 1...text.count, using: &random))
            case 2: text = Array(#"{"code":2136,"message":"Too many api request"}"#.utf8)
            default: break
            }
            let outcome = Outcome(text, &decoder)
            #expect(outcome == Outcome(text), "\(String(decoding: text, as: UTF8.self))")
            change(&elements, using: &random)
        }
    }

    /// A batch says where it differs from the one before it, and what it said stays so.
    @Test(arguments: 0..<24) func differencesAreKnown(seed: Int) {
        var random = TestRandom(state: UInt64(seed))
        var decoder = WazirXDecoder()
        var elements = (0..<12).map { element("s\($0)") }
        var batches: [(batch: TickerBatch, body: [UInt8])] = []
        var knownCount = 0
        for _ in 0..<100 {
            let text = body(elements)
            guard let batch = try? decoder.decode(padded(text), received: receipt) else { break }
            if let former = batches.last?.batch, let places = batch.differences(from: former) {
                knownCount += 1
                #expect(places == Set(places).sorted())
                for place in batch.tickers.indices where !places.contains(place) {
                    var ticker = former.tickers[place]
                    ticker.exchangeTime = batch.tickers[place].exchangeTime
                    #expect(ticker == batch.tickers[place])
                }
            }
            for earlier in batches.dropLast() { #expect(batch.differences(from: earlier.batch) == nil) }
            batches.append((batch, text))
            // Elements that are bad once would always be, and nothing would be known.
            if batch.badElementCount > 0 { elements = (0..<12).map { element("s\($0)") } }
            change(&elements, using: &random)
        }
        #expect(knownCount > batches.count / 5)
        for (batch, body) in batches {
            #expect(Outcome(body) == .tickers(batch.tickers, bad: batch.badElementCount))
        }
    }

    @Test func onlyWhatChangedDiffers() throws {
        var decoder = WazirXDecoder()
        let first = try decoder.decode(padded(body([element("a"), element("b")])), received: receipt)
        #expect(first.differences(from: first) == nil)
        let second = try decoder.decode(
            padded(body([element("a", at: "1669012549007"), element("b", last: "7")])), received: receipt)
        #expect(second.differences(from: first) == [1])
        let third = try decoder.decode(padded(body([element("a"), element("b", last: "7")])), received: receipt)
        #expect(third.differences(from: second) == [])
        #expect(third.differences(from: first) == nil)
    }

    /// A repeated element may be bad because another one took its symbol.
    @Test func eachPlaceDiffersOnce() throws {
        var decoder = WazirXDecoder()
        let first = try decoder.decode(padded(body(["a", "b", "c", "d"].map { element($0) })), received: receipt)
        let elements = [element("d", last: "7"), "null", element("c"), element("d"), element("e"), element("f")]
        let second = try decoder.decode(padded(body(elements)), received: receipt)
        #expect(second.symbols == ["d", "c", "e", "f"] && second.badElementCount == 2)
        #expect(second.differences(from: first) == [0, 1, 2, 3])
    }

    @Test func whatIsKnownOfABatchEndsWithAChangeOfIt() throws {
        var decoder = WazirXDecoder()
        let first = try decoder.decode(padded(body([element("a"), element("b")])), received: receipt)
        var second = try decoder.decode(padded(body([element("a"), element("b")])), received: receipt)
        var changed = first
        changed.tickers.removeLast()
        #expect(second.differences(from: first) == [] && second.differences(from: changed) == nil)
        second.tickers.swapAt(0, 1)
        #expect(second.differences(from: first) == nil)
    }

    /// Another decoder knows nothing of the responses of the first one.
    @Test func decodersAreToldApart() throws {
        var decoder = WazirXDecoder()
        var other = WazirXDecoder()
        let first = try decoder.decode(padded(body([element("a")])), received: receipt)
        _ = try other.decode(padded(body([element("b")])), received: receipt)
        #expect(try other.decode(padded(body([element("b")])), received: receipt).differences(from: first) == nil)
    }

    private func damage(_ text: inout [UInt8], using random: inout TestRandom) {
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            guard let place = text.indices.randomElement(using: &random) else { return }
            switch Int.random(in: 0..<3, using: &random) {
            case 0: text[place] = UInt8.random(in: 0...255, using: &random)
            case 1: text.remove(at: place)
            default: text.insert(Array("\"[]{}:,.\\9e- ".utf8).randomElement(using: &random) ?? 0, at: place)
            }
        }
    }

    private func change(_ elements: inout [String], using random: inout TestRandom) {
        let number = Int.random(in: 0..<max(1, elements.count), using: &random)
        let symbol = "s\(Int.random(in: 0..<14, using: &random))"
        let last = "\(Int.random(in: 1...20, using: &random)).5"
        let time = String(1_669_012_549_000 + Int.random(in: 0...999, using: &random))
        switch Int.random(in: 0..<12, using: &random) {
        case 0: elements.insert(element(symbol, last: last), at: min(number, elements.count))
        case 1 where elements.count > 1: elements.remove(at: number)
        case 2: elements.swapAt(0, number)
        case 3: elements[number] = element(symbol, last: last, at: time)
        case 4: elements[number] = " " + element(symbol, last: last, at: time) + " "
        case 5: elements[number] = element(symbol, last: #"1\u002e5"#)
        case 6: elements[number] = #"{"symbol":"\#(symbol)","lastPrice":"\#(last)"}"#
        case 7 where elements.count > 1: elements[number] = "null"
        default: elements[number].replace(#/"at":[0-9]+/#, with: "\"at\":\(time)")
        }
    }
}
