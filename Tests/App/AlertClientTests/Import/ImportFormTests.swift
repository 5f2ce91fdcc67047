import Market
import Testing
import Time

@testable import AlertClient

/// Times, fields and objects in the lines of a file, one by one.
struct ImportFormTests {
    private func time(_ text: String) -> (form: TimeForm, milliseconds: Int64)? {
        // What stands around a field is no part of it.
        let bytes = Array(("9" + text + "9").utf8)
        return importedTime(bytes.span, in: 1..<bytes.count - 1)
    }

    @Test(
        arguments: [
            ("123456789", .seconds, 123_456_789_000), ("99999999999", .seconds, 99_999_999_999_000),
            ("1735603200.5", .seconds, 1_735_603_200_500), ("1735603200.25", .seconds, 1_735_603_200_250),
            ("1735603200.125", .seconds, 1_735_603_200_125), ("1735603200.1259", .seconds, 1_735_603_200_125),
            ("1735603200.007", .seconds, 1_735_603_200_007), ("100000000000", .milliseconds, 100_000_000_000),
            ("99999999999999", .milliseconds, 99_999_999_999_999), ("100000000000000", .microseconds, 100_000_000_000),
            ("99999999999999999", .microseconds, 99_999_999_999_999),
            ("100000000000000000", .nanoseconds, 100_000_000_000),
            ("1735603200000000000", .nanoseconds, 1_735_603_200_000),
            ("9223372036854775807", .nanoseconds, 9_223_372_036_854),
            ("2024-12-31", .text, 1_735_603_200_000), ("2024-12-31 00:01", .text, 1_735_603_260_000),
            ("2024-12-31T23:59:59.9", .text, 1_735_689_599_900), ("2024-12-31T00:00:00.05Z", .text, 1_735_603_200_050),
            ("2024-12-31 00:00 UTC", .text, 1_735_603_200_000), ("2024-12-31T01:00+01:00", .text, 1_735_603_200_000),
            ("2024-12-30T22:30-0130", .text, 1_735_603_200_000), ("2024-12-31T23:59+23:59", .text, 1_735_603_200_000),
        ] as [(String, TimeForm, Int64)])
    func aTimeIsReadByItsSize(text: String, form: TimeForm, milliseconds: Int64) {
        let found = time(text)
        #expect(found?.form == form)
        #expect(found?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "x", "12345678", "9223372036854775808", "12345678901234567890", "1735603200.", "1735603200.x",
        "1735603200.5x", "1735603200x", "1735603200000 ", "2024", "2024-", "2024-12", "2024-12-3", "2024-13-01",
        "2024-02-30", "2024/12/31", "2024-12/31", "2024-12-31x", "2024-12-31 ", "2024-12-31_00:00", "2024-12-31T00",
        "2024-12-31T00:0", "2024-12-31T24:00", "2024-12-31T00:60", "2024-12-31T00:00:60", "2024-12-31T00:00:0",
        "2024-12-31T00:00:00.", "2024-12-31T00.00", "2024-12-31T00:00ZZ", "2024-12-31T00:00 GMT", "2024-12-31T00:00 UT",
        "2024-12-31T00:00+24:00", "2024-12-31T00:00+01:60", "2024-12-31T00:00+1", "2024-12-31T00:00*01:00",
        "2024-12-31T00:00+01:000",
    ])
    func whatIsNoTime(text: String) {
        #expect(time(text) == nil)
    }

    private func fields(_ line: String, _ separator: Character = ",") throws -> [String] {
        let bytes = Array(line.utf8)
        let splitter = FieldSplitter(separator: try #require(separator.asciiValue))
        return splitter.fields(of: bytes.span, in: 0..<bytes.count).map { bytes.span.string(in: $0) }
    }

    @Test(
        arguments: [
            ("", [""]), ("a", ["a"]), ("a,b", ["a", "b"]), (",a,", ["", "a", ""]), (" a , b  ", ["a", "b"]),
            ("\"a\",\"b,c\"", ["a", "b,c"]), (" \"a b\" ,c", ["a b", "c"]), ("\"\",x", ["", "x"]), ("\"", ["\""]),
            ("\"a,b", ["\"a,b"]), ("a\"", ["a\""]), ("  ,  ", ["", ""]), ("a;b", ["a;b"]),
        ] as [(String, [String])])
    func aLineHasFields(line: String, expected: [String]) throws {
        #expect(try fields(line) == expected)
        #expect(try fields(line.replacing(",", with: "\t"), "\t") == expected.map { $0.replacing(",", with: "\t") })
    }

    @Test func whatComesAfterSixtyFourFieldsIsNone() throws {
        let line = { (count: Int) in (0..<count).map(String.init).joined(separator: ",") }
        #expect(try fields(line(64)).count == 64)
        #expect(try fields(line(65)) == (0..<64).map(String.init))
        #expect(try fields(line(200)).last == "63")
    }

    private func columns(_ line: String) -> ImportLayout.Columns? {
        let bytes = Array(line.utf8)
        return ImportLayout.Columns(recognizing: bytes.span, in: 0..<bytes.count)
    }

    @Test func columnsAreKnownByTheirNames() {
        let plain = ImportLayout.Columns(separator: 0x2C, time: 1, price: 0, hasHeader: true)
        for header in ["price,time", "Last Price,TIMESTAMP", "\"close\",\"Open_Time\"", "last,unix", "close price,ts"] {
            #expect(columns(header) == plain, "\(header)")
        }
        let klines = ImportLayout.Columns(
            separator: 0x3B, time: 0, price: 4, symbol: 6, areKlines: true, closeTime: 5,
            path: ImportLayout.Columns.Path(open: 1, high: 2, low: 3), hasHeader: true)
        #expect(columns("date;open;high;low;close;close time;pair") == klines)
        #expect(columns("date;open;high;volume;close;end_time;ticker")?.path == nil)
        #expect(columns("date;open;high;volume;close;end_time;ticker")?.areKlines == true)
        // Without an open it is not a kline, and the close time is the time.
        let closes = ImportLayout.Columns(separator: 0x2C, time: 0, price: 1, hasHeader: true)
        #expect(columns("close_time,close") == closes)
        for header in ["time,volume", "price,volume", "time", "a,b"] { #expect(columns(header) == nil, "\(header)") }
    }

    @Test func columnsWithoutNamesAreKnownByTheirNumber() {
        #expect(columns("1735603200,5") == ImportLayout.Columns(separator: 0x2C, time: 0, price: 1))
        #expect(columns("1735603200\tbtcinr\t5") == ImportLayout.Columns(separator: 9, time: 0, price: 2, symbol: 1))
        let path = ImportLayout.Columns.Path(open: 1, high: 2, low: 3)
        let klines = ImportLayout.Columns(separator: 0x2C, time: 0, price: 4, areKlines: true, path: path)
        #expect(columns("1735603200,1,2,3,4,5") == klines)
        #expect(columns("1735603200,1,2,3,4,5,1735603259,7,8,9") == klines)
        #expect(columns("1735603200,1,2,3,4,5,6,7,8,9,10") == klines)
        var closed = klines
        closed.closeTime = 6
        #expect(columns("1735603200,1,2,3,4,5,1735603259,7,8,9,10") == closed)
        #expect(columns("1735603200,1,2,3") == nil)
        #expect(columns("1735603200,1,2,3,4") == nil)
        #expect(closed.count == 7 && klines.count == 5)
    }

    @Test(
        arguments: [
            ([0], nil), ([0, 60_000], 60_000), ([0, 120_000, 180_000], 60_000), ([180_000, 0, 120_000], 60_000),
            ([0, 3_600_000, 10_800_000], 3_600_000), ([0, 90_000], nil), ([0, 0], nil), ([0, 1_000], 1_000),
            ([5, 180_005], 180_000), ([0, 300_000], 300_000), ([0, 900_000], 900_000), ([0, 1_800_000], 1_800_000),
            ([0, 7_200_000], 7_200_000), ([0, 14_400_000], 14_400_000), ([0, 21_600_000], 21_600_000),
            ([0, 28_800_000], 28_800_000), ([0, 43_200_000], 43_200_000), ([0, 86_400_000], 86_400_000),
            ([0, 259_200_000], 259_200_000), ([0, 604_800_000], 604_800_000), ([0, 604_800_001], nil),
        ] as [([Int64], Int64?)])
    func theLengthOfKlinesIsSeenFromTheirBegins(begins: [Int64], length: Int64?) {
        var klines = KlineLength()
        for begin in begins { klines.record(begin) }
        #expect(klines.length == length.map { Milliseconds($0) })
    }

    @Test(arguments: [(60_000, 59_999), (59_999, 59_999), (59_000, 59_999), (58_999, 58_999), (119_000, 119_999)])
    func aCloseTimeIsTheLastMillisecond(time: Int64, expected: Int64) {
        #expect(KlineLength.lastMillisecond(ofClose: time) == expected)
    }
}

/// The lines of a file, read one after the other.
struct ImportReaderTests {
    private static let now = WallTime(milliseconds: 1_735_700_000_000)

    /// What each line gives: time and price, `-` for none, or what is wrong with it.
    private func read(_ lines: [String], _ change: (inout ImportOptions) -> Void = { _ in }) -> [String] {
        var options = ImportOptions(symbol: Symbol("btcinr"), now: Self.now)
        change(&options)
        var reader = ImportReader(options)
        var story: [String] = []
        for (number, line) in lines.enumerated() {
            let bytes = Array(line.utf8)
            do throws(LineFault) {
                let place = TextLine(range: 0..<bytes.count, number: number + 1, block: number)
                let sample = try reader.read(bytes.span, place)
                let whole = reader.path + [sample].compactMap(\.self)
                story.append(
                    whole.isEmpty ? "-" : whole.map { "\($0.milliseconds) \($0.price)" }.joined(separator: " "))
            } catch {
                story.append(error.message)
            }
        }
        return story
    }

    @Test func linesWithoutAPriceAreNone() {
        #expect(read(["", " \t ", "\t", "time,price", "1735603200,5"]) == ["-", "-", "-", "-", "1735603200000 5"])
        // A tab alone parts fields, but a line of blanks is empty wherever it is.
        #expect(read(["1735603200,5", "  ", "1735603260,6"]) == ["1735603200000 5", "-", "1735603260000 6"])
    }

    /// Of a rising kline the lowest comes first, of a falling one the highest.
    @Test func aWholeKlineHasFourPrices() {
        let klines = { (rows: [String]) in
            self.read(["time,open,high,low,close"] + rows) {
                $0.takesWholeKlines = true
                $0.klineLength = .seconds(3)
            }.dropFirst().map(\.self)
        }
        #expect(klines(["1735603200,2,5,1,4"]) == ["1735603200000 2 1735603200999 1 1735603201998 5 1735603202999 4"])
        #expect(klines(["1735603200,4,5,1,2"]) == ["1735603200000 4 1735603200999 5 1735603201998 1 1735603202999 2"])
        #expect(klines(["1735603200,2,5,1,2"]) == ["1735603200000 2 1735603200999 1 1735603201998 5 1735603202999 2"])
        #expect(klines(["1735603200,2,2,2,2"]) == ["1735603200000 2 1735603200999 2 1735603201998 2 1735603202999 2"])
        for row in ["1735603200,2,5,3,4", "1735603200,6,5,1,4", "1735603200,2,5,1,6", "1735603200,4,5,3,2"] {
            #expect(klines([row]) == ["the open or the close of the kline is outside its low and high"], "\(row)")
        }
        #expect(klines(["1735603200,2,x,1,4"]) == ["the price 'x' is not a number greater than 0 in plain digits"])
    }

    @Test func aKlineEndsAfterItBegins() {
        let header = "open time,close time,open,close"
        #expect(read([header, "1735603200,1735603259,1,2"])[1] == "1735603259999 2")
        #expect(read([header, "1735603260,1735603200,1,2"])[1] == "the kline ends before it begins")
    }

    @Test(arguments: [
        ("1735699999,5", "1735699999000 5"), ("1735700000,5", "1735700000000 5"),
        ("1735700001,5", "the time '1735700001' is in the future"), ("1230940800,5", "1230940800000 5"),
        ("1230940799,5", "the time '1230940799' is before the first bitcoin"),
        ("1735603200,-5", "the price '-5' is not a number greater than 0 in plain digits"),
        ("1735603200", "it has 1 column instead of at least 2"),
        ("1735603200,\u{1B}", "the price '\\u{1b}' is not a number greater than 0 in plain digits"),
        (
            "1735603200," + String(repeating: "x", count: 40),
            "the price '" + String(repeating: "x", count: 40) + "' is not a number greater than 0 in plain digits"
        ),
        (
            "1735603200," + String(repeating: "x", count: 41),
            "the price '" + String(repeating: "x", count: 40) + "…' is not a number greater than 0 in plain digits"
        ),
    ])
    func aRow(row: String, expected: String) {
        #expect(read(["1735603200,1", row])[1] == expected)
    }

    @Test(arguments: [
        ("{\"symbol\":\"a\",\"price\":1}", "the time is missing"),
        ("{\"symbol\":\"a\",\"time\":1735603200}", "the price is missing"),
        ("{\"price\":1,\"time\":1735603200}", "the symbol is missing"),
        ("{", "it is not a JSON object with time, symbol and price"),
        ("{\"symbol\":\"A\",\"price\":1,\"time\":1735603200}", "1735603200000 1"),
    ])
    func anObject(line: String, expected: String) {
        #expect(read([line]) { $0.symbol = nil } == [expected])
    }

    @Test func theUserIsBelievedBeforeTheFileAndAPresumptionAfterIt() {
        let rows = ["time,symbol,price", "1735603200,BTC/INR,1", "1735603260,BTC/INR,2", "1735603320,ETH/INR,3"]
        let another =
            "the symbol 'ETH/INR' differs from the previous one; --symbol works only for files with one symbol"
        #expect(read(rows) == ["-", "1735603200000 1", "1735603260000 2", another])
        #expect(read(rows) { $0.symbol = nil }[1] == "1735603200000 1")
        #expect(
            read(["time,symbol,price", "1735603200,BTC INR,1"]) { $0.symbol = nil }[1]
                == "the symbol 'BTC INR' is not a name of at most 32 letters and digits")
        #expect(
            read(["1735603200,1"]) { ($0.symbol, $0.presumedSymbol) = (nil, Symbol("a")) } == ["1735603200000 1"])
        #expect(
            read(["1735603200,1"]) { $0.symbol = nil } == [
                "the file does not name its symbol; specify it with --symbol"
            ])
    }
}
